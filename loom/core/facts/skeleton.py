"""The outline of the routed bases, and how much of it each may have (seed 003 §8.5; R21, R25).

A base's share of the cap is that of its score: whole characters by largest remainder, ties by IRI. What a base does not use is not
given to others. `flat` is the uniform cut: all outlines in the order of the bases' IRIs, cut once at the cap.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from loom.core.facts.citing import cite
from loom.core.facts.inventory import Inventory
from loom.core.facts.labels import Labels
from loom.core.facts.lazily import Lazily
from loom.core.facts.values import Entity, Held, SourceFile
from loom.core.mint.neutral import neutral_name
from loom.core.values import Iri

Line = tuple[str, tuple[str, ...]]
TOLD = 12
"""Things that the line of a file names; of more, the first by IRI, and their count."""


def shares(scores: Mapping[Iri, float], cap: int) -> dict[Iri, int]:
    """Characters for each base, the cap in all where any score is above 0; exact, so that no float decides."""
    exact = {iri: Fraction(score) for iri, score in scores.items() if math.isfinite(score) and score > 0}
    total = sum(exact.values(), Fraction(0))
    quotas = {iri: max(0, cap) * score / total for iri, score in exact.items()}
    given = {iri: int(quotas.get(iri, Fraction(0))) for iri in sorted(scores)}
    left = (max(0, cap) - sum(given.values())) if exact else 0
    for iri in sorted(quotas, key=lambda iri: (given[iri] - quotas[iri], iri))[:left]:
        given[iri] += 1
    return given


def cut(lines: Sequence[Line], share: int) -> list[Line]:
    """The first lines that fit, each with its line end; none is parted."""
    kept, spent = [], 0
    for line in lines:
        spent += len(line[0]) + 1
        if spent > share:
            break
        kept.append(line)
    return kept


def allotted(
    outlines: Mapping[Iri, Sequence[Line]], scores: Mapping[Iri, float], cap: int, *, flat: bool = False
) -> dict[Iri, list[Line]]:
    """What each base shows of its outline, by IRI; with their line ends at most `cap` characters."""
    found: dict[Iri, list[Line]] = {}
    if not flat:
        each = shares({iri: scores.get(iri, 0.0) for iri in outlines}, cap)
        return {iri: cut(outlines[iri], each[iri]) for iri in sorted(outlines)}
    left, open_still = max(0, cap), True
    for iri in sorted(outlines):
        found[iri] = cut(outlines[iri], left) if open_still else []
        open_still = open_still and len(found[iri]) == len(outlines[iri])
        left -= sum(len(line) + 1 for line, _ in found[iri])
    return found


def outline(held: Held, stock: Inventory, base: Iri, within: frozenset[Iri], words: Labels) -> Sequence[Line]:
    """A base's title and its files: what each is about, what it measures, what its positions are counted in. No prose. Each line is
    made when it is looked at: of many files few are shown."""
    files = [source for source in stock.of_base(base) if not within or source.iri in within]
    title = neutral_name(stock.bases[base].title or stock.bases[base].id)
    if not files:
        return []
    heading = f"{words.base.format(title=title)}: {words.files.format(count=len(files))}"
    return Lazily(range(len(files) + 1), lambda at: _file(held, stock, files[at - 1], words) if at else (heading, (title,)))


def _file(held: Held, stock: Inventory, source: SourceFile, words: Labels) -> Line:
    title = neutral_name(source.title or source.name)
    whom = sorted(iri for iri in source.entities if iri in stock.entities)
    about = sorted(called(stock.entities[iri]) for iri in whom[:TOLD])
    if len(whom) > TOLD:
        about[-1] += f" … ({len(whom)})"
    parts = [source.kind]
    if about:
        parts.append(words.about.format(names=", ".join(about)))
    parts += _metrics(held, stock, source)
    if source.attribute:
        parts.append(words.positions.format(attribute=neutral_name(source.attribute)))
    return f"{title}: {'; '.join(parts)} {cite(neutral_name(source.name))}", (title,)


def called(entity: Entity) -> str:
    """The name of an entity, with the title of its concept where the ontology has it."""
    name, title = neutral_name(entity.name), neutral_name(entity.titled)
    return f"{name} (= {title})" if title and title != name else name


def concepts_of(stock: Inventory, entities: Iterable[Iri]) -> list[Line]:
    """The outline of the ontology: the concepts of these entities, each with its address."""
    found = [stock.entities[iri] for iri in sorted(entities) if iri in stock.linked]
    return [
        (
            f"{neutral_name(one.name)} = {neutral_name(one.titled)} {cite(neutral_name(one.concept))}",
            (neutral_name(one.titled),),
        )
        for one in found
    ]


def _metrics(held: Held, stock: Inventory, source: SourceFile) -> Iterator[str]:
    if source.kind not in ("series", "table"):
        return
    for iri in held.marks.metrics(source.iri):
        metric = stock.metrics.get(iri)
        if metric is not None and metric.base == source.base:
            yield neutral_name(f"{metric.name} ({metric.unit})" if metric.unit else metric.name)
