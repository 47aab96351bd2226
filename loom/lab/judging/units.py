"""Audit units: one gold item of one question in one model's answer, and the cell of the matcher that it falls in."""

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.exposure import READERS
from loom.core.values import Json
from loom.lab.judging.references import edge_of
from loom.lab.row import ANSWERED, EMPTY, Row, read_rows
from loom.lab.showing import visible

CELLS = ("n11", "n10", "n01", "n00")
"""Exposed and recovered, exposed and omitted, unexposed and recovered, neither (lab spec, "Definitions")."""


def cell_of(exposed: bool, recovered: bool) -> str:
    return CELLS[(0 if exposed else 2) + (0 if recovered else 1)]


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit with everything that an adjudicator needs. `item` is the gold item's place in its question, from 0."""

    set: str
    id: str
    arm: str
    model: str
    item: int
    title: str
    cell: str
    template: str
    gold_type: str
    question: str
    edge: str
    gold: tuple[str, ...]
    answer: str

    @property
    def key(self) -> tuple[str, ...]:
        return (self.set, self.id, self.arm, self.model, str(self.item))

    def as_json(self) -> dict[str, Json]:
        """As a line of a sample or of a file of verdicts."""
        return {
            "set": self.set,
            "id": self.id,
            "arm": self.arm,
            "model": self.model,
            "item": self.item,
            "title": self.title,
            "cell": self.cell,
            "template": self.template,
            "gold_type": self.gold_type,
            "question": self.question,
            "edge": self.edge,
            "gold": list(self.gold),
            "answer": self.answer,
            "answer_sha256": sha256(self.answer.encode("utf-8", "surrogatepass")).hexdigest(),
        }


def unit_of(row: Row, item: int, cell: str) -> Unit:
    question = row.question
    return Unit(
        question.set,
        question.id,
        row.arm,
        row.model,
        item,
        question.titles[item],
        cell,
        question.template,
        question.gold_type,
        question.prompt,
        str(edge_of(question)),
        question.titles,
        row.answer,
    )


def cells_of(row: Row, matcher: str) -> list[str]:
    """The cell of each gold item of a row: exposure over the visible input, recovery over the answer."""
    shown, said = exposed(visible(row.messages), row.question.titles, matcher), READERS[matcher](row.answer)
    return [cell_of(each, said.names(title)) for each, title in zip(shown, row.question.titles, strict=True)]


@lru_cache(maxsize=16)
def exposed(shown: str, titles: tuple[str, ...], matcher: str) -> tuple[bool, ...]:
    """Which titles a shown text names. The rows of several models, which show the same, come one after another."""
    text = READERS[matcher](shown)
    return tuple(text.names(title) for title in titles)


@dataclass(slots=True)
class Frame:
    """Every unit of one arm of a file, kept as numbers: by stratum (cell, template, gold type, model) the rows and items in it.

    `counts` are the sizes of the matcher's cells, given an answer: rows that failed or are empty (`empty` counts those) are out.
    """

    arm: str
    matcher: str
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CELLS, 0))
    strata: dict[tuple[str, str, str, str], "Places"] = field(default_factory=dict)
    empty: int = 0

    def add(self, number: int, row: Row) -> None:
        for item, cell in enumerate(cells_of(row, self.matcher)):
            self.counts[cell] += 1
            stratum = (cell, row.question.template, row.question.gold_type, row.model)
            self.strata.setdefault(stratum, Places()).add(number, item)

    def as_json(self) -> dict[str, Json]:
        return {
            "arm": self.arm,
            "matcher": self.matcher,
            "units": sum(self.counts.values()),
            **self.counts,
            "empty": self.empty,
        }


class Places:
    """Places of units: the number of a row in its file, and of an item in the row."""

    __slots__ = ("_items", "_rows")

    def __init__(self) -> None:
        self._rows, self._items = array("q"), array("l")

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, row: int, item: int) -> None:
        self._rows.append(row)
        self._items.append(item)

    def __getitem__(self, at: int) -> tuple[int, int]:
        return self._rows[at], self._items[at]


def counted(row: Row) -> bool:
    """Whether a row's gold items are units."""
    return row.status == ANSWERED and bool(row.question.gold) and bool(row.answer.strip())


def frame_of(rows: Path, arm: str, matcher: str) -> Frame:
    """The frame of an arm. Raises BadInput where the arm has no units."""
    found, arms = Frame(arm, matcher), set()
    for number, row in enumerate(read_rows(rows)):
        arms.add(row.arm)
        if row.arm == arm:
            if counted(row):
                found.add(number, row)
            elif row.status in (ANSWERED, EMPTY) and row.question.gold:
                found.empty += 1
    if not found.strata:
        raise BadInput(
            f"Expected answers of arm {arm!r} to questions with gold in {rows}, but there are none; its arms are "
            f"{', '.join(sorted(arms)) or 'none'}.",
            param="arm",
        )
    return found


def units_at(rows: Path, places: Mapping[tuple[int, int], str]) -> Iterator[Unit]:
    """The units at places (row, item) of a file, each of a given cell, in the file's order."""
    by_row: dict[int, list[tuple[int, str]]] = {}
    for (number, item), cell in sorted(places.items()):
        by_row.setdefault(number, []).append((item, cell))
    for number, row in enumerate(read_rows(rows)):
        for item, cell in by_row.get(number, ()):
            yield unit_of(row, item, cell)


def unit_from(row: Mapping[str, Json], where: str) -> Unit:
    """A unit from a line of a sample or of verdicts. Raises BadInput."""
    cell = row.get("cell")
    texts = {name: row.get(name) for name in ("id", "model", "title", "question", "answer")}
    lacking = sorted(name for name, value in texts.items() if not isinstance(value, str))
    if lacking or cell not in (*CELLS, "omitted"):
        raise BadInput(
            f"Expected a unit of an audit with id, model, title, question, answer and cell in {where}, but "
            f"{'it lacks ' + ', '.join(lacking) if lacking else f'its cell is {cell!r}'}.",
            param="sample",
        )
    gold, item = row.get("gold"), row.get("item", 0)
    if isinstance(item, bool) or not isinstance(item, int):
        raise BadInput(f"Expected item to be the place of a gold item in {where}, but got {item!r}.", param="sample")
    return Unit(
        set=str(row.get("set") or ""),
        id=str(row["id"]),
        arm=str(row.get("arm") or ""),
        model=str(row["model"]),
        item=item,
        title=str(row["title"]),
        cell=str(cell),
        template=str(row.get("template") or ""),
        gold_type=str(row.get("gold_type") or "all"),
        question=str(row["question"]),
        edge=str(row.get("edge") or "what the question asks for"),
        gold=tuple(str(title) for title in gold) if isinstance(gold, list) else (str(row["title"]),),
        answer=str(row["answer"]),
    )
