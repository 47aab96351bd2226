"""Askers over scripted models and a clock that only sleeping moves, for tests of what a study sends and keeps."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from loom.lab.question import LabQuestion, Target
from loom.lab.running import BookAsker
from loom.lab.showing import Asking, Showing, plain
from loom.lab.study import Member, Study
from loom.ports import AnswerBook, ModelBackend
from loom_adapters.answer_book import FakeAnswers
from loom_adapters.clock import FakeClock
from loom_adapters.scripted_model import FakeModel


def asking(text: str = "What is a kiln?") -> Asking:
    return plain({"role": "user", "content": text})


def member(script: str = "echo", **more: Any) -> Member:
    """A member whose behaviour is in its model's name, as the scripted model has it."""
    return Member(**{"name": "m", "kind": "url", "model": script, "url": "http://127.0.0.1:1/v1", **more})


def questions(count: int) -> list[LabQuestion]:
    return [
        LabQuestion(f"q{number}", f"What does kiln {number} require?", (Target(f"kiln {number}"),), set="s")
        for number in range(count)
    ]


def showings(count: int, arms: Sequence[str] = ("raw",)) -> list[Showing]:
    """A plan without a generation: the arms differ in nothing but their name."""
    return [Showing(question, arm) for question in questions(count) for arm in arms]


def study(*members: Member, **more: Any) -> Study:
    return Study(**{"name": "toy", "questions": {}, "arms": ("raw",), "models": members, **more})


@dataclass
class Rig:
    """An asker, and everything behind it."""

    members: Sequence[Member]
    book: AnswerBook = field(default_factory=FakeAnswers)
    backends: dict[str, Any] = field(default_factory=dict)
    clock: FakeClock = field(default_factory=FakeClock)
    slept: list[float] = field(default_factory=list)
    concurrency: int = 4
    patience: float = 300.0

    def __post_init__(self) -> None:
        models: dict[str, ModelBackend] = {each.name: self.backends.setdefault(each.name, FakeModel()) for each in self.members}
        self.asker = BookAsker(
            self.members,
            models,
            self.book,
            self.clock,
            concurrency=self.concurrency,
            patience=self.patience,
            sleep=self._sleep,
        )

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.clock.advance(seconds)
        await asyncio.sleep(0)

    @property
    def bodies(self) -> list[Any]:
        return [body for backend in self.backends.values() for body in backend.bodies]

    @property
    def ledger(self) -> list[Any]:
        return list(self.book.ledger())

    def again(self) -> "Rig":
        """The next run over the same book."""
        return Rig(self.members, self.book, concurrency=self.concurrency, patience=self.patience)
