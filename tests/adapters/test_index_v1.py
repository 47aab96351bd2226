"""Scaffold indexes, version 1: read as stated, refused with the class and the key where they are malformed."""

import gzip
import json
import lzma
from pathlib import Path
from typing import Any

import pytest
from support.pages import examples, read

from loom.core.errors import BadSource
from loom.core.values import Concept, Ref, Where
from loom_adapters.index_v1 import BASE, IndexV1

TIDE = {
    "t": "Tide Kiln",
    "d": "A kiln that follows the tide.",
    "dom": "pottery",
    "q": 0.7,
    "m": "draft",
    "sup": ["kiln"],
    "isup": ["heat-source"],
    "rel": {"zonedBy": ["harbour-rule"], "uses": [BASE + "salt-glaze", "Salt_Glaze"]},
    "bl": ["kiln"],
    "future": 1,
}


def index(folder: Path, classes: Any, **more: Any) -> Path:
    path = folder / "scaffold-index.json"
    path.write_text(json.dumps({"version": 1, "generated": "now", "classes": classes, **more}))
    return path


def test_a_class_is_read_as_stated(tmp_path: Path) -> None:
    concepts, report = read(IndexV1(index(tmp_path, {"tide-kiln": TIDE, "kiln": {}})))
    assert concepts[0] == Concept(
        BASE + "tide-kiln",
        "Tide Kiln",
        definition="A kiln that follows the tide.",
        domain="pottery",
        maturity="draft",
        quality=0.7,
        parents=(Ref(BASE + "kiln"),),
        ancestors=(Ref(BASE + "heat-source"),),
        relations=(
            ("zonedBy", (Ref(BASE + "harbour-rule"),)),
            ("uses", (Ref(BASE + "salt-glaze"), Ref(BASE + "salt-glaze"))),
        ),
        backlinks=(BASE + "kiln",),
        where=Where("scaffold-index.json"),
    )
    assert concepts[1] == Concept(BASE + "kiln", "kiln", ancestors=(), where=Where("scaffold-index.json"))
    assert report.counts() == {"missing-title": 1, "reference-respelled": 1}


def test_the_order_of_the_file_is_kept(tmp_path: Path) -> None:
    concepts, _ = read(IndexV1(index(tmp_path, {slug: {} for slug in ("z", "a", "m")})))
    assert [concept.title for concept in concepts] == ["z", "a", "m"]


def test_prose_beside_the_index_is_found(tmp_path: Path) -> None:
    (tmp_path / "prose-index.json").write_text(
        json.dumps({"pages": {"kiln": {"dfull": "Whole.", "cl": "Now."}, "oven": {"cl": "x"}}})
    )
    concepts, report = read(IndexV1(index(tmp_path, {"kiln": {"d": "Who"}})))
    assert (concepts[0].definition, concepts[0].full, concepts[0].prose) == ("Who", "Whole.", "Now.")
    assert examples(report, "prose-without-class") == [("prose-index.json", "oven")]
    without, _ = read(IndexV1(tmp_path / "scaffold-index.json", prose=False))
    assert (without[0].full, without[0].prose) == ("", "")


@pytest.mark.parametrize("text", ["{", "[]", '{"pages": []}', '{"pages": {"kiln": 5}}', '{"pages": {"kiln": {"cl": 5}}}'])
def test_broken_prose_is_a_remark_unless_it_was_asked_for(tmp_path: Path, text: str) -> None:
    path = tmp_path / "prose-index.json"
    path.write_text(text)
    concepts, report = read(IndexV1(index(tmp_path, {"kiln": {}})))
    assert len(concepts) == report.count("bad-prose-index") == 1
    if "kiln" not in text:
        with pytest.raises(BadSource):
            read(IndexV1(tmp_path / "scaffold-index.json", path))


def test_prose_that_was_asked_for_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(BadSource, match="Expected a prose index"):
        read(IndexV1(index(tmp_path, {"kiln": {}}), tmp_path / "absent.json"))


