"""What is not there, in sentences that are the same whenever it is not (R15): a model refuses by them, and invents nothing."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import groupby

from loom.core.facts import wording
from loom.core.facts.activation import telling
from loom.core.facts.asked import Ask, Note, Position
from loom.core.facts.inventory import Inventory, inventory_of
from loom.core.facts.naming import names_of
from loom.core.facts.series import bounds
from loom.core.facts.subjects import Subject, subjects
from loom.core.facts.tokens import folded
from loom.core.facts.valued import counts
from loom.core.facts.values import Attribute, Base, Held, Metric, SourceFile
from loom.core.values import Iri

NO_SOURCE, NO_METRIC, NO_STATISTIC = "no-source", "no-metric", "no-statistic"
NO_CONTENT, NO_VALUE, NO_RELATION = "no-content", "no-value", "no-relation"
LISTED = 3
"""Bases that a note names; more are counted."""
LONGEST = 200
"""Characters of a name that a note says."""
MOST = 12
"""Notes of one question; more are counted."""
STATISTIC_NAMES = {
    "min": "minimum",
    "max": "maximum",
    "first": "first value",
    "last": "last value",
    "count": "count",
    "mean": "mean",
}


def notes(held: Held, ask: Ask) -> tuple[Note, ...]:
    """The notes of a question, each once, in a fixed order: sources, metrics, statistics, positions, relations."""
    bases = sorted(held.bases, key=lambda base: base.iri)
    named = [one for one in subjects(held, ask) if one.binds or one.kind == "entity"]
    found = [Note(NO_SOURCE, f'No source named "{_cut(_flat(name))}" exists in {_titles(bases)}.') for name in ask.unowned]
    asked = [metric for base in bases for metric in base.metrics if metric.iri in ask.metrics]
    if not ask.carried:
        found += _without_metric(held, named, asked)
    found += _without_statistic(held, ask, named, asked)
    found += _without_position(held, ask, bases, named, asked)
    found += _without_relation(held, ask, bases, named, asked)
    told = tuple(dict.fromkeys(found))
    if len(told) <= MOST:
        return told
    return (*told[:MOST], Note(told[MOST].kind, f"{len(told) - MOST} further things that are asked for are not there, either."))


def _flat(text: str) -> str:
    return " ".join(text.split())


def _cut(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _titles(bases: Sequence[Base]) -> str:
    if len(bases) > LISTED:
        return f"any of the {len(bases)} knowledge bases"
    return " or ".join(f'"{base.title or base.id}"' for base in bases)


def _ours(held: Held, subject: Subject, metric: Iri) -> frozenset[str]:
    """The statistics of a metric that a subject has: of its files, but for rows about other entities, and those that name it wherever
    they stand."""
    files = {file.iri for file in subject.sources}
    return held.marks.statistics(metric, files, subject.iri if subject.kind == "entity" else None)


def _alike(metric: Metric, asked: Iterable[Metric]) -> list[Metric]:
    """The asked metrics that share a wording: of two bases that say the same word, each has its own."""
    spoken = _wordings(metric)
    return [one for one in asked if spoken & _wordings(one)]


def _wordings(metric: Metric) -> set[tuple[str, ...]]:
    return {folded(text) for text in (metric.name, *(word for _, word in metric.words))}


def _without_metric(held: Held, named: Sequence[Subject], asked: Sequence[Metric]) -> Iterator[Note]:
    """Of several things and several metrics each may have its own: then only what none has is told, or who has none."""
    having = {
        (subject.iri, metric.iri)
        for subject in named
        for metric in asked
        if any(_ours(held, subject, one.iri) for one in _alike(metric, asked))
    }
    for subject in named:
        told: set[tuple[str, ...]] = set()
        for metric in asked:
            lone = not any((subject.iri, one.iri) in having for one in asked)
            missing = not any((one.iri, metric.iri) in having for one in named)
            if (subject.iri, metric.iri) not in having and (lone or missing) and not told & _wordings(metric):
                told |= _wordings(metric)
                yield Note(NO_METRIC, f'"{subject.name}" has no value of "{metric.name}".')


def _without_statistic(held: Held, ask: Ask, named: Sequence[Subject], asked: Sequence[Metric]) -> Iterator[Note]:
    for subject in named:
        for metric in asked:
            ours = _ours(held, subject, metric.iri)
            for said in ask.uncomputed if ours - {"stated"} else ():
                yield Note(NO_STATISTIC, f'"{said}" of "{metric.name}" is not computed for "{subject.name}".')
            for statistic in ask.statistics:
                name = STATISTIC_NAMES[statistic]
                # Stated values have no statistics but their own words.
                if ours - {"stated"} and statistic not in ours:
                    yield Note(NO_STATISTIC, f'The {name} of "{metric.name}" is not computed for "{subject.name}".')
                for place in _windows(held, ask, subject, metric.iri):
                    yield Note(NO_STATISTIC, f'The {name} of "{metric.name}" is not computed for "{subject.name}" {place}.')


def _windows(held: Held, ask: Ask, subject: Subject, metric: Iri) -> Sequence[str]:
    """The windows in which a subject has rows of a metric, or could have, as they are said: of them nothing is computed."""
    axes = {(file.base, file.attribute) for file in subject.sources if held.marks.entities(file.iri, metric)}
    told = [_place(one, one.text) for one in ask.positions if one.wide and (one.base, one.attribute) in axes]
    told += [f"within the {_flat(one.text)}" for one in ask.edges if (one.base, one.attribute) in axes]
    return list(dict.fromkeys(told))


def _without_position(
    held: Held, ask: Ask, bases: Sequence[Base], named: Sequence[Subject], asked: Sequence[Metric]
) -> Iterator[Note]:
    attributes = {(base.iri, attribute.name): attribute for base in bases for attribute in base.attributes}
    stock = inventory_of(held.bases)
    for subject in named:
        ours = [position for position in ask.positions if position.base == subject.base]
        for text, alike in groupby(ours, key=lambda position: position.text):
            group = list(alike)
            place = _place(group[0], text)
            content = [file for file in subject.sources if held.spans(file.iri)]
            if (
                content
                and not _valued(held, stock, ask, subject, group, asked)
                and not any(
                    file.attribute == position.attribute and _content(held, file.iri, position, attributes)
                    for file in content
                    for position in group
                )
            ):
                yield Note(NO_CONTENT, f'"{subject.name}" has no content {place}.')
            for metric in asked:
                if _unread(held, stock, subject, metric.iri, group):
                    yield Note(NO_VALUE, f'"{subject.name}" has no value of "{metric.name}" {place}.')
        for said in ask.unplaced:
            for metric in asked:
                # Stated values may have times that nobody declares as positions, in their own cells.
                if (told := _ours(held, subject, metric.iri)) and "stated" not in told:
                    kept = f'"{metric.name}" of "{subject.name}"'
                    yield Note(
                        NO_VALUE, f'"{_flat(said)}" is no position that can be told of {kept}: no value is given for it.'
                    )


def _place(position: Position, text: str) -> str:
    side = position.toward or ("within" if position.end is not None else "around" if position.around else "at")
    return f"{side} {_flat(text)}"


def _content(held: Held, source: Iri, position: Position, attributes: dict[tuple[Iri, str], Attribute]) -> bool:
    if position.end is not None:
        return bool(held.window(source, position.start, position.end))
    if not position.around:
        return held.at(source, position.start) is not None
    attribute = attributes.get((position.base, position.attribute))
    wide = Decimal(attribute.window) if attribute else Decimal(0)
    return bool(held.window(source, position.start - wide, position.start + wide))


def _unread(held: Held, stock: Inventory, subject: Subject, metric: Iri, positions: Sequence[Position]) -> bool:
    """Whether files of the subject have the metric as a series, and none a row at any of these."""
    axes = {position.attribute for position in positions}
    files = [file for file in subject.sources if file.attribute in axes and held.marks.entities(file.iri, metric)]
    return bool(files) and not any(_rows_at(held, stock, subject, metric, files, positions))


def _rows_at(
    held: Held, stock: Inventory, subject: Subject, metric: Iri, files: Sequence[SourceFile], positions: Sequence[Position]
) -> Iterator[bool]:
    """Of each file and position on its axis, whether a row of the metric stands there."""
    for file in files:
        whose = _one_of(held, subject, file.iri, metric)
        for position in positions:
            if counts(file, position):
                start, end, ends = bounds(stock, position)
                yield bool(held.stretch(file.iri, metric, whose, start, end, 1, ends=ends).count)


def _valued(
    held: Held, stock: Inventory, ask: Ask, subject: Subject, positions: Sequence[Position], asked: Sequence[Metric]
) -> bool:
    """Whether values are what is asked for at these positions, or rows of series stand there: then no text is missed."""
    if ask.passage:
        return False
    axes = {position.attribute for position in positions}
    files = [file for file in subject.sources if file.attribute in axes and held.marks.metrics(file.iri)]
    ours = {metric for file in files for metric in held.marks.metrics(file.iri)}
    if ours & {metric.iri for metric in asked}:
        return True
    return any(any(_rows_at(held, stock, subject, metric, files, positions)) for metric in sorted(ours))


def _one_of(held: Held, subject: Subject, source: Iri, metric: Iri) -> Iri | None:
    """The subject, where it is one of several that a series tells of: another's row is no value of it."""
    told = held.marks.entities(source, metric)
    return subject.iri if len(told) > 1 and subject.iri in told else None


