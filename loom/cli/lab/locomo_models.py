"""The models of `loom lab locomo`: one that reads turns into spans, one that reads answers; both through a book of kept answers."""

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from loom.cli.lab.live import live
from loom.cli.lab.models import asking, behind
from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.files import write_lines
from loom.lab.locomo.dataset import Dataset
from loom.lab.locomo.model_reader import Replies, Shown, replied
from loom.lab.locomo.model_spans import Extracted, extracted
from loom.lab.locomo.read_result import Reader
from loom.lab.running import BookAsker
from loom.lab.running.tally import totals
from loom.lab.study import Member

T = TypeVar("T")
BOOK = Path("locomo.answers.sqlite")


def model_flags(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("models")
    group.add_argument(
        "--spans", metavar="NAME=URL", help="also the arms model-span and model-graph, whose spans this model extracts"
    )
    group.add_argument(
        "--reader", metavar="NAME=URL", help="have this model read for every arm, by one prompt; its figures stand apart"
    )
    group.add_argument("--key-env", default="", metavar="NAME", help="the environment variable that holds the key of both")
    group.add_argument(
        "--book", type=Path, default=BOOK, metavar="FILE", help=f"where their answers are kept (default: {BOOK}, here)"
    )
    group.add_argument(
        "--limit", type=int, metavar="N", help="have the reader read N questions, even over conversations and categories"
    )
    group.add_argument("--seed", type=int, default=42, help="by which those are drawn (default: 42)")
    group.add_argument("--concurrency", type=int, default=4, metavar="N", help="calls under way at once (default: 4)")
    group.add_argument("--quiet", action="store_true", help="show no progress")


class Models:
    """The models that the flags mean. Raises BadInput where they mean none that can be asked."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._arguments = arguments
        self.spans = _member(arguments.spans, "--spans", arguments.key_env)
        self.reads = _member(arguments.reader, "--reader", arguments.key_env)
        for name, least in (("limit", 1), ("concurrency", 1)):
            value = getattr(arguments, name)
            if value is not None and value < least:
                raise BadInput(f"Expected --{name} to be {least} or more, but got {value}.", param=name)
        if arguments.limit is not None and self.reads is None:
            raise BadInput("Expected --reader where --limit is given: it limits what the reader is asked.", param="limit")
        if arguments.key_env and not (self.spans or self.reads):
            raise BadInput("Expected --spans or --reader where --key-env is given.", param="key_env")
        if self.spans and self.reads and self.spans.name == self.reads.name and self.spans.url != self.reads.url:
            raise BadInput(f"Expected one URL for {self.spans.name}, but --spans and --reader give two.", param="reader")
        self.calls: list[dict[str, Json]] = []
        self.missing: list[str] = []

    def extracted(self, data: Dataset) -> Extracted | None:
        """What the model of --spans tells of every turn; None without one."""
        member = self.spans
        if member is None:
            return None
        found = self._asked(
            member, "spans", sum(len(talk.turns) for talk in data.talks), lambda asker: extracted(asker, member.name, data)
        )
        if found.counts["error"]:
            self.missing.append(f"the spans of {found.counts['error']:,} turns are missing ({found.why})")
        return found

    def reader(self, data: Dataset) -> Reader | None:
        """The model of --reader; None without one."""
        member = self.reads
        if member is None:
            return None

        def ask(places: Sequence[int], by_arm: Mapping[str, Shown]) -> Replies:
            wanted = {(place, each.turns[at]) for each in by_arm.values() for at, place in enumerate(places) if each.turns[at]}
            found = self._asked(member, "answers", len(wanted), lambda asker: replied(asker, member.name, data, places, by_arm))
            lacking = sum(reply is None for each in found.by_arm.values() for reply in each)
            if lacking:
                self.missing.append(f"{lacking:,} replies are missing ({found.why})")
            return found

        return Reader(member.name, ask, self._arguments.limit, self._arguments.seed)

    def _asked(self, member: Member, label: str, total: int, work: Callable[[BookAsker], Awaitable[T]]) -> T:
        """Do work that asks a model, and write down what was sent."""
        book: Path = self._arguments.book

        async def done() -> T:
            async with asking((member,), book, concurrency=self._arguments.concurrency) as (asker, tally, answers):
                async with live(label, tally, total, quiet=self._arguments.quiet):
                    found = await work(asker)
                write_lines(book.with_name(f"{book.name}.ledger.jsonl"), answers.ledger())
                self.calls = totals(answers.ledger())
                return found

        try:
            return asyncio.run(done())
        except KeyboardInterrupt:
            print(f"loom lab locomo: every answer that came is kept in {book}.", file=sys.stderr)
            raise

    def ended(self) -> int:
        """The exit code; where something is missing, what, and what to do, on standard error."""
        for each in self.missing:
            print(f"loom lab locomo: {each}; give the same command again: what came is kept.", file=sys.stderr)
        return 1 if self.missing else 0


def _member(stated: str | None, flag: str, key_env: str) -> Member | None:
    """The model of NAME=URL. Raises BadInput."""
    if stated is None:
        return None
    name, equals, url = (part.strip() for part in stated.partition("="))
    if not equals or not name or not url:
        raise BadInput(f"Expected {flag} to be NAME=URL, but got {stated!r}.", param=flag.lstrip("-"))
    return behind(url, name, flag=flag, key_env=key_env)
