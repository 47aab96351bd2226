"""`loom lab locomo`: conversation memory measured on LoCoMo, its answerable and its unanswerable questions apart."""

import argparse
from pathlib import Path

from loom.cli.lab.common import json_flag, names_in, show
from loom.cli.lab.locomo_models import Models, model_flags
from loom.cli.lab.locomo_shown import table
from loom.cli.lab.locomo_vectors import embedded
from loom.cli.progress import tracked
from loom.core.errors import BadInput
from loom.lab.locomo.arms import ARMS, Arm
from loom.lab.locomo.dataset import dataset
from loom.lab.locomo.result import measured
from loom.lab.unanswerable.sets import SEED, made


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
    parser.add_argument(
        "--only-arms", action="store_true", help="leave out controls, sweeps, arms at matched silence and the second set"
    )
    parser.add_argument("--embed", metavar="MODEL", help="run the dense arms with this model of sentence-transformers, too")
    parser.add_argument("--vectors", type=Path, metavar="FILE", help="a file (.npz) that keeps the vectors of --embed")
    model_flags(parser)
    json_flag(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    arms = _arms(arguments.arms)
    models = Models(arguments)
    data = dataset(arguments.path)
    second = None if arguments.only_arms else made(SEED)
    spans = models.extracted(data)
    result = measured(
        data,
        arms,
        sweeps=not arguments.only_arms,
        second=second,
        vectors=embedded(data, arguments.embed, arguments.vectors) if arguments.embed else None,
        spans=spans,
        reader=models.reader(data),
        watch=lambda arms: tracked(arms, "arms", len(arms), plain=False),
    )
    if models.calls:
        result["calls"] = models.calls
    seeds = {**({"second": second.seed} if second else {}), **({"sample": arguments.seed} if models.reads else {})}
    show(arguments, result, lambda: table(result), seeds=seeds)
    return models.ended()


def _arms(text: str) -> list[Arm]:
    names = names_in(text, "--arms")
    for name in names:
        if name not in ARMS:
            raise BadInput(f"Expected --arms among {', '.join(ARMS)}, but got {name!r}.", param="arms")
    return [ARMS[name] for name in names]
