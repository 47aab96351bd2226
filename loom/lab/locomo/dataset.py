"""LoCoMo as it is released: conversations with their turns, and questions with annotated evidence (specs/memory.md §1)."""

import lzma
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from loom.core.errors import BadInput
from loom.core.facts.dates import MONTHS
from loom.core.memory.values import Said
from loom.lab.locomo.scorer import ADVERSARIAL, CATEGORIES

PUBLISHED = "79fa87e90f04081343b8c8debecb80a9a6842b76a7aa537dc9fdf651ea698ff4"
"""SHA-256 of the file that the seed measured on."""

_DATE = re.compile(r"(\d{1,2})\s+([A-Za-z]+),?\s+(\d{4})")


@dataclass(frozen=True, slots=True)
class Question:
    """A question of conversation number `talk`. `evidence` are ids of turns; `reference` is "" where there is no answer."""

    talk: int
    text: str
    category: int
    reference: str
    evidence: tuple[str, ...]

    @property
    def answerable(self) -> bool:
        return self.category != ADVERSARIAL


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation; turns of all sessions in order. `pictures` counts those with a caption."""

    id: str
    speakers: tuple[str, ...]
    turns: tuple[Said, ...]
    sessions: int


@dataclass(frozen=True, slots=True)
class Dataset:
    """All of it, with the SHA-256 of the file as it is unpacked."""

    talks: tuple[Talk, ...]
    questions: tuple[Question, ...]
    sha256: str


def dataset(path: Path) -> Dataset:
    """Read the file, packed with xz or not. Raises BadInput, naming the conversation where one is not as released."""
    try:
        data = path.read_bytes()
        if path.suffix == ".xz":
            data = lzma.decompress(data)
        rows = orjson.loads(data)
    except (OSError, lzma.LZMAError, orjson.JSONDecodeError) as error:
        raise BadInput(f"{path} cannot be read as LoCoMo ({error}); give its locomo10.json.", param="path") from error
    if not isinstance(rows, list) or not rows:
        raise BadInput(f"Expected {path} to hold a list of conversations; give LoCoMo's locomo10.json.", param="path")
    talks, questions = [], []
    for number, row in enumerate(rows):
        try:
            talks.append(_talk(row))
            questions += [_question(number, each) for each in row["qa"]]
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise BadInput(
                f"Conversation {number + 1} of {path} is not as LoCoMo writes them ({type(error).__name__}: {error}).",
                param="path",
            ) from error
    return Dataset(tuple(talks), tuple(questions), sha256(data).hexdigest())


def _talk(row: Mapping[str, Any]) -> Talk:
    talk = row["conversation"]
    sessions = sorted(int(key[8:]) for key, turns in talk.items() if re.fullmatch(r"session_\d+", key) and turns)
    turns = [
        Said(turn["speaker"], turn["text"], _iso(talk.get(f"session_{session}_date_time", "")), turn["dia_id"], _caption(turn))
        for session in sessions
        for turn in talk[f"session_{session}"]
    ]
    speakers = tuple(value for key, value in talk.items() if re.fullmatch(r"speaker_[a-z]", key))
    return Talk(str(row.get("sample_id", "")), speakers, tuple(turns), len(sessions))


def _caption(turn: Mapping[str, Any]) -> str:
    return str(turn.get("blip_caption") or "")


def _iso(date: str) -> str:
    """ "1:56 pm on 8 May, 2023" as "2023-05-08"."""
    found = _DATE.search(date)
    return f"{int(found[3]):04}-{MONTHS[found[2].lower()]:02}-{int(found[1]):02}" if found else ""


def _question(talk: int, row: Mapping[str, Any]) -> Question:
    category = int(row["category"])
    if category not in CATEGORIES:
        raise ValueError(f"category {category}")
    evidence = tuple(str(each).strip("()") for each in row.get("evidence") or ())
    return Question(talk, str(row["question"]), category, str(row.get("answer", "")), evidence)
