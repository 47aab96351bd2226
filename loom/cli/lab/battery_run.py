"""`loom lab battery run`: corpora of many seeds, every question under every arm, checked; then models, where any are named."""

import argparse
import asyncio
import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from loom import compose_lab
from loom.cli.lab.battery_ground import Made, Making
from loom.cli.lab.battery_models import Asking, members_of, model_flags, sizes_of
from loom.cli.lab.common import json_flag, names_in, show
from loom.cli.lab.embedding import embed_flags, embedding
from loom.cli.progress import tracked
from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.battery.answers import ADVERSARIES, READER, Answers
from loom.lab.battery.arm import ARMS, BUDGET, FULL, HYDRATE, OUTLINE, Arm, arms_of
from loom.lab.battery.contexts import Contexts
from loom.lab.battery.flat_text import Embed
from loom.lab.battery.folder import ANSWERS, REPORT, ROWS, BatteryFolder
from loom.lab.battery.page import brief, page
from loom.lab.battery.quantiles import spread
from loom.lab.battery.question import BatteryQuestion
from loom.lab.battery.questions import questions
from loom.lab.battery.running import Battery, chosen
from loom.lab.battery.verdict import Verdict
from loom.lab.files import WholeFile, write_bytes
from loom.ports import ModelBackend


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
    parser.add_argument(
        "--answers",
        type=int,
        default=3,
        metavar="N",
        help="seeds over whose contexts the reader and adversaries answer (3; 0: none)",
    )
    parser.add_argument("--once", action="store_true", help="do not make each seed a second time, in another order")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    embed_flags(parser)
    model_flags(parser)
    json_flag(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    _check(arguments)
    folder = BatteryFolder(arguments.out)
    folder.check()
    arms = _arms(arguments)
    names = names_in(arguments.questions, "--questions") if arguments.questions else []
    asking = Asking(arguments, members_of(arguments), folder, sizes_of(arguments))
    work = Work(arguments, Battery(arms), Answers(scripted()), asking, names)
    with (
        _embedder(arguments) as embed,
        WholeFile(folder.path / ROWS) as rows,
        WholeFile(folder.path / ANSWERS) as answers,
    ):
        making = Making(arguments.budget, arguments.outline, embed)
        steps = work.steps(making, rows, answers)
        total = arguments.seeds * (1 if arguments.once else 2)
        for _ in steps if arguments.quiet or arguments.json else tracked(steps, "corpora", total):
            pass
    battery = work.battery
    found = battery.as_json()
    silent = Verdict("no model is called for a context", f"{making.model.calls} calls", not making.model.calls)
    verdicts = [*battery.verdicts(found), silent, *work.answers.verdicts()]
    result: dict[str, Json] = {
        "run": {
            "seeds": list(_seeds(arguments)),
            "arms": [arm.name for arm in arms],
            "ids": names,
            "questions": work.most,
            "budget": arguments.budget,
            "outline": arguments.outline,
        },
        **found,
        "answers": work.answers.as_json(),
        "verdicts": [one.as_json() for one in verdicts],
    }
    models, model_times, errors = asking.result()
    assembly: dict[str, Json] = {name: spread(found, 1e3) for name, found in battery.seconds.items()}
    timings: dict[str, Json] = {"assembly_ms": assembly, **({"models": model_times} if models else {})}
    folder.keep(result, models, timings)
    write_bytes(folder.path / REPORT, [page(result, models, timings).encode()])

    def table() -> None:
        print(f"{brief(result, models, timings)}\n\nresults, rows and {REPORT} in {folder.path}")

    told = {**result, "models": models, "timings": timings}
    show(arguments, told, table, seeds={"corpus": arguments.first}, rows=folder.path / ROWS)
    missed = [one for one in verdicts if not one.met]
    for one in missed:
        print(f"loom lab battery: {one}", file=sys.stderr)
    if errors:
        print(f"loom lab battery: {errors} answers are errors; the same command asks for them again.", file=sys.stderr)
    return 1 if missed or errors else 0


def _seeds(arguments: argparse.Namespace) -> range:
    return range(arguments.first, arguments.first + arguments.seeds)


def _check(arguments: argparse.Namespace) -> None:
    for name, least in (
        ("seeds", 1),
        ("first", 0),
        ("budget", 1),
        ("outline", 0),
        ("answers", 0),
        ("limit", 0),
        ("model_seeds", 1),
        ("allowance", 0),
    ):
        if getattr(arguments, name) < least:
            raise BadInput(
                f"Expected --{name.replace('_', '-')} to be {least} or more, but got {getattr(arguments, name)}.", param=name
            )


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


@contextmanager
def _unheard() -> Iterator[None]:
    """Without the node's remarks on models that fail: here they are meant to."""
    log = logging.getLogger("loom.answer")
    before = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(before)


def scripted() -> dict[str, ModelBackend]:
    """The reader, and models that do what none should."""
    scripted = {name: compose_lab.model_of_study("script", script=script) for name, script in ADVERSARIES.items()}
    return {READER: compose_lab.model_of_study("reader"), **scripted}


@dataclass(slots=True)
class Work:
    """A run as it goes on. `most` is how many questions a corpus was asked."""

    arguments: argparse.Namespace
    battery: Battery
    answers: Answers
    asking: Asking
    names: list[str]
    most: int = 0

    def steps(self, making: Making, rows: WholeFile, answers: WholeFile) -> Iterator[int]:
        """Make and run corpora; each step is one that was made."""
        first = next((arm for arm in self.battery.arms if not arm.chunks), None)
        for place, seed in enumerate(_seeds(self.arguments)):
            with making.corpus(seed) as made:
                every = questions(made.corpus.truth)
                asked = chosen(every, self.names)
                digests = asyncio.run(self.battery.seed(seed, made.bench, every, asked, rows))
                self.most = max(self.most, len(asked))
                if place < self.arguments.answers:
                    with _unheard():
                        for row in asyncio.run(self._answered(seed, made, asked)):
                            answers.add(row)
                if self.asking.members and place < self.arguments.model_seeds:
                    last = place + 1 == min(self.arguments.model_seeds, self.arguments.seeds)
                    self.asking.seed(seed, made, self.battery.arms, asked, last=last)
            yield seed
            if first is None or self.arguments.once:
                continue
            with making.corpus(seed, backwards=True) as again:
                generation = self.battery.generations[seed]
                asyncio.run(self.battery.again(again.bench, first, asked, digests[first.name], generation))
            yield seed

    async def _answered(self, seed: int, made: Made, asked: Sequence[BatteryQuestion]) -> list[dict[str, Json]]:
        arms = [arm for arm in self.battery.arms if arm.name in (FULL, HYDRATE)]
        found: list[dict[str, Json]] = []
        for arm in arms:
            found += await self.answers.seed(seed, Contexts(made.bench, arm), asked, made.node.watches)
        return found
