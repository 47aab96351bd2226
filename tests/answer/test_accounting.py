"""The account of an answer, and its citations."""

from dataclasses import replace
from typing import Any

import pytest
from support.answers import planned

from loom.answer.accounting import citations, loom_object, served_as
from loom.answer.plan import Plan
from loom.core.values import Json, Outcome


def account(plan: Plan, *watches: Any, **more: Any) -> dict[str, Json]:
    return loom_object(plan, Outcome("answered", "x"), watches, request_id="r", backend="delegated", sent="up", **more)


class Says:
    """A watch with a fixed report."""

    def __init__(self, key: str, report: Json) -> None:
        self.key = key
        self._report = report

    def feed(self, text: str) -> None:
        return None

    def report(self, outcome: Outcome) -> Json:
        return self._report

    async def after(self, outcome: Outcome) -> None:
        return None


async def test_reports_go_under_their_key_or_to_the_top() -> None:
    plan = await planned()
    told = account(plan, Says("exposure", {"targets": 3}), Says("facts", {"n": 1}), Says("", {"more": 2}), Says("silent", None))
    assert (told["exposure"], told["facts"], told["more"]) == ({"targets": 3}, {"n": 1}, 2)
    assert "silent" not in told and "" not in told


async def test_the_allowance_is_told_only_where_it_was_raised() -> None:
    plan = await planned()
    assert account(plan)["completion"] == {"class": "answered", "attempts": 1}
    assert account(plan, allowance=4096)["completion"] == {"class": "answered", "attempts": 1, "allowance": 4096}


@pytest.mark.parametrize("key", ["error"])
async def test_no_key_is_called_error(key: str) -> None:
    def keys(value: Json) -> set[str]:
        if isinstance(value, dict):
            return set(value).union(*map(keys, value.values()))
        return set().union(*map(keys, value)) if isinstance(value, list) else set()

    assert key not in keys(account(await planned()))


async def test_what_served() -> None:
    grounded, plain = await planned(), await planned(off=True)
    assert (served_as(grounded, "delegated"), served_as(plain, "delegated")) == ("delegated", "passthrough")
    assert (served_as(grounded, "reader"), served_as(plain, "reader")) == ("reader", "reader")


def cited(plan: Plan, text: str) -> list[tuple[str, str]]:
    """(title, words cited) of each citation."""
    found = [citation["url_citation"] for citation in citations(plan.block, text)]
    return [(citation["title"], text[citation["start_index"] : citation["end_index"]]) for citation in found]


async def test_citations_name_served_units_in_their_order() -> None:
    plan = await planned(text="How does a Tide Kiln compare to a Kiln?")
    titles = [served.evidence.title for served in plan.block.served]
    assert titles[:2] == ["Tide Kiln", "Kiln"]
    assert cited(plan, "A kiln is older than a tide kiln.") == [("Tide Kiln", "tide kiln"), ("Kiln", "kiln")]
    assert cited(plan, "A tide kiln. Only that.") == [("Tide Kiln", "tide kiln")]
    assert cited(plan, "Kilns and Tide Kilnsmiths [3]") == []
    assert cited(plan, "") == []


async def test_a_title_is_plain_text_not_a_pattern() -> None:
    plan = await planned()
    served = plan.block.served[0]
    odd = replace(plan.block, served=(replace(served, evidence=replace(served.evidence, title="C++ (a|b)")),))
    assert [each["url_citation"]["title"] for each in citations(odd, "Use C++ (a|b) here")] == ["C++ (a|b)"]
