"""One page of a markdown vault, read purely from its text: what it states, with names not yet resolved."""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from loom.core import outline
from loom.core.hygiene import Found, decode, hazards
from loom.core.pages.prose import split_body
from loom.core.relations import PARENT_NAMES, known, plain

_OPEN = re.compile(r"---[ \t]*\n")
_CLOSE = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.M)
_FIELD = re.compile(r"^[ \t]*(?:[-*+] )?(?:\*\*)?([^\W_][\w /-]*?)(?:\*\*)?::(?:\*\*)?[ \t]*(.*)$")
_MARKDOWN_LINK = re.compile(r"\[([^\[\]\n]*)\]\(<?([^()<>\n]+?\.(?:md|markdown))>?(?:#[^)\n]*)?\)", re.I)
_CODE = re.compile(r"`[^`\n]*`")
_TEXT_FIELDS = {"iri": "iri", "title": "title", "domain": "domain", "maturity": "maturity", "definition": "definition",
                "description": "definition", "summary": "definition"}  # fmt: skip
_ALIASES = ("aliases", "alias")


@dataclass(frozen=True, slots=True)
class Named:
    """Something that a page names, and the line where it does."""

    text: str
    line: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One key of a mapping: a text, a list or a mapping; `value` None where nothing is stated."""

    key: str
    line: int
    value: "str | list[Entry] | None"
    listed: bool = False


FrontMatter = Callable[[str], tuple[list[Entry], list[Found]]]


@dataclass(slots=True)
class Note:
    """What one page states. `parents` and `relations` hold names, paths or IRIs as written."""

    name: str
    text: dict[str, str] = field(default_factory=dict)
    aliases: list[str] = field(default_factory=list)
    quality: float | None = None
    public: bool = True
    parents: list[Named] = field(default_factory=list)
    relations: dict[str, list[Named]] = field(default_factory=dict)
    links: list[Named] = field(default_factory=list)
    definition: str = ""
    prose: str = ""
    found: list[Found] = field(default_factory=list)


def read_note(name: str, data: bytes, front: FrontMatter, *, prose: bool = True) -> Note:
    """Read one file; `front` reads the YAML between the first `---` lines. Nothing raises."""
    note = Note(name)
    text, note.found = decode(data)
    if text is None or not text.strip():
        if text is not None:
            note.found.append(("empty-file", "the file is empty", 0))
        return note
    note.found += hazards(text, data)
    body, first_line = _front_matter(note, text, front)
    kept = list(_fields(note, body, first_line))
    _links(note, body, first_line)
    heading = outline.first_heading("\n".join(line for line in kept if not line.startswith("    ")))
    if heading:
        note.text.setdefault("title", heading)
    definition, rest, cut = split_body(kept, heading, stated=bool(note.text.get("definition")))
    note.definition = outline.rendered(note.text.get("definition", "")).strip() or definition
    note.prose = rest if prose else ""
    if cut and prose:
        note.found.append(("prose-cut", f"{len(body):,} code points of text", first_line))
    return note


def _front_matter(note: Note, text: str, front: FrontMatter) -> tuple[str, int]:
    """Read the front matter into the note; the body that follows, and the line on which it begins."""
    if not _OPEN.match(text):
        note.found.append(("no-front-matter", "no front matter", 0))
        return text, 1
    start = text.index("\n") + 1
    close = _CLOSE.search(text, start)
    if close is None:
        note.found.append(("bad-front-matter", "the opening `---` is never closed", 1))
        return text[start:], 2
    entries, found = front(text[start : close.start()])
    note.found += found
    for entry in entries:
        _state(note, entry)
    return text[close.end() :].removeprefix("\n"), text.count("\n", 0, close.end()) + 2


def _state(note: Note, entry: Entry) -> None:
    """Take one key of the front matter, or one inline field."""
    key = entry.key.strip().lower()
    texts = list(_texts(entry))
    if key in _TEXT_FIELDS:
        if isinstance(entry.value, str):
            note.text.setdefault(_TEXT_FIELDS[key], entry.value.strip())
        elif entry.value is not None:
            note.found.append(("bad-value", f"{entry.key} expects a text", entry.line))
    elif key in _ALIASES:
        note.aliases += [one.strip() for named in texts for one in _split(named.text, entry.listed) if one.strip()]
    elif key == "quality":
        note.quality = _number(note, entry)
    elif key in ("public", "publish"):
        note.public = not (isinstance(entry.value, str) and entry.value.strip().lower() in ("false", "no", "off"))
    elif key == "relations":
        if isinstance(entry.value, list) and not entry.listed:
            for relation in entry.value:
                _relate(note, relation.key, list(_texts(relation)), relation.line)
        elif entry.value is not None:
            note.found.append(("bad-value", "relations expects a mapping of names to lists", entry.line))
    elif plain(key) in PARENT_NAMES:
        note.parents += [target for named in texts for target in targets(named)]
    elif known(entry.key) or any("[[" in named.text for named in texts):
        _relate(note, entry.key, texts, entry.line)
    else:
        note.found.append(("unread-key", entry.key, entry.line))


def _relate(note: Note, name: str, texts: list[Named], line: int) -> None:
    key = known(name) or " ".join(name.split())
    if not key:
        note.found.append(("bad-value", "a relation has no name", line))
    elif plain(name) in PARENT_NAMES:
        note.parents += [target for named in texts for target in targets(named)]
    elif texts:
        note.relations.setdefault(key, []).extend(target for named in texts for target in targets(named))
    else:
        note.found.append(("empty-relation", f"{key} is empty", line))


def targets(named: Named) -> Iterator[Named]:
    """What a value names: each of its wikilinks, else the whole text."""
    linked = [Named(target, named.line, label) for target, label, _ in outline.links(named.text)]
    if linked:
        yield from linked
    elif named.text.strip():
        yield Named(named.text.strip(), named.line)


def _texts(entry: Entry) -> Iterator[Named]:
    """Every text below a value; an unquoted `[[Name]]` is a list in a list, and so is meant as a link."""
    if isinstance(entry.value, str):
        yield Named(entry.value, entry.line)
    elif isinstance(entry.value, list):
        for one in entry.value:
            yield from _texts(one)


def _split(text: str, whole: bool) -> list[str]:
    return [text] if whole else text.split(",")


def _number(note: Note, entry: Entry) -> float | None:
    if entry.value is None:
        return None
    try:
        value = float(entry.value) if isinstance(entry.value, str) else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        note.found.append(("bad-value", f"quality expects a number, got {entry.value!r}", entry.line))
        return None
    return value


def _fields(note: Note, body: str, first_line: int) -> Iterator[str]:
    """Take inline `key:: value` fields out of a body; the lines that are left, those of code as they are."""
    fence = ""
    for at, line in enumerate(body.split("\n")):
        mark = line.lstrip()[:3]
        if mark in ("```", "~~~") and (not fence or mark == fence):
            fence = "" if fence else mark
            yield line
            continue
        match = None if fence else _FIELD.match(line)
        if match is None or "`" in match[1]:
            yield line
            continue
        value = match[2].strip()
        _inline(note, match[1].strip(), value, first_line + at)


def _inline(note: Note, key: str, value: str, line: int) -> None:
    linked = "[[" in value
    name = known(key)
    if name or plain(key) in PARENT_NAMES or (linked and key.lower() not in (*_TEXT_FIELDS, *_ALIASES)):
        pieces = [value] if linked else [one for one in value.split(",") if one.strip()]
        _relate(note, key, [Named(piece.strip(), line) for piece in pieces], line)
    elif value:
        _state(note, Entry(key, line, value))


def _links(note: Note, body: str, first_line: int) -> None:
    """Links in the text, code apart."""
    fence = ""
    for at, line in enumerate(body.split("\n")):
        mark = line.lstrip()[:3]
        if mark in ("```", "~~~") and (not fence or mark == fence):
            fence = "" if fence else mark
        if fence or "[" not in line or _FIELD.match(line):
            continue
        line = _CODE.sub("", line)
        note.links += [Named(target, first_line + at, label) for target, label, _ in outline.links(line)]
        note.links += [
            Named(target, first_line + at, label) for label, target in _MARKDOWN_LINK.findall(line) if ":" not in target
        ]
