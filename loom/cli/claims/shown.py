"""Claims, readings and batches as text."""

from collections.abc import Mapping

from loom.claims.fast import Hit
from loom.claims.slow import Flushed
from loom.core.claims.view import Tree
from loom.core.memory.calendar import day_of
from loom.core.mint.neutral import neutral

LONGEST = 16
"""Characters of an id that are shown in lists, its kind left out."""


def short(id: str) -> str:
    kind, _, rest = id.rpartition(":")
    return f"{kind}:{rest[:LONGEST]}" if kind else id


def plain(text: str) -> str:
    """A text on one line that a terminal cannot misread."""
    return neutral(text)


def printed_flush(flushed: Flushed) -> str:
    """One batch in a few lines: what came in, and every standing that moved."""
    counts = {"asks": flushed.asks, "signals": flushed.signals, "claims": flushed.claims, "positions": flushed.projections}
    done = ", ".join(f"{many:,} {name}" for name, many in counts.items() if many)
    lines = [f"version {flushed.version}" + (f": {done}" if done else ": nothing waited")]
    for move in flushed.change.moves if flushed.change else ():
        if not move.claim.startswith("lifted:"):
            lines.append(f"  {short(move.claim)}  {move.before.word} → {move.after.word} ({move.cause})")
    lines += [f"  {short(id)} is to be derived anew" for id in flushed.again]
    said = [each for each in flushed.said.values() if isinstance(each, Mapping)]
    if empty := sum(each.get("signals") == [] for each in said):
        lines.append(f"  no signal from {empty:,} of the entries")
    if left := sum(len(each.get("left_out", [])) for each in said):
        lines.append(f"  {left:,} extracts are not entailed by their span, and left out (--json names them)")
    if unheld := sum(each.get("unheld_grades", 0) for each in said):
        lines.append(f"  {unheld:,} grades name nothing that is held in a domain that is there, and were left out")
    return "\n".join(lines)


def printed_hit(hit: Hit) -> str:
    """A hit with all that must not be left out of it."""
    if hit.claim is None:
        source = hit.signal.source if hit.signal else ""
        day = day_of(hit.signal.signal.observed_at) if hit.signal else ""
        return f"signal     {plain(hit.text)}  ({', '.join(filter(None, (plain(source), day)))}; {short(hit.id)})"
    lines = [f"{hit.standing.word:<11}{plain(hit.text)}  ({short(hit.id)})"]
    lines += [f"           disputed by {short(each.id)}: {plain(each.text)}" for each in hit.opposed]
    lines += [f"           assumed without evidence: {plain(each)}" for each in hit.preconditions]
    return "\n".join(lines)


def printed_tree(tree: Tree) -> list[str]:
    """The tree, indented; a claim that was shown above is named only."""
    lines: list[str] = []
    met: set[str] = set()

    def claim(id: str, depth: int) -> None:
        each = tree.claims[id]
        lines.append(f"{'  ' * depth}{each.standing.word}: {plain(each.claim.proposition) or short(id)}  ({short(id)})")
        if id in met or id in tree.cut:
            return
        met.add(id)
        for number, branch in enumerate(tree.branches(id), 1):
            said = branch.derivation.agent.name or branch.derivation.agent.kind
            lines.append(f"{'  ' * (depth + 1)}because ({number}, {branch.derivation.kind}, {plain(said)})")
            for name in branch.antecedents:
                if name in tree.claims:
                    claim(name, depth + 2)
                elif name in tree.signals:
                    signal = tree.signals[name]
                    state = "" if signal.supported else "no longer counts: "
                    where = ", ".join(filter(None, (plain(signal.source), day_of(signal.signal.observed_at))))
                    lines.append(
                        f"{'  ' * (depth + 2)}{state}{plain(signal.signal.proposition)}  ({where}; entry {plain(signal.signal.entry)})"
                    )

    claim(tree.root, 0)
    return lines
