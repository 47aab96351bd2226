"""What models came to: reading, inventing, refusing, asking for more, side by side; with intervals, since they are few answers."""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from loom.core.values import Json
from loom.lab.battery.arm import PROSE
from loom.lab.statistics import mcnemar_of, wilson

Row = dict[str, Json]


def matrix(rows: Sequence[Row]) -> dict[str, Json]:
    """Cells by model and arm, and each pair of models beside one another on the questions that both answered."""
    cells: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        cells.setdefault((row["model"], row["arm"]), []).append(row)
    return {
        "cells": [_cell(model, arm, found) for (model, arm), found in cells.items()],
        "parity": [
            _parity(arm, one, other, cells[one, arm], cells[other, arm])
            for arm in dict.fromkeys(arm for _, arm in cells)
            for one, other in combinations(dict.fromkeys(model for model, of in cells if of == arm), 2)
        ],
    }


def _cell(model: str, arm: str, rows: Sequence[Row]) -> dict[str, Json]:
    told = [row for row in rows if not row["error"]]
    prose = [row for row in told if row["battery"] in PROSE]
    others = [row for row in told if row["battery"] not in PROSE]
    return {
        "model": model,
        "arm": arm,
        "answers": len(rows),
        "errors": len(rows) - len(told),
        "right": rate(rows, lambda row: row["right"]),
        "reading": rate((row for row in rows if row["exact"] is not None), lambda row: row["exact"]),
        "refusing": rate((row for row in rows if row["refused"] is not None), lambda row: row["refused"]),
        "repeats_note": rate((row for row in rows if row["refused"]), lambda row: row["repeated"]),
        "invented_per_answer": round(sum(len(row["unsupported"]) for row in told) / len(told), 3) if told else None,
        "with_invented": rate(told, lambda row: bool(row["unsupported"])),
        "asks_where_prose_is_needed": rate(prose, lambda row: row["triggered"]),
        "asks_elsewhere": rate(others, lambda row: row["triggered"]),
        "asks_where_offered": rate((row for row in told if row["offered"]), lambda row: row["triggered"]),
        "calls_per_answer": round(sum(row["calls"] for row in rows) / len(rows), 3) if rows else None,
    }


def rate(rows: Iterable[Row], counts: Callable[[Row], bool]) -> dict[str, Json] | None:
    """A share with Wilson's interval; None of nothing."""
    found = [bool(counts(row)) for row in rows]
    if not found:
        return None
    low, high = wilson(sum(found), len(found))
    return {
        "count": sum(found),
        "of": len(found),
        "share": round(sum(found) / len(found), 4),
        "ci95": [round(low, 4), round(high, 4)],
    }


def _parity(arm: str, one: str, other: str, first: Sequence[Row], second: Sequence[Row]) -> dict[str, Json]:
    verdicts = {(row["seed"], row["id"]): bool(row["right"]) for row in second if not row["error"]}
    pairs = [
        (bool(row["right"]), verdicts[row["seed"], row["id"]])
        for row in first
        if not row["error"] and (row["seed"], row["id"]) in verdicts
    ]
    a, b = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    same = [{"same": one == other} for one, other in pairs]
    return {
        "arm": arm,
        "models": [one, other],
        "questions": len(pairs),
        "same": rate(same, lambda row: row["same"]),
        "right": [rate([{"right": value} for value in values], lambda row: row["right"]) for values in (a, b)],
        "difference": round((sum(a) - sum(b)) / len(pairs), 4) if pairs else None,
        "mcnemar": mcnemar_of([int(value) for value in a], [int(value) for value in b]).as_json() if pairs else None,
    }
