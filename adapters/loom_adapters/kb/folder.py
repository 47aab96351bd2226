"""A folder with a kb.toml as a source of a build: its manifest, its tables computed, its content by position."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from loom.core.facts.content import BaseContent, HeldSeries
from loom.core.facts.declared import Computed
from loom.core.facts.layout import Manifest
from loom.core.facts.stated import Stated
from loom.core.facts.values import Attribute, Base, Fact, Span, StatedRow
from loom.core.report import Report
from loom.core.values import Concept
from loom_adapters.kb.content import CONTENT, attribute_of, declared
from loom_adapters.kb.examined import Taker, examine
from loom_adapters.kb.found import FILE
from loom_adapters.kb.manifest import read_manifest


def is_base(path: Path) -> bool:
    """Whether a folder is that of a knowledge base: it has a kb.toml."""
    return (path / FILE).is_file()


class BaseFolder:
    """Reads one knowledge base. It has no concepts; what it has is `content`, once it was read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._content: BaseContent | None = None

    def read(self, report: Report) -> Iterator[Concept]:
        manifest = read_manifest(self._path, report)
        if manifest is not None:
            manifest = with_attributes(manifest)
            found = _Found()
            examine(self._path, manifest, report, found)
            self._content = found.content(manifest.base)
        yield from ()

    def content(self) -> BaseContent | None:
        return self._content


class _Found(Taker):
    """What the files of a base held."""

    def __init__(self) -> None:
        self._facts: list[Fact] = []
        self._spans: list[Span] = []
        self._series: list[HeldSeries] = []
        self._rows: list[StatedRow] = []

    def computed(self, one: Computed) -> None:
        self._facts += one.facts
        if len(one.columns):
            metric = one.series.metric
            # The floats have told the order of values; nothing that is kept is rounded.
            columns = replace(one.columns, numbers=one.columns.numbers[:0])
            self._series.append(HeldSeries(one.series.source, one.entity, metric.iri, metric.unit, columns))

    def stated(self, one: Stated) -> None:
        self._facts += one.facts
        self._rows.append(one.row)

    def spans(self, found: Sequence[Span]) -> None:
        self._spans += found

    def content(self, base: Base) -> BaseContent:
        return BaseContent(base, self._facts, self._spans, self._series, self._rows)


def with_attributes(manifest: Manifest) -> Manifest:
    """The manifest with the attributes that documents and texts are read by where it declares none for them."""
    base = manifest.base
    sources = tuple(
        replace(source, attribute=attribute_of(layout, source)) if layout.kind in CONTENT else source
        for source, layout in zip(base.sources, manifest.layouts, strict=True)
    )
    named = dict.fromkeys(source.attribute for source in sources if source.attribute)
    known = {attribute.name for attribute in base.attributes}
    made: tuple[Attribute, ...] = tuple(declared(base, name) for name in named if name not in known)
    return replace(manifest, base=replace(base, sources=sources, attributes=(*base.attributes, *made)))


class FakeBases:
    """Content that is already there: the fake of a reader of knowledge bases."""

    def __init__(self, content: BaseContent | None) -> None:
        self._held = content

    def read(self, report: Report) -> Iterator[Concept]:
        yield from ()

    def content(self) -> BaseContent | None:
        return self._held