def test_packed_indexes_are_read(tmp_path: Path) -> None:
    data = index(tmp_path, {"kiln": {}}).read_bytes()
    for name, pack in (("i.json.gz", gzip.compress), ("i.json.xz", lzma.compress)):
        (tmp_path / name).write_bytes(pack(data))
        assert len(read(IndexV1(tmp_path / name))[0]) == 1
    (tmp_path / "i.json.xz").write_bytes(lzma.compress(data)[:-9])
    with pytest.raises(BadSource, match="cannot be read"):
        read(IndexV1(tmp_path / "i.json.xz"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1 is not JSON"),
        ('{"version": 1, "classes": {"kiln": {"t": "Ki', "is not JSON"),
        ("[]", "Expected an object at the top"),
        ('{"classes": {}}', "Expected version 1 in scaffold-index.json, got None"),
        ('{"version": 2, "classes": {}}', "Expected version 1 in scaffold-index.json, got 2"),
        ('{"version": true, "classes": {}}', "got True"),
        ('{"version": "1", "classes": {}}', "got '1'"),
        ('{"version": 1}', "Expected an object under `classes`"),
        ('{"version": 1, "classes": []}', "Expected an object under `classes`"),
        ('{"version": 1, "classes": {"kiln": null}}', "Expected an object as class 'kiln'"),
        ('{"version": 1, "classes": {"kiln": {"sup": null}}}', "`sup` of class 'kiln' in scaffold-index.json, got null"),
        ('{"version": 1, "classes": {"kiln": {"isup": null}}}', "`isup` of class 'kiln'"),
        ('{"version": 1, "classes": {"kiln": {"bl": null}}}', "`bl` of class 'kiln'"),
        ('{"version": 1, "classes": {"kiln": {"rel": null}}}', "`rel` of class 'kiln'"),
        ('{"version": 1, "classes": {"kiln": {"rel": {"uses": null}}}}', "`rel.uses` of class 'kiln'"),
        ('{"version": 1, "classes": {"kiln": {"sup": "oven"}}}', "Expected a list of texts as `sup`"),
        ('{"version": 1, "classes": {"kiln": {"sup": [1]}}}', "got a list that holds a number"),
        ('{"version": 1, "classes": {"kiln": {"sup": [null]}}}', "got a list that holds null"),
        ('{"version": 1, "classes": {"kiln": {"t": 5}}}', "Expected a text or null as `t`"),
        ('{"version": 1, "classes": {"kiln": {"q": "high"}}}', "Expected a number or null as `q`"),
        ('{"version": 1, "classes": {"kiln": {"q": true}}}', "got true or false"),
        ('{"version": 1, "classes": {"kiln": {"q": NaN}}}', "NaN is no JSON number"),
    ],
)
def test_a_malformed_index_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "scaffold-index.json"
    path.write_text(text)
    with pytest.raises(BadSource) as error:
        read(IndexV1(path))
    assert said in error.value.message


def test_an_index_that_is_not_there_or_not_utf8_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSource, match="cannot be read"):
        read(IndexV1(tmp_path / "absent.json"))
    (tmp_path / "x.json").write_bytes(b'{"version": 1, "classes": {"caf\xe9": {}}}')
    with pytest.raises(BadSource, match="UTF-8"):
        read(IndexV1(tmp_path / "x.json"))


def test_a_class_stated_twice_is_said(tmp_path: Path) -> None:
    path = tmp_path / "scaffold-index.json"
    path.write_text('{"version": 1, "classes": {"kiln": {"t": "Kiln"}, "kiln": {"t": "Oven"}}}')
    concepts, report = read(IndexV1(path))
    assert [concept.title for concept in concepts] == ["Oven"]
    assert "'kiln'" in examples(report, "duplicate-json-key")[0][1]


def test_a_reference_that_is_no_slug_is_said(tmp_path: Path) -> None:
    concepts, report = read(IndexV1(index(tmp_path, {"a": {"sup": ["oneM2M", "urn:x:Big Oven", "b"]}})))
    assert [ref.iri for ref in concepts[0].parents] == [BASE + "onem2m", BASE + "big-oven", BASE + "b"]
    assert report.count("reference-respelled") == 2
