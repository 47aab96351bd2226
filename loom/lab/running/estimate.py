"""What a run would send, before it sends anything."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from loom.core.values import Json
from loom.lab.running.heard import heard_of
from loom.lab.running.request import Request, request_of
from loom.lab.showing import PLANNED, Showing
from loom.lab.study.member import Price
from loom.lab.study.study import Study
from loom.ports import AnswerBook


@dataclass(slots=True)
class Estimate:
    """One model's share of a run. `rows` is what is planned, `calls` the distinct requests, of which `kept` are answered already.
    Tokens and price are of the others, as this project counts tokens: `first` of their next tries, with the whole allowance of
    each; `again` of the second tries that follow where the first come back empty."""

    model: str
    rows: int = 0
    calls: int = 0
    kept: int = 0
    first: "Tries" = field(default_factory=lambda: Tries())
    again: "Tries" = field(default_factory=lambda: Tries())
    price: Price | None = None
    keys: set[str] = field(default_factory=set)

    def as_json(self) -> dict[str, Json]:
        return {
            "model": self.model,
            "rows": self.rows,
            "calls": self.calls,
            "kept": self.kept,
            "to_send": self.calls - self.kept,
            **self.first.as_json(self.price),
            "if_all_are_empty": {"calls": self.again.calls, **self.again.as_json(self.price)},
        }


@dataclass(slots=True)
class Tries:
    """Calls of one kind, and the most tokens that they can take."""

    calls: int = 0
    prompt: int = 0
    completion: int = 0

    def add(self, request: Request, attempt: int) -> None:
        self.calls += 1
        self.prompt += request.size
        self.completion += request.allowances[attempt]

    def as_json(self, price: Price | None) -> dict[str, Json]:
        return {
            "prompt_tokens": self.prompt,
            "completion_tokens_at_most": self.completion,
            "price_at_most": None if price is None else price.of(self.prompt, self.completion),
        }


async def estimated(study: Study, showings: Sequence[Showing], book: AnswerBook | None) -> list[Estimate]:
    """What each model of a study would be sent, given what is kept."""
    found = []
    for member in study.models:
        each = Estimate(member.name, price=member.price)
        for showing in showings:
            if showing.status != PLANNED:
                continue
            each.rows += 1
            request = request_of(member, showing.asking)
            if request.key in each.keys:
                continue
            each.keys.add(request.key)
            kept = [] if book is None else [heard_of(answer) for answer in await book.answers(request.key)]
            if kept and (len(kept) == len(request.allowances) or not kept[-1].empty):
                each.kept += 1
                continue
            each.first.add(request, len(kept))
            for attempt in range(len(kept) + 1, len(request.allowances)):
                each.again.add(request, attempt)
        each.calls = len(each.keys)
        found.append(each)
    return found
