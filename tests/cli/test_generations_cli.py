import argparse
import io
import json
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.sealed import sealed

from loom.cli import generations
from loom.cli.generations import BROKEN, DIFFERENT, surplus
from loom.cli.main import main
from loom.core.errors import BadInput, NoGeneration, NotFound
from loom.core.values import Concept, Ref
from loom_adapters.generation_folder import GenerationFolder

OLD = (
    Concept("urn:ngm:class:ash", "Ash"),
    Concept("urn:ngm:class:kiln", "Kiln", "A chamber."),
    Concept("urn:ngm:class:salt", "Salt"),
)
NEW = (
    Concept("urn:ngm:class:kiln", "Kiln", "A chamber that reaches firing temperature.", domain="ceramics"),
    Concept("urn:ngm:class:salt", "Sea salt"),
    Concept("urn:ngm:class:tide", "Tide", parents=(Ref("urn:ngm:class:sea"),)),
)


def run(folder: Path, *words: str) -> tuple[int, str]:
    parser = argparse.ArgumentParser()
    generations.add(parser.add_subparsers())
    arguments = parser.parse_args(["generations", *words])
    out = io.StringIO()
    return arguments.act(arguments, GenerationFolder(folder), out), out.getvalue()


def run_json(folder: Path, *words: str) -> tuple[int, object]:
    code, text = run(folder, *words, "--json")
    return code, json.loads(text)


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, str, str]:
    old = sealed(tmp_path, OLD, "2026-01-01T00:00:00Z")
    return tmp_path, old, sealed(tmp_path, NEW, "2026-02-01T00:00:00Z")


def damage(folder: Path, id: str) -> None:
    file = folder / id.removeprefix("sha256:") / "parts" / "concepts" / "concepts.jsonl"
    file.chmod(0o644)
    file.write_bytes(file.read_bytes().replace(b"Salt", b"Silt"))


def test_the_list_marks_what_is_served_and_what_was_before(two) -> None:
    folder, old, new = two
    code, rows = run_json(folder, "list")
    assert code == 0
    assert [(row["id"], row["mark"], row["concepts"], row["built_at"]) for row in rows] == [
        (old, "previous", 3, "2026-01-01T00:00:00Z"),
        (new, "current", 3, "2026-02-01T00:00:00Z"),
    ]
    lines = run(folder, "list")[1].splitlines()
    assert lines[1].startswith(f"current   {new[7:19]}  2026-02-01T00:00:00Z")


def test_an_empty_store_says_how_to_fill_it(tmp_path: Path) -> None:
    assert run_json(tmp_path / "none", "list") == (0, [])
    assert "loom build" in run(tmp_path, "list")[1]
    with pytest.raises(NoGeneration, match="no current generation"):
        run(tmp_path, "show")


def test_show_tells_parts_and_sizes(two) -> None:
    folder, _, new = two
    _, shown = run_json(folder, "show", new[7:15])
    assert shown["id"] == new and shown["notes"]["counts"]["concepts"] == 3 and "concepts" in shown["parts"]
    assert "part concepts: " in run(folder, "show")[1]


def test_a_damaged_generation_is_found_and_never_used(two) -> None:
    folder, old, new = two
    assert run_json(folder, "verify", old) == (0, {"id": old, "ok": True, "reason": None})
    damage(folder, old)
    code, verdict = run_json(folder, "verify", old)
    assert code == BROKEN and "concepts.jsonl" in verdict["reason"]
    for words in (("use", old), ("rollback",)):
        code, text = run(folder, *words)
        assert code == BROKEN and "concepts.jsonl" in text
        assert run_json(folder, *words)[1]["current"] == new
    assert GenerationFolder(folder).current() == new


def test_a_command_that_meets_a_broken_generation_says_so(two, capsys: pytest.CaptureFixture[str]) -> None:
    folder, old, new = two
    damage(folder, old)
    assert main(["generations", "diff", old, new, "--store", str(folder)]) == BROKEN
    assert "concepts.jsonl" in capsys.readouterr().err
    assert main(["generations", "list", "--store", str(folder)]) == 0
    assert main(["generations", "use", "zzz", "--store", str(folder)]) == 2


def test_use_and_rollback_move_the_pointers(two) -> None:
    folder, old, new = two
    assert run_json(folder, "use", old[7:17]) == (0, {"ok": True, "current": old, "previous": new})
    assert run_json(folder, "rollback")[1] == {"ok": True, "current": new, "previous": old}
    assert run_json(folder, "rollback")[1] == {"ok": True, "current": old, "previous": new}
    with pytest.raises(NotFound, match="zzz"):
        run(folder, "use", "zzz")


