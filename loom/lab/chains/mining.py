"""Mining chains: pairs of edges whose end neither the beginning nor what is served of it gives away (paper, Appendix C)."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from random import Random

from loom.core.concepts import Concepts
from loom.core.errors import BadInput
from loom.core.relations import known
from loom.core.text import slug_of
from loom.core.values import Candidate, Json, Row
from loom.lab.chains.chain import Chain
from loom.lab.chains.graph import Graph
from loom.lab.chains.naming import apart, names_any
from loom.lab.chains.unit import asking, unit_of
from loom.lab.ground import Ground
from loom.lab.question import Target
from loom.lab.questions.subjects import name_key

MOST, PER_SUBJECT, BOUND = 200, 1, 4
"""Chains in all, chains of one A, and targets of a chain, at most."""

TRANSITIVE = ("hasPart", "partOf")
"""Relations that two edges of which entail a third."""


@dataclass(frozen=True, slots=True)
class Mined:
    """`read` concepts were tried as A, in a drawn order, until there were enough chains; `left_out` counts the pairs of relations
    that gave none, by reason."""

    chains: tuple[Chain, ...]
    read: int
    left_out: Mapping[str, int]
    settings: Mapping[str, Json]

    def as_json(self) -> dict[str, Json]:
        pairs = Counter(f"{chain.first} → {chain.second}" for chain in self.chains)
        return {
            "chains": len(self.chains),
            "concepts_read": self.read,
            "targets": dict(sorted(Counter(str(len(chain.targets)) for chain in self.chains).items())),
            "routes": dict(sorted(Counter(str(chain.routes) for chain in self.chains).items())),
            "domains": dict(sorted(Counter(chain.domain for chain in self.chains).items())),
            "relations": dict(sorted(pairs.items())),
            "left_out": dict(sorted(self.left_out.items())),
            "settings": dict(self.settings),
        }


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two edges of an A that may make a chain: B, the relations, all that they lead to."""

    first: int
    b: Row
    second: int
    ends: tuple[int, ...]
    routes: int
    reversible: bool


def mine(ground: Ground, *, seed: int = 42, most: int = MOST, per_subject: int = PER_SUBJECT, bound: int = BOUND) -> Mined:
    """Chains of a generation, in a drawn order. Of the chains of one A, those that allow every manipulation come first.

    A pair of relations is a chain where some B alone reaches all that A leads to by them, at most `bound` things; where none of
    these is A or anything that one edge from A leads to, asserted or inferred; where every name can be told from every other;
    where the block served for A names no target, and the question neither these nor B; where B's unit does not name A, which
    would tell the route without A's; and where the units state both edges whole. Raises BadInput.
    """
    for name, value in (("most", most), ("per_subject", per_subject), ("bound", bound)):
        if value < 1:
            raise BadInput(f"Expected {name} to be 1 or more, but got {value}.", param=name)
    concepts = ground.pin.generation.part(Concepts)
    if concepts is None:
        raise BadInput("Expected a generation with concepts, but this one has none.", param="generation")
    mining = _Mining(ground, Graph.of(concepts), bound, Counter())
    order = list(range(concepts.count))
    Random(f"{seed}:chains:order").shuffle(order)
    chains: list[Chain] = []
    read = 0
    for a in order:
        if len(chains) >= most:
            break
        read += 1
        few = min(per_subject, most - len(chains))
        chains += islice(mining.chains_of(a, Random(f"{seed}:chains:{concepts.iri(a)}").random), few)
    settings: dict[str, Json] = {"seed": seed, "most": most, "per_subject": per_subject, "bound": bound}
    return Mined(tuple(chains), read, +mining.left, settings)


