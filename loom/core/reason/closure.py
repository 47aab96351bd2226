"""What a reasoner hands back: the hierarchy of classes that follows from the axioms, and what it could not read."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from loom.core.reason.axioms import NOTHING, THING, Axiom, Ignored, text
from loom.core.reason.clauses import BOTTOM_NODE, CLASH_NODE, TOP_NODE
from loom.core.reason.facts import Numbers, distinct
from loom.core.reason.saturate import Saturation
from loom.core.values import Iri


@dataclass(frozen=True, slots=True)
class Unread:
    """Axioms or expressions of one kind that the reasoner did not draw conclusions from: how many, and the first of them."""

    kind: str
    count: int
    example: str


@dataclass(frozen=True, slots=True)
class Closure:
    """The classes of an ontology and how they follow from one another. Tuples of IRIs are sorted; owl:Thing is in none of them.

    `parents` holds the nearest classes above, `ancestors` all of them, classes of the same meaning included; an empty class has
    neither. `equivalents` are the groups of two and more classes of the same meaning, the empty ones left out (owl:Thing may
    stand in a group). Of an inconsistent ontology every class is empty.
    """

    parents: Mapping[Iri, tuple[Iri, ...]]
    ancestors: Mapping[Iri, tuple[Iri, ...]]
    equivalents: tuple[tuple[Iri, ...], ...] = ()
    unsatisfiable: tuple[Iri, ...] = ()
    consistent: bool = True
    unread: tuple[Unread, ...] = ()


def unread(pairs: Iterable[tuple[str, str]]) -> tuple[Unread, ...]:
    """Kinds and texts, counted by kind; the example is the first in the order of texts."""
    found = list(pairs)
    first: dict[str, str] = {}
    for kind, example in sorted(found):
        first.setdefault(kind, example)
    counts = Counter(kind for kind, _ in found)
    return tuple(Unread(kind, counts[kind], first[kind]) for kind in sorted(counts))


def unread_of(axioms: Sequence[Axiom], saturation: Saturation) -> tuple[Unread, ...]:
    """Every axiom left aside, every expression read as an unknown class, and every chain that OWL 2 EL rules out."""
    ignored = [(axiom.kind, axiom.example) for axiom in axioms if isinstance(axiom, Ignored)]
    return unread([*ignored, *saturation.clauses.unread, *_chains_past_ranges(axioms, saturation)])


def _chains_past_ranges(axioms: Sequence[Axiom], saturation: Saturation) -> Iterator[tuple[str, str]]:
    """Chains whose last role may lead outside the range of the role that they imply: that range is not drawn through them."""
    clauses, roles = saturation.clauses, saturation.clauses.roles
    ranges = [{node for sup in above for node, _ in clauses.ranges.get(sup, ())} for above in roles.above]
    for chain in roles.chains:
        if chain.premises and not ranges[chain.sup] <= ranges[chain.second]:
            yield "ObjectPropertyRange beyond a chain", text(axioms[chain.premises[-1]])


def is_consistent(saturation: Saturation) -> bool:
    """Whether something may exist: neither owl:Thing nor any individual is empty."""
    roots = np.array([TOP_NODE, *saturation.clauses.individuals.values()], np.int64)
    return not bool(saturation.supers.has((roots << saturation.bits) | BOTTOM_NODE).any())


def empty_classes(saturation: Saturation) -> list[Iri]:
    """The classes that cannot have members, sorted; owl:Nothing itself is not listed."""
    classes = [(iri, node) for iri, node in saturation.clauses.classes.items() if iri != NOTHING]
    nodes = np.array([node for _, node in classes], np.int64)
    if not is_consistent(saturation):
        return sorted(iri for iri, _ in classes if iri != THING)
    empty = saturation.supers.has((nodes << saturation.bits) | BOTTOM_NODE)
    return sorted(classes[at][0] for at in np.flatnonzero(empty).tolist())


def closure_of(axioms: Sequence[Axiom], saturation: Saturation) -> Closure:
    """The hierarchy that a completed ontology holds."""
    ordered = sorted(iri for iri in saturation.clauses.classes if iri not in (THING, NOTHING))
    empty = empty_classes(saturation)
    left_out = unread_of(axioms, saturation)
    nothing: dict[Iri, tuple[Iri, ...]] = {iri: () for iri in ordered}
    if not is_consistent(saturation):
        return Closure(nothing, dict(nothing), (), tuple(empty), False, left_out)
    names = [THING, *ordered]
    pairs = _named_pairs(saturation, names, set(empty))
    return _arranged(names, pairs, tuple(empty), left_out)


def _named_pairs(saturation: Saturation, names: list[Iri], empty: set[Iri]) -> Numbers:
    """Pairs of different positions in `names`, the class and one above it, combined as lower·n + upper, ascending."""
    place = np.full(saturation.tables.nodes, -1, np.int64)
    lower = place.copy()
    for at, iri in enumerate(names):
        node = saturation.clauses.classes[iri]
        place[node] = at
        lower[node] = -1 if iri in empty else at
    place[[BOTTOM_NODE, CLASH_NODE]] = -1
    parts = []
    for facts in saturation.supers.parts():
        sub, sup = lower[facts >> saturation.bits], place[facts & saturation.mask]
        keep = (sub >= 0) & (sup >= 0) & (sub != sup)
        parts.append(sub[keep] * len(names) + sup[keep])
    return distinct(parts)


def _arranged(names: list[Iri], pairs: Numbers, empty: tuple[Iri, ...], left_out: tuple[Unread, ...]) -> Closure:
    """The closure over names in sorted order, owl:Thing first, from the pairs of `_named_pairs`."""
    count = len(names)
    sub, sup = pairs // count, pairs % count
    mutual = np.isin(sup * count + sub, pairs, assume_unique=True)
    alike: dict[int, list[int]] = {}
    first = list(range(count))
    for one, other in zip(sub[mutual].tolist(), sup[mutual].tolist(), strict=True):
        alike.setdefault(one, [one]).append(other)
        first[one] = min(first[one], other)
    over = _rows(sub[~mutual], sup[~mutual], count)
    top = set(alike.get(0, [0]))
    parents: dict[Iri, tuple[Iri, ...]] = {}
    for one in range(1, count):
        nodes = _nearest(over, [node for node in over[one] if first[node] == node and node not in top])
        parents[names[one]] = tuple(names[at] for at in sorted(at for node in nodes for at in alike.get(node, (node,))) if at)
    all_over = _rows(sub, sup, count)
    ancestors = {names[one]: tuple(names[at] for at in all_over[one] if at) for one in range(1, count)}
    groups = tuple(tuple(names[at] for at in sorted(group)) for one, group in sorted(alike.items()) if first[one] == one)
    return Closure(parents, ancestors, groups, empty, True, left_out)


def _rows(sub: Numbers, sup: Numbers, count: int) -> list[list[int]]:
    """For each number below count, what stands beside it in the sorted columns."""
    bounds, flat = np.searchsorted(sub, np.arange(count + 1)).tolist(), sup.tolist()
    return [flat[bounds[one] : bounds[one + 1]] for one in range(count)]


def _nearest(over: list[list[int]], found: list[int]) -> list[int]:
    """Of the nodes above one node, those that have none of the others below them."""
    if len(found) < 2:
        return found
    covered: set[int] = set()
    nearest = []
    for node in sorted(found, key=lambda one: -len(over[one])):
        if node not in covered:
            nearest.append(node)
            covered.update(over[node])
    return nearest
