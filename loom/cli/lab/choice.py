"""`loom lab choice`: a choice task with a fair baseline beside the judge."""

import argparse
from pathlib import Path

from loom.cli.lab.common import json_flag, show
from loom.core.values import Json
from loom.lab.choice import Compared, compare, read
from loom.lab.files import write_lines

SHOWN = 20


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "choice",
        help="a choice over shown options: a ranker without a judge, tuned to its true optimum, beside the judge",
        description="Rank the options of each choice by BM25, what they exclude kept out; tune when to decline to its true optimum; "
        "accuracy by population beside the judge's, and where the two disagree.",
    )
    parser.add_argument(
        "tasks",
        type=Path,
        metavar="FILE",
        help="choices, a JSON object a line: id, options [{id, text, exclusion?}], shown, answer or null, population?, judge_choice?",
    )
    parser.add_argument("--folds", type=int, default=10, metavar="N", help="folds of the held-out threshold (10)")
    parser.add_argument("--seed", type=int, default=42, help="what the folds are drawn with (42)")
    parser.add_argument("--rows", type=Path, metavar="FILE", help="write what each choice came to, as JSON lines")
    json_flag(parser)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    found = compare(read(arguments.tasks), folds=arguments.folds, seed=arguments.seed)
    if arguments.rows:
        write_lines(arguments.rows, (item.as_json() for item in found.items))
    return show(arguments, found.as_json(), lambda: _print(found), seeds={"choice": arguments.seed}, rows=arguments.tasks)


def _print(found: Compared) -> None:
    different = found.disagreements
    if different:
        print(f"ranker and judge disagree on {len(different)} choices")
        for item in different[:SHOWN]:
            told = (
                "both wrong"
                if not (item.ranker_right or item.judge_right)
                else "judge right"
                if item.judge_right
                else "ranker right"
            )
            print(
                f"  {item.choice.id} ({item.choice.population}): ranker {item.ranker or 'declines'}, "
                f"judge {item.choice.judge or 'declines'}, answer {item.choice.answer or 'decline'}: {told}"
            )
    for item in found.suspects[:SHOWN]:
        print(
            f"  look at the label of {item.choice.id}: both chose {item.ranker or 'to decline'}, it says {item.choice.answer or 'decline'}"
        )
    rule = found.tuned
    where = "always declines" if rule.threshold == float("inf") else f"picks from {rule.threshold:.4f} on"
    print(
        f"the tuned ranker {where}: accuracy {rule.accuracy:.4f} ({rule.ties} equally good thresholds); a grid of 11 steps finds "
        f"{found.grid:.4f}; with exclusions as evidence it would be {found.as_evidence.accuracy:.4f}"
    )
    print(f"{'population':<20}{'n':>6}{'ranker':>9}{'held out':>10}{'judge':>8}{'p':>9}")
    for name, each in found.populations().items():
        print(_line(name, each))


def _line(name: str, each: dict[str, Json]) -> str:
    judge = f"{each['judge']['accuracy']:>8.4f}{each['judge_against_ranker']['p_exact']:>9.4f}" if "judge" in each else ""
    return f"{name:<20}{each['n']:>6}{each['ranker']['accuracy']:>9.4f}{each['ranker_held_out']['accuracy']:>10.4f}{judge}"