@dataclass(frozen=True, slots=True)
class _Mining:
    ground: Ground
    graph: Graph
    bound: int
    left: Counter[str]

    def chains_of(self, a: Row, draw: Callable[[], float]) -> Iterator[Chain]:
        """The chains that begin at a row, as they are asked for; those that can be reversed first."""
        concepts = self.graph.concepts
        if not self.graph.related(a) or concepts.record(a).get("deprecated") or not name_key(concepts.title(a)):
            return
        pairs = [(not pair.reversible, draw(), pair) for pair in self._pairs(a)]
        for _, _, pair in sorted(pairs, key=lambda each: each[:2]):
            chain = self._chain(a, pair)
            why = self._told(a, pair, chain)
            if why:
                self.left[why] += 1
            else:
                yield chain

    def _pairs(self, a: Row) -> Iterator[_Pair]:
        graph, near = self.graph, self.graph.leads_to(a)
        for first, middles in sorted(graph.related(a).items()):
            reached: dict[int, dict[int, tuple[int, ...]]] = {}
            for b in middles:
                for second, ends in graph.related(b).items():
                    reached.setdefault(second, {})[b] = tuple(dict.fromkeys(ends))
            for second, by in sorted(reached.items()):
                ends = tuple(dict.fromkeys(end for each in by.values() for end in each))
                whole = [b for b in sorted(by) if set(by[b]) == set(ends)]
                why = (
                    "the relation is transitive"
                    if first == second and known(graph.concepts.predicates[first]) in TRANSITIVE
                    else "the end is A, or what A is first related to"
                    if not {a, *middles}.isdisjoint(ends)
                    else "an edge leads to the end"
                    if not near.isdisjoint(ends)
                    else "more targets than the bound"
                    if len(ends) > self.bound
                    else "no B reaches every target"
                    if not whole
                    else ""
                )
                if why:
                    self.left[why] += 1
                    continue
                b = whole[0]
                back = graph.related(ends[0]).get(second, ())
                into = [row for row in graph.into.get((second, b), ()) if row != a and row not in middles]
                yield _Pair(first, b, second, by[b], len(by), len(ends) == 1 and b not in back and bool(into))

    def _chain(self, a: Row, pair: _Pair) -> Chain:
        names = self.graph.concepts.predicates
        return Chain(
            self._target(a),
            names[pair.first],
            self._target(pair.b),
            names[pair.second],
            tuple(map(self._target, pair.ends)),
            str(self.graph.concepts.record(a).get("domain") or ""),
            pair.routes,
        )

    def _target(self, row: int) -> Target:
        iri = self.graph.concepts.iri(row)
        return Target(self.graph.name(row), slug_of(iri), iri)

    def _told(self, a: Row, pair: _Pair, chain: Chain) -> str:
        """Why a pair is no chain, by names and by what is served; "" where it is one."""
        concepts, titles = self.graph.concepts, [target.title for target in chain.targets]
        if any(row >= concepts.count or concepts.record(row).get("deprecated") for row in (pair.b, *pair.ends)):
            return "a concept is deprecated or not defined here"
        keys = [name_key(title) for title in chain.titles]
        if (
            "" in keys
            or len({*keys}) < len(keys)
            or any(not apart([one], [two]) for one in titles for two in titles if one != two)
        ):
            return "two names cannot be told apart"
        if names_any(chain.prompt, [chain.b.title, *titles]):
            return "the question names B or a target"
        if names_any(self._served(a, chain.prompt), titles):
            return "what is served of A names a target"
        question = asking(chain.first, chain.second)
        begins, leads = unit_of(self.graph, a, question), unit_of(self.graph, pair.b, question)
        if chain.b.title not in (begins.stated(chain.first) or ()) or set(leads.stated(chain.second) or ()) != set(titles):
            return "the units do not state the edges whole"
        if names_any(leads.text, [chain.a.title]):
            return "what is shown of B names A"
        return "what is served of A names a target" if names_any(begins.text, titles) else ""

    def _served(self, a: Row, prompt: str) -> str:
        """A's unit as the node's own policy mints it for the question, with what stands beside it."""
        policy = self.ground.policies[self.ground.policy]
        candidate = Candidate(self.graph.concepts.iri(a), 1.0, "chain")
        unit = policy.mint(self.graph.concepts, [(a, candidate)], prompt, hops=1, prose=False)[0]
        return "\n".join(unit.lines)
