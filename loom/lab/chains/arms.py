"""The arms of a chain (paper, Appendix C): contexts of four units, each in the same drawn places in every arm.

    both         A          B          partner   fourth
    b-only       like A     B          partner   fourth
    a-only       A          like B     partner   fourth
    distractor   like A     like B     partner   another
    masked, edge-swap, reversal, renamed: `both`, manipulated
    raw          no context

What stands for A or B states the second relation if that does, so that nothing but the route tells which unit answers. The
partner states it, too: B exchanges edges with it in the swap. The fourth is E of E –r2→ B, where the generation has one that is
fit for the reversal, and a unit like B else.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from loom.core.concepts import Concepts
from loom.core.errors import BadInput
from loom.core.policy.packing import NOTHING
from loom.core.values import Block, Json
from loom.lab.chains.chain import Chain
from loom.lab.chains.graph import Graph
from loom.lab.chains.manipulating import masked, renamed, swapped, turned, unfamiliar
from loom.lab.chains.mining import BOUND
from loom.lab.chains.naming import names_any
from loom.lab.chains.padding import Padding
from loom.lab.chains.unit import Page, Unit, asking, block_of, names_of, unit_of
from loom.lab.ground import Ground
from loom.lab.question import LabQuestion, Target
from loom.lab.showing import NO_BLOCK, NO_DONOR, PLANNED, Showing

ARMS = tuple(
    f"chain/{name}" for name in ("both", "b-only", "a-only", "masked", "distractor", "raw", "edge-swap", "reversal", "renamed")
)
TRIES = 8
"""Sets of units that are drawn for a chain before there are said to be none."""


@dataclass(frozen=True, slots=True)
class _Arm:
    """What one arm shows and asks. `page` is None where there is no context, `why` why the arm cannot be made."""

    page: Page | None
    question: LabQuestion
    old: Sequence[str] = ()
    why: str = ""
    route: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Set:
    """The units of a chain, and the order in which its places are shown."""

    a: Unit
    b: Unit
    partner: Unit
    fourth: Unit
    like_a: Unit
    like_b: Unit
    another: Unit
    order: tuple[int, ...]
    reversible: bool

    @property
    def b_only(self) -> Page:
        return self.like_a, self.b, self.partner, self.fourth

    @property
    def a_only(self) -> Page:
        return self.a, self.like_b, self.partner, self.fourth

    @property
    def distractor(self) -> Page:
        return self.like_a, self.like_b, self.partner, self.another

    def page(self, *units: Unit) -> Page:
        return tuple(units[at] for at in self.order)


def showings(
    ground: Ground, chains: Iterable[Chain], *, seed: int = 42, arms: Sequence[str] = ARMS, bound: int = BOUND
) -> Iterator[Showing]:
    """Chains × arms, in this order. An arm for which the generation has no fit units is `no_donor`, one that the budget does not
    hold `no_block`; `notes` say why. Raises BadInput for an unknown arm, or a chain that this generation does not state."""
    strange = next((arm for arm in arms if arm not in ARMS), None)
    if strange is not None or not arms:
        raise BadInput(f"Expected arms among {', '.join(ARMS)}, but got {strange!r}.", param="arms")
    concepts = ground.pin.generation.part(Concepts)
    if concepts is None:
        raise BadInput("Expected a generation with concepts, but this one has none.", param="generation")
    graph = Graph.of(concepts)
    for chain in chains:
        units = _units(graph, chain, seed, bound)
        made = dict(_arms(chain, units, seed)) if units is not None else {}
        pages = [arm.page for name, arm in made.items() if arm.page and name != "chain/renamed"]
        candidates = names_of(pages)
        for name in arms:
            arm = made.get(name) or _Arm(None, chain.question(), why="no units to stand beside the chain")
            if name == "chain/raw":
                arm = _Arm(None, chain.question())
            own = names_of([arm.page]) if name == "chain/renamed" and arm.page else candidates
            yield _showing(ground, chain, name, arm, own, seed)


def _units(graph: Graph, chain: Chain, seed: int, bound: int) -> _Set | None:
    rows = [graph.concepts.row(target.iri) for target in (chain.a, chain.b)]
    if None in rows or not {chain.first, chain.second} <= graph.numbers.keys():
        raise BadInput(
            f"Expected the concepts and relations of chain {chain.id} in this generation, but it lacks some; mine it anew.",
            param="chains",
        )
    a, b = (unit_of(graph, row, asking(chain.first, chain.second)) for row in rows if row is not None)
    if chain.b.title not in (a.stated(chain.first) or ()) or set(b.stated(chain.second) or ()) != {
        target.title for target in chain.targets
    }:
        raise BadInput(f"Expected this generation to state both edges of chain {chain.id}; mine it anew.", param="chains")
    tries = (_drawn(graph, chain, a, b, Random(f"{seed}:chains:padding:{chain.id}:{at}"), bound) for at in range(TRIES))
    return next((units for units in tries if units is not None and not _tells(chain, units)), None)


def _drawn(graph: Graph, chain: Chain, a: Unit, b: Unit, draw: Random, bound: int) -> _Set | None:
    padding = Padding(graph, chain, a, b, draw)
    partner = padding.partner(bound)
    before = padding.before(_before(graph, chain), bound)
    fourth = before or padding.like(b, chain.second)
    like_a, like_b = padding.like(a, chain.first), padding.like(b, chain.second)
    another = padding.like(b, chain.second) if before else fourth
    if partner is None or fourth is None or like_a is None or like_b is None or another is None:
        return None
    order = [0, 1, 2, 3]
    draw.shuffle(order)
    return _Set(a, b, partner, fourth, like_a, like_b, another, tuple(order), before is not None)


def _tells(chain: Chain, units: _Set) -> bool:
    """Whether units that each name nothing of the chain do so together: without A's unit A, without B's a target, without either
    anything."""
    without_a, without_b, without_any = (
        "\n".join(unit.text for unit in page) for page in (units.b_only, units.a_only, units.distractor)
    )
    return (
        names_any(without_a, [chain.a.title])
        or names_any(without_b, [target.title for target in chain.targets])
        or names_any(without_any, chain.titles)
    )


def _before(graph: Graph, chain: Chain) -> Sequence[int]:
    """The rows that may be E of the reversal; none where the second relation already leads back from C."""
    number = graph.numbers[chain.second]
    b, end = graph.concepts.row(chain.b.iri), graph.concepts.row(chain.targets[0].iri)
    if len(chain.targets) > 1 or b is None or (end is not None and b in graph.related(end).get(number, ())):
        return ()
    return graph.into.get((number, b), ())


def _arms(chain: Chain, units: _Set, seed: int) -> Iterator[tuple[str, _Arm]]:
    question, second = chain.question(), chain.second
    targets = [target.title for target in chain.targets]
    both = units.page(units.a, units.b, units.partner, units.fourth)
    yield "chain/both", _Arm(both, question)
    yield "chain/b-only", _Arm(units.page(*units.b_only), question)
    yield "chain/a-only", _Arm(units.page(*units.a_only), question)
    yield "chain/masked", _Arm(masked(both, Random(f"{seed}:chains:masked:{chain.id}")), question)
    yield "chain/distractor", _Arm(units.page(*units.distractor), question)
    gold = [Target(name) for name in units.partner.stated(second) or ()]
    yield "chain/edge-swap", _Arm(swapped(both, units.b.iri, units.partner.iri, second), chain.question(gold=gold), targets)
    if units.reversible:
        page, end = turned(both, units.b.iri, units.fourth.iri, second), [Target(units.fourth.title)]
        yield "chain/reversal", _Arm(page, chain.question(gold=end), targets)
    else:
        yield (
            "chain/reversal",
            _Arm(None, question, why="no concept that leads to B alone by the second relation, and one target"),
        )
    names = unfamiliar(names_of([both]), Random(f"{seed}:chains:renamed:{chain.id}"), "\n".join(unit.text for unit in both))
    gold = [Target(names[title]) for title in targets]
    route = (names[chain.a.title], names[chain.b.title])
    yield "chain/renamed", _Arm(renamed(both, names), chain.question(names[chain.a.title], gold), targets, route=route)


def _showing(ground: Ground, chain: Chain, name: str, arm: _Arm, candidates: Sequence[str], seed: int) -> Showing:
    block: Block | None = NOTHING if arm.page is None else block_of(arm.page, ground.budget)
    status = NO_DONOR if arm.why else NO_BLOCK if block is None else PLANNED
    why = arm.why or ("the budget does not hold all units" if block is None else "")
    notes: Mapping[str, Json] = {
        "chain": chain.id,
        "candidates": list(candidates),
        "route": list(arm.route or (chain.a.title, chain.b.title)),
        "old": list(arm.old),
        **({"why": why} if why else {}),
    }
    return Showing(
        arm.question,
        name,
        block or NOTHING,
        ground.wrapper if block and block.served else "bare",
        status,
        seed=seed,
        notes=notes,
    )
