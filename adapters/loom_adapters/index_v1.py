"""A compiled scaffold index, version 1, with the prose index that may lie beside it (reference §2.1, §2.2)."""

import gzip
import lzma
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from loom.core.errors import BadSource
from loom.core.hygiene import hazards
from loom.core.pages.blocks import load
from loom.core.report import Report
from loom.core.text import ref_to_slug
from loom.core.values import Concept, Json, Ref, Where

BASE = "urn:ngm:class:"
PROSE_FILE = "prose-index.json"


class IndexV1:
    """Reads the classes of an index in their order. Ancestors are as the index states them.

    A field of the wrong type is an error for the whole file, as for every reader of this format: an index is compiled, so a
    fault in it means that the compiler went wrong.
    """

    def __init__(self, path: Path, prose_path: Path | None = None, *, prose: bool = True) -> None:
        self._path = path
        self._prose_path = prose_path if prose_path is not None else path.parent / PROSE_FILE
        self._prose_stated = prose_path is not None
        self._prose = prose

    def read(self, report: Report) -> Iterator[Concept]:
        classes = self.classes(report)
        prose = self._prose_pages(report) if self._prose else {}
        for slug in sorted(prose.keys() - classes.keys()):
            report.note("prose-without-class", slug, Where(self._prose_path.name))
        where = Where(self._path.name)
        for slug, fields in classes.items():
            concept = _Fields(slug, fields, self._path.name).concept(report, prose.get(slug, {}), where)
            for kind, message, _ in hazards("\n".join((concept.title, concept.full or concept.definition, concept.prose))):
                report.note(kind, f"class {slug}: {message}", where)
            yield concept

    def classes(self, report: Report) -> Mapping[str, Json]:
        """The member `classes` as the index states it."""
        name = self._path.name
        index = _load(self._path, report, f"a scaffold index in {name}")
        if not isinstance(index, dict):
            raise BadSource(f"Expected an object at the top of {name}, got {type(index).__name__}; compile the index again.")
        version = index.get("version")
        if isinstance(version, bool) or version != 1:
            raise BadSource(f"Expected version 1 in {name}, got {version!r}; compile the index with a version 1 compiler.")
        classes = index.get("classes")
        if not isinstance(classes, dict):
            raise BadSource(f"Expected an object under `classes` in {name}, got {_kind(classes)}; compile the index again.")
        return classes

    def _prose_pages(self, report: Report) -> Mapping[str, Mapping[str, str]]:
        """Texts by slug. A prose index is an addition: a broken one is a remark and no error, unless it was asked for."""
        if not self._prose_path.is_file():
            if self._prose_stated:
                raise BadSource(f"Expected a prose index at {self._prose_path}, but there is none; check the path.")
            return {}
        where = Where(self._prose_path.name)
        try:
            index = _load(self._prose_path, report, "a prose index")
            pages = index.get("pages") if isinstance(index, dict) else None
            if not isinstance(pages, dict):
                raise BadSource(f"Expected an object under `pages` in {where}, got {_kind(pages)}; compile it again.")
        except BadSource as error:
            if self._prose_stated:
                raise
            report.note("bad-prose-index", error.message, where)
            return {}
        kept: dict[str, dict[str, str]] = {}
        for slug, page in pages.items():
            texts = page if isinstance(page, dict) else {}
            kept[slug] = {key: texts[key] for key in ("dfull", "cl") if isinstance(texts.get(key), str)}
            if not isinstance(page, dict) or any(
                texts.get(key) is not None and key not in kept[slug] for key in ("dfull", "cl")
            ):
                report.note("bad-prose-index", f"the page {slug} is malformed", where)
        return kept


class _Fields:
    """The fields of one class, strictly typed; errors name the class and the key."""

    def __init__(self, slug: str, fields: Json, file: str) -> None:
        self._slug = slug
        self._file = file
        if not isinstance(fields, dict):
            raise self._error(None, "an object", fields)
        self._fields = fields

    def concept(self, report: Report, prose: Mapping[str, str], where: Where) -> Concept:
        def refs(key: str, value: Json) -> tuple[Ref, ...]:
            return tuple(self._ref(one, report, where) for one in self._list(key, value))

        stated = self._fields.get("rel", {})
        if not isinstance(stated, dict):
            raise self._error("rel", "an object", stated)
        title, definition = self._text("t"), self._text("d")
        if not title:
            report.note("missing-title", f"class {self._slug} states no title", where)
        full = prose.get("dfull", "")
        return Concept(
            BASE + self._slug,
            title or self._slug,
            definition=definition,
            full=full if full != definition else "",
            prose=prose.get("cl", ""),
            domain=self._text("dom"),
            maturity=self._text("m"),
            quality=self._number("q"),
            parents=refs("sup", self._fields.get("sup", [])),
            ancestors=refs("isup", self._fields.get("isup", [])),
            relations=tuple(
                (" ".join(name.split()), refs(f"rel.{name}", targets)) for name, targets in stated.items() if targets != []
            ),
            backlinks=tuple(ref.iri for ref in refs("bl", self._fields.get("bl", []))),
            where=where,
        )

    def _ref(self, text: str, report: Report, where: Where) -> Ref:
        slug = ref_to_slug(text)
        if slug != text.rsplit(":", 1)[-1]:
            report.note("reference-respelled", f"{text!r} in class {self._slug} is read as {slug!r}", where)
        return Ref(BASE + slug)

    def _text(self, key: str) -> str:
        value = self._fields.get(key)
        if value is not None and not isinstance(value, str):
            raise self._error(key, "a text or null", value)
        return value or ""

    def _number(self, key: str) -> float | None:
        value: Any = self._fields.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise self._error(key, "a number or null", value)
        return float(value)

    def _list(self, key: str, value: Json) -> list[str]:
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise self._error(key, "a list of texts", value)
        return value

    def _error(self, key: str | None, expected: str, value: Json) -> BadSource:
        field = f"`{key}` of class {self._slug!r}" if key else f"class {self._slug!r}"
        return BadSource(
            f"Expected {expected} as {field} in {self._file}, got {_kind(value)}; compile the index again.", param=key
        )


def _kind(value: Json) -> str:
    if isinstance(value, list):
        odd = next((one for one in value if not isinstance(one, str)), None)
        return "a list" if odd is None and None not in value else f"a list that holds {_kind(odd)}"
    names = {
        "NoneType": "null",
        "dict": "an object",
        "str": "a text",
        "bool": "true or false",
        "int": "a number",
        "float": "a number",
    }
    return names.get(type(value).__name__, type(value).__name__)


def _load(path: Path, report: Report, what: str) -> Json:
    """Decode a JSON file, packed with gzip or xz where its name says so."""
    try:
        data = path.read_bytes()
        if path.suffix == ".xz":
            data = lzma.decompress(data)
        elif path.suffix == ".gz":
            data = gzip.decompress(data)
        text = data.decode("utf-8-sig")
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise BadSource(f"Expected {what}, but the file cannot be read ({error}); check the path.") from error
    except UnicodeDecodeError as error:
        raise BadSource(f"Expected {what} in UTF-8, but byte {error.start} is not; compile it again.") from error
    value, found = load(text, 1, orjson.loads)
    for kind, message, line in found:
        if kind == "bad-json-block":
            raise BadSource(f"Expected {what}, but line {line} is not JSON ({message}); fetch or compile it again.")
        report.note(kind, message, Where(path.name, line))
    return value
