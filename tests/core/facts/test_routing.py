"""Where questions are answered from, and what is said not to be there."""

import random
from dataclasses import replace

import pytest
from hypothesis import strategies as st
from support import asked_bases as kb
from support.trying import many

from loom.core.facts.activation import Activation, activate, region_count
from loom.core.facts.asked import Ask, Route
from loom.core.facts.memory_held import MemoryHeld
from loom.core.facts.reading import read
from loom.core.facts.routing import FLOOR, route, strength
from loom.core.facts.values import Base, Entity, SourceFile
from loom.core.values import Iri

HELD = kb.held()
ALL = [base.iri for base in kb.bases()]


def drawn(seed: int) -> Activation:
    """Any scores of any regions, with numbers that are none."""
    draw = random.Random(seed)
    odd = (float("nan"), float("inf"), float("-inf"), -1.0, 0.0, 2.0)
    return {
        iri: {f"r{n}": draw.choice((draw.random() * 9, draw.choice(odd))) for n in range(draw.randrange(8))}
        for iri in draw.sample([*ALL, "urn:of:nobody:"], draw.randrange(len(ALL) + 2))
    }


SCORES = st.integers(0, 2**32).map(drawn)
NAMED = {
    "Cuore in Ghiaccio": {kb.IT},
    "Blue Horizon": {kb.IT},
    "Harbour Lights": {kb.UK},
    "Via degli Aceri": {kb.UK},
    "AI medicine segment": {kb.MARKET},
    "ward-ai.csv": {kb.CLINIC},
    "Clinic laboratory": {kb.CLINIC},
    "World atlas": {kb.GENERAL},
}
FORMS = st.sampled_from(
    [
        "What was the peak share of {}?",
        "what happens in {} around 2:26?",
        "Compare potassium and turnover in {}",
        "Tell me everything about {}, glacier, topic3",
    ]
)


FACTS = HELD.facts()
PEAK = next(fact for fact in FACTS if fact.iri == f"{kb.IT}fact/ratings/cuore.csv/share/max")


def scored(ask: Ask, scores: Activation) -> Route:
    return route(HELD, ask, scores)


@many(FORMS, st.lists(st.sampled_from(sorted(NAMED)), min_size=1, max_size=3, unique=True), SCORES)
def test_a_name_binds_the_route_to_its_owners_whatever_scores_say(form: str, names: list[str], scores: Activation) -> None:
    ask = read(HELD, form.format(" and ".join(names)))
    found = scored(ask, scores)
    owners = set().union(*(NAMED[name] for name in names))
    assert found.committed
    assert {iri for iri, _ in found.bases} == owners
    assert found == scored(ask, {})
    files = {source.iri for base in kb.bases() for source in base.sources if base.iri in owners}
    assert found.sources
    assert found.sources <= files
    # Facts are chosen by file and metric: all that were asked for are inside the address.
    for fact in FACTS:
        if any(
            fact.source == source or fact.entity == entity for source, entity in zip(ask.sources, ask.entities, strict=False)
        ):
            assert fact.source in found.sources
    if "Cuore in Ghiaccio" in names and "peak" in form:
        assert PEAK.source in found.sources
        assert PEAK.metric in ask.metrics
        assert PEAK.statistic in ask.statistics


@many(SCORES)
def test_without_a_name_only_sustained_bases_are_routed(scores: Activation) -> None:
    ask = read(HELD, "Which glacier moves fastest?")
    found = scored(ask, scores)
    assert not found.committed
    assert found.sources == frozenset()
    for base in HELD.bases:
        finite = [s for s in scores.get(base.iri, {}).values() if 2.0 < s < float("inf")]
        count = max(region_count(HELD, base), len(scores.get(base.iri, {})))
        assert (base.iri in dict(found.bases)) == (len(finite) >= min(2, count))
    assert list(found.bases) == sorted(found.bases, key=lambda one: (-one[1], one[0]))


def one_base(files: int) -> MemoryHeld:
    iri = "urn:r:"
    sources = tuple(SourceFile(f"{iri}source/{n}", iri, f"{n}", f"File {n}", "document") for n in range(files))
    return MemoryHeld([Base(iri, "r", "Regions", sources=sources, threshold=1.0)])


def test_one_accidental_region_of_fifty_does_not_route_three_do_and_one_of_one_does() -> None:
    ask = Ask("anything")
    many, one = one_base(50), one_base(1)
    quiet = {f"r{number}": 0.2 for number in range(49)}
    assert route(many, ask, {"urn:r:": {**quiet, "hit": 90.0}}).bases == ()
    assert route(many, ask, {"urn:r:": {"hit": 90.0}}).bases == ()
    hits = {**quiet, "a": 9.0, "b": 8.0, "c": 7.0}
    assert route(many, ask, {"urn:r:": hits}).bases == (("urn:r:", 8.5),)
    assert route(one, ask, {"urn:r:": {"hit": 1.5}}).bases == (("urn:r:", 1.5),)
    assert route(one, ask, {"urn:r:": {"hit": 1.0}}).bases == ()


