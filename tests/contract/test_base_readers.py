"""What every reader of knowledge bases does: no concepts, and its content once it has been read, the same each time."""

from collections.abc import Callable
from pathlib import Path

import pytest
from support.sources import ROOT

from loom.build.checks import KINDS
from loom.core.facts.content import BaseContent
from loom.core.facts.values import Base
from loom.core.report import Report
from loom.ports import BaseReader
from loom_adapters.concept_list import FakeCorpus
from loom_adapters.kb.folder import BaseFolder, FakeBases

CHOIR = ROOT / "fixtures" / "kb" / "choir"


def told(content: BaseContent | None) -> list[object]:
    """Content as plain values, to compare two readings."""
    assert content is not None
    series = [
        (one.source, one.entity, one.metric, one.unit, one.columns.keys.tolist(), one.columns.values.blob)
        for one in content.series
    ]
    return [content.base, list(content.facts), list(content.spans), series, list(content.rows)]


def _held() -> FakeBases:
    folder = BaseFolder(CHOIR)
    list(folder.read(Report(KINDS)))
    return FakeBases(folder.content())


READERS: dict[str, Callable[[], BaseFolder | FakeBases]] = {"held": _held, "folder": lambda: BaseFolder(CHOIR)}


@pytest.fixture(params=READERS)
def reader(request: pytest.FixtureRequest) -> BaseFolder | FakeBases:
    made = READERS[request.param]()
    assert list(made.read(Report(KINDS))) == []
    return made


def test_it_is_told_from_other_readers(reader: BaseFolder | FakeBases) -> None:
    assert isinstance(reader, BaseReader)
    assert not isinstance(FakeCorpus([]), BaseReader)


def test_everything_belongs_to_the_base(reader: BaseFolder | FakeBases) -> None:
    content = reader.content()
    assert content is not None
    base = content.base
    sources = {source.iri for source in base.sources}
    assert content.facts and content.spans and content.series
    assert {fact.base for fact in content.facts} == {span.base for span in content.spans} == {base.iri}
    assert {one.source for one in (*content.facts, *content.spans, *content.series, *content.rows)} <= sources
    assert {fact.metric for fact in content.facts} <= {metric.iri for metric in base.metrics}
    iris = [one.iri for one in (*content.facts, *content.spans)]
    assert len(iris) == len(set(iris))


def test_it_gives_the_same_again(reader: BaseFolder | FakeBases) -> None:
    first = told(reader.content())
    assert list(reader.read(Report(KINDS))) == []
    assert told(reader.content()) == first


def test_a_manifest_that_cannot_be_read_gives_nothing(tmp_path: Path) -> None:
    (tmp_path / "kb.toml").write_text("id = \n", encoding="utf-8")
    folder, report = BaseFolder(tmp_path), Report(KINDS)
    assert list(folder.read(report)) == []
    assert folder.content() is None and report.count("kb-manifest") == 1
    assert FakeBases(None).content() is None


def test_documents_and_texts_get_an_attribute_where_none_is_declared(tmp_path: Path) -> None:
    (tmp_path / "kb.toml").write_text(
        'id = "a"\ntitle = "A"\n[[file]]\npath = "a.md"\ntitle = "A"\nkind = "document"\n'
        '[[file]]\npath = "b.txt"\ntitle = "B"\nkind = "text"\n',
        encoding="utf-8",
    )
    (tmp_path / "a.md").write_text("# One\ntext\n# Two\nmore\n", encoding="utf-8")
    (tmp_path / "b.txt").write_text("One.\n\nTwo.\n", encoding="utf-8")
    folder = BaseFolder(tmp_path)
    list(folder.read(Report(KINDS)))
    content = folder.content()
    assert content is not None
    base: Base = content.base
    assert [source.attribute for source in base.sources] == ["section", "paragraph"]
    assert [attribute.name for attribute in base.attributes] == ["section", "paragraph"]
    assert [span.label for span in content.spans] == ["section 1", "section 2", "paragraph 1", "paragraph 2"]
