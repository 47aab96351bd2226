"""What a manifest declares that files are about: entities and metrics, and the words that lead to them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from loom.core.facts.iris import entity_iri, metric_iri
from loom.core.facts.layout import Layout
from loom.core.facts.values import DERIVED, STATISTICS, Entity, Metric, Names, SourceFile
from loom.core.names import fold_name
from loom.core.values import Iri
from loom_adapters.kb.entry import Entry, Remarks
from loom_adapters.kb.lists import ID, ID_FORM, IRI, duplicate, tables
from loom_adapters.kb.locator import Place
from loom_adapters.kb.wording import listed, shown

LONGEST_NAME = 200
"""Characters of a name that a question may hold."""

Entities = Mapping[str, tuple[Entity, Place]]
"""By id; with where each is declared."""
Metrics = Mapping[str, tuple[Metric, Place]]
_USUAL = tuple(name for name in STATISTICS if name != "mean")


def entities(top: Entry, iri: Iri, language: str) -> Entities:
    given: dict[str, tuple[Entity, Place]] = {}
    seen: dict[str, Place] = {}
    for entry in tables(top, "entity"):
        id = entry.text("id", required="programme-a", pattern=ID, form=ID_FORM)
        name = entry.text("name", required=id or "Programme A") or id
        aliases = entry.aliases(language)
        concept = entry.text(
            "concept", required="urn:example:concept" if entry.has("concept") else "", pattern=IRI, form="an IRI"
        )
        entry.close(of=" in an entity")
        if id and not duplicate(entry, "id", id, seen):
            given[id] = Entity(entity_iri(iri, id), iri, name, aliases, (), concept), entry.place
    return given


def metrics(top: Entry, iri: Iri, language: str) -> Metrics:
    given: dict[str, tuple[Metric, Place]] = {}
    seen: dict[str, Place] = {}
    claimed: dict[str, tuple[str, Place]] = {}
    for entry in tables(top, "metric"):
        id = entry.text("id", required="share", pattern=ID, form=ID_FORM)
        name = entry.text("name") or id
        unit = entry.text("unit")
        words = entry.names("words", language)
        statistics = _chosen(entry, "statistics", STATISTICS, _USUAL)
        derived = _chosen(entry, "derived", DERIVED, ())
        entry.close(of=" in a metric")
        if not id or duplicate(entry, "id", id, seen):
            continue
        named = ((language, name, (*entry.place, "name")), *words)
        given[id] = (
            Metric(metric_iri(iri, id), iri, name, unit, _own(entry, id, named, claimed), statistics, derived),
            entry.place,
        )
    return given


def _own(entry: Entry, id: str, words: Sequence[tuple[str, str, Place]], claimed: dict[str, tuple[str, Place]]) -> Names:
    """The words that no earlier metric claims. One word for two series would be a guess at every question (R4)."""
    own: dict[tuple[str, str], None] = {}
    for tag, word, place in words:
        folded = fold_name(word)
        holder, before = claimed.setdefault(folded, (id, place))
        if not folded:
            entry.remarks.note("kb-value", place, "a word with letters or digits", f"got {shown(word)}", "write another")
        elif holder != id:
            line = entry.remarks.where(before).line
            came = f"{shown(word)} stands for {shown(holder)} too (line {line})"
            remedy = f"take it from {shown(holder)} or from {shown(id)}"
            entry.remarks.note("kb-shared-word", place, "a word that one metric alone has", came, remedy)
        else:
            own.setdefault((tag, word))
    return tuple(own)


def _chosen(entry: Entry, member: str, allowed: Sequence[str], default: tuple[str, ...]) -> tuple[str, ...]:
    if not entry.has(member):
        return default
    given = entry.texts(member)
    for one in given:
        if one not in allowed:
            entry.note(
                "kb-value", member, f"names of {listed(allowed)} in `{member}`", f"got {shown(one)}", "choose among them"
            )
    return tuple(one for one in allowed if one in given)


def nameable(remarks: Remarks, declared: Entities) -> None:
    """Warn of names that no question can hold."""
    for entity, place in declared.values():
        names = (entity.name, *(alias for _, alias in entity.aliases))
        long = next((name for name in names if len(name) > LONGEST_NAME), None)
        bad = long or (None if any(map(fold_name, names)) else entity.name)
        if bad is not None:
            expected = f"a name of letters or digits, of up to {LONGEST_NAME} characters"
            remarks.note("kb-value", place, expected, f"got {shown(bad)}", "write it as it is spoken of, or add an alias")


def with_files(
    remarks: Remarks, declared: Entities, measured: Metrics, sources: Sequence[SourceFile], layouts: Sequence[Layout]
) -> tuple[Entity, ...]:
    """The entities with the files that are about them. Says which entities and metrics have none."""
    nameable(remarks, declared)
    used = {metric for layout in layouts for metric, _ in layout.values}
    for id, (metric, place) in measured.items():
        if metric.iri not in used:
            remedy = "name its column in `values` of a file, or take it away"
            remarks.note("kb-no-files", place, f"a file with values of {shown(id)}", "there is none", remedy)
    given = []
    for id, (entity, place) in declared.items():
        files = tuple(source.iri for source in sources if entity.iri in source.entities)
        if not files:
            remedy = f"write entity = {shown(id)} in a file, or take it away"
            remarks.note("kb-no-files", place, f"a file about {shown(id)}", "there is none", remedy)
        given.append(replace(entity, sources=files))
    return tuple(given)


def shared_names(remarks: Remarks, declared: Entities, sources: Sequence[SourceFile]) -> None:
    """Warn of a name that two entities have, or two files."""
    _shared(remarks, [(entity.name, entity.aliases, remarks.where(place).line) for entity, place in declared.values()])
    _shared(remarks, [(source.title, source.aliases, source.where.line) for source in sources])


def _shared(remarks: Remarks, named: Sequence[tuple[str, Names, int]]) -> None:
    first: dict[str, int] = {}
    for index, (name, aliases, line) in enumerate(named):
        for one in dict.fromkeys((name, *(alias for _, alias in aliases))):
            holder = first.setdefault(fold_name(one), index)
            if holder != index:
                came = f"{shown(one)} is a name of the entry in line {named[holder][2]} too"
                remarks.at("kb-shared-name", line, "a name of its own", came, "rename one, or take the alias away")