def test_the_strength_of_a_base_is_the_mean_of_its_best_regions() -> None:
    base = replace(kb.bases()[0], threshold=1.0)
    assert strength(base, {"a": 3.0, "b": 2.0, "c": 1.5}, 3) == (True, 2.5)
    assert strength(base, {"a": 3.0}, 3) == (False, 1.5)
    assert strength(base, {"a": float("nan"), "b": float("inf")}, 2) == (False, 0.0)
    assert strength(base, {"a": -3.0}, 1) == (False, 0.0)


def test_every_base_is_scored_and_hits_of_one_cut_off_no_other() -> None:
    found = activate(HELD, read(HELD, "Which glacier chapter talk moves?"))
    assert sorted(found) == sorted(ALL)
    assert len(found[kb.GENERAL]) == 50
    assert found[kb.IT] and found[kb.UK]
    bases = route(HELD, read(HELD, "Which glacier, topic8 or topic9 moves?")).bases
    assert [iri for iri, _ in bases] == [kb.GENERAL]
    assert route(HELD, read(HELD, "Which glacier moves?")).bases == ()


def test_declared_words_of_a_metric_route_to_those_who_declare_them() -> None:
    assert [iri for iri, _ in route(HELD, read(HELD, "What was the highest potassium?")).bases] == [kb.CLINIC]
    assert {iri for iri, _ in route(HELD, read(HELD, "What was the highest share?")).bases} == {kb.IT, kb.UK}


def test_ties_go_by_iri() -> None:
    scores = {iri: {"a": 5.0, "b": 5.0} for iri in ALL}
    assert [iri for iri, _ in route(HELD, Ask("x"), scores).bases] == sorted(ALL)


def keys(found: Route) -> list[str]:
    return [key for key, iri in kb.Q.items() if iri in found.sources]


def test_an_entity_stands_for_its_files_a_file_for_itself_and_a_base_for_all() -> None:
    assert keys(route(HELD, read(HELD, "the share of Cuore in Ghiaccio"))) == ["cuore", "cuore-talk", "cast"]
    assert keys(route(HELD, read(HELD, "Cuore in Ghiaccio copione"))) == ["cuore-talk"]
    assert keys(route(HELD, read(HELD, "Cuore in Ghiaccio in talk/cuore.txt"))) == ["cuore-talk"]
    assert keys(route(HELD, read(HELD, "everything in Clinic laboratory"))) == ["ward"]
    assert keys(route(HELD, read(HELD, "Orizzonte Blu in Ascolti televisivi"))) == ["blu", "blu-talk", "cast"]


def test_an_entity_that_only_shares_files_anchors_and_prunes_nothing() -> None:
    ask = read(HELD, "Tell me about Marcantonio")
    scores = {kb.GENERAL: {"a": 9.0, "b": 9.0}}
    found = route(HELD, ask, scores)
    assert [iri for iri, _ in found.bases] == [kb.IT, kb.GENERAL]
    assert (found.committed, found.sources) == (False, frozenset())
    bound = route(HELD, read(HELD, "What does Marcantonio say in Harbour Lights?"), scores)
    assert bound.bases == ((kb.UK, FLOOR),)
    assert keys(bound) == ["lights", "lights-talk"]


def test_carried_files_are_an_address() -> None:
    ask = replace(read(HELD, "When did it peak?"), carried=(kb.Q["maple"],))
    found = route(HELD, ask, {kb.GENERAL: {"a": 9.0, "b": 9.0}})
    assert (found.bases, keys(found), found.notes) == (((kb.UK, FLOOR),), ["maple"], ())


def test_an_address_asks_for_no_activation() -> None:
    def asked(*_: object) -> Activation:
        raise AssertionError("a named source was scored")

    assert route(HELD, read(HELD, "the share of Maple Street"), asked).committed


