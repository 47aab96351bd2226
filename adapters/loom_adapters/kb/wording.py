"""How remarks on knowledge bases are worded."""

import json
from collections.abc import Sequence
from datetime import date, time
from difflib import get_close_matches

from loom.core.values import Json


def sentence(expected: str, came: str, remedy: str) -> str:
    return f"Expected {expected}, but {came}; {remedy}."


def shown(value: Json) -> str:
    """A value of TOML as a remark shows it, cut where it is long."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value if len(value) <= 60 else value[:59] + "…", ensure_ascii=False)
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "an empty list" if not value else "a list"
    if isinstance(value, date | time):
        return f"the date or time {value.isoformat()}"
    if isinstance(value, int) and abs(value) >= 10**18:
        return "a very large number"
    return f"{value}"[:60]


def listed(items: Sequence[str]) -> str:
    return ", ".join(items)


def choices(items: Sequence[str]) -> str:
    """What may be chosen, marks in quotes."""
    return ", ".join(item if item[:1].isalnum() else json.dumps(item, ensure_ascii=False) for item in items)


def closest(name: str, among: Sequence[str]) -> str:
    """The name that was probably meant, "" where none is near."""
    lowered = {one.lower(): one for one in among}
    near = get_close_matches(name.lower(), list(lowered), 1, 0.6)
    return lowered[near[0]] if near else ""
