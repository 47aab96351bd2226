"""What `--strict` makes fatal."""

import pytest

from loom.build.checks import KINDS
from loom.build.strict import fatal_kinds, violations
from loom.core.errors import BadInput
from loom.core.report import Report


def test_nothing_is_fatal_unless_asked() -> None:
    assert fatal_kinds(None) == frozenset()


def test_all_is_every_error() -> None:
    assert fatal_kinds("all") == {name for name, kind in KINDS.items() if kind.severity == "error"}
    assert fatal_kinds("error") == fatal_kinds("all")


def test_kinds_and_severities_may_be_listed() -> None:
    assert fatal_kinds("dangling-parent, parent-cycle,") == {"dangling-parent", "parent-cycle"}
    assert fatal_kinds("all,self-loop") == fatal_kinds("all") | {"self-loop"}
    assert "self-loop" in fatal_kinds("warning")


def test_an_unknown_kind_is_named_with_the_nearest() -> None:
    with pytest.raises(BadInput, match="'dangling-parents' is none; did you mean 'dangling-parent'"):
        fatal_kinds("dangling-parents")


def test_violations_are_the_fatal_kinds_that_occur() -> None:
    report = Report(KINDS)
    report.note("self-loop", "x")
    report.note("self-loop", "y")
    report.note("no-quality", "z")
    assert violations(report, {"self-loop", "parent-cycle"}) == {"self-loop": 2}
