"""Claims, readings and batches as text and as JSON."""

from typing import Any

from loom.claims.fast import Hit, Opposed
from loom.claims.slow import Flushed
from loom.claims.workspace import Answer
from loom.core.claims.history import Move
from loom.core.claims.stored import StoredClaim
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
    said = ", ".join(f"{many:,} {name}" for name, many in counts.items() if many)
    lines = [f"version {flushed.version}" + (f": {said}" if said else ": nothing waited")]
    for move in flushed.change.moves if flushed.change else ():
        if not move.claim.startswith("lifted:"):
            lines.append(f"  {short(move.claim)}  {move.before.word} → {move.after.word} ({move.cause})")
    lines += [f"  {short(id)} is to be derived anew" for id in flushed.again]
    return "\n".join(lines)


def flushed_as_json(flushed: Flushed) -> dict[str, Any]:
    moves = flushed.change.moves if flushed.change else ()
    return {
        "version": flushed.version, "asks": flushed.asks, "signals": flushed.signals, "claims": flushed.claims,
        "projections": flushed.projections, "migrated": flushed.migrated, "refiled": flushed.refiled, "calls": flushed.calls,
        "moves": [moved(each) for each in moves], "again": list(flushed.again), "said": dict(flushed.said),
    }  # fmt: skip


def moved(move: Move) -> dict[str, Any]:
    return {
        "claim": move.claim,
        "from": move.before.word,
        "to": move.after.word,
        "cause": move.cause,
        "batch": move.batch,
        "at": move.at,
    }


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


def hit_as_json(hit: Hit) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": hit.id,
        "kind": "claim" if hit.claim else "signal",
        "text": hit.text,
        "score": round(hit.score, 6),
    }
    if hit.claim:
        told |= {
            "standing": hit.standing.word,
            "home": sorted(hit.claim.home),
            "preconditions": list(hit.preconditions),
            "disputed_by": [opposed(each) for each in hit.opposed],
        }
    elif hit.signal:
        told |= {"source": hit.signal.source, "observed_at": hit.signal.signal.observed_at, "entry": hit.signal.signal.entry}
    return told


def opposed(each: Opposed) -> dict[str, Any]:
    return {"id": each.id, "text": each.text, "standing": each.standing.word}


def answer_as_json(answer: Answer) -> dict[str, Any]:
    told: dict[str, Any] = {"way": answer.way.way, "probabilities": dict(answer.way.probabilities)}
    if answer.reading is not None:
        told |= {
            "version": answer.reading.version,
            "scope": list(answer.reading.scope),
            "hits": [hit_as_json(each) for each in answer.reading.hits],
        }
    if answer.asked is not None:
        told["asked"] = {"key": answer.asked.key, "version": answer.asked.version, "outcome": answer.asked.outcome}
    if answer.artifact is not None:
        told["artifact"] = {"text": answer.artifact.text, "citations": list(answer.artifact.citations)}
    return told


def claim_as_json(each: StoredClaim) -> dict[str, Any]:
    claim = each.claim
    return {
        "id": claim.id,
        "proposition": claim.proposition,
        "standing": each.standing.word,
        "home": sorted(each.home),
        "preconditions": [{"id": one.id, "text": one.text} for one in claim.context],
        "superseded_by": list(each.superseded_by),
        "lifted": each.lifted,
        "at": each.at,
    }


def tree_as_json(tree: Tree) -> dict[str, Any]:
    """What a claim rests on: every node once, justifications by id."""
    claims = {
        id: claim_as_json(each)
        | {
            "justifications": [
                {
                    "antecedents": list(branch.antecedents), "kind": branch.derivation.kind, "by": branch.derivation.agent.name or branch.derivation.agent.kind,
                    "at": branch.derivation.at, "request": branch.derivation.request,
                    "migrations": [{"precondition": one.precondition, "node": one.node, "at": one.at} for one in branch.migrations],
                }
                for branch in tree.branches(id)
            ]
        }
        for id, each in tree.claims.items()
    }  # fmt: skip
    signals = {
        id: {
            "proposition": each.signal.proposition, "entry": each.signal.entry, "span": list(each.signal.span), "source": each.source,
            "observed_at": each.signal.observed_at, "supported": each.supported, "replaced_by": list(each.replaced_by), "checked": each.signal.checked,
        }
        for id, each in tree.signals.items()
    }  # fmt: skip
    entries = {
        id: {"source": each.source, "kind": each.kind, "author": each.author, "observed_at": each.observed_at, "withdrawn_at": each.withdrawn_at}
        for id, each in tree.entries.items()
    }  # fmt: skip
    return {"root": tree.root, "claims": claims, "signals": signals, "entries": entries, "cut": list(tree.cut)}


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
