"""What every reasoner does. The command is a small program that answers with the built-in reasoner, in both formats."""

import sys
import time
from pathlib import Path

import pytest

from loom.core.errors import BadSettings, ReasonerFailure
from loom.core.reason import axioms as ax
from loom.core.reason.reasoner import ElReasoner
from loom.ports import Reasoner
from loom_adapters.reasoner_command import ReasonerCommand, hierarchy
from loom_adapters.reasoner_plain import FakeReasoner

A, B, C, D = (ax.Named(f"urn:{name}") for name in "abcd")
SUPPORT = Path(__file__).parents[1] / "support" / "reasoner_program.py"


def command(format: str) -> ReasonerCommand:
    return ReasonerCommand(f"{sys.executable} {SUPPORT} {format} {{input}} {{output}}")


@pytest.fixture(params=["in process", "fake", "functional", "xml"])
def reasoner(request: pytest.FixtureRequest) -> Reasoner:
    if request.param == "in process":
        return ElReasoner()
    return FakeReasoner() if request.param == "fake" else command(request.param)


def test_a_hierarchy(reasoner: Reasoner) -> None:
    axioms = [ax.SubClassOf(A, B), ax.SubClassOf(B, C), ax.SubClassOf(A, C), ax.Declared(D)]
    closure = reasoner.classify(axioms)
    assert closure.parents == {"urn:a": ("urn:b",), "urn:b": ("urn:c",), "urn:c": (), "urn:d": ()}
    assert closure.ancestors == {"urn:a": ("urn:b", "urn:c"), "urn:b": ("urn:c",), "urn:c": (), "urn:d": ()}
    assert (closure.equivalents, closure.unsatisfiable, closure.consistent) == ((), (), True)


def test_what_follows_over_roles(reasoner: Reasoner) -> None:
    axioms = [
        ax.SubClassOf(A, ax.Some("urn:r", B)),
        ax.Equivalent((C, ax.Some("urn:s", B))),
        ax.SubRole("urn:r", "urn:s"),
        ax.Domain("urn:r", D),
    ]
    assert reasoner.classify(axioms).parents["urn:a"] == ("urn:c", "urn:d")


def test_classes_of_one_meaning(reasoner: Reasoner) -> None:
    closure = reasoner.classify([ax.Equivalent((A, B)), ax.SubClassOf(B, C)])
    assert closure.equivalents == (("urn:a", "urn:b"),)
    assert closure.parents == {"urn:a": ("urn:c",), "urn:b": ("urn:c",), "urn:c": ()}


def test_an_empty_class_and_why(reasoner: Reasoner) -> None:
    axioms = [ax.SubClassOf(A, B), ax.SubClassOf(A, C), ax.SubClassOf(A, D), ax.Disjoint((B, C))]
    assert reasoner.classify(axioms).unsatisfiable == ("urn:a",)
    assert list(reasoner.explain("urn:a", axioms)) == [axioms[0], axioms[1], axioms[3]]
    assert list(reasoner.explain("urn:b", axioms)) == []


def test_an_inconsistent_ontology(reasoner: Reasoner) -> None:
    closure = reasoner.classify([ax.SubClassOf(ax.TOP, A), ax.SubClassOf(A, ax.BOTTOM)])
    assert (closure.consistent, closure.unsatisfiable) == (False, ("urn:a",))


def test_what_is_outside_el_is_reported_and_does_not_become_a_class() -> None:
    axioms = [ax.SubClassOf(A, ax.Opaque("ObjectAllValuesFrom", "only r b")), ax.Ignored("HasKey", "k")]
    for reasoner in (ElReasoner(), command("functional")):
        closure = reasoner.classify(axioms)
        assert [(one.kind, one.count) for one in closure.unread] == [("HasKey", 1), ("ObjectAllValuesFrom", 1)]
        assert closure.parents == {"urn:a": ()}


def test_a_command_without_its_files_is_refused() -> None:
    with pytest.raises(BadSettings, match="input"):
        ReasonerCommand("elk --classify")


def test_a_command_that_cannot_be_started() -> None:
    with pytest.raises(ReasonerFailure, match="cannot be started"):
        ReasonerCommand("/nowhere/elk {input} {output}").classify([])


def test_a_command_that_fails_says_why() -> None:
    with pytest.raises(ReasonerFailure, match="no such format"):
        command("no-such").classify([])


def test_a_command_that_hangs_is_stopped() -> None:
    started = time.monotonic()
    with pytest.raises(ReasonerFailure, match="had not ended"):
        ReasonerCommand("sh -c 'sleep 60 & sleep 60' {input} {output}", seconds=0.3).classify([])
    assert time.monotonic() - started < 10


def test_a_command_that_writes_nothing() -> None:
    with pytest.raises(ReasonerFailure, match="wrote no"):
        ReasonerCommand("true {input} {output}").classify([])


def test_an_output_that_is_no_ontology() -> None:
    with pytest.raises(ReasonerFailure, match="neither"):
        hierarchy(b"<not closed")


def test_prefixed_names_in_an_output() -> None:
    text = b"Prefix(:=<urn:x#>)\nOntology(\nSubClassOf(:a owl:Thing)\nEquivalentClasses(:a <urn:b> owl:Nothing)\n)"
    assert hierarchy(text) == [
        ax.SubClassOf(ax.Named("urn:x#a"), ax.TOP),
        ax.Equivalent((ax.Named("urn:x#a"), ax.Named("urn:b"), ax.BOTTOM)),
    ]
