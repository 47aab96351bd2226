"""Generations in a folder: what a crash, a second process, a read-only mount or an altered byte does to them."""

import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.asking import matches, plan
from support.sealed import sealed
from support.worked import CLASSES, KILN

from loom.answer.plan import Pin
from loom.build.seal import PressedFiles
from loom.core.concepts import Concepts, Links, press
from loom.core.errors import BadSource, BrokenGeneration, NotFound, Unwritable
from loom.core.values import Concept, Ref, Where
from loom_adapters.generation_folder import GenerationFolder

ASKED = "How does a tide kiln work?"


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def hidden(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir() if file.name.startswith((".draft", ".pointer")))


def child(code: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *arguments], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
    )


def test_two_builds_are_the_same_bytes_in_whatever_order_the_concepts_come(tmp_path: Path) -> None:
    first = sealed(tmp_path / "a", CLASSES, built_at="2026-01-01")
    second = sealed(tmp_path / "b", CLASSES, built_at="2026-01-01")
    assert first == second
    name = first.removeprefix("sha256:")
    assert files_of(tmp_path / "a" / name) == files_of(tmp_path / "b" / name)


def test_a_build_under_another_hash_seed_is_the_same(tmp_path: Path) -> None:
    code = """
        import sys; from pathlib import Path
        sys.path.insert(0, sys.argv[2])
        from support.sealed import sealed; from support.worked import CLASSES
        print(sealed(Path(sys.argv[1]), CLASSES))
    """
    found = set()
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code), str(tmp_path / seed), str(Path(__file__).parents[1])],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        found.add(run.stdout)
    assert len(found) == 1


@pytest.mark.parametrize("damage", ["altered", "shorter", "longer", "missing"])
def test_every_damaged_file_is_refused_by_its_name(damage: str, tmp_path: Path) -> None:
    store, id = GenerationFolder(tmp_path), sealed(tmp_path, CLASSES)
    folder = tmp_path / id.removeprefix("sha256:") / "parts"
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    assert len(files) > 30
    for path in files:
        data = path.read_bytes()
        path.chmod(0o644)
        path.unlink()
        if damage == "altered":
            path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]) if data else b"x")
        elif damage != "missing":
            path.write_bytes(data[:-1] if damage == "shorter" and data else data + b"x")
        for attempt in (store.open, store.verify):
            with pytest.raises(BrokenGeneration) as refused:
                attempt(id)
            assert f"{path.parent.name}/{path.name}" in refused.value.message
        path.write_bytes(data)
    store.open(id).close()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda manifest: manifest["notes"].update(counts={"concepts": 6}), "altered"),
        (lambda manifest: manifest["parts"].pop("report"), "altered"),
        (lambda manifest: manifest.update(id="sha256:" + "1" * 64), "altered"),
        (lambda manifest: manifest.pop("id"), "altered"),
        (lambda manifest: manifest.update(format=2), "format 2"),
        (lambda manifest: manifest.update(format=None), "format None"),
        (lambda manifest: manifest.update(more=1), "altered"),
    ],
)
def test_an_altered_manifest_is_refused_and_listed_as_broken(change, said: str, tmp_path: Path) -> None:
    id = sealed(tmp_path, CLASSES)
    path = tmp_path / id.removeprefix("sha256:") / "manifest.json"
    manifest = json.loads(path.read_bytes())
    change(manifest)
    path.write_text(json.dumps(manifest))
    store = GenerationFolder(tmp_path)
    with pytest.raises(BrokenGeneration, match=said):
        store.open(id)
    (listed,) = store.list()
    assert listed["id"] == id and said in listed["broken"]


def test_a_refused_generation_is_not_held(tmp_path: Path) -> None:
    first, second = sealed(tmp_path, CLASSES, point=False), sealed(tmp_path, CLASSES[:2], point=False)
    path = tmp_path / first.removeprefix("sha256:") / "parts/report/report.json"
    path.chmod(0o644)
    path.write_bytes(b"")
    store = GenerationFolder(tmp_path)
    with pytest.raises(BrokenGeneration):
        store.open(first)
    store.remove(first)
    assert [each["id"] for each in store.list()] == [second]


def test_a_manifest_spread_over_other_lines_is_the_same_manifest(tmp_path: Path) -> None:
    id = sealed(tmp_path, CLASSES)
    path = tmp_path / id.removeprefix("sha256:") / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_bytes())))
    GenerationFolder(tmp_path).open(id).close()


