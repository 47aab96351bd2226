"""The bootstrap's own decisions. The whole way from a bare checkout is walked by CI, which starts from one."""

import json
import subprocess
import sys
from pathlib import Path

from loom import bootstrap

ROOT = Path(__file__).resolve().parent.parent


def a_checkout(folder: Path) -> Path:
    (folder / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (folder / "constraints.txt").write_text("a==1\n")
    return folder


def test_the_checkout_is_the_folder_with_the_project_file() -> None:
    assert bootstrap.checkout() == ROOT


def test_the_key_follows_dependencies_pins_python_and_folder(tmp_path: Path) -> None:
    root = a_checkout(tmp_path)
    first = bootstrap.key(root, "3.11.1")
    assert bootstrap.key(root, "3.11.1") == first
    assert bootstrap.key(root, "3.12.0") != first
    (root / "constraints.txt").write_text("a==2\n")
    second = bootstrap.key(root, "3.11.1")
    assert second != first
    (root / "pyproject.toml").write_text("[project]\nname = 'y'\n")
    assert bootstrap.key(root, "3.11.1") not in (first, second)
    (tmp_path / "elsewhere").mkdir()
    elsewhere = a_checkout(tmp_path / "elsewhere")
    (elsewhere / "constraints.txt").write_text("a==1\n")
    assert bootstrap.key(elsewhere, "3.11.1") != first


def test_a_stamp_counts_only_under_its_own_key_and_only_whole(tmp_path: Path) -> None:
    assert bootstrap.stamped(tmp_path, "k") is None
    stamp = tmp_path / bootstrap.STAMP
    stamp.write_text(json.dumps({"key": "k", "extras": ["test"]}))
    assert bootstrap.stamped(tmp_path, "k") == {"test"}
    assert bootstrap.stamped(tmp_path, "other") is None
    for broken in ("", "{", "[]", "{}", '{"key": "k"}', '{"key": "k", "extras": 3}'):
        stamp.write_text(broken)
        assert bootstrap.stamped(tmp_path, "k") is None, broken


def test_an_installation_that_is_stamped_runs_no_pip(tmp_path: Path) -> None:
    root = a_checkout(tmp_path)
    prefix = tmp_path / "env"
    prefix.mkdir()
    (prefix / bootstrap.STAMP).write_text(json.dumps({"key": bootstrap.key(root), "extras": ["test"]}))
    bootstrap.install(root, prefix, "test")
    bootstrap.install(root, prefix, "")


def test_without_venv_it_says_which_package_brings_it() -> None:
    assert bootstrap.missing(lambda name: object()) is None
    said = bootstrap.missing(lambda name: None if name == "ensurepip" else object())
    assert said is not None
    assert "apt install python3-venv" in said


def test_a_missing_package_is_one_sentence_that_says_what_to_do(tmp_path: Path) -> None:
    """A Python without site-packages stands for the bare machine; a command that sets nothing up must not trace back."""
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); import runpy; sys.argv = ['loom', 'query', 'x'];"
         "runpy.run_module('loom', run_name='__main__')"],
        capture_output=True, text=True, timeout=60, cwd=tmp_path,
    )  # fmt: skip
    assert run.returncode == 2
    assert "Traceback" not in run.stderr
    assert "python3 -m loom demo" in run.stderr
