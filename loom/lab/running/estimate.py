"""What a run would send, before it sends anything."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from loom.core.values import Json
from loom.lab.running.request import request_of
from loom.lab.showing import PLANNED, Showing
from loom.lab.study.study import Study
from loom.ports import AnswerBook


@dataclass(slots=True)
class Estimate:
    """One model's share of a run. `rows` is what is planned, `calls` the distinct requests, of which `kept` are answered already.
    Tokens and price are of the others, as this project counts tokens; `completion` is the first allowance of each, so the most
    that first tries can cost."""

    model: str
    rows: int = 0
    calls: int = 0
    kept: int = 0
    prompt: int = 0
    completion: int = 0
    price: float | None = None
    keys: set[str] = field(default_factory=set)

    def as_json(self) -> dict[str, Json]:
        return {
            "model": self.model,
            "rows": self.rows,
            "calls": self.calls,
            "kept": self.kept,
            "to_send": self.calls - self.kept,
            "prompt_tokens": self.prompt,
            "completion_tokens_at_most": self.completion,
            "price_at_most": self.price,
        }


async def estimated(study: Study, showings: Sequence[Showing], book: AnswerBook | None) -> list[Estimate]:
    """What each model of a study would be sent, given what is kept."""
    found = []
    for member in study.models:
        each = Estimate(member.name)
        for showing in showings:
            if showing.status != PLANNED:
                continue
            each.rows += 1
            request = request_of(member, showing.asking)
            if request.key in each.keys:
                continue
            each.keys.add(request.key)
            if book is not None and await book.answers(request.key):
                each.kept += 1
                continue
            each.prompt += request.size
            each.completion += request.allowances[0]
        each.calls = len(each.keys)
        each.price = None if member.price is None else member.price.of(each.prompt, each.completion)
        found.append(each)
    return found
