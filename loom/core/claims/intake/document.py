"""A document's text and what it says of itself."""

import re
from dataclasses import dataclass

from loom.core.memory.calendar import day_of

_FRONT = re.compile(r"\A---[ \t]*\r?\n(?P<fields>.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"^(?P<name>[A-Za-z][\w-]*)[ \t]*:[ \t]*(?P<value>.*?)[ \t]*$", re.MULTILINE)
_DAY = re.compile(r"(?<!\d)(\d{4})[-_.]?(\d\d)[-_.]?(\d\d)(?!\d)")
_AUTHOR = ("author", "authors", "by", "from", "creator")
_WHEN = ("date", "observed_at", "observed", "created", "updated")


@dataclass(frozen=True, slots=True)
class Document:
    """The text behind the front matter, who wrote it and when; `dated` is a date that it states and that is none."""

    text: str
    author: str = ""
    observed_at: str = ""
    source: str = ""
    kind: str = ""
    dated: str = ""


def document(text: str, name: str) -> Document:
    """A document of a file. Front matter is read as lines of `name: value`; a day in the file's name stands where none is stated."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    found = _FRONT.match(text)
    fields: dict[str, str] = {}
    for field in _FIELD.finditer(found["fields"]) if found else ():
        fields.setdefault(field["name"].lower(), field["value"].strip("\"'[] "))
    stated = _first(fields, _WHEN)
    when = stated if day_of(stated) else ""
    return Document(
        text[found.end() :] if found else text,
        _first(fields, _AUTHOR),
        when or day_in(name),
        fields.get("source", ""),
        fields.get("kind", ""),
        stated if stated and not when else "",
    )


def _first(fields: dict[str, str], names: tuple[str, ...]) -> str:
    return next((fields[name] for name in names if fields.get(name)), "")


def day_in(name: str) -> str:
    """The ISO day in the last part of a path ("notes/2026-03-14-board.md"); "" where there is none."""
    found = _DAY.search(name.rpartition("/")[2])
    return day_of("-".join(found.groups())) if found else ""


def decoded(data: bytes) -> str | None:
    """The text of a file: UTF-8, or UTF-16 with its mark; None for anything else."""
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text
