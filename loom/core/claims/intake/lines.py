"""Entries as JSON lines: an object a line with `text`, and where they are known `source` (or `source_id`), `kind`, `author`,
`observed_at`, `id` and `replaces`, a list of ids of signals."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from loom.core.claims.intake.ids import content_id, entry
from loom.core.claims.records import Entry
from loom.core.memory.calendar import day_of
from loom.core.values import Json

FIELDS = ("id", "source", "kind", "author", "observed_at")


@dataclass(frozen=True, slots=True)
class Line:
    """A line by its number from 1: an entry, or why there is none; `dated` is a date that was left out since it is none, `replaces` the
    signals that the line says it replaces."""

    number: int
    entry: Entry | None = None
    why: str = ""
    dated: str = ""
    replaces: tuple[str, ...] = ()


def read(text: str, source: str) -> Iterator[Line]:
    """The entries of a text; lines without a source of their own have this one, and where it is "" each is a source of its own. Empty
    lines are passed over."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield _line(number, line, source)


def _line(number: int, line: str, source: str) -> Line:
    try:
        found: Json = json.loads(line)
    except (ValueError, RecursionError):
        return Line(number, why="it is no JSON")
    if not isinstance(found, dict):
        return Line(number, why="it is no JSON object")
    given = {"source": found.get("source_id"), **found}
    stated = {name: "" if given.get(name) is None else given[name] for name in ("text", *FIELDS)}
    wrong = next((name for name, value in stated.items() if not isinstance(value, str)), None)
    if wrong:
        return Line(number, why=f"`{wrong}` is no text")
    if not stated["text"].strip():
        return Line(number, why="`text` is missing or empty")
    replaces = found.get("replaces") or []
    if not isinstance(replaces, list) or not all(isinstance(each, str) for each in replaces):
        return Line(number, why="`replaces` is no list of ids")
    when = stated["observed_at"]
    dated = when if when and not day_of(when) else ""
    made = entry(
        stated["source"] or source or stated["id"] or content_id("sent", stated["text"]),
        stated["text"],
        kind=stated["kind"] or "note",
        author=stated["author"],
        observed_at="" if dated else when,
        id=stated["id"],
    )
    return Line(number, made, dated=dated, replaces=tuple(replaces))
