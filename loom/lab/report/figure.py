"""A figure of the report: what it shows, what it does not, and which members of the results it is drawn from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from loom.core.values import Json

Results = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Figure:
    """`id` is its address on the page, `short` its name in the list of figures. `caption` says in one plain sentence what is seen, `limits` what it does not show (both
    plain text); `body` and `data`, the same as a table, are HTML; `members` are the members of results.json that it draws."""

    id: str
    short: str
    title: str
    caption: str
    limits: str
    body: str
    members: tuple[str, ...]
    data: str = ""


Draw = Callable[[Results], Figure | None]
"""Draws a figure, or nothing where the results do not hold what it shows."""
