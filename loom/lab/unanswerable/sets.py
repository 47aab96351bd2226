"""The set: conversations and pairs of a seed, as what the benchmark of conversation memory runs on, and as files."""

from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path

import orjson

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.files import write_json, write_lines
from loom.lab.locomo.dataset import Dataset, Question, Talk
from loom.lab.locomo.scorer import ADVERSARIAL, SINGLE
from loom.lab.unanswerable.facts import worlds
from loom.lab.unanswerable.questions import Pair, pairs
from loom.lab.unanswerable.times import MONTHS
from loom.lab.unanswerable.writing import written

SEED = 42
CONVERSATIONS = 14
FEWEST, MOST = 2, 500


@dataclass(frozen=True, slots=True)
class Made:
    """`data` holds each pair as two questions, the one without an answer first. Both have the twin's evidence: what the wrong person,
    time or relation is true of, as LoCoMo annotates its adversarial questions."""

    data: Dataset
    pairs: tuple[Pair, ...]
    seed: int = SEED


def made(seed: int = SEED, conversations: int = CONVERSATIONS) -> Made:
    """The set of a seed; the same for the same seed. Raises BadInput for fewer than FEWEST conversations or more than MOST."""
    if not FEWEST <= conversations <= MOST:
        raise BadInput(f"Expected {FEWEST} to {MOST} conversations, but got {conversations}.", param="conversations")
    talks = [written(seed, world) for world in worlds(seed, conversations)]
    found = tuple(pairs(seed, talks))
    questions = [
        question
        for pair in found
        for question in (
            Question(pair.talk, pair.question, ADVERSARIAL, "", pair.evidence),
            Question(pair.talk, pair.twin, SINGLE, pair.answer, pair.evidence),
        )
    ]
    data = Dataset(tuple(talk.talk for talk in talks), tuple(questions), "")
    digest = sha256(orjson.dumps(released(data))).hexdigest()
    return Made(Dataset(data.talks, data.questions, digest), found, seed)


def write(made: Made, folder: Path) -> dict[str, str]:
    """`set.json` in the shape in which LoCoMo is released, and `pairs.jsonl`, a row a pair; gives their SHA-256. Raises BadInput."""
    rows = [
        {
            "conversation": made.data.talks[pair.talk].id,
            "kind": pair.kind,
            "question": pair.question,
            "twin": pair.twin,
            "answer": pair.answer,
            "evidence": list(pair.evidence),
            "shared": round(pair.shared, 4),
        }
        for pair in made.pairs
    ]
    return {
        "set.json": write_json(folder / "set.json", released(made.data)),
        "pairs.jsonl": write_lines(folder / "pairs.jsonl", rows),
    }


def released(data: Dataset) -> list[Json]:
    """Conversations and questions as `loom lab locomo` reads them."""
    return [
        {
            "sample_id": talk.id,
            "conversation": _conversation(talk),
            "qa": [
                {
                    "question": question.text,
                    "answer": question.reference,
                    "category": question.category,
                    "evidence": list(question.evidence),
                }
                for question in data.questions
                if question.talk == number
            ],
        }
        for number, talk in enumerate(data.talks)
    ]


def _conversation(talk: Talk) -> dict[str, Json]:
    found: dict[str, Json] = {f"speaker_{chr(ord('a') + at)}": name for at, name in enumerate(talk.speakers)}
    for said in talk.turns:
        session = f"session_{said.id[1:].split(':')[0]}"
        day = date.fromisoformat(said.date)
        found.setdefault(f"{session}_date_time", f"6:00 pm on {day.day} {MONTHS[day.month - 1]}, {day.year}")
        found.setdefault(session, []).append({"speaker": said.speaker, "dia_id": said.id, "text": said.text})
    return found
