"""Damaged generations and pointers: a node that serves refuses them and serves on, one that starts says what is wrong."""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.installed import KITCHEN, Node, loom, running
from support.node_process import serving

from loom.core import manifest as manifests

ADMIN = "/loom/admin/generation"
QUESTION = "What is braising?"
Damage = Callable[[Path], object]


def altered(file: str, change: Callable[[bytes], bytes]) -> Damage:
    """Change the bytes of one file of a generation."""

    def do(folder: Path) -> None:
        path = folder / file
        path.chmod(0o644)
        path.write_bytes(change(path.read_bytes()))

    return do


def resealed(change: Callable[[Path, dict[str, Any]], object]) -> Damage:
    """Change a generation and seal the change, as a faulty or hostile builder would: its id and digests are right."""

    def do(folder: Path) -> Path:
        stated = json.loads((folder / "manifest.json").read_bytes())
        change(folder, stated)
        content = {key: value for key, value in stated.items() if key != "id"}
        id = manifests.id_of(content)
        (folder / "manifest.json").write_text(json.dumps({**content, "id": id}))
        return folder.rename(folder.parent / id.removeprefix("sha256:"))

    return do


def with_file(part: str, file: str, data: Callable[[bytes], bytes]) -> Damage:
    def change(folder: Path, stated: dict[str, Any]) -> None:
        path = folder / "parts" / part / file
        path.chmod(0o644)
        path.write_bytes(data(path.read_bytes()))
        stated["parts"][part][file] = manifests.entry(path.read_bytes())

    return resealed(change)


def without_part(part: str) -> Damage:
    def change(folder: Path, stated: dict[str, Any]) -> None:
        shutil.rmtree(folder / "parts" / part)
        del stated["parts"][part]

    return resealed(change)


def other_format(folder: Path, stated: dict[str, Any]) -> None:
    stated["format"] = 99


def leading_out(folder: Path, stated: dict[str, Any]) -> None:
    stated["parts"]["concepts"]["../../../../secret"] = {"bytes": 6, "sha256": "0" * 64}


RECORDS = "parts/concepts/concepts.jsonl"

