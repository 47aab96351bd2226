"""`loom bench retrieval`: what is found and when the node stays silent, over sets of questions."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from loom import compose
from loom.bench.retrieval import report, sets
from loom.bench.retrieval.nodes import Answered
from loom.bench.retrieval.run import Result, run
from loom.bench.retrieval.scores import right
from loom.bench.setup import machine
from loom.core.errors import BadInput


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "retrieval",
        help="measure what is found, and when the node stays silent",
        description="Ask the questions of the sets along the path that serves, and count: exposure, subjects served, silence, "
        "calibration, cost; beside single retrievers, and with each component off.",
    )
    parser.add_argument(
        "--sets",
        action="append",
        required=True,
        type=Path,
        metavar="FOLDER",
        help=f"folder that holds some of {', '.join(sets.FILES.values())}; may be repeated, the first that has a file gives it",
    )
    parser.add_argument(
        "--store",
        "--generations",
        dest="store",
        type=Path,
        metavar="PATH",
        help="folder of generations (default: LOOM_GENERATIONS)",
    )
    parser.add_argument("--generation", metavar="ID", help="a generation other than the current one")
    parser.add_argument(
        "--ablations", action=argparse.BooleanOptionalAction, default=True, help="measure with each component off as well"
    )
    parser.add_argument("--out", type=Path, metavar="PATH", help="write PATH.md and, in the folder PATH, its plots")
    parser.add_argument("--rows", type=Path, metavar="FILE", help="write what each question was given, as JSON lines")
    parser.add_argument("--json", metavar="FILE", help="write the figures as JSON; - is standard output, instead of the table")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    """Measure and print; exit code 0 whatever the figures."""
    asked = sets.load(arguments.sets)
    for name in asked.missing:
        print(f"There is no {sets.FILES[name]} in the folders, so {name} is not measured.", file=sys.stderr)
    with compose.opened(arguments.store, arguments.generation) as (node, pin):
        result, rows = run(
            node,
            pin,
            asked,
            ablations=arguments.ablations,
            say=lambda what: print(f"measuring {what} …", file=sys.stderr, flush=True),
        )
    if arguments.rows:
        _write(arguments.rows, "".join(_lines(rows)), "rows")
    if arguments.out:
        _write(arguments.out.with_suffix(".md"), report.markdown(result, machine()), "out")
        arguments.out.mkdir(parents=True, exist_ok=True)
        for name, plot in report.plots(result).items():
            _write(arguments.out / name, plot, "out")
    if arguments.json:
        text = json.dumps(result.as_json(), ensure_ascii=False, indent=1) + "\n"
        if arguments.json == "-":
            sys.stdout.write(text)
        else:
            _write(Path(arguments.json), text, "json")
    if arguments.json != "-":
        _print(result)
    return 0


def _lines(rows: Mapping[str, Sequence[Answered]]) -> list[str]:
    return [
        json.dumps(
            {
                "set": name,
                "id": each.asked.id,
                **each.given.as_json(),
                "right": right(name, each),
                "text": each.asked.text,
            },
            ensure_ascii=False,
        )
        + "\n"
        for name, answered in rows.items()
        for each in answered
    ]


def _write(path: Path, text: str, param: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise BadInput(
            f"{path} cannot be written ({error.strerror}); give a file in a folder that exists.", param=param
        ) from error


def _print(result: Result) -> None:
    print(f"{result.generation[:19]} · {result.concepts:,} concepts · {sum(result.counts.values())} questions")
    for score in result.scores:
        told = {None: "", True: "met", False: "missed"}[score.met]
        print(
            f"{score.key:<26} {report.shown(score):>12}  {score.bar or ''!s:<8} {told:<7} {score.name}  {score.share or ''}".rstrip()
        )
    for name, scores in result.beside.items():
        told = ", ".join(f"{each.name} {report.shown(each)}" for each in scores[:3]) if scores else "not built"
        print(f"beside: {name}: {told}")
    for name, scores in result.off.items():
        changed = [
            f"{score.key} {report.shown(now)}"
            for score in result.scores
            for now in scores
            if now.key == score.key and abs(now.value - score.value) > 1e-9
        ]
        print(f"without {name}: {', '.join(changed) or 'nothing changes'}")
