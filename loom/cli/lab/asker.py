"""Who is asked by an instrument that needs a model outside a study: the models of a study, or one behind a URL."""

import argparse
import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from loom.answer.plan import Pin
from loom.cli.lab.live import live
from loom.cli.lab.models import asking, behind, named, study_at
from loom.core.errors import BadInput
from loom.lab.running import BookAsker
from loom.lab.running.rows import Written, rows_written
from loom.lab.showing import Showing
from loom.lab.study import Member, Study

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asked:
    """Who may be asked: everyone of a study, the models chosen among them, and how many calls may be under way."""

    members: tuple[Member, ...]
    chosen: tuple[str, ...]
    concurrency: int = 4

    def study(self) -> Study:
        return Study("instrument", Path(), ("raw",), self.members, concurrency=self.concurrency)


def model_flags(parser: argparse.ArgumentParser, *, needed_for: str = "") -> None:
    """The flags by which a command is told whom to ask."""
    group = parser.add_argument_group("the model" + (f", {needed_for}" if needed_for else ""))
    group.add_argument("--study", type=Path, metavar="STUDY", help="a study, whose models and judges may be asked by name")
    group.add_argument(
        "--model", action="append", metavar="NAME", help="a model of the study, or the name of the one behind --model-url"
    )
    group.add_argument("--model-url", metavar="URL", help="an OpenAI-compatible API, such as http://127.0.0.1:8081/v1")
    group.add_argument("--key-env", default="", metavar="NAME", help="the environment variable that holds its key")
    group.add_argument(
        "--script", metavar="BEHAVIOUR", help="in place of a URL a scripted model of this behaviour, to try an instrument out"
    )
    group.add_argument("--concurrency", type=int, default=4, metavar="N", help="calls under way at once (4)")
    group.add_argument(
        "--answers", type=Path, metavar="FILE", help="where answers are kept (default: beside the output, with .answers.sqlite)"
    )


def asked_of(arguments: argparse.Namespace) -> Asked:
    """Whom the flags mean. Raises BadInput where they mean nobody."""
    if arguments.concurrency < 1:
        raise BadInput(f"Expected --concurrency to be 1 or more, but got {arguments.concurrency}.", param="concurrency")
    names: Sequence[str] = arguments.model or ()
    if arguments.study is not None:
        if arguments.model_url or arguments.script:
            raise BadInput("Expected --study or --model-url, not both: a study names its models.", param="study")
        study = study_at(arguments.study)
        found = named(study.members, names, "--model") or study.models
        chosen = tuple(member.name for member in found)
        return Asked(study.members, chosen, study.concurrency)
    if arguments.script:
        name = names[0] if names else arguments.script.partition("?")[0]
        return Asked((Member(name, "script", script=arguments.script),), (name,), arguments.concurrency)
    if not arguments.model_url:
        raise BadInput(
            "Expected a model: --study STUDY with --model NAME, or --model-url URL with --model NAME.", param="model"
        )
    if not names:
        raise BadInput("Expected --model with the name of the model behind --model-url; there is none.", param="model")
    url, key_env = arguments.model_url, arguments.key_env
    members = tuple(behind(url, name, flag="--model-url", key_env=key_env) for name in dict.fromkeys(names))
    return Asked(members, tuple(member.name for member in members), arguments.concurrency)


def book_path(arguments: argparse.Namespace, out: Path) -> Path:
    """Where answers are kept: where the flag says, else beside the output."""
    stated: Path | None = arguments.answers
    return stated or out.with_name(f"{out.name}.answers.sqlite")


def with_asker(
    asked: Asked,
    book: Path,
    work: Callable[[BookAsker], Awaitable[T]],
    *,
    label: str,
    total: int,
    quiet: bool = False,
    pin: Pin | None = None,
) -> T:
    """Do work that asks models, progress shown: `total` is about how many answers it wants."""

    async def done() -> T:
        async with (
            asking(asked.members, book, concurrency=asked.concurrency, pin=pin) as (asker, tally, _),
            live(label, tally, total, quiet=quiet),
        ):
            return await work(asker)

    return asyncio.run(done())


def rows_asked(arguments: argparse.Namespace, asked: Asked, study: Study, showings: Sequence[Showing], pin: Pin) -> Written:
    """Ask what showings show and write the rows to `arguments.out`, progress shown unless the output is JSON."""
    return with_asker(
        asked,
        book_path(arguments, arguments.out),
        lambda asker: rows_written(study, showings, asker, arguments.out),
        label="answers",
        total=len(showings) * len(study.models),
        quiet=arguments.json,
        pin=pin,
    )