@pytest.mark.parametrize("signalled", [signal.SIGKILL, signal.SIGTERM])
def test_a_process_killed_while_drafting_leaves_nothing_visible(signalled: signal.Signals, tmp_path: Path) -> None:
    before = sealed(tmp_path, CLASSES)
    code = """
        import sys
        from loom_adapters.generation_folder import GenerationFolder
        with GenerationFolder(sys.argv[1]).draft() as draft:
            draft.put("part", "file", b"x" * 100_000)
            print("drafting", flush=True)
            sys.stdin.read()
    """
    with child(code, str(tmp_path)) as process:
        assert process.stdout is not None and process.stdout.readline() == "drafting\n"
        store = GenerationFolder(tmp_path)
        with store.draft():
            assert len(hidden(tmp_path)) == 2, "a draft of a living process was swept away"
        process.send_signal(signalled)
        process.wait(20)
    assert [each["id"] for each in store.list()] == [before] and store.current() == before
    with store.draft():
        assert len(hidden(tmp_path)) == 1, "the draft of a dead process was kept"
    assert hidden(tmp_path) == []


def test_pointers_left_half_written_are_cleared_by_the_next(tmp_path: Path) -> None:
    first, second = sealed(tmp_path, CLASSES), sealed(tmp_path, CLASSES[:1], point=False)
    (tmp_path / ".pointer-left").write_text("sha256:")
    store = GenerationFolder(tmp_path)
    store.point(second)
    assert (store.current(), store.previous(), hidden(tmp_path)) == (second, first, [])


def test_two_processes_that_point_at_once_keep_previous_right(tmp_path: Path) -> None:
    ids = [sealed(tmp_path, CLASSES[:n], point=False) for n in (1, 2, 3)]
    code = """
        import sys
        from loom_adapters.generation_folder import GenerationFolder
        store = GenerationFolder(sys.argv[1])
        for _ in range(20):
            for id in sys.argv[2:]:
                store.point(id)
    """
    store = GenerationFolder(tmp_path)
    store.point(ids[0])
    processes = [child(code, str(tmp_path), *order) for order in (ids, ids[::-1])]
    while any(process.poll() is None for process in processes):
        assert store.current() in ids and store.previous() in (None, *ids)
    for process in processes:
        process.communicate()
        assert process.returncode == 0
    assert store.current() in ids and store.previous() in ids and store.current() != store.previous()
    assert hidden(tmp_path) == []


def test_two_processes_that_go_back_at_once_go_back_twice(tmp_path: Path) -> None:
    first, second = (sealed(tmp_path, CLASSES[:n]) for n in (1, 2))
    code = """
        import sys
        from loom_adapters.generation_folder import GenerationFolder
        store = GenerationFolder(sys.argv[1])
        for _ in range(30):
            store.rollback()
    """
    processes = [child(code, str(tmp_path)) for _ in range(2)]
    assert [process.communicate() and process.returncode for process in processes] == [0, 0]
    store = GenerationFolder(tmp_path)
    assert (store.current(), store.previous()) == (second, first)


def test_what_another_process_has_open_is_not_removed(tmp_path: Path) -> None:
    id, _ = sealed(tmp_path, CLASSES, point=False), sealed(tmp_path, CLASSES[:1])
    code = """
        import sys
        from loom_adapters.generation_folder import GenerationFolder
        generation = GenerationFolder(sys.argv[1]).open(sys.argv[2])
        print("open", flush=True)
        sys.stdin.read()
    """
    store = GenerationFolder(tmp_path)
    with child(code, str(tmp_path), id) as process:
        assert process.stdout is not None and process.stdout.readline() == "open\n"
        with pytest.raises(NotFound, match="open in a running node"):
            store.remove(id)
        process.communicate("")
    store.remove(id)
    assert hidden(tmp_path) == []


def test_what_is_not_there_is_not_removed(tmp_path: Path) -> None:
    sealed(tmp_path, CLASSES)
    with pytest.raises(NotFound, match="There is no generation"):
        GenerationFolder(tmp_path).remove("sha256:" + "0" * 64)
    assert hidden(tmp_path) == []


