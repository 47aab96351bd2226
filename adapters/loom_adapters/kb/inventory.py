"""The files of a manifest: what each is, how it is read, and whether it is there and holds what is said of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from loom.core.facts.iris import source_iri
from loom.core.facts.layout import Layout
from loom.core.facts.values import KINDS, Attribute, SourceFile
from loom.core.values import Iri, Where
from loom_adapters.kb import found
from loom_adapters.kb.entry import Entry
from loom_adapters.kb.found import FILE
from loom_adapters.kb.lists import duplicate, tables
from loom_adapters.kb.locator import Place
from loom_adapters.kb.subjects import Entities, Metrics
from loom_adapters.kb.wording import closest, listed, sentence, shown

TABULAR = ("series", "table")
ENDINGS = {
    "series": ("csv", "tsv", "parquet", "pq"),
    "table": ("csv", "tsv", "parquet", "pq"),
    "transcript": ("txt", "srt", "vtt", "md", "markdown"),
    "document": ("md", "markdown"),
    "text": ("txt", "md", "markdown"),
}
"""Endings of the files of each kind."""
USUAL = {"md": "document", "markdown": "document", "txt": "text", "srt": "transcript", "vtt": "transcript"}
"""The kind that is meant by an ending where nothing says otherwise; tables are series."""
OF_TABLES = ("position", "values", "decimal", "delimiter", "encoding", "header", "entity_column")


@dataclass(slots=True)
class Inventory:
    folder: Path
    top: Entry
    base: Iri
    language: str
    attributes: Sequence[Attribute]
    entities: Entities
    metrics: Metrics
    _seen: dict[str, Place] = field(default_factory=dict)

    def read(self) -> tuple[tuple[SourceFile, ...], tuple[Layout, ...]]:
        """Each sound file with its layout. Files of the folder that no entry names are remarked on."""
        pairs = [pair for entry in tables(self.top, "file") if (pair := self._file(entry))]
        if not self._seen and not self.top.has("file"):
            remedy = "write a [[file]] entry for each file"
            self.top.note("kb-empty", "file", "entries [[file]]", "the manifest has none", remedy)
        for path in found.listing(self.folder):
            if path not in self._seen:
                message = sentence("an entry [[file]] for every file", "none names this one", "add one, where it is to be read")
                self.top.remarks.report.note("kb-unlisted-file", message, Where(path))
        return tuple(source for source, _ in pairs), tuple(layout for _, layout in pairs)

    def _file(self, entry: Entry) -> tuple[SourceFile, Layout] | None:
        path = self._path(entry)
        kind = entry.choice("kind", KINDS, required=USUAL.get(found.ending(path or ""), "series"))
        title = entry.text("title") or PurePosixPath(path or "file").name
        aliases = entry.aliases(self.language)
        entities = self._entities(entry)
        attribute = self._attribute(entry, kind)
        layout = self._layout(entry, path or "", kind)
        entry.close(known_elsewhere=OF_TABLES, of=f" in a file of kind {kind}" if kind else " in a file")
        if path is None or not kind or layout is None or not self._sound(entry, layout):
            return None
        where = layout.where
        source = SourceFile(layout.source, self.base, path, title, kind, aliases, attribute, entities, where)
        return source, layout

    def _path(self, entry: Entry) -> str | None:
        path = entry.text("path", required="data/series.csv")
        if not path:
            return None
        plain = found.plain_path(path)
        if plain is None:
            expected = "a path inside the folder, relative to it and written with slashes"
            entry.note(
                "kb-path", "path", expected, f"got {shown(path)}", "put the file into the folder, and write data/name.csv"
            )
            return None
        return None if duplicate(entry, "path", plain, self._seen) else plain

    def _entities(self, entry: Entry) -> tuple[Iri, ...]:
        one, several = entry.text("entity"), entry.texts("entities")
        if one and entry.has("entities"):
            remedy = "keep `entities`, with all of them in it"
            entry.note("kb-value", "entities", "either `entity` or `entities`", "got both", remedy)
        given: dict[Iri, None] = {}
        for id in (one, *several) if one else several:
            if id in self.entities:
                given.setdefault(self.entities[id][0].iri)
            else:
                self._undeclared(entry, "entity" if id == one else "entities", "entity", id, list(self.entities))
        return tuple(given)

    def _attribute(self, entry: Entry, kind: str) -> str:
        name = entry.text("attribute")
        known = [attribute.name for attribute in self.attributes]
        if name and name not in known:
            self._undeclared(entry, "attribute", "attribute", name, known)
            return ""
        if not name and not entry.has("attribute") and (kind in ("series", "transcript") or entry.has("position")):
            remedy = f"add attribute = {shown(known[0] if known else 'second')}"
            if not known:
                remedy += ", and declare it in an [[attribute]]"
            expected = f"an `attribute` in a file of kind {kind}" if kind else "an `attribute` beside `position`"
            entry.note("kb-missing-member", "attribute", expected, "there is none, so its positions mean nothing", remedy)
        return name

    def _undeclared(self, entry: Entry, member: str, what: str, name: str, known: Sequence[str]) -> None:
        near = closest(name, known)
        header = f"[[{what}]]"
        remedy = f"write {shown(near)}, or declare it in {header}" if near else f"declare it in {header}"
        among = f"one of {listed(known[:12])}" if known else f"a declared {what}"
        entry.note("kb-unknown-name", member, f"{among} for `{member}`", f"{shown(name)} is not declared", remedy)

    def _layout(self, entry: Entry, path: str, kind: str) -> Layout | None:
        encoding = entry.choice("encoding", found.ENCODINGS, default="utf-8")
        layout = Layout(source_iri(self.base, path), path, kind, encoding=encoding, where=entry.remarks.where(entry.place))
        if kind not in TABULAR:
            return layout
        position = entry.text("position", required="second" if kind == "series" else "")
        values = self._values(entry, kind)
        decimal = entry.choice("decimal", (".", ","), default=".")
        delimiter = self._delimiter(entry, path, decimal)
        made = Layout(
            layout.source,
            path,
            kind,
            position,
            values,
            entry.text("entity_column"),
            decimal,
            delimiter,
            encoding,
            entry.whole("header", 1),
            layout.where,
        )
        return made if kind == "table" or (position and values) else None

    def _values(self, entry: Entry, kind: str) -> tuple[tuple[Iri, str], ...]:
        if kind == "series" and not entry.has("values"):
            metric = next(iter(self.metrics), "share")
            remedy = f'add values = {{ {metric} = "column" }}'
            entry.note("kb-missing-member", "values", "a table `values` of metrics and columns", "there is none", remedy)
        given: dict[Iri, str] = {}
        for id, column in entry.columns("values"):
            if id not in self.metrics:
                self._undeclared(Entry(entry.remarks, (*entry.place, "values"), {}), id, "metric", id, list(self.metrics))
            elif column in given.values():
                came = f"{shown(column)} is the column of another metric too"
                remedy = "name another column, or take one of the two away"
                entry.remarks.note(
                    "kb-value", (*entry.place, "values", id), "a column of its own for each metric", came, remedy
                )
            else:
                given[self.metrics[id][0].iri] = column
        return tuple(given.items())

    def _delimiter(self, entry: Entry, path: str, decimal: str) -> str:
        usual = "\t" if found.ending(path) == "tsv" else ";" if decimal == "," else ","
        if entry.table.get("delimiter") == "\t":  # a text of blanks only, which is none elsewhere
            entry.given("delimiter")
            return "\t"
        return entry.choice("delimiter", found.DELIMITERS, default=usual)

    def _sound(self, entry: Entry, layout: Layout) -> bool:
        """Whether the file can be read as it is declared; says what is wrong, in the manifest or in the file."""
        if found.ending(layout.path) not in ENDINGS[layout.kind]:
            listing = listed([f".{ending}" for ending in ENDINGS[layout.kind]])
            near = USUAL.get(found.ending(layout.path), "series" if found.ending(layout.path) in ENDINGS["series"] else "")
            remedy = f"write kind = {shown(near)}, or name another file" if near else "save the file in one of these formats"
            entry.note("kb-value", "path", f"a file of {listing} for kind {layout.kind}", f"got {shown(layout.path)}", remedy)
            return False
        if fault := found.place_fault(self.folder, layout.path):
            entry.note(fault.kind, "path", fault.expected, fault.came, fault.remedy)
            return False
        parquet = found.ending(layout.path) in found.PARQUET
        if not parquet and (fault := found.text_fault(self.folder, layout.path, layout.encoding)):
            self._in_file(layout, fault)
            return False
        return layout.kind not in TABULAR or self._columns(entry, layout)

    def _columns(self, entry: Entry, layout: Layout) -> bool:
        stated = entry.table.get("values")
        named: dict[str, Place] = {
            layout.position: (*entry.place, "position"),
            layout.entity_column: (*entry.place, "entity_column"),
        }
        for id, column in stated.items() if isinstance(stated, dict) else ():
            named.setdefault(str(column), (*entry.place, "values", id))
        sound = True
        for fault in found.table_faults(self.folder, layout):
            sound = False
            if fault.column:
                entry.remarks.note(fault.kind, named[fault.column], fault.expected, fault.came, fault.remedy)
            else:
                self._in_file(layout, fault)
        return sound

    def _in_file(self, layout: Layout, fault: found.Fault) -> None:
        message = sentence(fault.expected, fault.came, f"{fault.remedy} ({FILE}:{layout.where.line} names it)")
        self.top.remarks.report.note(fault.kind, message, Where(layout.path, fault.line))
