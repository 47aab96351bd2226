"""A plain markdown or Obsidian vault: YAML front matter, wikilinks, inline fields, prose."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import yaml

from loom.core.errors import BadSource
from loom.core.hygiene import Found
from loom.core.pages.note import Entry, Named, Note, read_note
from loom.core.pages.record import SHORT, THING, Noted, aliases, iri_of
from loom.core.pages.resolve import Address, Resolver, slug_name
from loom.core.report import Report
from loom.core.values import Concept, Iri, Ref, Where
from loom.ports import SourceFiles

BASE = "urn:loom:"
MAX_NODES = 20_000
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_EMPTY = ("", "~", "null", "Null", "NULL")


class Vault:
    """Reads every page of a source as a concept, and resolves what pages name across the whole vault.

    `base` is what IRIs of pages begin with that state none: the slug of the title follows.
    """

    def __init__(self, files: SourceFiles, base: str = BASE, *, prose: bool = True) -> None:
        self._files = files
        self._base = base if base.endswith((":", "/", "#")) else base + (":" if base.startswith("urn:") else "/")
        self._prose = prose

    def read(self, report: Report) -> Iterator[Concept]:
        notes: list[Note] = []
        any_file = False
        for file in self._files.files(report):
            any_file = True
            note = read_note(file.name, file.data, front_matter, prose=self._prose)
            if not note.public:
                note.found.append(("not-public", "the page says that it is not public", 1))
            elif not any(kind in ("binary-file", "empty-file") for kind, _, _ in note.found):
                notes.append(note)
            for kind, message, line in note.found:
                report.note(kind, message, Where(note.name, line))
            note.found.clear()
        if not any_file:
            raise BadSource("Expected pages (.md files) in the source, but there are none; check the path.")
        notes.sort(key=lambda note: note.name)
        addresses = self._addresses(notes, report)
        resolver = Resolver(addresses)
        for note, address in zip(notes, addresses, strict=True):
            yield _Resolving(note, address, resolver, self._base, report).concept()

    def _addresses(self, notes: Sequence[Note], report: Report) -> list[Address]:
        taken: set[Iri] = set()
        addresses: list[Address] = []
        stated = {iri for note in notes if (iri := self._stated(note, None))}
        for note in notes:
            stem = note.name.rsplit("/", 1)[-1].rsplit(".", 1)[0]
            title = note.text.get("title") or stem
            if not note.text.get("title"):
                report.note("missing-title", f"read as {title!r}", Where(note.name))
            elif stem != title:
                report.note("file-name-differs", f"the file is called {stem!r}, the page {title!r}", Where(note.name))
            iri = self._stated(note, report) or self._base + (slug_name(title) or slug_name(note.name) or "page")
            if iri in taken or (iri in stated and not note.text.get("iri")):
                path = self._base + slug_name(note.name.rsplit(".", 1)[0])
                number, other = 1, path
                while other in taken or other in stated:
                    number += 1
                    other = f"{path}-{number}"
                report.note("iri-collision", f"{iri} is another page's, so this one is {other}", Where(note.name))
                iri = other
            taken.add(iri)
            addresses.append(Address(iri, note.name, title, aliases(title, note.aliases)))
        return addresses

    def _stated(self, note: Note, report: Report | None) -> Iri:
        text = note.text.get("iri", "")
        if not text:
            return ""
        found: list[Found] = []
        iri = iri_of(text, Noted(found, 1), self._base)
        if report is not None:
            for kind, message, line in found:
                report.note(kind, message, Where(note.name, line))
        return iri if iri != self._base else ""


@dataclass(frozen=True, slots=True)
class _Resolving:
    """One page on its way to a concept."""

    note: Note
    address: Address
    resolver: Resolver
    base: str
    report: Report

    def concept(self) -> Concept:
        note, title = self.note, self.address.title
        definition = note.definition
        quality = note.quality
        if quality == 0:
            self.report.note("zero-quality", "quality 0", Where(note.name))
            quality = None
        parents = self._refs(note.parents, "repeated-parent", "parents")
        for ref in parents:
            if ref.iri in THING:
                self.report.note("root-parent", f"parent {ref.iri}", Where(note.name))
        return Concept(
            self.address.iri,
            title,
            definition=definition[:SHORT],
            full=definition if len(definition) > SHORT else "",
            prose=note.prose,
            aliases=self.address.aliases,
            domain=note.text.get("domain", ""),
            maturity=note.text.get("maturity", ""),
            quality=quality,
            parents=tuple(ref for ref in parents if ref.iri not in THING),
            relations=tuple(
                (name, refs) for name, named in note.relations.items() if (refs := self._refs(named, "repeated-target", name))
            ),
            links=tuple(self._links()),
            where=Where(note.name, 1),
        )

    def _refs(self, names: Sequence[Named], repeated: str, field: str) -> tuple[Ref, ...]:
        refs: dict[Iri, Ref] = {}
        for named in names:
            ref = self._ref(named, "unresolved-reference", field)
            if ref.iri in refs:
                self.report.note(repeated, f"{field} names {named.text!r} twice", Where(self.note.name, named.line))
            refs.setdefault(ref.iri, ref)
        return tuple(refs.values())

    def _links(self) -> Iterator[Ref]:
        seen: set[Iri] = set()
        for named in self.note.links:
            last = named.text.rsplit("/", 1)[-1]
            if "." in last and not last.lower().endswith((".md", ".markdown")) and self.resolver.find(named.text) is None:
                continue
            ref = self._ref(named, "dangling-link", "a link")
            if ref.iri not in seen:
                seen.add(ref.iri)
                yield ref

    def _ref(self, named: Named, kind: str, field: str) -> Ref:
        where = Where(self.note.name, named.line)
        found = self.resolver.find(named.text)
        if isinstance(found, str):
            return Ref(found)
        if found:
            if len(found) > 1:
                paths = ", ".join(one.path for one in found[:3])
                self.report.note("ambiguous-reference", f"{named.text!r} means {paths}", where)
            return Ref(found[0].iri)
        if named.text in THING or _is_iri(named.text):
            noted: list[Found] = []
            iri = iri_of(named.text, Noted(noted, named.line), self.base)
            for fault, message, line in noted:
                self.report.note(fault, message, Where(self.note.name, line))
            return Ref(iri, named.label)
        near = self.resolver.nearest(named.text)
        hint = f"nearest: {near!r}" if near else "no title is near"
        self.report.note(kind, f"{field}: {named.text!r} is no page, alias or file ({hint})", where)
        label = named.text.rsplit("/", 1)[-1].split("#", 1)[0].strip()
        return Ref(self.base + (slug_name(label) or slug_name(named.text) or "unnamed"), label)


def _is_iri(text: str) -> bool:
    return text.startswith(("urn:", "http://", "https://"))


def front_matter(text: str) -> tuple[list[Entry], list[Found]]:
    """The entries of a YAML mapping, every scalar as the text that it is (`no` is no, `1.0` is 1.0), with lines of the file.

    Of a key stated twice both hold. What cannot be read is one `bad-front-matter` and no entry.
    """
    try:
        node = yaml.compose(text, Loader=_LOADER)
        if node is None:
            return [], []
        if not isinstance(node, yaml.MappingNode):
            return [], [("bad-front-matter", "expected `key: value` lines", 2)]
        return _Reading().mapping(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return [], [("bad-front-matter", error.problem or "no YAML", mark.line + 2 if mark else 2)]
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return [], [("bad-front-matter", str(error).split("\n")[0] or "no YAML", 2)]


class _Reading:
    """Walks YAML nodes; anchors that unfold without end stop at a limit."""

    def __init__(self) -> None:
        self._nodes = 0

    def mapping(self, node: yaml.MappingNode) -> tuple[list[Entry], list[Found]]:
        entries: list[Entry] = []
        found: list[Found] = []
        seen: set[str] = set()
        for key, value in node.value:
            line = key.start_mark.line + 2
            if not isinstance(key, yaml.ScalarNode):
                found.append(("bad-value", "a key expects a text", line))
                continue
            if key.value in seen:
                found.append(("duplicate-key", f"{key.value!r} is stated twice", line))
            seen.add(key.value)
            entry, more = self._entry(key.value, value)
            entries.append(entry)
            found += more
        return entries, found

    def _entry(self, key: str, node: yaml.Node) -> tuple[Entry, list[Found]]:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise ValueError(f"more than {MAX_NODES:,} values")
        line = node.start_mark.line + 2
        if isinstance(node, yaml.MappingNode):
            entries, found = self.mapping(node)
            return Entry(key, line, entries), found
        if isinstance(node, yaml.SequenceNode):
            pairs = [self._entry(key, one) for one in node.value]
            return Entry(key, line, [entry for entry, _ in pairs], True), [one for _, found in pairs for one in found]
        empty = not getattr(node, "style", None) and node.value in _EMPTY
        return Entry(key, line, None if empty else str(node.value)), []