def test_a_folder_that_cannot_be_written_is_read(tmp_path: Path) -> None:
    """By a process without the right to write, as over a read-only mount."""
    id = sealed(tmp_path / "generations", CLASSES)
    folder = tmp_path / "generations"
    code = """
        import encodings.ascii, os, sys  # whoever gives up rights may not read what Python loads late
        from loom.core.concepts import Concepts
        from loom_adapters.generation_folder import GenerationFolder
        if os.getuid() == 0:
            os.setgid(65534); os.setuid(65534)
        store = GenerationFolder(sys.argv[1])
        try:
            open(os.path.join(sys.argv[1], "probe"), "w")
            print("kept the right to write")
        except PermissionError:
            generation = store.open(store.current())
            print(generation.id, generation.part(Concepts).count, len(store.list()), store.stamp() is not None)
            generation.close()
    """
    import shutil

    shutil.rmtree(folder / ".run")
    for path in [*reversed(tmp_path.parents), tmp_path]:
        if path.is_relative_to("/tmp/pytest-of-root") or path.name.startswith(("pytest-", "test_")):
            path.chmod(0o755)
    folder.chmod(0o555)
    with child(code, str(folder)) as process:
        said, _ = process.communicate()
    folder.chmod(0o755)
    if said == "kept the right to write\n":
        pytest.skip("this machine does not let a process give up its rights")
    assert said == f"{id} 5 1 True\n"


def test_a_draft_seals_the_same_content_once(tmp_path: Path) -> None:
    store = GenerationFolder(tmp_path)
    assert sealed(tmp_path, CLASSES) == sealed(tmp_path, CLASSES, "2030-01-01")
    assert len(store.list()) == 1 and hidden(tmp_path) == []


def test_paths_that_are_not_text_are_remarked_on_all_the_same(tmp_path: Path) -> None:
    store = GenerationFolder(tmp_path)
    with store.draft() as draft:
        draft.put("a", "b", b"")
        draft.remark("sources", ["caf\udce9/pages"])
        id = store.seal(draft)
    assert store.about(id)["sources"] == ["caf?/pages"]


@pytest.mark.parametrize("count", [0, 1])
@pytest.mark.parametrize("policy", ["default", "reference"])
def test_small_generations_are_served(count: int, policy: str, tmp_path: Path) -> None:
    store = GenerationFolder(tmp_path)
    generation = store.open(sealed(tmp_path, CLASSES[:count]))
    found = plan(Pin(generation), ASKED, policy)
    assert len(found.block.served) == count
    concepts = generation.part(Concepts)
    assert concepts is not None and concepts.count == count and len(list(concepts.lines())) == count
    generation.close()


def test_a_sealed_generation_serves_what_memory_would(tmp_path: Path) -> None:
    generation = GenerationFolder(tmp_path).open(sealed(tmp_path, CLASSES))
    pin = Pin(generation)
    assert [match.score for match in matches(pin, ASKED, 4, "reference")] == [18.0, 10.0]
    assert plan(pin, ASKED, "reference").block.tokens == 108


# -- the concepts part ------------------------------------------------------------------------------------------------------

text = st.text(max_size=20)
slug = st.text(alphabet="abcdé窯-", min_size=1, max_size=4)
refs = st.lists(st.builds(Ref, slug.map("urn:c:{}".format), st.sampled_from(["", "Label", "Other"])), max_size=4).map(tuple)
concept = st.builds(
    Concept,
    iri=slug.map("urn:c:{}".format),
    title=text,
    definition=text,
    full=text,
    prose=text,
    aliases=st.lists(text.filter(bool), max_size=3).map(tuple),
    domain=text,
    maturity=text,
    quality=st.one_of(st.none(), st.floats(-1e6, 1e6)),
    parents=refs,
    ancestors=st.one_of(st.none(), refs),
    relations=st.dictionaries(text, refs.filter(bool), max_size=3).map(lambda found: tuple(found.items())),
    backlinks=st.lists(slug, max_size=3).map(tuple),
    where=st.builds(Where, st.sampled_from(["", "a.md"]), st.integers(0, 9)),
)


def mended(value: str) -> str:
    """Lone surrogates cannot be sealed."""
    return value.encode("utf-8", "replace").decode()


