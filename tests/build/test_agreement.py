"""Comparing a corpus with a compiled index: every difference is found, and named with what can explain it."""

from dataclasses import replace

import pytest

from loom.build.agreement import FIELDS, compare
from loom.build.checks import KINDS
from loom.core.report import Report
from loom.core.values import Concept, Ref

BASE = "urn:ngm:class:"
KILN = Concept(
    BASE + "kiln",
    "Kiln",
    parents=(Ref(BASE + "oven"),),
    ancestors=(Ref(BASE + "heat-source"), Ref(BASE + "artefact")),
    relations=(("uses", (Ref(BASE + "clay"), Ref(BASE + "fire"))), ("produces", (Ref(BASE + "pot"),))),
)
STATED = {"t": "Kiln", "sup": ["oven"], "isup": ["heat-source", "artefact"], "rel": {"uses": ["clay", BASE + "fire"]}}


def test_what_agrees_has_no_difference() -> None:
    agreement = compare([KILN], {"kiln": STATED}, Report(KINDS))
    assert agreement.differences == []
    assert agreement.compared == {"class": 1, "title": 1, "parent": 1, "ancestor": 2, "relation": 2}


CHANGES = {
    "title": replace(KILN, title="Kilns"),
    "parent": replace(KILN, parents=()),
    "ancestor": replace(KILN, ancestors=tuple(reversed(KILN.ancestors or ()))),
    "relation": replace(KILN, relations=(("uses", (Ref(BASE + "clay"),)),)),
    "class": replace(KILN, iri=BASE + "kilns"),
}


@pytest.mark.parametrize("field", CHANGES)
def test_a_change_is_found(field: str) -> None:
    agreement = compare([CHANGES[field]], {"kiln": STATED}, Report(KINDS))
    assert {one.field for one in agreement.differences} == {field}
    assert agreement.unexplained == agreement.differences


def test_a_difference_is_explained_by_a_remark_of_the_build() -> None:
    report = Report(KINDS)
    report.note("root-parent", "owl:Thing")
    agreement = compare([CHANGES["parent"]], {"kiln": STATED}, report)
    assert agreement.differences[0].reasons == ("root-parent",)
    assert agreement.unexplained == []


def test_a_missing_class_is_one_difference() -> None:
    agreement = compare([KILN], {"kiln": STATED, "oven": {}}, Report(KINDS))
    assert [(one.slug, one.index, one.built) for one in agreement.differences] == [("oven", "there", "absent")]


def test_every_relation_that_is_known_is_compared() -> None:
    assert set(CHANGES) == set(FIELDS)
