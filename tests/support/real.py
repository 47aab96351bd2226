"""The real corpus: where it lies, and the generation that is built from its compiled index. Tests that need it skip, saying so."""

import json
import os
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from loom.answer.plan import Pin
from loom.build import seal
from loom.build.checks import KINDS
from loom.core.report import Report
from loom.core.values import Concept
from loom_adapters.generation_folder import GenerationFolder
from loom_adapters.index_v1 import IndexV1
from loom_adapters.spoken_words import spoken

FOLDER = Path(os.environ.get("LOOM_TEST_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")


def real(name: str) -> Path:
    """A file of the real corpus; skips the test where it is absent."""
    path = FOLDER / "corpus" / name
    if not path.is_file():
        pytest.skip(f"needs {path}; set LOOM_TEST_DATA to the folder of the real corpus")
    return path


def question_set(name: str) -> Path:
    """A file of questions about the real corpus; skips the test where it is absent."""
    path = FOLDER / "retrieval" / name
    return path if path.is_file() else real(name)


def lines(name: str) -> list[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    return [json.loads(line) for line in real(name).read_text(encoding="utf-8").splitlines()]


@cache
def index() -> tuple[Concept, ...]:
    """The concepts of the compiled index, in its order."""
    return tuple(IndexV1(real("scaffold-index-v1.json.xz")).read(Report(KINDS)))


@cache
def _built() -> tuple[tempfile.TemporaryDirectory[str], Pin]:
    folder = tempfile.TemporaryDirectory(prefix="loom-real-")
    store = GenerationFolder(folder.name)
    with store.draft() as draft:
        seal.write(draft, index(), Report(KINDS), everyday=spoken(("en",)))
        id = store.seal(draft)
    store.point(id)
    return folder, Pin(store.open(id))


def store() -> Path:
    """The folder of generations in which the generation of the compiled index is current."""
    pin()
    return Path(_built()[0].name)


def pin() -> Pin:
    """A pin on the generation of the compiled index; built once a test run."""
    real("scaffold-index-v1.json.xz")
    return _built()[1]
