"""The judges that a command line means: those of a study, or models named by flags; asked through a book of kept answers."""

import argparse
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from loom.cli.lab.live import Shown
from loom.cli.lab.models import PATIENCE, asking, behind, named, study_at
from loom.core.errors import BadInput
from loom.lab.judging.families import Judge
from loom.lab.judging.working import GIVE_UP, Worked
from loom.lab.judging.writers import judge_of
from loom.lab.running import BookAsker
from loom.lab.study import Member


def judge_flags(parser: argparse.ArgumentParser, second: float | None) -> None:
    """Who judges, whether he may judge his own kind, and what share a second judge judges again (None: there is no second)."""
    who = parser.add_argument_group("judges")
    who.add_argument(
        "--study", type=Path, metavar="STUDY", help="a study, whose [[judges]] judge: the first all, the others a share"
    )
    who.add_argument(
        "--judge", action="append", default=[], metavar="NAME", help="a judge or model of the study; may be repeated"
    )
    who.add_argument("--judge-url", metavar="URL", help="in place of a study: an OpenAI-compatible API")
    who.add_argument(
        "--judge-model", action="append", default=[], metavar="NAME", help="a model there; repeated: further judges"
    )
    who.add_argument("--judge-key-env", default="", metavar="NAME", help="the environment variable that holds its key")
    who.add_argument(
        "--judge-script", action="append", default=[], metavar="SCRIPT", help="a scripted judge, to try things out"
    )
    if second is not None:
        who.add_argument(
            "--second-share",
            type=_share,
            default=second,
            metavar="SHARE",
            help=f"what the further judges judge again (default: {second:g})",
        )
    who.add_argument(
        "--family", action="append", default=[], metavar="NAME=FAMILY", help="the family of a model whose name does not tell it"
    )
    who.add_argument(
        "--allow-same-family", action="store_true", help="let a judge judge models of its own family; each verdict says so"
    )
    who.add_argument("--concurrency", type=_many, default=4, metavar="N", help="verdicts asked for at a time (default: 4)")
    who.add_argument(
        "--answers", type=Path, metavar="FILE", help="the book of kept answers (default: answers.sqlite beside the verdicts)"
    )


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"expected a share from 0 to 1, but got {text!r}")
    return value


def _many(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 256:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 to 256, but got {text!r}")
    return int(text)


def families_of(arguments: argparse.Namespace) -> dict[str, str]:
    """The families that are stated, by name. Raises BadInput."""
    found = {}
    for text in arguments.family:
        name, equals, family = (part.strip() for part in text.partition("="))
        if not equals or not name or not family:
            raise BadInput(f"Expected --family to be NAME=FAMILY, but got {text!r}.", param="family")
        found[name] = family
    return found


def members_of(arguments: argparse.Namespace) -> tuple[tuple[Member, ...], float]:
    """The judges that are meant, in their order, and for how many seconds a call that fails is tried again. Raises BadInput."""
    if arguments.study is not None:
        if arguments.judge_url or arguments.judge_model or arguments.judge_script:
            raise BadInput("Expected --study or judges by flags, not both.", param="study")
        study = study_at(arguments.study)
        found = named(study.members, arguments.judge, "--judge") or study.judges
        if not found:
            raise BadInput(f"Expected [[judges]] in {arguments.study}, or --judge with one of its models.", param="judge")
        return found, study.patience
    if arguments.judge:
        raise BadInput("Expected --study where --judge names one of its models; without one give --judge-url.", param="judge")
    if arguments.judge_model and not arguments.judge_url:
        raise BadInput("Expected --judge-url where --judge-model is given.", param="judge_url")
    if arguments.judge_url and not arguments.judge_model:
        raise BadInput("Expected --judge-model with the name of a model behind --judge-url.", param="judge_model")
    url, key_env = arguments.judge_url, arguments.judge_key_env
    members = [behind(url, name, flag="--judge-url", key_env=key_env) for name in arguments.judge_model]
    members += [Member(script, "script", script, script=script) for script in arguments.judge_script]
    if not members:
        raise BadInput("Expected a judge: --study with [[judges]], or --judge-url and --judge-model.", param="judge")
    return tuple(members), PATIENCE


@dataclass(frozen=True, slots=True)
class Bench:
    """Who judges, the asker through whom they are asked, and how far it is."""

    asker: BookAsker
    judges: tuple[Judge, ...]
    shown: Shown


@asynccontextmanager
async def bench(arguments: argparse.Namespace, out: Path) -> AsyncIterator[Bench]:
    """The judges of a command line, ready to be asked. Raises BadInput where a key is missing or the book is held."""
    members, patience = members_of(arguments)
    families = families_of(arguments)
    book = arguments.answers or out.with_name("answers.sqlite")
    async with asking(members, book, concurrency=arguments.concurrency, patience=patience) as (asker, tally, _):
        yield Bench(asker, tuple(judge_of(member, families) for member in members), Shown(tally, arguments.quiet))


def warn(command: str, warnings: Sequence[str]) -> None:
    for warning in warnings:
        print(f"loom lab {command}: warning: {warning}", file=sys.stderr)


def ended(command: str, worked: Worked) -> int:
    """The exit code; where verdicts are missing, why, and what to do, on standard error."""
    if not worked.failed and not worked.left:
        return 0
    missing = len(worked.failed) + worked.left
    gave_up = f" (given up after {GIVE_UP} in a row)" if worked.left else ""
    print(
        f"loom lab {command}: {missing} verdicts are missing{gave_up}: {worked.failed[0] if worked.failed else ''} "
        "Run the same command again: what is there is kept.",
        file=sys.stderr,
    )
    return 1
