import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from loom.answer.export import Keys, prose_index_v1, scaffold_index_v1
from loom.build import seal
from loom.build.checks import KINDS
from loom.build.seal import PressedFiles
from loom.core.concepts import Concepts, press
from loom.core.report import Report
from loom.core.text import ref_to_slug
from loom.core.values import Concept, Ref
from loom_adapters.generation_memory import FakeGenerations
from loom_adapters.index_v1 import IndexV1


def opened(*concepts: Concept) -> Concepts:
    return Concepts.open(PressedFiles(press(concepts)))


U = "urn:ngm:class:"
KILNS = opened(
    Concept(
        f"{U}tide-kiln",
        "Tide “Kiln”",
        "d" * 401,
        full="the whole definition",
        domain="ceramics",
        maturity="draft",
        quality=0.7,
        parents=(Ref(f"{U}kiln"),),
        ancestors=(Ref(f"{U}heat-source"),),
        relations=(("zonedBy", (Ref(f"{U}rule"),)), ("uses", (Ref(f"{U}missing-thing"), Ref(f"{U}kiln"))), ("enables", ())),
        backlinks=tuple(f"{U}b{n:02}" for n in range(25)),
    ),
    Concept(f"{U}kiln", "Kiln", prose="Seen everywhere."),
    Concept(f"{U}rule", "Rule", "r" * 500),
)


def test_the_scaffold_index_has_the_shape_of_version_1() -> None:
    text = "".join(scaffold_index_v1(KILNS, "2026-01-01T00:00:00Z"))
    index = json.loads(text)
    assert [index["version"], index["generated"], index["counts"]] == [1, "2026-01-01T00:00:00Z", {"classes": 3}]
    assert list(index["classes"]) == ["kiln", "rule", "tide-kiln"]
    tide = index["classes"]["tide-kiln"]
    assert list(tide) == ["t", "d", "dom", "q", "m", "sup", "isup", "rel", "bl"]
    assert (tide["d"], len(tide["bl"]), tide["sup"], tide["isup"]) == ("d" * 400, 20, ["kiln"], ["heat-source"])
    assert list(tide["rel"].items()) == [("uses", ["missing-thing", "kiln"]), ("zonedBy", ["rule"])]
    assert index["classes"]["kiln"] == {
        "t": "Kiln", "d": "", "dom": "", "q": None, "m": "", "sup": [], "isup": [], "rel": {}, "bl": []
    }  # fmt: skip
    assert "“Kiln”" in text and text.endswith("}}\n") and ": " not in text.replace("Tide “Kiln”", "")


def test_the_prose_index_holds_what_the_other_cuts() -> None:
    index = json.loads("".join(prose_index_v1(KILNS, "now")))
    assert index == {
        "version": 1,
        "generated": "now",
        "counts": {"pages": 3},
        "pages": {
            "kiln": {"cl": "Seen everywhere."},
            "rule": {"dfull": "r" * 500},
            "tide-kiln": {"dfull": "the whole definition"},
        },
    }


def test_the_bytes_depend_on_nothing_but_the_corpus_and_the_stamp() -> None:
    assert list(scaffold_index_v1(KILNS, "x")) == list(scaffold_index_v1(KILNS, "x"))


def test_an_empty_corpus_is_a_valid_file() -> None:
    assert json.loads("".join(scaffold_index_v1(opened(), "")))["classes"] == {}


def test_every_concept_has_a_key_of_its_own_that_references_find() -> None:
    concepts = opened(
        Concept("urn:a:kiln", "One"),
        Concept("urn:a:kiln-2", "Two"),
        Concept("urn:b:kiln", "Three", parents=(Ref("urn:a:kiln"), Ref("urn:c:Nước"), Ref("urn:d:木"), Ref("urn:b:kiln"))),
        Concept("urn:c:Nước", "Four"),
        Concept("urn:d:木", "Five"),
    )
    assert Keys(concepts).changed == {"urn:b:kiln": "kiln-3", "urn:c:Nước": "n-c", "urn:d:木": "concept"}
    classes = json.loads("".join(scaffold_index_v1(concepts, "")))["classes"]
    assert {key: value["t"] for key, value in classes.items()} == {
        "kiln": "One", "kiln-2": "Two", "kiln-3": "Three", "n-c": "Four", "concept": "Five"
    }  # fmt: skip
    assert classes["kiln-3"]["sup"] == ["kiln", "n-c", "concept", "kiln-3"]


@given(st.lists(st.text("aB-é木1", min_size=1, max_size=4), unique=True, max_size=12))
def test_keys_are_unique_and_what_readers_make_of_them(slugs: list[str]) -> None:
    iris = [f"urn:{prefix}:{slug}" for slug in slugs for prefix in "xy"]
    keys = Keys(opened(*(Concept(iri, "T") for iri in iris)))
    given = [keys.of(iri) for iri in iris]
    assert len(set(given)) == len(iris)
    assert [ref_to_slug(key) for key in given] == given


def test_what_came_from_such_an_index_keeps_its_keys() -> None:
    assert Keys(opened(Concept("urn:ngm:class:OneM2M", "One"))).changed == {}


def test_relation_names_stay_as_the_corpus_writes_them() -> None:
    concepts = opened(Concept("urn:x:a", "A", relations=(("has-part", (Ref("urn:x:b"),)), ("hasPart", (Ref("urn:x:c"),)))))
    index = json.loads("".join(scaffold_index_v1(concepts, "")))
    assert index["classes"]["a"]["rel"] == {"hasPart": ["c"], "has-part": ["b"]}


INDEX = {
    "version": 1,
    "generated": "2026-01-01T00:00:00+00:00",
    "counts": {"classes": 2},
    "classes": {
        "kiln": {
            "t": "Kiln", "d": "A chamber…", "dom": "ceramics", "q": 0.9, "m": "", "sup": [], "isup": [], "rel": {}, "bl": ["web-id"]
        },
        "web-id": {
            "t": "WebID", "d": "", "dom": "", "q": None, "m": "draft", "sup": ["kiln"], "isup": ["kiln", "gone"],
            "rel": {"requires": ["tide"], "uses": ["kiln", "salt"], "zonedBy": ["kiln"]}, "bl": [],
        },
    },
}  # fmt: skip
PROSE = {"version": 1, "generated": "2026-01-01T00:00:00+00:00", "counts": {"pages": 1}, "pages": {
    "kiln": {"dfull": "A chamber that fires.", "cl": "Seen since 1900."}
}}  # fmt: skip


def built(folder: Path, index: str, prose: str) -> tuple[FakeGenerations, str]:
    folder.mkdir()
    (folder / "scaffold-index.json").write_text(index, "utf-8")
    (folder / "prose-index.json").write_text(prose, "utf-8")
    report, store = Report(KINDS), FakeGenerations()
    with store.draft() as draft:
        seal.write(draft, list(IndexV1(folder / "scaffold-index.json").read(report)), report)
        return store, store.seal(draft)


def test_an_export_builds_the_generation_that_it_came_from(tmp_path: Path) -> None:
    store, id = built(tmp_path / "given", json.dumps(INDEX), json.dumps(PROSE, indent=2))
    concepts = store.open(id).part(Concepts)
    assert concepts is not None
    index, prose = ("".join(write(concepts, str(INDEX["generated"]))) for write in (scaffold_index_v1, prose_index_v1))
    assert json.loads(index) == INDEX and json.loads(prose) == PROSE
    assert built(tmp_path / "again", index, prose)[1] == id
