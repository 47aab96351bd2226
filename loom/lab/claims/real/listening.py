"""Judges whose calls are heard by somebody else, too: what a replay finds answered already was paid for somewhere."""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any

from loom.claims.judges import Judges
from loom.core.claims.judging.calls import Call

Listener = Callable[[Sequence[Call]], None]


class _Heard:
    """Stands for a judge of any port: each method is that of the judge."""

    def __init__(self, judge: Any, listener: Listener) -> None:
        self._judge, self._listener = judge, listener

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._judge, name)

        async def asked(*given: Any) -> Any:
            judged = await method(*given)
            self._listener(judged.calls)
            return judged

        return asked


def heard(judges: Judges, listener: Listener) -> Judges:
    """The same judges; who stands in two places does so again."""
    made: dict[int, Any] = {}
    places: dict[str, Any] = {}
    for each in fields(judges):
        judge = getattr(judges, each.name)
        if judge is not None and each.name != "embedder":
            places[each.name] = made.setdefault(id(judge), _Heard(judge, listener))
    return replace(judges, **places)