def test_nothing_to_roll_back_to_is_said(tmp_path: Path) -> None:
    sealed(tmp_path, OLD)
    with pytest.raises(NoGeneration, match="Nothing to roll back to"):
        run(tmp_path, "rollback")


def test_the_difference_is_told_by_concept(two) -> None:
    folder, old, new = two
    code, document = run_json(folder, "diff", "previous", "current")
    assert (code, document["before"], document["after"]) == (0, old, new)
    assert [(change["change"], change["title"], change.get("fields")) for change in document["changes"]] == [
        ("removed", "Ash", None),
        ("changed", "Kiln", ["definition", "domain"]),
        ("changed", "Sea salt", ["title"]),
        ("added", "Tide", None),
    ]
    assert document["summary"] == {
        "added": 1, "removed": 1, "changed": 2, "renamed": 1, "fields": {"definition": 1, "domain": 1, "title": 1}
    }  # fmt: skip
    lines = run(folder, "diff", old, new)[1].splitlines()
    assert lines[2] == "~ Salt → Sea salt  <urn:ngm:class:salt>  title"
    assert lines[-1].startswith(f"{old[7:19]} → {new[7:19]}: 1 added, 1 removed, 2 changed, 1 of them renamed")
    assert len(run(folder, "diff", old, new, "--summary")[1].splitlines()) == 1


def test_the_exit_code_of_diff_tells_only_when_asked(two) -> None:
    folder, old, new = two
    assert run(folder, "diff", old, new)[0] == 0
    assert run(folder, "diff", old, new, "--exit-code")[0] == DIFFERENT
    assert run(folder, "diff", old, old, "--exit-code")[0] == 0


def test_prune_keeps_the_newest_the_pointed_and_the_open(tmp_path: Path) -> None:
    ids = [sealed(tmp_path, [Concept(f"urn:x:{n}", f"T{n}")], f"2026-01-0{n}T00:00:00Z", point=n < 3) for n in range(1, 7)]
    store = GenerationFolder(tmp_path)
    assert (store.previous(), store.current()) == (ids[0], ids[1])
    assert run_json(tmp_path, "prune", "--keep", "1", "--dry-run")[1]["removed"] == ids[2:5]
    assert len(store.list()) == 6
    with closing(store.open(ids[3])):
        _, done = run_json(tmp_path, "prune", "--keep", "1")
    assert done["removed"] == [ids[2], ids[4]] and list(done["refused"]) == [ids[3]]
    assert {manifest["id"] for manifest in store.list()} == {ids[0], ids[1], ids[3], ids[5]}
    assert run(tmp_path, "prune", "--keep", "9")[1] == "Nothing to remove.\n"
    with pytest.raises(BadInput, match="0 or more"):
        run(tmp_path, "prune", "--keep", "-1")


@given(
    st.lists(st.text("abcdef", min_size=1, max_size=2), unique=True), st.integers(0, 9), st.sets(st.text("abcdef", max_size=2))
)
def test_surplus_is_all_but_the_newest_and_the_named(ids: list[str], keep: int, never: set[str]) -> None:
    gone = surplus(ids, keep, never)
    assert set(gone).isdisjoint(never)
    assert set(gone).isdisjoint(ids[-keep:] if keep else ())
    assert len(gone) >= len(ids) - keep - len(never)


def test_export_writes_a_file_whole_and_reproducibly(two, tmp_path: Path) -> None:
    folder, _, new = two
    out = tmp_path / "scaffold-index.json"
    code, done = run_json(folder, "export", "--out", str(out))
    assert code == 0 and done["id"] == new and done["bytes"] == out.stat().st_size
    index = json.loads(out.read_text())
    assert index["generated"] == "2026-02-01T00:00:00Z" and list(index["classes"]) == ["kiln", "salt", "tide"]
    assert index["classes"]["tide"]["sup"] == ["sea"]
    assert run(folder, "export")[1] == out.read_text()
    assert json.loads(run(folder, "export", "--generated", "x", "--format", "prose-index-v1")[1])["generated"] == "x"
    assert list(tmp_path.glob(".scaffold*")) == []
    with pytest.raises(BadInput, match="folder that exists"):
        run(folder, "export", "--out", str(tmp_path / "no" / "x.json"))
