"""Deriving by templates, projecting by rubrics, and artifacts that print what they rest on."""

import pytest
from hypothesis import strategies as st
from support.trying import many

from loom.core.claims.judging.asked import REGISTERS, Axis, Brief, Cited, Inquiry, Known, Placing, Value
from loom.core.claims.judging.deriving import derive, restates
from loom.core.claims.judging.given import Inferred, Placed
from loom.core.claims.judging.projecting import project
from loom.core.claims.judging.rendering import completed, missing, notes, render, shown
from loom.core.errors import BadInput


def of(question: str, *texts: str) -> tuple[Inferred, ...]:
    return derive(Inquiry(question, tuple(Known(str(at), text) for at, text in enumerate(texts))))


def test_a_relation_goes_on() -> None:
    found = of("", "The shop depends on the kiln.", "A kiln depends on the gas line.", "The gas line is part of the grid.")
    assert found == (Inferred("The shop depends on the gas line.", ("0", "1")),)


def test_a_rule_with_its_condition() -> None:
    found = of("", "If the kiln is closed, the shop loses money.", "The kiln in Riga is closed.", "The gate is open.")
    assert found == (Inferred("The shop loses money.", ("0", "1")),)


def test_what_is_assumed_goes_with_what_is_derived() -> None:
    found = of("", "The shop depends on the kiln, provided that the oven stays broken.", "The kiln depends on gas.")
    assert found == (Inferred("The shop depends on gas.", ("0", "1"), ("the oven stays broken",)),)


def test_what_is_known_or_restated_is_not_derived() -> None:
    texts = ("The shop depends on the kiln.", "The kiln depends on gas.")
    assert not of("", *texts, "The shop depends on gas.")
    assert not of("", "The kiln depends on the kiln.", "The kiln depends on gas.")
    assert restates("The kiln depends on gas.", Known("k", "The kiln in Riga depends on gas and coal."))
    assert not restates("The shop depends on gas.", Known("k", "The kiln depends on gas."))


def test_only_what_bears_on_the_question() -> None:
    texts = ("The shop depends on the kiln.", "The kiln depends on gas.", "Ana reports to Ben.", "Ben reports to Cy.")
    assert [each.proposition for each in of("To whom does Ana report?", *texts)] == ["Ana reports to Cy."]
    assert len(of("", *texts)) == 2 and not of("Where is Zanzibar?", *texts)


SENTENCES = st.builds("{} {} {}".format, st.sampled_from(["A", "the kiln", "Ben", "if A"]), st.sampled_from(["depends on", "requires", "is"]), st.sampled_from(["B", "A", "the kiln", "gas"]))  # fmt: skip


@many(st.lists(SENTENCES, max_size=7), st.sampled_from(["", "the kiln?"]))
def test_every_derivation_rests_on_two_pieces_and_restates_neither(texts: list[str], question: str) -> None:
    for each in of(question, *texts):
        assert len(set(each.antecedents)) == 2 and set(each.antecedents) <= {str(at) for at in range(len(texts))}
        assert not any(restates(each.proposition, Known("k", texts[int(at)])) for at in each.antecedents)
    assert of(question, *texts) == of(question, *texts)


STATE = Axis(
    "feasibility",
    "How feasible an implementation is.",
    "ordinal",
    ("blocked", "constrained", "ready"),
    prototypes=(("blocked", "A court stopped the works."), ("ready", "The works may begin tomorrow.")),
    cues={"blocked": ("/\\bstopp?ed\\b/", "no permit"), "constrained": ("short of staff",), "ready": ("permit granted",)},
)
COST = Axis(
    "cost", "What it costs.", "scalar", low=0, high=100, prototypes=(("5", "It is very cheap."),), cues={"unit": ("euros",)}
)
SAFE = Axis("safety", "Whether it is safe.", "binary", cues={"true": ("safe",), "false": ("danger",)})


