"""Which models `loom lab battery run` asks, and how they are asked."""

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from loom.cli.lab.battery_ground import Made
from loom.cli.lab.common import names_in
from loom.cli.lab.models import backends_of, behind
from loom.cli.progress import tracked
from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.battery.arm import Arm
from loom.lab.battery.contexts import Contexts
from loom.lab.battery.flat_text import FlatText
from loom.lab.battery.folder import MODEL_ROWS, MODEL_TIMES, BatteryFolder
from loom.lab.battery.matrix import matrix
from loom.lab.battery.models import MODEL_ARMS, Matrix, Model, spread_over
from loom.lab.battery.quantiles import spread
from loom.lab.battery.question import BatteryQuestion
from loom.lab.study import Member


def model_flags(parser: argparse.ArgumentParser) -> None:
    """Flags by which models are named."""
    group = parser.add_argument_group("models, which are reported apart")
    group.add_argument(
        "--model",
        action="append",
        default=[],
        metavar="NAME=URL",
        help="a model behind an OpenAI-compatible API; may come again",
    )
    group.add_argument(
        "--script",
        action="append",
        default=[],
        metavar="NAME=BEHAVIOUR",
        help="a scripted model in place of one, to try this out",
    )
    group.add_argument("--key-env", default="", metavar="NAME", help="the environment variable that holds the key of the URLs")
    group.add_argument("--limit", type=int, default=0, metavar="N", help="questions that models are asked (0: all)")
    group.add_argument("--model-seeds", type=int, default=1, metavar="N", help="seeds over whose contexts they are asked (1)")
    group.add_argument(
        "--allowance", type=int, default=0, metavar="TOKENS", help="of an answer (1024; 4096 of models that think)"
    )
    group.add_argument("--load", default="4,8", metavar="N,N", help="calls that are sent at once, at the end (4,8; 0: none)")


def members_of(arguments: argparse.Namespace) -> list[Member]:
    """The models that are named. Raises BadInput for one that is none."""
    members = []
    for stated in arguments.model:
        name, url = _pair(stated, "--model", "NAME=URL")
        members.append(behind(url, name, flag="--model", key_env=arguments.key_env))
    for stated in arguments.script:
        name, script = _pair(stated, "--script", "NAME=BEHAVIOUR")
        members.append(Member(name, "script", script, script=script))
    names = [member.name for member in members]
    if len(set(names)) < len(names):
        raise BadInput(f"Expected models of different names, but got {', '.join(names)}.", param="model")
    return members


def _pair(stated: str, flag: str, form: str) -> tuple[str, str]:
    name, equals, value = stated.partition("=")
    if not (name.strip() and equals and value.strip()):
        raise BadInput(f"Expected {flag} {form}, but got {stated!r}.", param=flag.lstrip("-"))
    return name.strip(), value.strip()


def sizes_of(arguments: argparse.Namespace) -> list[int]:
    """How many calls are sent at once. Raises BadInput."""
    stated = names_in(arguments.load, "--load")
    if not all(each.isdecimal() and int(each) <= 256 for each in stated):
        raise BadInput(
            f"Expected --load to list numbers up to 256 with commas between, but got {arguments.load!r}.", param="load"
        )
    return [int(each) for each in stated if int(each)]


@dataclass(slots=True)
class Asking:
    """The models of a run and what they said. Nothing is opened before the first seed is asked."""

    arguments: argparse.Namespace
    members: Sequence[Member]
    folder: BatteryFolder
    sizes: Sequence[int]
    matrix: Matrix = field(init=False)

    def __post_init__(self) -> None:
        self.matrix = Matrix(self.folder.path / MODEL_ROWS, self.folder.path / MODEL_TIMES)
        if self.members:
            self.folder.path.mkdir(parents=True, exist_ok=True)
            self.matrix.resume()

    def seed(self, seed: int, made: Made, arms: Sequence[Arm], asked: Sequence[BatteryQuestion], *, last: bool) -> None:
        """Ask all models over the contexts of one corpus; after the `last`, send several calls at once."""
        asyncio.run(self._seed(seed, made, arms, asked, last=last))

    async def _seed(self, seed: int, made: Made, arms: Sequence[Arm], asked: Sequence[BatteryQuestion], *, last: bool) -> None:
        questions = spread_over(asked, self.arguments.limit)
        flat = FlatText(made.bench.bases, made.bench.texts)
        contexts = [Contexts(made.bench, arm, flat if arm.chunks else None) for arm in arms if arm.name in MODEL_ARMS]
        async with AsyncExitStack() as stack:
            models = []
            for member in self.members:
                backend = backends_of([member])[member.name]
                stack.push_async_callback(backend.aclose)
                models.append(Model(member.name, backend, self._request(member)))
            total = len(models) * len(contexts) * len(questions)
            quiet = self.arguments.quiet or self.arguments.json
            bar = iter(range(total)) if quiet else iter(tracked(range(total), "answers", total))
            await self.matrix.seed(seed, contexts, questions, models, made.node.watches, lambda: next(bar, None))
            next(bar, None)
            if last and questions and contexts:
                await self.matrix.loaded(contexts[0], questions, models, made.node.watches, self.sizes)

    def _request(self, member: Member) -> Mapping[str, Json]:
        allowance = self.arguments.allowance or member.allowance
        return {"model": member.model, "max_tokens": allowance, **member.request}

    def result(self) -> tuple[dict[str, Json], dict[str, Json], int]:
        """What they came to, the times, and how many answers are errors."""
        if not self.members:
            return {}, {}, 0
        rows = self.matrix.close()
        found: dict[str, Json] = {"models": [member.as_json() for member in self.members], **matrix(rows)}
        taken: dict[str, list[float]] = {}
        for row in rows:
            if row["key"] in self.matrix.seconds:
                seconds = float(self.matrix.seconds[row["key"]]["seconds"])
                taken.setdefault(f"{row['model']} over {row['arm']}", []).append(seconds)
        times: dict[str, Json] = {
            "answer_s": {name: spread(seconds) for name, seconds in taken.items()},
            "at_once": self.matrix.load,
        }
        return found, times, sum(bool(row["error"]) for row in rows)
