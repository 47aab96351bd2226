"""Scored rows in flat arrays: a row costs some sixty bytes, so that a million fit beside everything else.

Texts are not kept: of questions there are ids and groups, of names whether they were shown and said.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from loom.core.errors import BadInput
from loom.lab.row import STATUSES, read_rows
from loom.lab.scoring.attribution import Attribution
from loom.lab.scoring.invariant import Invariant
from loom.lab.scoring.scored import Scored, Scorer, digest

EXPOSED, RECOVERED, EXPOSED_BESIDE, RECOVERED_BESIDE = 1, 2, 4, 8
"""Bits of a cell: one name of one row."""

TRUNCATED, RETRIED = 1, 2

_STATUS = {name: code for code, name in enumerate(STATUSES)}
_CITED = Attribution.__slots__


class Words:
    """Words as numbers, in the order in which they came."""

    __slots__ = ("numbers", "words")

    def __init__(self) -> None:
        self.words: list[str] = []
        self.numbers: dict[str, int] = {}

    def __call__(self, word: str) -> int:
        number = self.numbers.get(word)
        if number is None:
            number = self.numbers[word] = len(self.words)
            self.words.append(word)
        return number


@dataclass(slots=True)
class Scores:
    """What scoring keeps. `question` to `chars` are columns, one entry a row; `start` says where a row's cells begin in `cells`.

    A question is its set and id, whose number is `numbers[set][id]`; `wanted` stands for the names that it asks for, `any_of` says
    whether one is enough, `template` and `domain` are numbers in `templates` and `domains`. `attributions` gives the few rows whose
    answers cite.
    """

    matcher: str = "default"
    beside: str | None = None
    sets: Words = field(default_factory=Words)
    arms: Words = field(default_factory=Words)
    models: Words = field(default_factory=Words)
    templates: Words = field(default_factory=Words)
    domains: Words = field(default_factory=Words)
    ids: list[str] = field(default_factory=list)
    numbers: list[dict[str, int]] = field(default_factory=list)
    set_of: array[int] = field(default_factory=lambda: array("i"))
    wanted: array[int] = field(default_factory=lambda: array("q"))
    any_of: array[int] = field(default_factory=lambda: array("b"))
    template: array[int] = field(default_factory=lambda: array("i"))
    domain: array[int] = field(default_factory=lambda: array("i"))
    question: array[int] = field(default_factory=lambda: array("i"))
    arm: array[int] = field(default_factory=lambda: array("i"))
    model: array[int] = field(default_factory=lambda: array("i"))
    status: array[int] = field(default_factory=lambda: array("b"))
    marks: array[int] = field(default_factory=lambda: array("b"))
    names: array[int] = field(default_factory=lambda: array("i"))
    right: array[int] = field(default_factory=lambda: array("i"))
    chars: array[int] = field(default_factory=lambda: array("i"))
    start: array[int] = field(default_factory=lambda: array("q", [0]))
    cells: bytearray = field(default_factory=bytearray)
    cited: array[int] = field(default_factory=lambda: array("q"))
    cited_counts: array[int] = field(default_factory=lambda: array("i"))
    invariant: Invariant = field(default_factory=Invariant)

    def __len__(self) -> int:
        return len(self.question)

    def add(self, scored: Scored) -> None:
        """One more row. Raises BadInput where its question has other gold than before."""
        asked = scored.question
        wanted = int.from_bytes(digest(*asked.titles)[:8], "big", signed=True)
        question = self._question(asked.set, asked.id, wanted, asked.gold_type == "any", asked.template, asked.domain)
        if scored.cited is not None:
            self.cited.append(len(self))
            self.cited_counts.extend(getattr(scored.cited, name) for name in _CITED)
        self.question.append(question)
        self.arm.append(self.arms(scored.arm))
        self.model.append(self.models(scored.model))
        self.status.append(_STATUS[scored.status])
        self.marks.append(TRUNCATED * scored.truncated | RETRIED * scored.retried)
        self.names.append(-1 if scored.names is None else scored.names)
        self.right.append(-1 if scored.right is None else scored.right)
        self.chars.append(min(scored.chars, 2**31 - 1))
        if scored.beside is None:
            self.cells.extend([x | y << 1 for x, y in zip(scored.exposed, scored.recovered, strict=True)])
        else:
            sides = zip(scored.exposed, scored.recovered, *scored.beside, strict=True)
            self.cells.extend([x | y << 1 | u << 2 | v << 3 for x, y, u, v in sides])
        self.start.append(len(self.cells))
        ceiling, symmetric = scored.ceiling, scored.symmetric
        if scored.copied is not None and ceiling is not None and symmetric is not None:
            self.invariant.compare(f"{asked.id} ({scored.arm})", asked.gold_type, ceiling, symmetric, scored.copied)

    def _question(self, set: str, id: str, wanted: int, any_of: bool, template: str, domain: str) -> int:
        of = self.sets(set)
        if of == len(self.numbers):
            self.numbers.append({})
        number = self.numbers[of].get(id)
        if number is None:
            number = self.numbers[of][id] = len(self.ids)
            self.ids.append(id)
            self.set_of.append(of)
            self.wanted.append(wanted)
            self.any_of.append(any_of)
            self.template.append(self.templates(template))
            self.domain.append(self.domains(domain))
        elif self.wanted[number] != wanted or bool(self.any_of[number]) != any_of:
            raise BadInput(
                f"Expected every row of question {id!r} to ask for the same names in one order and of one type, but two differ: are "
                "these rows of two question sets? Give each set a name of its own.",
                param="rows",
            )
        return number

    def extend(self, other: Scores) -> None:
        """The rows of another, after these: how shards become one."""
        question = [
            self._question(
                other.sets.words[other.set_of[at]],
                id,
                other.wanted[at],
                bool(other.any_of[at]),
                other.templates.words[other.template[at]],
                other.domains.words[other.domain[at]],
            )
            for at, id in enumerate(other.ids)
        ]
        arm, model = [self.arms(word) for word in other.arms.words], [self.models(word) for word in other.models.words]
        rows, cells = len(self), len(self.cells)
        for into, numbers, which in (
            (self.question, question, other.question),
            (self.arm, arm, other.arm),
            (self.model, model, other.model),
        ):
            into.frombytes(np.asarray(numbers, dtype=np.int32)[np.asarray(which, dtype=np.int32)].tobytes())
        for name in ("status", "marks", "names", "right", "chars", "cited_counts"):
            getattr(self, name).extend(getattr(other, name))
        self.cited.frombytes((np.asarray(other.cited, dtype=np.int64) + rows).tobytes())
        self.start.frombytes((np.asarray(other.start[1:], dtype=np.int64) + cells).tobytes())
        self.cells.extend(other.cells)
        self.invariant.extend(other.invariant)

    def attributions(self) -> Iterator[tuple[int, Attribution]]:
        """The rows whose answers cite units, and how."""
        width = len(_CITED)
        for at, row in enumerate(self.cited):
            yield row, Attribution(*self.cited_counts[at * width : (at + 1) * width])

    def check(self) -> Scores:
        """The same, if every question, arm and model has one row at most. Raises BadInput, also where there is no row.

        The invariant was then checked for every question and arm.
        """
        if not len(self):
            raise BadInput("Expected at least one row, but there is none; `loom lab run` writes them.", param="rows")
        key = self.column("question").astype(np.int64) * len(self.arms.words) + self.column("arm")
        self.invariant.checked = len(np.unique(key))
        key = np.sort(key * len(self.models.words) + self.column("model"))
        twice = np.flatnonzero(key[1:] == key[:-1])
        if len(twice):
            rest, model = divmod(int(key[twice[0]]), len(self.models.words))
            question, arm = divmod(rest, len(self.arms.words))
            raise BadInput(
                f"Expected one row for each question, arm and model, but question {self.ids[question]!r} has two for arm "
                f"{self.arms.words[arm]!r} and model {self.models.words[model]!r}; remove one.",
                param="rows",
            )
        return self

    def column(self, name: str) -> np.ndarray:
        """A column (rows,), or of the questions, (questions,), without a copy."""
        return np.asarray(getattr(self, name))

    def names_told(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How many names each answer states and how many are right, of those rows (i64) of which it is known."""
        names = self.column("names")[rows]
        return names[names >= 0], self.column("right")[rows][names >= 0]

    def having(self, *statuses: str) -> np.ndarray:
        """bool (rows,): which rows have one of these statuses."""
        return np.isin(self.column("status"), [_STATUS[status] for status in statuses])


def scored_file(path: Path, scorer: Scorer, rows: Iterable[Scored] | None = None) -> Scores:
    """The rows of a file, scored one at a time and kept compactly; `rows` where they are scored already. Raises BadInput."""
    found = Scores(scorer.matcher, scorer.beside)
    for scored in map(scorer, read_rows(path)) if rows is None else rows:
        found.add(scored)
    return found.check()
