"""`loom lab battery run`: corpora of many seeds, every question under every arm, checked; then models, where any are named."""

import argparse
import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

from loom.cli.lab.battery_ground import Making
from loom.cli.lab.common import json_flag, names_in, show
from loom.cli.lab.embedding import embed_flags, embedding
from loom.cli.progress import tracked
from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.battery.arm import ARMS, BUDGET, OUTLINE, Arm, arms_of
from loom.lab.battery.flat_text import Embed
from loom.lab.battery.folder import REPORT, ROWS, BatteryFolder
from loom.lab.battery.page import brief, page
from loom.lab.battery.quantiles import spread
from loom.lab.battery.questions import questions
from loom.lab.battery.running import Battery, chosen
from loom.lab.files import WholeFile, write_bytes


def add(steps: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = steps.add_parser(
        "run",
        help="make corpora, give every question a context in every way, and check all of them; ask models where any are named",
        description="For each seed make the ten bases, build them, give every question a context under every arm, and check it: all "
        "that is asked for is there, nothing that is forbidden is. No model is asked for that. Exit code 1 where a bar is missed.",
    )
    parser.add_argument("--seeds", type=int, default=20, metavar="N", help="how many corpora (20)")
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="the first seed (0)")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where results go")
    parser.add_argument("--arms", default="all", metavar="A,B", help=f"all, or some of {', '.join(ARMS)} (all)")
    parser.add_argument("--questions", default="", metavar="IDS", help="ids of the battery (S1,N3) or of questions (S1-1-file)")
    parser.add_argument(
        "--must",
        default="",
        metavar="A,B",
        help="arms that have to pass every question, in place of those that do by themselves",
    )
    parser.add_argument("--budget", type=int, default=BUDGET, metavar="TOKENS", help=f"tokens of a context ({BUDGET})")
    parser.add_argument("--outline", type=int, default=OUTLINE, metavar="CHARACTERS", help=f"of all outlines ({OUTLINE})")
    parser.add_argument("--once", action="store_true", help="do not make each seed a second time, in another order")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    embed_flags(parser)
    json_flag(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    _check(arguments)
    folder = BatteryFolder(arguments.out)
    folder.check()
    arms = _arms(arguments)
    names = names_in(arguments.questions, "--questions") if arguments.questions else []
    battery = Battery(arms)
    asked: list[int] = []
    with _embedder(arguments) as embed, WholeFile(folder.path / ROWS) as rows:
        steps = _steps(arguments, Making(arguments.budget, arguments.outline, embed), battery, names, rows, asked)
        total = arguments.seeds * (1 if arguments.once else 2)
        for _ in steps if arguments.quiet or arguments.json else tracked(steps, "corpora", total):
            pass
    found = battery.as_json()
    verdicts = battery.verdicts(found)
    result: dict[str, Json] = {
        "run": {
            "seeds": list(_seeds(arguments)),
            "arms": [arm.name for arm in arms],
            "ids": names,
            "questions": max(asked),
            "budget": arguments.budget,
            "outline": arguments.outline,
        },
        **found,
        "verdicts": [one.as_json() for one in verdicts],
    }
    timings: dict[str, Json] = {"assembly_ms": {name: spread(found, 1e3) for name, found in battery.seconds.items()}}
    folder.keep(result, timings)
    write_bytes(folder.path / REPORT, [page(result, timings).encode()])

    def table() -> None:
        print(f"{brief(result, timings)}\n\nresults, rows and report.md in {folder.path}")

    show(
        arguments,
        {**result, "timings": timings},
        table,
        seeds={"corpus": arguments.first},
        rows=folder.path / ROWS,
    )
    missed = [one for one in verdicts if not one.met]
    for one in missed:
        print(f"loom lab battery: {one}", file=sys.stderr)
    return 1 if missed else 0


def _seeds(arguments: argparse.Namespace) -> range:
    return range(arguments.first, arguments.first + arguments.seeds)


def _check(arguments: argparse.Namespace) -> None:
    for name, least in (("seeds", 1), ("first", 0), ("budget", 1), ("outline", 0)):
        if getattr(arguments, name) < least:
            raise BadInput(f"Expected --{name} to be {least} or more, but got {getattr(arguments, name)}.", param=name)


def _arms(arguments: argparse.Namespace) -> tuple[Arm, ...]:
    arms = arms_of(names_in(arguments.arms, "--arms"))
    if not arguments.must:
        return arms
    must = {arm.name for arm in arms_of(names_in(arguments.must, "--must"))}
    return tuple(replace(arm, held=arm.name in must, spared=frozenset()) for arm in arms)


@contextmanager
def _embedder(arguments: argparse.Namespace) -> Iterator[Embed | None]:
    with embedding(arguments) if arguments.embed_url else nullcontext((None, "")) as (embed, _):
        yield embed


def _steps(
    arguments: argparse.Namespace, making: Making, battery: Battery, names: list[str], rows: WholeFile, asked: list[int]
) -> Iterator[int]:
    """Make and run corpora; each step is one. `asked` is told how many questions each was asked."""
    first = next((arm for arm in battery.arms if not arm.chunks), None)
    for seed in _seeds(arguments):
        with making.corpus(seed) as made:
            every = questions(made.corpus.truth)
            some = chosen(every, names)
            digests = asyncio.run(battery.seed(seed, made.bench, every, some, rows))
            asked.append(len(some))
        yield seed
        if arguments.once:
            continue
        with making.corpus(seed, backwards=True) as again:
            if first is not None:
                asyncio.run(battery.again(again.bench, first, some, digests[first.name], battery.generations[seed]))
        yield seed
