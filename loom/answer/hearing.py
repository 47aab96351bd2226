"""What hears an answer: the watches, and among them the guard that may have the last word on it."""

import logging
from collections.abc import Sequence

from loom.answer.plan import Guard, Watch
from loom.core.completion import Transcript
from loom.core.values import Outcome

log = logging.getLogger(__name__)


class Hearing:
    """The watches of one answer. One that fails hears no more of it, and has no word in it; the answer stands."""

    def __init__(self, watches: Sequence[Watch]) -> None:
        self.watches = watches
        self._guard = next((watch for watch in watches if isinstance(watch, Guard) and watch.holds), None)
        self._failed = False

    @property
    def withholds(self) -> bool:
        """Whether the answer goes out only once the guard has had its word."""
        return self._guard is not None and self._guard.holds == "all"

    def waits(self, said: Transcript) -> bool:
        """Whether the guard may have a word before an answer finishes, which is about to."""
        return self._guard is not None and bool(said.finishes)

    def feed(self, text: str) -> None:
        """The answer's text as it comes; for the guard alone while the answer may still be withheld."""
        self._feed([self._guard] if self._guard and self.withholds else self.watches, text)

    def told(self, text: str) -> None:
        """A whole answer on which no word is to be had."""
        self._guard = None
        self._feed(self.watches, text)

    def _feed(self, watches: Sequence[Watch], text: str) -> None:
        for watch in watches:
            try:
                watch.feed(text)
            except Exception:
                log.exception("The watch %r failed in the middle of an answer.", watch.key)
                self.watches = [other for other in self.watches if other is not watch]
                self._failed = self._failed or watch is self._guard

    def last_word(self, said: Transcript) -> tuple[str | None, str]:
        """What is answered instead, and what is said at the end. A guard that fails lets the answer out as it came."""
        if self._guard is None:
            return None, ""
        instead, addition = None, ""
        try:
            if not self._failed and self.withholds:
                instead = self._guard.instead()
            elif not self._failed:
                addition = self._guard.addition()
        except Exception:
            log.exception("The watch %r had no word on an answer.", self._guard.key)
        if self.withholds:
            others = [watch for watch in self.watches if watch is not self._guard]
            self._feed(others, said.text if instead is None else instead)
        return instead, addition

    async def after(self, outcome: Outcome) -> None:
        """Let the watches write, once the last byte is out. What one of them does wrong is logged."""
        for watch in self.watches:
            try:
                await watch.after(outcome)
            except Exception:
                log.exception("The watch %r failed after the answer.", watch.key)
