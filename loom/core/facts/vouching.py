"""What the declarations add to the evidence of a block: the attributes of its positions, and what may be computed from its values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from loom.core.facts.derivable import Derivable
from loom.core.facts.values import Attribute, Base, Held
from loom.core.values import Iri, Served


@dataclass(frozen=True, slots=True)
class Vouched:
    attributes: tuple[Attribute, ...] = ()
    derived: tuple[Derivable, ...] = ()


def vouched(held: Held | None, served: Sequence[Served]) -> Vouched:
    """What the bases declare for served evidence, each of which is about an entity, a source, or a unit of one.

    Attributes are those of the bases that the evidence is from, of all where it names none. A value may be computed with only
    where a line that was served shows it to the letter.
    """
    if held is None:
        return Vouched()
    owners = {iri: base for base in held.bases for iri in _addresses(base)}
    texts: dict[Iri, str] = {}
    for each in served:
        for iri in (each.evidence.iri, each.evidence.home):
            if iri in owners:
                texts[iri] = texts.get(iri, "") + "\n".join(each.lines)
    bases = [base for base in held.bases if any(owners[iri] is base for iri in texts)] or list(held.bases)
    attributes = dict.fromkeys(attribute for base in bases for attribute in base.attributes)
    return Vouched(tuple(attributes), _derivable(held, texts, bases))


def _addresses(base: Base) -> list[Iri]:
    return [*(entity.iri for entity in base.entities), *(source.iri for source in base.sources)]


def _derivable(held: Held, texts: Mapping[Iri, str], bases: Sequence[Base]) -> tuple[Derivable, ...]:
    sources: dict[Iri, set[Iri]] = {}
    for base in bases:
        for entity in base.entities:
            about = {source.iri for source in base.sources if entity.iri in source.entities} | set(entity.sources)
            for iri in about if entity.iri in texts else ():
                sources.setdefault(iri, set()).add(entity.iri)
        for source in base.sources:
            if source.iri in texts:
                sources.setdefault(source.iri, set()).add(source.iri)
    found = []
    for base in bases:
        for metric in base.metrics:
            values = [
                Decimal(fact.number)
                for source in sorted(sources) if metric.derived
                for fact in held.facts(source, metric.iri)
                if fact.number and fact.statistic != "count" and any(fact.value in texts[iri] for iri in sorted(sources[source]))
            ]  # fmt: skip
            if len(values) > 1:
                found.append(Derivable(tuple(dict.fromkeys(values)), metric.derived))
    return tuple(found)
