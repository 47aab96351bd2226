"""kb.toml, the manifest of a knowledge base: what a producer declares of its files, and every fault in it by file and line."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from loom.core.errors import BadSource
from loom.core.facts.iris import base_iri
from loom.core.facts.layout import Manifest
from loom.core.facts.values import Attribute, Base
from loom.core.report import Report
from loom.core.text import slugify
from loom.core.values import Json, Where
from loom_adapters.kb.entry import Entry, Remarks
from loom_adapters.kb.found import FILE
from loom_adapters.kb.inventory import Inventory
from loom_adapters.kb.languages import known, meant
from loom_adapters.kb.lists import IRI, duplicate, tables
from loom_adapters.kb.locator import Lines, Place
from loom_adapters.kb.subjects import entities, metrics, shared_names, with_files
from loom_adapters.kb.wording import sentence, shown

MOST = 4 << 20
"""Bytes of a manifest; more is data, which belongs into a table."""
_ID = r"[a-z0-9-]+"
_DEEP = re.compile(r"(?<![\w\"'-])(?:[\w\"'-]++\s*+\.\s*+){50}")
"""A dotted key of more parts than anybody means; the parser's time and memory grow with their square."""
_AT = re.compile(r" ?\(at (?:line (\d+), column \d+|end of document)\)")


def read_manifest(folder: Path, report: Report) -> Manifest | None:
    """The base of a folder, as far as its manifest and files are sound; every fault is a remark (loom.core.facts.checks).

    None where kb.toml is no TOML. Raises BadSource where there is no folder or no kb.toml in it.
    """
    path = folder / FILE
    if not folder.is_dir():
        raise BadSource(f"Expected the folder of a knowledge base, but {folder} is none; check the path.")
    if not path.is_file():
        raise BadSource(f"Expected {FILE} in {folder}, but there is none; `loom kb init {folder}` proposes one.")
    text = _text(path, report)
    return None if text is None else manifest_of(text, folder, report)


def manifest_of(text: str, folder: Path, report: Report) -> Manifest | None:
    """The same of a manifest's text, whether or not it stands in the folder yet."""
    table = _parsed(text, report)
    return None if table is None else _read(folder, Entry(Remarks(report, Lines(text)), (), table))


def _read(folder: Path, top: Entry) -> Manifest:
    id = top.text(
        "id", required=slugify(folder.resolve().name) or "base", pattern=_ID, form="small letters, digits and hyphens"
    )
    id = id or slugify(folder.resolve().name) or "base"
    language = _language(top)
    title = top.text("title") or id
    iri = _iri(top) or base_iri(id)
    aliases = top.aliases(language)
    attributes = tuple(_attributes(top))
    declared = entities(top, iri, language)
    measured = metrics(top, iri, language)
    inventory = Inventory(folder, top, iri, language, attributes, declared, measured)
    sources, layouts = inventory.read()
    top.close(of=" at the top of the manifest")
    shared_names(top.remarks, declared, sources)
    base = Base(
        iri=iri,
        id=id,
        title=title,
        language=language,
        aliases=aliases,
        attributes=attributes,
        sources=sources,
        entities=with_files(top.remarks, declared, measured, sources, layouts),
        metrics=tuple(metric for metric, _ in measured.values()),
    )
    return Manifest(base, layouts)


def _text(path: Path, report: Report) -> str | None:
    """The text of the manifest; None, with a remark, where it cannot be read."""

    def fault(expected: str, came: str, remedy: str, line: int = 0) -> None:
        report.note("kb-manifest", sentence(expected, came, remedy), Where(FILE, line))

    try:
        data = path.read_bytes() if path.stat().st_size <= MOST else None
    except OSError as error:
        fault("a file that can be read", f"it cannot be opened ({error.strerror or error})", "check its permissions")
        return None
    if data is None:
        fault(f"at most {MOST:,} bytes", "it is larger", "put data into tables, and name their files here")
        return None
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        fault("UTF-8", f"byte 0x{error.object[error.start]:02x} is none", "save it as UTF-8", line)
        return None
    if not text.strip():
        fault("a manifest", "it is empty", 'write id = "…" and [[file]] entries, or remove it and run `loom kb init`', 1)
        return None
    return text


def _parsed(text: str, report: Report) -> Mapping[str, Json] | None:
    if deep := _DEEP.search(text):
        line = text.count("\n", 0, deep.start()) + 1
        said = sentence("keys of a few parts", "there is one of more than 50", "mend this line")
        report.note("kb-manifest", said, Where(FILE, line))
        return None
    try:
        return tomllib.loads(text, parse_float=_decimal)
    except (ValueError, ArithmeticError, RecursionError) as error:
        why = str(error) if isinstance(error, tomllib.TOMLDecodeError) else "a number or nesting is beyond bounds"
        found = _AT.search(why)
        last = text.rstrip().count("\n") + 1
        lines = text.split("\n")
        longest = max(range(len(lines)), key=lambda at: len(lines[at])) + 1
        line = (int(found[1]) if found[1] else last) if found else longest
        came = f"the parser says {_AT.sub('', why)!r}"
        remedy = _syntax_remedy(text, line) if found else "write less in one value"
        report.note("kb-manifest", sentence("TOML", came, remedy), Where(FILE, line))
        return None


def _decimal(text: str) -> Any:
    return Decimal(text.replace("_", ""))


def _syntax_remedy(text: str, line: int) -> str:
    lines = text.split("\n")
    stated = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    if stated.startswith("[") and "already" in stated:
        return "remove the second header"
    if re.fullmatch(r"[\w-]+\s*=\s*[^\"'\[{\d\s].*", stated) and not re.search(r"=\s*(true|false|[+-]?(inf|nan))\b", stated):
        return "put the text in quotes"
    return "mend this line, or the one before it"


def _language(top: Entry) -> str:
    language = top.text("language")
    if language and not known(language):
        came, remedy = f"got {shown(language)}", f"write language = {shown(meant(language))}"
        top.note("kb-language", "language", "a language code such as en or pt-BR", came, remedy)
        return ""
    return language


def _iri(top: Entry) -> str:
    iri = top.text("iri", pattern=IRI, form="the beginning of an IRI (urn:example: or https://…/)")
    if iri and iri[-1] not in ":/#":
        remedy = f"write iri = {shown(iri + ('/' if iri.startswith('http') else ':'))}"
        top.note("kb-value", "iri", "an IRI that ends in :, / or #, as addresses are made of it", f"got {shown(iri)}", remedy)
        return ""
    return iri


def _attributes(top: Entry) -> Iterator[Attribute]:
    seen: dict[str, Place] = {}
    for entry in tables(top, "attribute"):
        name = entry.text("name", required="second")
        words = dict(entry.factors("words"))
        made = Attribute(
            name=name,
            unit=entry.text("unit"),
            words=tuple({name: "1", **words}.items()),
            clock=entry.flag("clock"),
            window=entry.number("window", "30"),
            shared=entry.flag("shared"),
            dates=entry.flag("dates"),
        )
        entry.close(of=" in an attribute")
        if name and not duplicate(entry, "name", name, seen):
            yield made
