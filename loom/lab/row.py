"""Rows: one object per question, arm and model, with all that scoring again without a model needs."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.exposure import READERS
from loom.core.values import Json
from loom.lab.files import write_lines
from loom.lab.lines import lines
from loom.lab.question import LabQuestion, question_of

ANSWERED, EMPTY, ERROR = "answered", "empty", "error"
STATUSES = (ANSWERED, EMPTY, ERROR, "no_donor", "no_block")
DEFAULT_MATCHER = "default"


@dataclass(frozen=True, slots=True)
class Row:
    """One row. `status` is one of STATUSES; the last two were never asked, and their answer is "".

    `showing` is what `Showing.as_json` stores (messages, block, block_tokens, wrapper, units, names, donor, seed, engaged,
    decision, notes); `said` what `Said.as_json` stores (answer, completion, finish_reason, model_reported, usage, attempts,
    error, call); `study` what the rows of one study share (generation, node version, policy, matcher, seeds, request).
    Nothing in a row tells the time, so that a study that was broken off and resumed leaves the same rows.
    """

    question: LabQuestion
    arm: str
    model: str
    status: str
    showing: Mapping[str, Json] = field(default_factory=dict)
    said: Mapping[str, Json] = field(default_factory=dict)
    study: Mapping[str, Json] = field(default_factory=dict)

    @property
    def answer(self) -> str:
        return str(self.said.get("answer") or "")

    @property
    def matcher(self) -> str:
        """How names are matched, as the study states it; the default where it does not."""
        stated = self.study.get("matcher")
        return stated if isinstance(stated, str) and stated in READERS else DEFAULT_MATCHER

    @property
    def messages(self) -> list[dict[str, Json]]:
        return list(self.showing.get("messages") or [])

    def as_json(self) -> dict[str, Json]:
        return {
            "set": self.question.set,
            "id": self.question.id,
            "arm": self.arm,
            "model": self.model,
            "status": self.status,
            "question": self.question.as_json(),
            "showing": dict(self.showing),
            "said": dict(self.said),
            "study": dict(self.study),
        }


def row_of(stated: Mapping[str, Json], where: str) -> Row:
    """A row from a line of a file; `where` names the line. Raises BadInput."""
    for name in ("arm", "model", "status", "question"):
        if stated.get(name) is None:
            raise BadInput(f"Expected {name} in {where}, but there is none: is this a file of rows?", param="rows")
    if str(stated["status"]) not in STATUSES:
        raise BadInput(
            f"Expected status to be one of {', '.join(STATUSES)} in {where}, but got {stated['status']!r}.", param="rows"
        )
    for name in ("question", "showing", "said", "study"):
        if not isinstance(stated.get(name) or {}, Mapping):
            raise BadInput(f"Expected {name} to be an object in {where}, but got {str(stated[name])[:40]!r}.", param="rows")
    showing = stated.get("showing") or {}
    messages = showing.get("messages") or []
    if not isinstance(messages, list) or not all(isinstance(message, Mapping) for message in messages):
        raise BadInput(f"Expected messages to be a list of objects in {where}, but got {str(messages)[:40]!r}.", param="rows")
    answer = (stated.get("said") or {}).get("answer")
    if not isinstance(answer, str | None):
        raise BadInput(f"Expected answer to be a text in {where}, but got {str(answer)[:40]!r}.", param="rows")
    return Row(
        question_of(stated["question"] or {}, where),
        str(stated["arm"]),
        str(stated["model"]),
        str(stated["status"]),
        showing,
        stated.get("said") or {},
        stated.get("study") or {},
    )


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a file, one at a time, so that a file larger than memory can be scored. Raises BadInput."""
    for number, stated in lines(path, "rows"):
        yield row_of(stated, f"line {number} of {path}")


def first_row(path: Path) -> Row:
    """The first row of a file: it states what all rows of its study share. Raises BadInput where there is none."""
    for row in read_rows(path):
        return row
    raise BadInput(f"Expected at least one row in {path}, but it is empty; `loom lab run` writes them.", param="rows")


def write_rows(path: Path, rows: Iterable[Row]) -> str:
    """Rows as a file, whole or not at all; gives its SHA-256."""
    return write_lines(path, (row.as_json() for row in rows))
