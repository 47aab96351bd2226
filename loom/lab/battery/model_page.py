"""What real models came to, as part of the battery's page."""

from collections.abc import Iterator, Mapping

from loom.core.values import Json
from loom.lab.battery.columned import NONE, figure, table


def model_lines(models: Mapping[str, Json], timings: Mapping[str, Json]) -> Iterator[str]:
    """Cells, times, parity and load; nothing where no model was asked."""
    if not models:
        return
    times = timings.get("models") or {}
    yield from ("", "## Models", "")
    yield "Shares with Wilson's 95 % interval. Reading: the values that are asked for are said to the letter. Refusing: of what is not"
    yield "there, in words and without a number that is not shown."
    yield ""
    yield from table(
        [
            "model",
            "arm",
            "answers",
            "errors",
            "right",
            "reading",
            "refusing",
            "repeats the note",
            "invented per answer",
            "calls",
        ],
        [
            [
                *(one[name] for name in ("model", "arm", "answers", "errors")),
                *(rated(one[name]) for name in ("right", "reading", "refusing", "repeats_note")),
                figure(one["invented_per_answer"], 2),
                figure(one["calls_per_answer"], 2),
            ]
            for one in models["cells"]
        ],
    )
    yield from ("", "### Asking for passages", "")
    yield from table(
        ["model", "arm", "where prose is needed", "elsewhere", "where it is offered", "p50 s", "p95 s"],
        [
            [
                one["model"],
                one["arm"],
                *(rated(one[name]) for name in ("asks_where_prose_is_needed", "asks_elsewhere", "asks_where_offered")),
                *_seconds(times, one),
            ]
            for one in models["cells"]
        ],
    )
    yield from _parity(models)
    yield from _load(times)


def _seconds(times: Mapping[str, Json], one: Mapping[str, Json]) -> list[str]:
    taken = (times.get("answer_s") or {}).get(f"{one['model']} over {one['arm']}") or {}
    return [figure(taken.get("p50"), 2), figure(taken.get("p95"), 2)]


def _parity(models: Mapping[str, Json]) -> Iterator[str]:
    if models["parity"]:
        yield from ("", "### Parity", "")
        yield from table(
            ["models", "arm", "questions", "same verdict", "right", "difference", "only first", "only second", "p"],
            [
                [
                    " and ".join(one["models"]),
                    one["arm"],
                    one["questions"],
                    rated(one["same"]),
                    " and ".join(rated(each) for each in one["right"]),
                    NONE if one["difference"] is None else f"{100 * one['difference']:+.1f} points",
                    *(str(one["mcnemar"][name]) if one["mcnemar"] else NONE for name in ("only_a", "only_b")),
                    figure(one["mcnemar"]["p_exact"], 3) if one["mcnemar"] else NONE,
                ]
                for one in models["parity"]
            ],
        )


def _load(times: Mapping[str, Json]) -> Iterator[str]:
    if times.get("at_once"):
        yield from ("", "### Several calls at once", "")
        yield from table(
            ["model", "at once", "answered", "answers/s", "p50 s", "times alone"],
            [
                [
                    *(one[name] for name in ("model", "at_once", "answered")),
                    figure(one["answers_per_second"], 2),
                    figure(one["p50_s"], 2),
                    figure(one["times_alone"], 2),
                ]
                for one in times["at_once"]
            ],
        )


def rated(share: Mapping[str, Json] | None) -> str:
    """A share with its interval."""
    if share is None:
        return NONE
    low, high = share["ci95"]
    return f"{share['count']}/{share['of']} [{low:.2f}, {high:.2f}]"
