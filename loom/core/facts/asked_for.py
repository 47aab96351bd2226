"""What a named source is asked for that is not computed: its passages on it are addressed content, and no readout drops them
(seed 003 §6, §7; R33).

They are chosen by the question's telling words inside of the address, in a fixed order, up to a size; nothing outside competes. Of a
file that tells of several things only the units that name one of those that are asked about are looked at.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from loom.core.facts import wording
from loom.core.facts.activation import telling
from loom.core.facts.asked import Ask
from loom.core.facts.filling import FAR_BELOW, UNITS, Found, Limits, searched
from loom.core.facts.inventory import Inventory
from loom.core.facts.likeness import terms_of
from loom.core.facts.tokens import folded
from loom.core.facts.values import Entity, Held, SourceFile, Span, StatedRow
from loom.core.values import Iri

MOST_TEXT = 1600
"""Characters of passages beyond which no further unit is taken; the best is taken whatever its size."""
TABULAR = ("series", "table")


@dataclass(frozen=True, slots=True)
class Terms:
    """The telling words of a question: `told` without those of the names that addressed it, which tell nothing apart there;
    `content` without those that ask for a value, too; and `every`."""

    told: tuple[str, ...]
    content: tuple[str, ...]
    every: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AskedFor:
    """Runs of units that follow one another, the best first; rows of tables; and the score that the best has."""

    runs: tuple[tuple[Span, ...], ...] = ()
    rows: tuple[StatedRow, ...] = ()
    best: float = 0.0


def terms_for(held: Held, stock: Inventory, ask: Ask, within: frozenset[Iri]) -> Terms:
    terms = telling(held, ask)
    files = [stock.sources[source] for source in within]
    whom = [
        stock.entities[iri]
        for iri in {*ask.entities, *(iri for file in files for iri in file.entities)}
        if iri in stock.entities
    ]
    names = [name for file in files for name in (file.title, *(alias for _, alias in file.aliases))]
    names += [name for one in whom for name in (one.name, *(alias for _, alias in one.aliases))]
    named = frozenset(terms_of(names))
    told = tuple(term for term in terms if term not in named)
    said = [stock.sources[one].title for one in (*ask.sources, *ask.carried) if one in stock.sources]
    said += [alias for one in ask.sources if one in stock.sources for _, alias in stock.sources[one].aliases]
    said += [stock.bases[one].title for one in ask.bases if one in stock.bases]
    said += [alias for one in ask.bases if one in stock.bases for _, alias in stock.bases[one].aliases]
    said += [name for one in ask.entities if one in stock.entities for name in called(stock.entities[one])]
    asked = [stock.metrics[metric] for metric in ask.metrics if metric in stock.metrics]
    measured = {word for one in asked for text in (one.name, *(text for _, text in one.words)) for word in folded(text)}
    placed = {word for text in _places(ask) for word in folded(text)}
    beside = frozenset(terms_of(said)) | measured | placed | wording.MEASURING
    return Terms(told, tuple(term for term in terms if term not in beside) + _nouns(ask), terms)


def _places(ask: Ask) -> list[str]:
    """How a question says its positions and stretches."""
    return [*(position.text for position in ask.positions), *(edge.text for edge in ask.edges)]


def _nouns(ask: Ask) -> tuple[str, ...]:
    """Small words that are nouns behind an article."""
    words = folded(ask.text)
    return tuple(
        dict.fromkeys(word for before, word in pairwise(words) if word in wording.NOUNS and before in wording.NOUNS[word])
    )


def called(entity: Entity) -> tuple[str, ...]:
    """All names of an entity."""
    return (entity.name, *(alias for _, alias in entity.aliases))


def asked_for(
    held: Held, stock: Inventory, ask: Ask, within: frozenset[Iri], terms: Terms, shown: frozenset[Iri], *, led: bool
) -> AskedFor:
    """The passages of the addressed files that a question asks for. `shown` are units that are shown already; `led` says that a
    position or a value led to them."""
    valued = bool(ask.metrics or ask.statistics)
    if not within or not (terms.content or not (valued or led or ask.positions)):
        return AskedFor()
    files = [stock.sources[source] for source in sorted(within)]
    files = [file for file in _of_kind(files, ask) if not any(_counts(file, ask))]
    limits = Limits(frozenset(), frozenset(), spans=shown, passage=ask.passage)
    whole = frozenset(file.iri for file in files if _whole(file, ask))
    found = list(searched(held, terms.content, limits, whole)) if terms.content else []
    if not found and not valued:
        found = list(searched(held, terms.every, limits, whole))
    rest = [file for file in files if file.iri not in whole and file.kind not in TABULAR]
    found += _mentioned(held, stock, ask, rest, terms, limits)
    rows = tuple(one.row for one in found if one.row is not None)
    return AskedFor(tuple(_runs(found)), rows, max((one.score for one in found), default=0.0))


def _of_kind(files: Sequence[SourceFile], ask: Ask) -> Sequence[SourceFile]:
    """Those of a kind that the question says, where any are."""
    said = set(folded(ask.text)) & {file.kind for file in files}
    return [file for file in files if file.kind in said] or files


def _counts(file: SourceFile, ask: Ask) -> Iterator[bool]:
    """A stated position in a file is what is asked for there."""
    axes = [(position.base, position.attribute) for position in ask.positions]
    axes += [(edge.base, edge.attribute) for edge in ask.edges]
    return ((file.base, file.attribute) == axis for axis in axes)


def _whole(file: SourceFile, ask: Ask) -> bool:
    """Whether a file is addressed as a whole: named, of a named base, or about nothing else than what is named."""
    return file.iri in (*ask.sources, *ask.carried) or file.base in ask.bases or set(file.entities) <= set(ask.entities)


def mentions(held: Held, entity: Entity, source: Iri) -> list[Span]:
    """The units of a source that name an entity in full, in any of its names, in order."""
    spoken = dict.fromkeys(words for name in called(entity) if (words := folded(name)))
    hits = {hit: None for words in spoken for hit, _ in held.search(words, MOST_MENTIONS, frozenset((source,)))}
    found = [
        span for hit in hits if (span := held.span(hit)) is not None and any(names_entity(span, words) for words in spoken)
    ]
    return sorted(found, key=lambda span: (span.start, span.iri))


def _mentioned(
    held: Held, stock: Inventory, ask: Ask, files: Sequence[SourceFile], terms: Terms, limits: Limits
) -> Iterator[Found]:
    """Units that name one of the entities in files that tell of others too: those that hold the telling words, else all."""
    for file in files:
        scores = dict(held.search(terms.content, MOST_MENTIONS, frozenset((file.iri,)))) if terms.content else {}
        named = {
            span.iri: span
            for iri in ask.entities
            if iri in file.entities and iri in stock.entities
            for span in mentions(held, stock.entities[iri], file.iri)
            if span.iri not in limits.spans
        }
        told = [Found(iri, file.iri, scores.get(iri, 0.0), span=span) for iri, span in named.items()]
        hits = [one for one in told if one.score]
        yield from sorted(hits or told, key=lambda one: (-one.score, one.iri))[:UNITS]


MOST_MENTIONS = 64
"""Units that name an entity which are looked at in one file."""


def names_entity(span: Span, words: Sequence[str]) -> bool:
    """Whether a unit holds a name in full."""
    return f" {' '.join(words)} " in f" {' '.join(folded(f'{span.label} {span.text}'))} "


def _runs(found: Sequence[Found]) -> list[tuple[Span, ...]]:
    """The units of hits and what follows them while they fit, as runs without a hole, the best first."""
    taken: dict[Iri, tuple[Span, float]] = {}
    room = MOST_TEXT
    for one in sorted((one for one in found if one.span is not None), key=lambda one: (-one.score, one.iri)):
        for span in (*((one.span,) if one.span else ()), *one.after):
            if span.iri not in taken and (not taken or len(span.text) <= room):
                taken[span.iri] = (span, one.score)
                room -= len(span.text)
    runs: list[tuple[float, list[Span]]] = []
    for span, score in sorted(taken.values(), key=lambda one: (one[0].source, one[0].start, one[0].iri)):
        if runs and (runs[-1][1][-1].source, runs[-1][1][-1].end) == (span.source, span.start):
            runs[-1] = (max(runs[-1][0], score), [*runs[-1][1], span])
        else:
            runs.append((score, [span]))
    return [tuple(run) for _, run in sorted(runs, key=lambda one: (-one[0], one[1][0].source, one[1][0].start))]


def least_beside(asked: AskedFor) -> float:
    """The score from which on a unit is worth showing beside these."""
    return FAR_BELOW * asked.best
