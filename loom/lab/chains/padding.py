"""Units that have nothing to do with a chain, drawn for it: what fills a context so that every arm shows as many."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from loom.core.values import Row
from loom.lab.chains.chain import Chain
from loom.lab.chains.graph import Graph
from loom.lab.chains.naming import apart, names_any
from loom.lab.chains.unit import Unit, asking, unit_of
from loom.lab.questions.subjects import name_key

LOOKED_AT, TRIED = 4_000, 100
"""Concepts that are looked at, and units that are minted, for one place before there is said to be none."""


@dataclass(slots=True)
class Padding:
    """Draws units for one chain. None is of a concept of the chain, none names any of them or is named by A or B, no concept
    comes twice."""

    graph: Graph
    chain: Chain
    a: Unit
    b: Unit
    draw: Random
    taken: list[Unit] = field(default_factory=list)

    def like(self, unit: Unit, prefer: str) -> Unit | None:
        """A unit to stand in another's place: it states the second relation if and only if that does, and, if there is such a
        one, the relation that is preferred."""
        second = self.chain.second
        stated = unit.lists(second)

        def same(row: Row) -> bool:
            return (self._number(second) in self.graph.related(row)) == stated

        return self._first(prefer, same) or self._first(second if stated else None, same)

    def partner(self, most: int) -> Unit | None:
        """A unit that states the second relation whole, at most `most` names that neither A, B, the question nor a target gives
        away: the one with which B exchanges them in the edge swap."""
        chain, told = self.chain, "\n".join([self.a.text, self.b.text, self.chain.prompt])

        def fits(unit: Unit) -> bool:
            stated = unit.stated(chain.second)
            return (
                stated is not None
                and len(stated) <= most
                and all(map(name_key, stated))
                and not names_any(told, stated)
                and apart(stated, [target.title for target in chain.targets])
                and all(apart([one], [two]) for at, one in enumerate(stated) for two in stated[:at])
            )

        number = self._number(chain.second)
        return self._first(chain.second, lambda row: len(self.graph.related(row)[number]) <= most, fits)

    def before(self, rows: Sequence[Row], most: int) -> Unit | None:
        """E of E –r2→ B: the first of the rows whose unit states B whole among at most `most` names by the second relation, and
        names nothing else of the chain."""
        for row in rows:
            unit = self._unit(row)
            stated = unit.stated(self.chain.second) or ()
            if self.chain.b.title in stated and len(stated) <= most and self._foreign(unit, known=self.b.title):
                self.taken.append(unit)
                return unit
        return None

    def _first(
        self, relation: str | None, may: Callable[[Row], bool], fits: Callable[[Unit], bool] | None = None
    ) -> Unit | None:
        """A unit that fits, drawn among those that state a relation (None: among all) and may by their links."""
        pool: Sequence[Row] = range(self.graph.concepts.count)
        if relation is not None:
            pool = self.graph.stating.get(self._number(relation), ())
        tried = 0
        for row in islice(_shuffled(pool, self.draw), LOOKED_AT):
            if not may(row):
                continue
            unit = self._unit(row)
            if self._foreign(unit) and (fits is None or fits(unit)):
                self.taken.append(unit)
                return unit
            tried += 1
            if tried == TRIED:
                break
        return None

    def _number(self, relation: str) -> int:
        return self.graph.numbers[relation]

    def _unit(self, row: Row) -> Unit:
        return unit_of(self.graph, row, asking(self.chain.first, self.chain.second))

    def _foreign(self, unit: Unit, known: str | None = None) -> bool:
        """Whether a unit has nothing to do with the chain, and with what is drawn already; `known` may be named by it, and may
        name it."""
        iris = {self.a.iri, *self.chain.iris, *(each.iri for each in self.taken)}
        keys = {name_key(each.title) for each in self.taken}
        row = self.graph.concepts.row(unit.iri)
        beside = [self.a.text, self.chain.prompt, *([] if known else [self.b.text])]
        return (
            unit.iri not in iris
            and name_key(unit.title) not in keys | {""}
            and not (row is not None and self.graph.concepts.record(row).get("deprecated"))
            and not names_any(unit.text, [title for title in self.chain.titles if title != known])
            and not names_any("\n".join(beside), [unit.title])
            and apart([unit.title], [target.title for target in self.chain.targets])
        )


def _shuffled(pool: Sequence[Row], draw: Random) -> Iterator[Row]:
    """The rows in a drawn order, as far as they are asked for."""
    moved: dict[int, Row] = {}
    for last in range(len(pool) - 1, -1, -1):
        at = draw.randrange(last + 1)
        yield moved.get(at, pool[at])
        moved[at] = moved.get(last, pool[last])
