"""`loom lab locomo`: conversation memory measured on LoCoMo, its answerable and its unanswerable questions apart."""

import argparse
from pathlib import Path

from loom.cli.lab.common import json_flag, names_in, show
from loom.cli.progress import tracked
from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.locomo.arms import ARMS, Arm
from loom.lab.locomo.bench import Bench
from loom.lab.locomo.dataset import dataset
from loom.lab.locomo.figures import figures


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "locomo",
        help="measure conversation memory on LoCoMo: arms, intervals, controls, sweeps",
        description="Conversation memory on LoCoMo, scored as its authors do. Answerable and adversarial questions stand apart; a mean "
        "over both measures how often an arm is silent.",
    )
    parser.add_argument("path", type=Path, help="locomo10.json, packed with xz or not")
    parser.add_argument(
        "--arms", default=",".join(ARMS), help="arms to run, with commas between (default: all that need no model)"
    )
    json_flag(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    arms = _arms(arguments.arms)
    bench = Bench(dataset(arguments.path))
    result: Json = {"dataset": {"sha256": bench.data.sha256, "questions": len(bench.data.questions)}}
    result["arms"] = {arm.name: figures(bench, bench.outcome(arm)) for arm in tracked(arms, "arms", len(arms), plain=False)}
    return show(arguments, result, lambda: _table(result))


def _arms(text: str) -> list[Arm]:
    names = names_in(text, "--arms")
    for name in names:
        if name not in ARMS:
            raise BadInput(f"Expected --arms among {', '.join(ARMS)}, but got {name!r}.", param="arms")
    return [ARMS[name] for name in names]


def _table(result: Json) -> None:
    print(f"{'arm':<14}{'answerable':>11}{'adversarial':>12}{'AUC':>7}{'silence':>15}{'reach':>15}")
    for name, row in result["arms"].items():
        silence = f"{row['silence']['answerable']:.3f}/{row['silence']['adversarial']:.3f}"
        reach = f"{row['reach']['answerable']:.3f}/{row['reach']['adversarial']:.3f}"
        area = "" if row["auc"] is None else f"{row['auc']:.3f}"
        print(f"{name:<14}{row['answerable']:>11.3f}{row['adversarial']:>12.3f}{area:>7}{silence:>15}{reach:>15}")