LISTED = "any of the 5 knowledge bases"


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("peak share of Cucina con Giallo?", [("no-source", f'No source named "Cucina con Giallo" exists in {LISTED}.')]),
        ("What happens in Cucina con Giallo?", [("no-source", f'No source named "Cucina con Giallo" exists in {LISTED}.')]),
        ("the turnover of Maple Street", [("no-metric", '"Maple Street" has no value of "revenue".')]),
        ("the viewers of Orizzonte Blu", [("no-metric", '"Orizzonte Blu" has no value of "viewers".')]),
        (
            "the average share of Orizzonte Blu",
            [("no-statistic", 'The mean of "audience share" is not computed for "Orizzonte Blu".')],
        ),
        ("what happens in Harbour Lights at 1:45?", [("no-content", '"Harbour Lights" has no content at 1:45.')]),
        ("what happens in Harbour Lights around 1:45?", []),
        ("what happens in Harbour Lights around 99:00?", [("no-content", '"Harbour Lights" has no content around 99:00.')]),
        (
            "what happens in Harbour Lights from 1:40 to 1:50?",
            [("no-content", '"Harbour Lights" has no content within 1:40 to 1:50.')],
        ),
        ("what happens in Harbour Lights at 1:50?", []),
        (
            "the share of Cuore in Ghiaccio at 2:30",
            [("no-value", '"Cuore in Ghiaccio" has no value of "audience share" at 2:30.')],
        ),
        ("the share of Cuore in Ghiaccio at 2:31", []),
        (
            "Is there a correlation between share and potassium?",
            [("no-relation", 'Nothing is recorded that relates "audience share" to "potassium".')],
        ),
        (
            "How does rainfall affect the share of Cuore in Ghiaccio?",
            [("no-relation", 'Nothing is recorded that relates "audience share" to what else is asked about.')],
        ),
        (
            "Is Maple Street related to Harbour Lights?",
            [("no-relation", 'Nothing is recorded that relates "Maple Street" to "Harbour Lights".')],
        ),
        ("Is there a correlation between share and viewers?", []),
        ("the share of Cuore in Ghiaccio and Harbour Lights", []),
        ("What is the AI outlook?", []),
    ],
)
def test_notes(text: str, notes: list[tuple[str, str]]) -> None:
    found = route(HELD, read(HELD, text))
    assert [(note.kind, note.text) for note in found.notes] == notes


def test_a_few_bases_are_named_in_notes() -> None:
    held = MemoryHeld(kb.bases()[:2])
    found = route(held, read(held, 'the share of "Nova"'))
    assert found.notes[0].text == 'No source named "Nova" exists in "British airtime" or "Ascolti televisivi".'


@pytest.mark.parametrize(
    "text",
    [
        "peak share of Cucina con Giallo",
        "What happens in Cucina con Giallo?",
        "share of Cucina con Giallo in Ascolti televisivi",
        "la quota massima del programma Nova",
        "Who plays in “Winterbourne Kitchen”?",
        "Who plays in the programme Nova?",
    ],
)
def test_values_of_a_name_that_nobody_owns_come_from_nowhere(text: str) -> None:
    found = route(HELD, read(HELD, text), {iri: {"a": 99.0, "b": 99.0} for iri in ALL})
    assert (found.bases, found.committed, found.sources) == ((), True, frozenset())
    assert found.notes


def test_an_open_question_about_one_is_still_searched() -> None:
    found = route(HELD, read(HELD, "Tell me about Cucina con Giallo"), {kb.GENERAL: {"a": 9.0, "b": 9.0}})
    assert [iri for iri, _ in found.bases] == [kb.GENERAL]
    assert [note.kind for note in found.notes] == ["no-source"]


def test_one_concept_in_two_bases_relates_them() -> None:
    def base(name: str, concept: Iri) -> Base:
        iri = f"urn:{name}:"
        entity = Entity(f"{iri}entity/e", iri, f"Thing of {name}", sources=(f"{iri}source/f",), concept=concept)
        source = SourceFile(f"{iri}source/f", iri, "f.md", f"Notes of {name}", "document", entities=(entity.iri,))
        return Base(iri, name, f"Base {name}", sources=(source,), entities=(entity,))

    text = "Is Thing of alpha related to Thing of gamma?"
    for concept, count in (("urn:c", 0), ("urn:d", 1)):
        held = MemoryHeld([base("alpha", "urn:c"), base("gamma", concept)])
        assert len(route(held, read(held, text)).notes) == count


@many(st.integers(0, 2**32))
def test_routes_are_the_same_in_any_order_of_declarations(seed: int) -> None:
    draw = random.Random(seed)
    text = draw.choice(FORM_LIST).format(draw.choice([*NAMED, "Nova", "Cucina con Giallo"]))
    given_bases = kb.bases()
    draw.shuffle(given_bases)
    scores = {iri: {f"r{n}": draw.random() * 4 for n in range(3)} for iri in draw.sample(ALL, len(ALL))}
    other = MemoryHeld(given_bases, HELD.facts(), kb.spans(), kb.readings()) if seed % 50 == 0 else HELD
    found = route(other, read(other, text), scores)
    again = route(HELD, read(HELD, text), dict(sorted(scores.items())))
    assert repr((found.bases, found.committed, sorted(found.sources), found.notes)) == repr(
        (again.bases, again.committed, sorted(again.sources), again.notes)
    )


FORM_LIST = ["What was the peak share of {}?", "what happens in {} at 1:45?", "Tell me of {} and potassium"]
