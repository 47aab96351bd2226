"""Reading results.json: members by name, in study order, without failing where a study has less."""

from collections.abc import Iterable, Mapping, Sequence

from loom.core.values import Json
from loom.lab.report.figure import Results
from loom.lab.report.words import name

LOWER = '<abbr class="lower" title="lower confidence: more than 2 % of the answers were cut off">†</abbr>'


def part(value: Json, *path: str) -> Json:
    """The member at a path, None where there is none."""
    for step in path:
        if not isinstance(value, Mapping):
            return None
        value = value.get(step)
    return value


def objects(results: Results, member: str) -> list[Mapping[str, Json]]:
    return mappings(results.get(member))


def mappings(value: Json) -> list[Mapping[str, Json]]:
    """The objects of a list; none of what is no list."""
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, Sequence) else []


def study(results: Results, member: str) -> Json:
    return part(results, "study", member)


def models(results: Results) -> list[str]:
    return [str(each) for each in study(results, "models") or ()]


def arms(results: Results) -> list[str]:
    return [str(each) for each in study(results, "arms") or ()]


def bare(results: Results) -> str | None:
    """The arm without grounding."""
    return _arm(results, "bare")


def grounded(results: Results) -> str | None:
    """The arm that the first screen is about."""
    return _arm(results, "grounded")


def _arm(results: Results, member: str) -> str | None:
    stated = study(results, member)
    return None if stated is None else str(stated)


def cell(results: Results, model: str, arm: str | None) -> Mapping[str, Json] | None:
    return next((each for each in objects(results, "cells") if each.get("model") == model and each.get("arm") == arm), None)


def cells_of(results: Results, arm: str | None) -> list[Mapping[str, Json]]:
    """The cells of an arm, by model in study order."""
    found = ((model, cell(results, model, arm)) for model in models(results))
    return [each for _, each in found if each is not None]


def called(cell: Mapping[str, Json], member: str = "model") -> str:
    """The name of a cell's model, as HTML, marked where its figures are of lower confidence."""
    return name(cell.get(member)) + (LOWER if cell.get("lower_confidence") else "")


def any_lower(cells: Iterable[Mapping[str, Json]]) -> bool:
    return any(each.get("lower_confidence") for each in cells)


def first(values: Iterable[Json]) -> Json:
    """The first value that is there."""
    return next((value for value in values if value is not None), None)
