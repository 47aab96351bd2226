"""Knowledge bases that note which sources they were asked for."""

from collections.abc import Callable
from typing import Any

from loom.core.facts.values import Held
from loom.core.values import Iri

BY_SOURCE = ("facts", "at", "window", "spans", "reading", "table")


class RecordedHeld:
    """A `Held` whose contents are asked through it. `asked` holds the sources whose contents were, "" for a search in all."""

    def __init__(self, held: Held) -> None:
        self._held = held
        self.asked: set[Iri] = set()

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._held, name)
        if name in BY_SOURCE:
            return self._noting(found)
        return found

    def _noting(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def called(source: Iri | None = None, *more: Any, **named: Any) -> Any:
            self.asked.add(source or "")
            return method(source, *more, **named)

        return called

    def search(self, terms: Any, limit: int, sources: frozenset[Iri] | None = None) -> Any:
        self.asked |= {""} if sources is None else sources
        return self._held.search(terms, limit, sources)