def _without_relation(
    held: Held,
    ask: Ask,
    bases: Sequence[Base],
    named: Sequence[Subject],
    asked: Sequence[Metric],
) -> Iterator[Note]:
    """A relation between two things is there where they are about one entity or concept, or lie on one declared axis."""
    if not wording.holds(folded(ask.text), wording.RELATING):
        return
    files = {file.iri: file for base in bases for file in base.sources}
    groups = {min(one.iri for one in _alike(metric, asked)): _alike(metric, asked) for metric in asked}
    sides = [(one.name, {file.iri for file in one.sources}) for one in named]
    measures = [
        (group[0].name, {source for one in group for source in held.marks.sources(one.iri)}) for group in groups.values()
    ]
    if len(sides) < 2 and len(measures) < 2:
        for name, _ in (measures or sides) if _asks_beyond(held, ask, named, asked) else ():
            yield Note(NO_RELATION, f'Nothing is recorded that relates "{name}" to what else is asked about.')
        return
    concepts = {entity.iri: entity.concept or entity.iri for base in bases for entity in base.entities}
    shared = {(base.iri, attribute.name) for base in bases for attribute in base.attributes if attribute.shared}

    def marks(sources: Iterable[Iri]) -> set[object]:
        about: set[object] = {concepts.get(entity, entity) for iri in sources if iri in files for entity in files[iri].entities}
        axes = {(files[iri].base, files[iri].attribute) for iri in sources if iri in files}
        return about | (axes & shared)

    for things in (sides, measures):
        for at, (name, sources) in enumerate(things):
            for other, others in things[at + 1 :]:
                if not marks(sources) & marks(others):
                    yield Note(NO_RELATION, f'Nothing is recorded that relates "{name}" to "{other}".')


def _asks_beyond(held: Held, ask: Ask, named: Sequence[Subject], asked: Sequence[Metric]) -> bool:
    """Whether a question has telling words outside of the names that it holds."""
    within = {word for subject in named for word in _words_of(held, subject.iri)}
    within |= {word for metric in asked for words in _wordings(metric) for word in words}
    return bool(set(telling(held, ask)) - within)


def _words_of(held: Held, iri: Iri) -> set[str]:
    return set(names_of(held.bases).words_of(iri))
