"""One question before and after."""

import pytest

from loom.answer.drift import Drift, summary
from loom.answer.replay import Asked, Given

ASKED = Asked("q1", ({"role": "user", "content": "What is a kiln?"},))


def given(
    *served: str,
    reason: str = "exact",
    path: str | None = None,
    confidence: float | None = 0.9,
    names: tuple[str, ...] = (),
    ceiling: float | None = None,
) -> Given:
    units = tuple(f"urn:test:{slug}" for slug in served)
    return Given(bool(served), reason if served else "off_topic", path, confidence, None, units, names, ceiling, 10)


@pytest.mark.parametrize(
    ("before", "after", "flags", "said"),
    [
        (given("kiln"), given(), {"fell_silent", "reason", "worse", "units"}, "engaged (exact) → silent (off_topic)"),
        (given(), given("kiln"), {"spoke_up", "reason", "units"}, "silent (off_topic) → engaged (exact)"),
        (given("kiln", "ash"), given("ash", "kiln"), {"units"}, "order ash kiln"),
        (given("kiln"), given("kiln", "ash"), {"units"}, "units +ash"),
        (given("kiln"), given("kiln", path="fused"), {"reason"}, "exact → exact, fused"),
        (given("kiln", confidence=0.5), given("kiln", confidence=0.65), {"confidence"}, "confidence 0.50 → 0.65"),
        (given("kiln", names=("A", "B")), given("kiln", names=("B", "C")), {"lost", "gained", "worse"}, "names +1 -1"),
        (given("kiln", ceiling=0.5), given("kiln", ceiling=1.0), {"gained"}, "ceiling 0.50 → 1.00"),
        (given("kiln", ceiling=1.0), given("kiln", ceiling=0.5), {"lost", "worse"}, "ceiling 1.00 → 0.50"),
    ],
)
def test_what_changed_is_told(before: Given, after: Given, flags: set[str], said: str) -> None:
    drift = Drift(ASKED, before, after)
    counted = summary([drift])
    assert {name for name, count in counted.items() if count} == {"questions", "changed", *flags}
    assert said in drift.sentence()
    assert drift.sentence().startswith("- q1" if "worse" in flags else "~ q1")


def test_a_small_move_is_no_change() -> None:
    drift = Drift(ASKED, given("kiln", confidence=0.5), given("kiln", confidence=0.6))
    assert not drift.changed
    assert summary([drift]) == {**dict.fromkeys(summary([]), 0), "questions": 1}


def test_with_gold_only_the_gold_counts_as_exposure() -> None:
    drift = Drift(ASKED, given("kiln", names=("A",), ceiling=1.0), given("kiln", names=("B",), ceiling=1.0))
    assert drift.changed and not drift.lost and not drift.gained
    assert drift.as_json()["names_hidden"] == ["A"] and drift.as_json()["names_revealed"] == ["B"]
