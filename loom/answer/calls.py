"""The calls upstream for one prompt: one, and another where it was refused for what the node put in, or came back empty."""

import logging
from collections.abc import Mapping
from contextlib import AsyncExitStack

from loom.answer.allowance import Allowances
from loom.core.allowance import limit_of, states_limit
from loom.core.completion import Transcript
from loom.core.errors import UpstreamFailure
from loom.core.policy.merge import at_own_temperature
from loom.core.values import Prompt
from loom.ports import ModelBackend, Upstream

log = logging.getLogger(__name__)

REFUSALS = frozenset({400, 413, 422})
"""What an upstream says to a request that it cannot take; with a raised limit it may be that limit which it cannot."""
UNFIT = frozenset({400, 422})
"""What it says to a member that it does not know, such as a temperature."""


class Calls:
    """`begin` calls; `upstream` is the answer that began, `attempts` how many answers were asked for, `allowance` the limit that was
    sent where it was raised. `stack` holds what is open upstream."""

    def __init__(
        self, prompt: Prompt, backend: ModelBackend, allowances: Allowances, headers: Mapping[str, str] | None, sent: str = ""
    ) -> None:
        self.stack = AsyncExitStack()
        self.upstream: Upstream
        self.attempts = 1
        self.allowance: int | None = None
        self.sent = sent
        self._backend = backend
        self._allowances = allowances
        self._headers = headers
        self._body = prompt.question.body
        self._model = str(self._body.get("model") or "")
        self._floor = allowances.floor(self._model)
        self._prompt = prompt if allowances.tempers(self._model) else at_own_temperature(prompt)

    async def begin(self) -> None:
        """Call the model. Raises UpstreamFailure when no answer begins.

        A request that is refused with a temperature or a limit of the node's, but not as the client sent it, goes as the client
        sent it from then on.
        """
        limit = limit_of(self._body)
        if self._floor is not None and limit is not None and limit < self._floor:
            self.allowance = self._floor
        self.upstream = await self._call(self._floor, insist=False)
        if self._prompt.tempered and self.upstream.status in UNFIT:
            self._prompt = at_own_temperature(self._prompt)
            self.upstream = await self._call(self._floor, insist=False)
            if self.upstream.status == 200:
                self._allowances.own_temperature(self._model)
        if self.allowance is not None and self.upstream.status in REFUSALS:
            self.upstream = await self._call(None, insist=False)
            if self.upstream.status == 200:
                self._allowances.too_much(self._model)
                self._floor = self.allowance = None

    def retry_at(self, said: Transcript) -> int | None:
        """The allowance of a second try for what was said, None for none. Learns from it whether the model thinks."""
        self._allowances.learn(self._model, self._body, said)
        return self._allowances.second(self._model, self._body, said, self._floor)

    async def again(self, said: Transcript) -> Upstream | None:
        """An answer with more allowance, where the first came back empty for want of it; None where there is none."""
        least = self.retry_at(said)
        if least is None:
            return None
        self.attempts += 1
        try:
            second = await self._call(least, insist=not states_limit(self._body))
        except UpstreamFailure as failure:
            log.warning("The second try for an empty answer failed: %s", failure.message)
            return None
        if second.status != 200:
            return None
        self.allowance = least
        return second

    async def _call(self, least: int | None, *, insist: bool) -> Upstream:
        call = self._backend.chat(self._prompt, allowance=least, insist=insist, headers=self._headers)
        upstream = await self.stack.enter_async_context(call)
        self.sent = upstream.sent
        return upstream