@settings(max_examples=150)
@given(st.lists(concept, max_size=6, unique_by=lambda each: each.iri))
def test_records_come_back_as_they_were_pressed(concepts: list[Concept]) -> None:
    found = Concepts.open(PressedFiles(press(concepts)))
    assert found.count == len(concepts)
    rows = {each.iri: row for row, each in enumerate(sorted(concepts, key=lambda each: each.iri))}
    for each in concepts:
        row = found.row(each.iri)
        assert row is not None and row == rows[each.iri]
        assert found.iri(row) == each.iri and found.title(row) == mended(each.title)
        record = found.record(row)
        assert record == json.loads(found.line(row))
        for member in ("definition", "full", "prose", "domain", "maturity"):
            assert record.get(member, "") == mended(getattr(each, member))
        assert record.get("aliases", []) == [mended(alias) for alias in each.aliases]
        assert record.get("quality") == each.quality
        assert found.quality[row] == (each.quality or 0.0)
        links = found.links(row)
        assert [found.iri(target) for target in links.parents] == [ref.iri for ref in each.parents]
        assert [found.iri(target) for target in links.ancestors] == [ref.iri for ref in each.ancestors or ()]
        assert {found.predicates[kind]: [found.iri(target) for target in targets] for kind, targets in links.relations} == {
            mended(name): [ref.iri for ref in targets] for name, targets in each.relations
        }
        for target in (*links.parents, *links.ancestors):
            assert (target < found.count) == (found.iri(target) in rows)
    assert found.row("urn:c:nowhere") is None


def test_relations_are_in_the_order_of_the_format_and_names_may_hold_line_ends() -> None:
    ref = (Ref("urn:x:t", "T"),)
    names = ("zeta", "alpha", "uses", "hasPart", "line\nend", "odd\u2028end")
    found = Concepts.open(PressedFiles(press([Concept("urn:c:a", "A", relations=tuple((name, ref) for name in names))])))
    assert [found.predicates[kind] for kind, _ in found.links(0).relations] == [
        *("hasPart", "uses", "alpha", "line\nend", "odd\u2028end", "zeta")
    ]


def test_a_stranger_goes_by_the_label_used_most_and_then_the_first() -> None:
    def concept(number: int, label: str) -> Concept:
        return Concept(f"urn:c:{number}", f"C{number}", parents=(Ref("urn:x:far", label), Ref(f"urn:x:{number}")))

    found = Concepts.open(PressedFiles(press([concept(at, label) for at, label in enumerate(["B", "A", "B", "C", ""])])))
    assert found.title(found.links(0).parents[0]) == "B"
    assert found.title(found.links(3).parents[1]) == "3"
    assert found.record(0)["labels"] == {"urn:x:far": "B"}
    assert found.links(0) == Links((found.count + 5, found.count), (), ())


def test_surrogates_are_mended_and_two_concepts_of_one_iri_are_refused() -> None:
    found = Concepts.open(PressedFiles(press([Concept("urn:c:a", "Bad \ud800 title", aliases=("\udfff",))])))
    assert found.title(0) == "Bad ? title" and found.record(0)["aliases"] == ["?"]
    with pytest.raises(BadSource, match="urn:ngm:class:kiln is defined twice"):
        press([KILN, KILN])


@pytest.mark.parametrize("content", [b"", b"\xff", b"current\n", b"sha256:abc\n"])
def test_a_pointer_that_holds_no_id_is_mended_by_pointing(tmp_path: Path, content: bytes) -> None:
    id = sealed(tmp_path, CLASSES)
    store = GenerationFolder(tmp_path)
    (tmp_path / "current").write_bytes(content)
    with pytest.raises(BrokenGeneration, match="loom generations use"):
        store.current()
    store.point(id)
    assert (store.current(), store.previous()) == (id, None)


def test_a_folder_that_cannot_be_written_is_told_in_a_sentence(tmp_path: Path) -> None:
    """A file where the locks should be stands for a read-only mount, which root would not notice."""
    store, first = GenerationFolder(tmp_path), sealed(tmp_path, CLASSES)
    second, third = sealed(tmp_path, (KILN,)), sealed(tmp_path, CLASSES[:2], point=False)
    for file in sorted((tmp_path / ".run").rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    (tmp_path / ".run").rmdir()
    (tmp_path / ".run").write_text("")
    for change in (lambda: store.point(first), store.rollback, lambda: store.remove(third)):
        with pytest.raises(Unwritable, match=r"Expected to change .*; check its permissions"):
            change()
    assert (store.current(), store.previous()) == (second, first)
    store.open(second).close()
