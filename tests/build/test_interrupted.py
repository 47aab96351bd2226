"""A build that ends in the middle: nothing half-done is ever visible, and the next build is as if there had been none."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.pages import page, ref

from loom_adapters.generation_folder import GenerationFolder


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("pages")
    for at in range(900):
        (root / f"{at}.md").write_text(page(f"kiln-{at}", subClassOf=ref(f"kiln-{at // 3}"), relations={"uses": ref("clay")}))
    return root


def started(pages: Path, out: Path, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "loom.cli.main", "build", str(pages), "--out", str(out), *more]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "TERM": "dumb"}
    )


def when(process: subprocess.Popen[str], out: Path, moment: str) -> None:
    """Wait until a draft is being written, or for so many seconds."""
    if moment == "writing":
        while process.poll() is None and not any(out.glob(".draft-*/parts")):
            time.sleep(0.001)
    else:
        time.sleep(float(moment))


@pytest.mark.parametrize("moment", ["0.2", "0.6", "writing"])
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_an_interrupted_build_leaves_nothing_visible(pages: Path, tmp_path: Path, moment: str, end: signal.Signals) -> None:
    process = started(pages, tmp_path, "--workers", "2")
    when(process, tmp_path, moment)
    process.send_signal(end)
    out, err = process.communicate(timeout=30)
    store = GenerationFolder(tmp_path)
    if process.returncode == 0:
        pytest.skip("the build was faster than the signal")
    assert out == ""
    assert store.list() == []
    assert store.current() is None
    if end == signal.SIGINT and process.returncode == 130:
        assert "nothing half-done is left" in err
        assert not list(tmp_path.glob(".draft-*"))


def test_the_next_build_clears_what_a_killed_one_left(pages: Path, tmp_path: Path) -> None:
    killed = started(pages, tmp_path)
    when(killed, tmp_path, "writing")
    killed.kill()
    killed.communicate(timeout=30)
    whole = started(pages, tmp_path, "--quiet")
    out, err = whole.communicate(timeout=60)
    assert (whole.returncode, err) == (0, "")
    store = GenerationFolder(tmp_path)
    assert store.current() == out.strip()
    store.verify(out.strip())
    assert not list(tmp_path.glob(".draft-*"))


def test_no_parser_outlives_a_killed_build(pages: Path, tmp_path: Path) -> None:
    process = started(pages, tmp_path, "--workers", "2")
    children: set[str] = set()
    until = time.monotonic() + 20
    while process.poll() is None and time.monotonic() < until and len(children) < 2:
        children |= set(Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split())
        time.sleep(0.005)
    process.kill()
    process.communicate(timeout=30)
    until = time.monotonic() + 10
    while (alive := [child for child in children if Path(f"/proc/{child}").exists()]) and time.monotonic() < until:
        time.sleep(0.01)
    assert alive == []
