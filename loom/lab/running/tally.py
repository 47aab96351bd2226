"""What a run has come to so far, for those who watch it and for its summary."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from loom.core.values import Json


@dataclass(slots=True)
class Tally:
    """Counts of one run. `asked` is what was asked of the asker, of which `kept` had their answer already; `sent` is calls that
    went out, `failed` those without an answer. `price` is of what is known; `unpriced` counts calls whose price is not."""

    asked: int = 0
    kept: int = 0
    errors: int = 0
    sent: int = 0
    failed: int = 0
    repeated: int = 0
    prompt: int = 0
    completion: int = 0
    price: float = 0.0
    unpriced: int = 0
    trouble: dict[str, str] = field(default_factory=dict)

    def spent(self, prompt: int | None, completion: int | None, price: float | None) -> None:
        self.prompt += prompt or 0
        self.completion += completion or 0
        if price is None:
            self.unpriced += 1
        else:
            self.price += price


def totals(ledger: Iterable[Mapping[str, Json]]) -> list[dict[str, Json]]:
    """What all calls of a ledger cost, by model and purpose, sorted. `price` is null where no call has one; `unpriced` counts
    answers without."""
    found: dict[tuple[str, str], dict[str, Json]] = {}
    for entry in ledger:
        model, purpose = str(entry.get("model") or ""), str(entry.get("purpose") or "")
        sums = found.setdefault(
            (model, purpose),
            {"model": model, "purpose": purpose, "calls": 0, "answers": 0, "failed": 0, "lost": 0, "repeated": 0}
            | {"prompt_tokens": 0, "completion_tokens": 0, "price": None, "unpriced": 0},
        )
        sums["calls"] += 1
        sums["repeated"] += bool(entry.get("repeated"))
        if not entry.get("heard"):
            sums["lost"] += 1
        elif entry.get("error"):
            sums["failed"] += 1
        else:
            sums["answers"] += 1
            tokens = entry.get("tokens") or {}
            sums["prompt_tokens"] += tokens.get("prompt") or 0
            sums["completion_tokens"] += tokens.get("completion") or 0
            if entry.get("price") is None:
                sums["unpriced"] += 1
            else:
                sums["price"] = (sums["price"] or 0.0) + entry["price"]
    return [found[at] for at in sorted(found)]
