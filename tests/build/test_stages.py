"""Stages: their order, sources merged into one space, and links turned round."""

from dataclasses import replace

import pytest
from support.pages import built, examples

from loom.build.stage import Source, Stage, Work, found, ordered, run
from loom.core.errors import BadSource
from loom.core.values import Concept, Ref, Where
from loom_adapters.concept_list import FakeCorpus


def named(*names: str) -> list[Stage]:
    """`b<a` is the stage b, which needs a."""
    split = [name.split("<") for name in names]
    return [Stage(name, tuple(filter(None, "".join(needs).split(","))), lambda work: None) for name, *needs in split]


def test_a_stage_runs_after_what_it_needs_else_by_name() -> None:
    stages = named("d<a", "b<a", "a", "c<d,b")
    assert [stage.name for stage in ordered(stages)] == ["a", "b", "d", "c"]
    assert ordered(reversed(stages)) == ordered(stages)


@pytest.mark.parametrize(("stages", "said"), [("a<b b<a", "circle"), ("a<x", "needs x"), ("a a", "Two stages")])
def test_stages_that_cannot_be_ordered_are_refused(stages: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        ordered(named(*stages.split()))


def test_the_stages_of_the_package_are_found() -> None:
    names = [stage.name for stage in found()]
    assert names[0] == "read"
    assert {"read", "check", "closure", "backlinks"} <= set(names)


def test_a_stage_may_add_parts_and_notes() -> None:
    def add(work: Work) -> None:
        work.parts["toy"] = {"size.txt": str(len(work.concepts)).encode()}

    work = Work([Source("x", FakeCorpus([Concept("urn:a", "A")]))])
    begun: list[str] = []
    run(work, ordered([*found(), Stage("toy", ("triples",), add)]), lambda stage: begun.append(stage.name))
    assert work.parts["toy"] == {"size.txt": b"1"}
    assert begun[-1] == "toy"


def test_of_two_definitions_the_first_holds_and_the_other_is_said() -> None:
    first, second = Concept("urn:a", "First", where=Where("a.md", 2)), Concept("urn:a", "Second", where=Where("b.md", 4))
    one = built(FakeCorpus([first, second]))
    assert [concept.title for concept in one.concepts] == ["First"]
    assert examples(one.report, "duplicate-concept") == [("b.md:4", "urn:a (Second) is defined at a.md:2 already")]
    two = built(FakeCorpus([second]), FakeCorpus([first, Concept("urn:b", "B")]))
    assert [concept.title for concept in two.concepts] == ["Second", "B"]
    assert examples(two.report, "duplicate-concept")[0][0] == "source-1/a.md:2"


def test_places_of_several_sources_begin_with_their_names() -> None:
    work = built(FakeCorpus([Concept("urn:a", "A", where=Where("a.md", 2))]), FakeCorpus([Concept("urn:b", "B")]))
    assert [str(concept.where) for concept in work.concepts] == ["source-0/a.md:2", "source-1"]


def test_line_breaks_in_titles_are_spaces() -> None:
    work = built(FakeCorpus([Concept("urn:a", "A\n## B\u2028C")]))
    assert work.concepts[0].title == "A ## B C"
    assert work.report.count("line-break") == 1


def test_sources_without_a_concept_are_an_error() -> None:
    with pytest.raises(BadSource, match="at least one concept"):
        built(FakeCorpus([]))


def test_links_are_turned_round_sorted_and_cut_at_twenty() -> None:
    links = (Ref("urn:hub"), Ref("urn:hub"), Ref("urn:nowhere"))
    linking = [Concept(f"urn:p{at:02}", f"P{at}", links=links) for at in range(25)]
    work = built(FakeCorpus([*reversed(linking), Concept("urn:hub", "Hub", links=(Ref("urn:hub"),))]))
    hub = next(concept for concept in work.concepts if concept.iri == "urn:hub")
    assert hub.backlinks == tuple(f"urn:p{at:02}" for at in range(20))
    assert work.report.count("backlinks-cut") == 1


def test_backlinks_that_a_source_states_are_kept() -> None:
    stated = Concept("urn:hub", "Hub", backlinks=("urn:x",))
    work = built(FakeCorpus([stated, replace(stated, iri="urn:a", backlinks=(), links=(Ref("urn:hub"),))]))
    assert work.concepts[0].backlinks == ("urn:x",)