@pytest.mark.parametrize(
    "axis, text, value",
    [
        (STATE, "The court stopped it.", "blocked"),
        (STATE, "The team is short of staff.", "constrained"),
        (STATE, "A permit was granted on Monday.", "ready"),
        (STATE, "The works may begin on Friday.", "ready"),
        (STATE, "The cat sleeps.", None),
        (COST, "It costs 40 euros.", 40.0),
        (COST, "It costs 400 euros.", 100.0),
        (COST, "The kiln is very cheap.", 5.0),
        (SAFE, "The dam is safe.", True),
        (SAFE, "The dam is not safe.", False),
        (SAFE, "The dam is a danger.", False),
        (SAFE, "The dam is old.", None),
    ],
)
def test_a_rubric_places(axis: Axis, text: str, value: Value | None) -> None:
    found = project(Placing(axis, text))
    assert found.value == value and type(found.value) is type(value) and 0 <= found.relevance <= 1
    assert (found.relevance >= 0.2) == (value is not None)


def test_vectors_stand_in_for_words() -> None:
    assert project(Placing(STATE, "Nothing in common."), [0.1, 0.3, 0.9]) == Placed("ready", 0.9)
    assert project(Placing(STATE, "Nothing in common."), [0.1, 0.1, 0.0]) == Placed(None, 0.1)


def test_prototypes_return_their_values() -> None:
    for axis in (STATE, COST):
        for value, example in axis.prototypes:
            assert project(Placing(axis, example)).value == (float(value) if axis is COST else value)


@pytest.mark.parametrize(
    "axis", [Axis("x", "d", "ordinal", ("a",), prototypes=(("b", "t"),)), Axis("x", "d", "scalar", prototypes=(("high", "t"),))]
)
def test_a_prototype_is_at_a_value(axis: Axis) -> None:
    with pytest.raises(BadInput, match="prototypes of x"):
        project(Placing(axis, "t"))


TEXTS = st.one_of(
    st.sampled_from(["The kiln is open.", "as [2] says", "[1]", "Assumed without evidence: x", "<|im_start|>"]),
    st.text(min_size=1, max_size=30),
).filter(str.strip)
CITED = st.lists(
    st.tuples(TEXTS, st.lists(TEXTS, max_size=3), st.lists(TEXTS, max_size=2), st.sampled_from(["", "proposed", "contested"])),
    max_size=5,
).map(
    lambda rows: tuple(
        Cited(
            f"claim:{at}",
            text,
            standing,
            tuple(assumed),
            tuple((f"claim:9{place}", each) for place, each in enumerate(against)),
        )
        for at, (text, assumed, against, standing) in enumerate(rows)
    )
)


@many(CITED, st.sampled_from(REGISTERS), TEXTS, st.sampled_from(["", "the board"]))
def test_every_precondition_and_conflict_is_printed_in_every_register(
    cited: tuple[Cited, ...], register: str, request: str, audience: str
) -> None:
    brief = Brief(request, audience, cited, register)
    artifact = render(brief)
    assert artifact.citations == tuple(each.id for each in cited) and artifact == render(brief)
    for number, each in enumerate(cited, 1):
        assert f"[{number}]" in artifact.text
        assert all(note in artifact.text for note in notes(each))
    assert missing(artifact.text, brief) == []


@many(CITED, st.text(st.sampled_from("abc [12345]\n."), max_size=60))
def test_what_a_model_leaves_out_is_added_and_what_it_makes_up_is_taken_out(cited: tuple[Cited, ...], text: str) -> None:
    brief = Brief("r", "a", cited)
    artifact = completed(text, brief)
    assert missing(artifact.text, brief) == [] and set(artifact.citations) <= {each.id for each in cited}
    for at in range(len(cited) + 1, 10):
        assert f"[{at}]" not in artifact.text
    for each in cited:
        if each.id in artifact.citations:
            assert all(shown(note.partition(": ")[2]) in " ".join(artifact.text.split()) for note in notes(each))


@pytest.mark.parametrize("standing", ["retracted", "superseded"])
def test_what_does_not_stand_is_not_rendered(standing: str) -> None:
    with pytest.raises(BadInput, match="still stand"):
        Brief("r", "a", (Cited("claim:1", "The kiln is open.", standing),))


def test_a_brief_is_checked() -> None:
    with pytest.raises(BadInput, match="register among report"):
        Brief("r", "a", (), "opera")
    with pytest.raises(BadInput, match="named once"):
        Brief("r", "a", (Cited("c", "x"), Cited("c", "y")))
    assert "Nothing that may be cited" in render(Brief("r", "a", ())).text
