"""Checks over a whole corpus: each finds its fault, and a sound corpus has none."""

from dataclasses import replace

import pytest
from support.pages import built, examples

from loom.build.checks import KINDS
from loom.core.report import SEVERITIES
from loom.core.values import Concept, Ref, Where
from loom_adapters.concept_list import FakeCorpus

BASE = "urn:clay:"


def concept(slug: str, title: str = "", **more) -> Concept:
    return Concept(
        BASE + slug, title or slug.replace("-", " ").title(), **{"definition": "x", "where": Where(f"{slug}.md", 3), **more}
    )


def to(*slugs: str) -> tuple[Ref, ...]:
    return tuple(Ref(BASE + slug) for slug in slugs)


SOUND = [
    concept("kiln", parents=to("oven"), relations=(("uses", to("clay")),)),
    concept("oven"),
    concept("clay", relations=(("partOf", to("kiln")), ("contrastsWith", to("oven")))),
]


def test_a_sound_corpus_has_no_remarks() -> None:
    assert built(FakeCorpus(SOUND)).report.counts() == {}


FAULTY = {
    "dangling-parent": concept("pot", parents=to("vessel")),
    "dangling-relation": concept("pot", relations=(("uses", to("glaze")),)),
    "unknown-relation": concept("pot", relations=(("depends-on", to("clay")),)),
    "self-loop": concept("pot", relations=(("uses", to("pot")),)),
    "parent-cycle": concept("pot", parents=to("pot")),
    "repeated-parent": concept("pot", parents=to("oven", "oven")),
    "repeated-target": concept("pot", relations=(("uses", to("clay", "clay")),)),
    "contradictory-edge": concept("pot", parents=to("oven"), relations=(("contrastsWith", to("oven")),)),
    "empty-definition": concept("pot", definition=" "),
    "definition-cut": concept("pot", full="x" * 500),
    "wikilink-in-definition": concept("pot", definition="A [[Kiln]]."),
    "email-text": concept("pot", prose="Ask potter@clay.example.org."),
    "long-title": concept("a-pot-made-of-clay", "A Pot Made Of Clay"),
    "slug-differs": concept("pot", "Vessel"),
    "reference-label-differs": concept("pot", parents=(Ref(BASE + "oven", "Stove"),)),
    "duplicate-title": concept("kiln-2", "Kiln"),
    "near-duplicate-title": concept("kilns", "Kilns"),
    "shared-name": concept("pot", aliases=("KILN", "Pot")),
    "slug-collision": replace(concept("x"), iri="https://example.org/Kiln", title="Kiln Site"),
    "title-shadows-slug": concept("pot", "kiln"),
}


@pytest.mark.parametrize("kind", FAULTY)
def test_a_fault_is_found_and_the_concept_kept(kind: str) -> None:
    fault = FAULTY[kind]
    work = built(FakeCorpus([*SOUND, fault]))
    assert work.report.count(kind) == 1
    assert examples(work.report, kind)[0][0] == str(fault.where)
    kept = next(one for one in work.concepts if one.iri == fault.iri)
    assert (kept.title, kept.parents, kept.relations) == (fault.title, fault.parents, fault.relations)


def test_the_nearest_known_relation_is_named() -> None:
    names = {
        "depends-on": "dependsOn",
        "bridges To": "bridgesTo",
        "relatedTo_2": "relatedTo",
        "usses": "uses",
        "isSubclassOf": "subClassOf",
    }
    work = built(
        FakeCorpus([*SOUND, *(concept(f"pot-{at}", relations=((name, to("clay")),)) for at, name in enumerate(names))])
    )
    said = [message for _, message in examples(work.report, "unknown-relation")]
    assert sorted(message.split("nearest: ")[1].rstrip(")") for message in said) == sorted(names.values())
    odd = built(FakeCorpus([concept("pot", relations=(("produces", to("pot-2")),)), concept("pot-2")]))
    assert "no known name is near" in examples(odd.report, "unknown-relation")[0][1]


def test_a_circle_of_parents_is_one_remark() -> None:
    work = built(FakeCorpus([concept("a", parents=to("b")), concept("b", parents=to("c")), concept("c", parents=to("a"))]))
    assert [message for _, message in examples(work.report, "parent-cycle")] == ["A → B → C → A"]


def test_every_kind_says_what_it_means_and_what_to_do() -> None:
    for name, kind in KINDS.items():
        assert kind.name == name
        assert kind.severity in SEVERITIES
        assert kind.meaning.endswith(".")
    assert all(
        ":" in KINDS[name].meaning or len(KINDS[name].meaning.split(". ")) > 1
        for name in KINDS
        if KINDS[name].severity == "error"
    )
