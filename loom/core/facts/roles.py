"""Which lines of a context state what was asked for: what a reader without a model quotes, and all that it quotes.

A value answers where its statistic and its metric are asked for, a row where its position is; what is shown beside it is no answer.
Where a question asks for a statistic of something that no base declares, or of somebody that no base knows, nothing is: a wrong
number is worse than none.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from loom.core.facts import wording
from loom.core.facts.absence import NO_RELATION
from loom.core.facts.activation import telling
from loom.core.facts.asked import Ask
from loom.core.facts.choosing import Chosen
from loom.core.facts.inventory import Inventory
from loom.core.facts.likeness import terms_of
from loom.core.facts.naming import names_of
from loom.core.facts.values import Fact, Held
from loom.core.values import Role


@dataclass(frozen=True, slots=True)
class Roles:
    """What answers a question: values of these statistics and metrics (None: of any), and the roles of what is told otherwise."""

    statistics: frozenset[str] | None
    metrics: frozenset[str] | None
    row: Role = Role.ANSWER
    passage: Role = Role.ANSWER
    found: Role = Role.FOUND

    def of(self, fact: Fact) -> Role:
        """The role of a computed value."""
        told = self.statistics is None or fact.statistic in self.statistics
        return Role.ANSWER if told and (self.metrics is None or fact.metric in self.metrics) else Role.BESIDE


NOTHING = Roles(frozenset(), frozenset(), Role.BESIDE, Role.BESIDE, Role.BESIDE)


def roles(held: Held, stock: Inventory, ask: Ask, chosen: Chosen) -> Roles:
    """What answers a question as it was read, of what was chosen for it."""
    if any(note.kind == NO_RELATION for note in chosen.notes):
        return NOTHING
    metrics = frozenset(ask.metrics) or None
    # Where values are asked for, prose that holds others is no answer.
    values = bool(ask.statistics or (ask.metrics and (ask.positions or ask.edges))) and not ask.passage
    prose = Role.BESIDE if values or (ask.passage and chosen.passages) else Role.FOUND
    passage = Role.ANSWER if ask.passage or not (ask.metrics or ask.statistics) else prose
    if (ask.windowed and (ask.statistics or ask.metrics or chosen.windows)) or (ask.unplaced and not ask.positions):
        # What was computed of a whole series is no value within a window; its rows there are.
        return Roles(frozenset(), metrics, _row(held, stock, ask, chosen), passage, prose)
    if ask.statistics:
        if not ask.carried and (metrics is None or not chosen.within) and _beyond(held, stock, ask, chosen):
            return NOTHING
        return Roles(frozenset(ask.statistics), metrics, Role.ANSWER, passage, prose)
    summary = not (ask.positions or ask.uncomputed) and (metrics is not None or not (ask.passage or chosen.notes))
    return Roles(None if summary else frozenset(), metrics, _row(held, stock, ask, chosen), passage, prose)


def _row(held: Held, stock: Inventory, ask: Ask, chosen: Chosen) -> Role:
    """The role of rows: those that no address led to answer only where nothing is asked for that they do not hold."""
    if chosen.within or ask.carried:
        return Role.ANSWER
    rows = (*chosen.rows, *chosen.more_rows)
    read = (*chosen.more_readings, *(one for window in chosen.windows for one in window.readings))
    told = [cell for row in rows for cell in (*row.header, *row.cells)]
    told += [
        text for one in read for text in (stock.about(one.source, one.entity), one.unit, stock.sources[one.source].attribute)
    ]
    told += (
        [
            *(place.text for place in ask.positions),
            *(edge.text for edge in ask.edges),
            *wording.AROUND,
            *wording.BETWEEN,
            *wording.UNTIL,
        ]
        if read
        else []
    )
    stray = bool(rows or read) and _beyond(held, stock, ask, chosen, told)
    return Role.BESIDE if stray else Role.ANSWER


def _beyond(held: Held, stock: Inventory, ask: Ask, chosen: Chosen, told: Sequence[str] = ()) -> bool:
    """Whether a question has telling words outside of the names that it holds and of what is `told`: what it asks for may be one."""
    names = names_of(held.bases)
    known = (*ask.bases, *ask.sources, *ask.entities, *ask.metrics, *chosen.within)
    within = {word for iri in known for word in names.words_of(iri)}
    titles = [stock.entities[iri].name for iri in ask.entities if iri in stock.entities]
    return bool(set(telling(held, ask)) - within - set(terms_of([*titles, *told])))
