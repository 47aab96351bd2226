"""Choices over shown options: what a turn says, the options, which is right, or none."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.lines import lines

SHOWN = ("shown", "turn", "text")
NO_POPULATION = "all"


@dataclass(frozen=True, slots=True)
class Option:
    """One option: `text` says what it is for, `exclusion` what it is not for."""

    id: str
    text: str
    exclusion: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice. `answer` is the id of the right option, None where declining is right; `judged` says whether a judge chose,
    `judge` what it chose, None where it declined."""

    id: str
    shown: str
    options: tuple[Option, ...]
    answer: str | None
    population: str = NO_POPULATION
    judged: bool = False
    judge: str | None = None


def read(path: Path) -> tuple[Choice, ...]:
    """The choices of a file, a JSON object a line: id, options [{id, text, exclusion?}], shown (or turn, or text), answer (null
    to decline), population, judge_choice. Raises BadInput."""
    found: list[Choice] = []
    seen: dict[str, int] = {}
    for number, row in lines(path, "tasks"):
        choice = choice_of(row, f"line {number} of {path}")
        if first := seen.get(choice.id):
            raise BadInput(
                f"Expected every choice of {path} to have its own id, but {choice.id!r} stands in lines {first} and {number}.",
                param="tasks",
            )
        seen[choice.id] = number
        found.append(choice)
    if not found:
        raise BadInput(f"Expected at least one choice in {path}, but it has none.", param="tasks")
    return tuple(found)


def choice_of(row: Mapping[str, Json], where: str) -> Choice:
    """A choice from a line of a file; `where` names the line. Raises BadInput."""
    shown = next((row[name] for name in SHOWN if isinstance(row.get(name), str)), "")
    if not shown.strip():
        raise BadInput(f"Expected what is chosen for as shown, turn or text in {where}, but there is none.", param="tasks")
    if "answer" not in row:
        raise BadInput(f"Expected answer in {where}: the id of an option, or null where declining is right.", param="answer")
    options = _options(row.get("options"), where)
    ids = {option.id for option in options}
    for name in ("answer", "judge_choice"):
        if row.get(name) is not None and str(row[name]) not in ids:
            raise BadInput(
                f"Expected {name} of {where} to be the id of one of its options, or null, but got {str(row[name])[:60]!r}.",
                param=name,
            )
    answer, judge = row["answer"], row.get("judge_choice")
    return Choice(
        str(row["id"]) if row.get("id") not in (None, "") else where,
        shown,
        options,
        None if answer is None else str(answer),
        str(row.get("population") or NO_POPULATION),
        "judge_choice" in row,
        None if judge is None else str(judge),
    )


def _options(stated: Json, where: str) -> tuple[Option, ...]:
    if not isinstance(stated, list) or not stated:
        raise BadInput(f"Expected options in {where} to be a list of objects with id and text.", param="options")
    found: dict[str, Option] = {}
    for each in stated:
        if not isinstance(each, Mapping) or each.get("id") in (None, "") or not isinstance(each.get("text"), str):
            raise BadInput(
                f"Expected an object with id and text in options of {where}, but got {str(each)[:60]!r}.", param="options"
            )
        option = Option(str(each["id"]), each["text"], str(each.get("exclusion") or ""))
        if option.id in found:
            raise BadInput(
                f"Expected every option of {where} to have its own id, but {option.id!r} comes twice.", param="options"
            )
        found[option.id] = option
    return tuple(found.values())
