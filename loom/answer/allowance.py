"""The allowance of models that think before they answer: it must cover the thinking as well as the answer.

A model that spends its whole allowance on thinking returns nothing, so an allowance below 2,000 tokens is unsafe behind a
grounded prompt (seed 000, §13): such models get a floor, and one retry where even that was spent without an answer.
"""

from collections.abc import Callable, Mapping

from loom.core.allowance import limit_of, states_limit
from loom.core.completion import Transcript
from loom.core.values import Json, tokens_of

FLOOR = 4096
RETRY = 8192
TELLING = 16
"""Tokens which, when they were spent and nothing showed, can only have gone into thinking that the upstream hides."""
MOST_NAMES = 1000


def _nobody(model: str) -> bool:
    return False


class Allowances:
    """Which models think, and what allowance that gives a request. One per process: what it learns holds until it ends.

    `mode` is on (every model thinks), off (none does: no floor, no retry), or auto: a model thinks whose name `known` says so,
    or whose answers have shown it. `floor` and `retry` are tokens; 0 turns either off.
    """

    def __init__(
        self, mode: str = "auto", floor: int = FLOOR, retry: int = RETRY, known: Callable[[str], bool] = _nobody
    ) -> None:
        self._mode = mode
        self._floor = floor
        self._retry = retry
        self._known = known
        self._seen: set[str] = set()
        self._small: set[str] = set()
        self._own_temperature: set[str] = set()

    def thinks(self, model: str) -> bool:
        """Whether this model is marked, known or was seen to think."""
        return self._mode == "on" or (self._mode == "auto" and (model in self._seen or self._known(model)))

    def floor(self, model: str) -> int | None:
        """The least that a limit in a request to this model may be; None for no such thing."""
        return self._floor or None if self.thinks(model) and model not in self._small else None

    def too_much(self, model: str) -> None:
        """Remember a model that cannot take the floor, for want of context."""
        if len(self._small) < MOST_NAMES:
            self._small.add(model)

    def tempers(self, model: str) -> bool:
        """Whether this model may be sent a temperature that the client did not state."""
        return model not in self._own_temperature

    def own_temperature(self, model: str) -> None:
        """Remember a model that takes no temperature but its own."""
        if len(self._own_temperature) < MOST_NAMES:
            self._own_temperature.add(model)

    def learn(self, model: str, body: Mapping[str, Json], said: Transcript) -> None:
        """Remember a model whose answer shows that it thinks: by its reasoning, by its bill, or by what it spent on nothing."""
        if self._mode == "auto" and len(self._seen) < MOST_NAMES and (said.reasoned or _spent_on_nothing(body, said)):
            self._seen.add(model)

    def second(self, model: str, body: Mapping[str, Json], said: Transcript, first: int | None) -> int | None:
        """The allowance of one more try, for an answer that came back empty because thinking used up its allowance.

        `body` is the client's request and `first` the floor that the first try had. None where a second try would be no
        different, or where a single empty choice is not what came.
        """
        if not self._retry or not _exhausted(said) or not self.thinks(model) or (body.get("n") or 1) != 1:
            return None
        limit = limit_of(body)
        if limit is None and states_limit(body):
            return None
        spent = max(said.usage.completion or 0, tokens_of(said.reasoning))
        had = spent if limit is None else max(limit, first or 0)
        return self._retry if had < self._retry else None


def _exhausted(said: Transcript) -> bool:
    """Whether the allowance was spent before anything was said; true of a stream as soon as its choice has finished so."""
    return "length" in said.finishes and not said.answering


def _spent_on_nothing(body: Mapping[str, Json], said: Transcript) -> bool:
    if not _exhausted(said):
        return False
    spent = said.usage.completion if said.usage.completion is not None else limit_of(body)
    return spent is None or spent >= TELLING