BROKEN: list[tuple[str, Damage, int, str]] = [
    ("no manifest", lambda folder: (folder / "manifest.json").unlink(), 409, "no manifest.json"),
    ("a manifest that is cut", altered("manifest.json", lambda data: data[: len(data) // 2]), 409, "is not JSON"),
    ("a manifest that is empty", altered("manifest.json", lambda data: b""), 409, "is not JSON"),
    ("a manifest that is a list", altered("manifest.json", lambda data: b"[]"), 409, "is not a manifest"),
    ("a manifest that is no text", altered("manifest.json", lambda data: b"\xff\xfe\x00"), 409, "is not JSON"),
    (
        "an altered note",
        altered("manifest.json", lambda data: data.replace(b'"notes": {', b'"notes": {"x": 1, ', 1)),
        409,
        "was altered",
    ),
    (
        "an altered id",
        altered("manifest.json", lambda data: data.replace(b'"id": "sha256:', b'"id": "sha256:0', 1)),
        409,
        "was altered",
    ),
    ("another format", resealed(other_format), 409, "has format 99 and this node reads 1"),
    ("a name that leads out", resealed(leading_out), 409, "does not state its parts"),
    ("a file that is missing", lambda folder: (folder / RECORDS).unlink(), 409, "is missing"),
    ("a file that is cut", altered(RECORDS, lambda data: data[:-100]), 409, "were sealed"),
    ("a file that has grown", altered(RECORDS, lambda data: data + b"\n"), 409, "were sealed"),
    ("one byte that differs", altered(RECORDS, lambda data: data.replace(b"heat", b"HEAT", 1)), 409, "not what was sealed"),
    ("no parts at all", lambda folder: shutil.rmtree(folder / "parts"), 409, "is missing"),
    ("no concepts", without_part("concepts"), 409, "concepts"),
    ("records that are garbage", with_file("concepts", "concepts.jsonl", lambda data: b"\x00" * len(data)), 409, ""),
    ("records that are cut, sealed so", with_file("concepts", "concepts.jsonl", lambda data: data[: len(data) // 2]), 409, ""),
    ("offsets that are garbage", with_file("concepts", "concepts.off.npy", lambda data: b"hello"), 409, ""),
    (
        "offsets of another corpus",
        with_file("concepts", "concepts.off.npy", lambda data: data[:128] + data[136:] + data[-8:]),
        409,
        "",
    ),
    ("no lexicon", without_part("lexicon.default"), 409, "lexicon"),
]


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A folder with two generations; the first is current."""
    folder = tmp_path_factory.mktemp("pristine")
    second = folder / "second"
    shutil.copytree(KITCHEN, second)
    (second / "techniques" / "Braising.md").unlink()
    ids = []
    for source in (KITCHEN, second):
        built = loom("build", source, "--out", folder / "generations", "--quiet")
        assert built.returncode == 0, built.stderr
        ids.append(built.stdout.strip())
    return folder / "generations", ids[0], ids[1]


@pytest.fixture(scope="module")
def serving_first(pristine: tuple[Path, str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Node, Path]]:
    folder = tmp_path_factory.mktemp("swapped") / "generations"
    shutil.copytree(pristine[0], folder, ignore=shutil.ignore_patterns(".run"))
    with serving(folder) as node:
        yield node, folder


def damaged(pristine: tuple[Path, str, str], folder: Path, damage: Damage) -> str:
    """Put a damaged copy of the second generation into a folder; its id."""
    source = pristine[0] / pristine[2].removeprefix("sha256:")
    target = folder / source.name
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    moved = damage(target)
    return "sha256:" + (moved if isinstance(moved, Path) else target).name


@pytest.mark.parametrize(("damage", "status", "words"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_a_swap_to_it_is_refused(
    pristine: tuple[Path, str, str], serving_first: tuple[Node, Path], damage: Damage, status: int, words: str
) -> None:
    node, folder = serving_first
    id = damaged(pristine, folder, damage)
    answer = node.call(ADMIN, {"id": id})
    assert answer.status == status, answer.body
    said = answer.json()
    assert answer.headers["content-type"] == "application/problem+json" and said["error"] == "broken_generation"
    assert words in said["detail"] and "Traceback" not in said["detail"] and len(said["detail"]) > 20, said
    assert (folder / "current").read_text().strip() == pristine[1] and not (folder / "previous").exists()
    state = node.call("/health").json()
    assert state["status"] == "degraded" and state["generation"] == pristine[1] and state["refused"]["id"] == id
    assert node.call("/health/ready").status == 200
    grounded = node.chat(QUESTION).json()["loom"]
    assert grounded["pin"]["generation"] == pristine[1] and "Braising" in {unit["title"] for unit in grounded["units"]}


def test_a_whole_one_is_served_afterwards(pristine: tuple[Path, str, str], serving_first: tuple[Node, Path]) -> None:
    """After every row, the same generation, whole, is taken; the refusal is forgotten; and back again."""
    node, folder = serving_first
    damaged(pristine, folder, lambda folder: None)
    moved = node.call(ADMIN, {"id": pristine[2]})
    assert moved.status == 200, moved.body
    assert node.call("/health").json()["status"] == "ok"
    assert "Braising" not in {unit["title"] for unit in node.chat(QUESTION).json()["loom"]["units"]}
    assert node.call(ADMIN, {"rollback": True}).json()["generation"] == pristine[1]
    assert not any("Traceback" in line or '"event":"unexpected"' in line for line in node.lines)
    assert node.call("/metrics").body.decode().count('loom_swaps_total{result="refused"}') == 1


POINTERS: list[tuple[str, bytes | None]] = [
    ("an id that is not there", b"sha256:" + b"a" * 64 + b"\n"),
    ("an empty file", b""),
    ("no id", b"current\n"),
    ("a path", b"../../etc/passwd\n"),
    ("two ids", b"sha256:" + b"a" * 64 + b"\nsha256:" + b"b" * 64 + b"\n"),
    ("no text", b"\xff\xfe\x00"),
    ("nothing", None),
]


@pytest.mark.parametrize("content", [row[1] for row in POINTERS], ids=[row[0] for row in POINTERS])
def test_a_pointer_that_is_wrong_changes_nothing(
    pristine: tuple[Path, str, str], serving_first: tuple[Node, Path], content: bytes | None
) -> None:
    node, folder = serving_first
    pointer = folder / "current"
    good = pointer.read_bytes()
    draft = folder / ".draft-test"
    if content is None:
        pointer.unlink()
    else:
        draft.write_bytes(content)
        draft.replace(pointer)
    time.sleep(0.7)
    try:
        assert node.call("/health/ready").status == 200
        assert node.chat(QUESTION).json()["loom"]["pin"]["generation"] == pristine[1]
    finally:
        draft.write_bytes(good)
        draft.replace(pointer)
    until = time.monotonic() + 5
    while node.call("/health").json()["status"] != "ok" and time.monotonic() < until:
        time.sleep(0.05)
    assert node.call("/health").json()["status"] == "ok"


STARTS = ("no manifest", "one byte that differs", "another format", "no concepts", "records that are garbage")


@pytest.mark.parametrize("name", [*STARTS, "a pointer to nothing", "a pointer that is garbage"])
def test_a_node_that_starts_on_it_is_alive_and_not_ready(pristine: tuple[Path, str, str], tmp_path: Path, name: str) -> None:
    """It says what is wrong on every surface, never answers from an empty floor, and serves as soon as it can."""
    folder = tmp_path / "generations"
    shutil.copytree(pristine[0], folder, ignore=shutil.ignore_patterns(".run"))
    if name.startswith("a pointer"):
        (folder / "current").write_bytes(b"sha256:" + b"a" * 64 + b"\n" if "nothing" in name else b"\xff")
    else:
        damage = next(row[1] for row in BROKEN if row[0] == name)
        (folder / "current").write_text(damaged(pristine, folder, damage) + "\n")
    with running("serve", "--generations", folder, "--port", "0", ready=False) as node:
        until = time.monotonic() + 10
        while (node.call("/health").json()["refused"] is None and not name.endswith("garbage")) and time.monotonic() < until:
            time.sleep(0.05)
        ready, state = node.call("/health/ready"), node.call("/health").json()
        assert ready.status == 503 and state["status"] == "unready" and state["generation"] is None
        chat = node.chat(QUESTION)
        assert chat.status == 503 and chat.json()["error"]["code"] == "no_generation" and chat.headers["retry-after"]
        assert node.call("/loom/scaffold", {"prompt": QUESTION}).status == 503
        assert node.call("/loom/search", {"text": "braising"}).status == 503
        assert node.call("/loom/generation").status == 503
        assert len(ready.json()["detail"]) > 30 and "Traceback" not in "".join(node.lines)
        used = loom("generations", "use", pristine[1], "--generations", folder)
        assert used.returncode == 0, used.stderr
        while node.call("/health/ready").status != 200 and time.monotonic() < until + 10:
            time.sleep(0.05)
        assert node.chat(QUESTION).json()["loom"]["pin"]["generation"] == pristine[1]


COMMANDS: list[tuple[list[str], int, str]] = [
    (["generations", "show", "nothing"], 2, "nothing"),
    (["generations", "use", "sha256:" + "f" * 64], 2, "no generation"),
    (["generations", "verify", "zz"], 2, "zz"),
    (["generations", "rollback"], 2, "roll"),
    (["generations", "diff", "a", "b"], 2, "no generation"),
    (["query", QUESTION, "--generation", "ffff"], 2, "no generation"),
    (["query", ""], 2, "question"),
]


@pytest.mark.parametrize(("arguments", "code", "words"), COMMANDS, ids=lambda value: str(value)[:40])
def test_commands_over_what_is_not_there(pristine: tuple[Path, str, str], arguments: list[str], code: int, words: str) -> None:
    said = loom(*arguments, "--generations", pristine[0])
    assert said.returncode == code and words in said.stderr and "Traceback" not in said.stderr, (said.stdout, said.stderr)
    assert (pristine[0] / "current").read_text().strip() == pristine[1]
