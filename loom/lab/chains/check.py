"""The instrument tried on models whose behaviour is known, before any model is paid for."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass

from loom.core.values import Json
from loom.lab.asking import FakeAsker
from loom.lab.chains.contrast import Result
from loom.lab.chains.scoring import ENOUGH
from loom.lab.chains.scripted import SCRIPTED, Answering
from loom.lab.row import ANSWERED, EMPTY, Row
from loom.lab.showing import PLANNED, Showing

FOLLOWED = ("both", "edge-swap", "reversal", "renamed")
"""The arms in which the route can be followed to the end."""


async def answered(showings: Sequence[Showing], models: Mapping[str, Answering] = SCRIPTED) -> AsyncIterator[Row]:
    """Rows of every scripted model over every showing; what is not planned is a row that was never asked."""
    for name, answering in models.items():
        asker = FakeAsker(answering)
        for showing in showings:
            if showing.status != PLANNED:
                yield Row(showing.question, showing.arm, name, showing.status, showing.as_json())
                continue
            said = await asker.ask(name, showing.asking, purpose="answer")
            yield Row(showing.question, showing.arm, name, EMPTY if said.empty else ANSWERED, showing.as_json(), said.as_json())


@dataclass(frozen=True, slots=True)
class Known:
    """One thing that is known of a scripted model, what was measured, and whether that is it."""

    what: str
    measured: float | None
    expected: str
    holds: bool

    def as_json(self) -> dict[str, Json]:
        return {"what": self.what, "measured": self.measured, "expected": self.expected, "holds": self.holds}


def known(result: Result) -> tuple[Known, ...]:
    """The known truths of the scripted models beside what the instrument says. An arm that no chain allows has none."""
    deltas = {delta.model: delta for delta in result.deltas}
    rates = result.rates
    found = []
    for arm, rate in rates.get("composer", {}).items():
        follows = arm.removeprefix("chain/") in FOLLOWED
        found.append(_exactly(f"composer: recall in {arm}", rate.recall, 1.0 if follows else 0.0))
        if follows:
            found.append(_exactly(f"composer: precision in {arm}", rate.precision, 1.0))
    for name in ("b-only guesser", "first guesser", "enumerator"):
        compared = deltas[name].paired if name in deltas else None
        if compared is not None:
            found.append(_exactly(f"{name}: Δ", compared.mean, 0.0))
    for arm, rate in rates.get("enumerator", {}).items():
        if rate.recall:
            low = rate.precision is not None and rate.precision < ENOUGH
            found.append(Known(f"enumerator: precision in {arm}", rate.precision, f"below {ENOUGH}", low))
            found.append(_exactly(f"enumerator: recall that counts in {arm}", rate.bounded, 0.0))
    return tuple(found)


def _exactly(what: str, measured: float | None, value: float) -> Known:
    return Known(what, measured, f"{value:g}", measured == value)
