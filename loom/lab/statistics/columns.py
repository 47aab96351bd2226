"""Columns of a file for one statistic each: values with units, scores with truths, ratings, rankings. All hold the whole file."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from loom.core.errors import BadInput
from loom.lab.statistics.scorefile import number_of, read_rows, text_of

TRUTHS = {"1": 1, "0": 0, "1.0": 1, "0.0": 0, "true": 1, "false": 0, "yes": 1, "no": 0}


def numbers_by(path: Path, value: str, unit: str) -> tuple[list[float], list[str]]:
    """Values, and the unit of each. Raises BadInput; every row has both."""
    values, units = [], []
    for where, row in read_rows(path, (value, unit)):
        values.append(_told(row[value], value, where))
        units.append(text_of(row[unit]))
    return values, units


def scored_truths(
    path: Path, score: str, label: str, cluster: str | None = None
) -> tuple[list[float], list[int], list[str] | None]:
    """Scores, whether each is a positive, and their clusters where a column is named. Raises BadInput."""
    columns = (score, label) if cluster is None else (score, label, cluster)
    scores, truths, clusters = [], [], []
    for where, row in read_rows(path, columns):
        scores.append(_told(row[score], score, where))
        truths.append(truth_of(row[label], label, where))
        if cluster is not None:
            clusters.append(text_of(row[cluster]))
    return scores, truths, None if cluster is None else clusters


def truth_of(value: Any, name: str, where: str) -> int:
    """A field as 1 or 0. Raises BadInput."""
    found = TRUTHS.get(text_of(value).lower())
    if found is None:
        raise BadInput(f"Expected {name} in {where} to be 1 or 0, but got {str(value)[:40]!r}.", param="file")
    return found


def ratings(path: Path, raters: Sequence[str]) -> tuple[list[list[str]], int]:
    """The labels of every item that all raters labelled, and how many items were left out. Raises BadInput."""
    found, left_out = [], 0
    for _, row in read_rows(path, raters):
        labels = [text_of(row[name]) for name in raters]
        if "" in labels:
            left_out += 1
        else:
            found.append(labels)
    if not found:
        raise BadInput(f"Expected items of {path} that all raters labelled, but there are none.", param="file")
    return found, left_out


def rankings(path: Path) -> list[tuple[list[str], Mapping[Any, float]]]:
    """Rankings with the gains of their relevant ids. Raises BadInput; a query without a relevant id is one."""
    found: list[tuple[list[str], Mapping[Any, float]]] = []
    for where, row in read_rows(path, ("ranked", "relevant")):
        ranked, relevant = row["ranked"], row["relevant"]
        if not isinstance(ranked, list) or not isinstance(relevant, list | dict) or not relevant:
            raise BadInput(f"Expected ranked to be a list of ids and relevant ids or gains in {where}.", param="file")
        gains = relevant if isinstance(relevant, dict) else dict.fromkeys(map(str, relevant), 1)
        found.append(([str(id) for id in ranked], {str(id): _told(gain, "the gain", where) for id, gain in gains.items()}))
    if not found:
        raise BadInput(f"Expected at least one ranking in {path}.", param="file")
    return found


def _told(value: Any, name: str, where: str) -> float:
    number = number_of(value, name, where)
    if number is None:
        raise BadInput(f"Expected {name} in {where}, but it is empty.", param="file")
    return number
