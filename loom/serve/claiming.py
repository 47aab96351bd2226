"""What the routes of claims read out of requests, and how an ask of the slow path is told."""

from collections.abc import Sequence
from typing import Any

from fastapi import Request

from loom.claims.asks import LONGEST as LONGEST_DECISION
from loom.claims.workspace import Claims
from loom.core.claims.stored import Queued
from loom.core.errors import BadInput, NotFound
from loom.serve import exchange
from loom.serve.body import kind_of, whole
from loom.serve.claims_schemas import LONGEST, LONGEST_NAME, LONGEST_WAIT, MOST_IDS
from loom.serve.errors import Conflict
from loom.serve.serving import Serving

LOCAL = "local"
"""The caller of a node that asks for no keys."""
WAIT = 2.0
"""Seconds that a decision is waited for where the request does not say."""
ERRORS = (400, 404, 409, 413, 502, 503)


def claims_of(serving: Serving) -> Claims:
    """Raises NotFound where this node keeps none."""
    if serving.node.claims is None:
        raise NotFound("This node keeps no claims; start it with LOOM_CLAIMS=on.")
    return serving.node.claims


class Given:
    """The members of a request, read strictly. Raises BadInput, which names the member."""

    def __init__(self, given: dict[str, Any], known: Sequence[str]) -> None:
        self._given = given
        if unknown := sorted(set(given) - set(known)):
            raise BadInput(f"Expected only {', '.join(known)}, but got {unknown[0][:80]!r}.", param=unknown[0][:80])

    def has(self, name: str) -> bool:
        return self._given.get(name) is not None

    def text(self, name: str, *, most: int = LONGEST_NAME, needed: bool = False) -> str:
        return text_of(self._given.get(name), name, most=most, needed=needed)

    def choice(self, name: str, among: Sequence[str]) -> str:
        value = self.text(name)
        if value and value not in among:
            raise BadInput(f"Expected {name} among {', '.join(among)}, not {value[:40]!r}.", param=name)
        return value

    def texts(self, name: str, *, most: int = LONGEST_NAME, needed: bool = False) -> tuple[str, ...] | None:
        value = self._given.get(name)
        if value is None and not needed:
            return None
        if not isinstance(value, list) or len(value) > MOST_IDS or (needed and not value):
            came = f"{len(value):,} of them" if isinstance(value, list) else kind_of(value)
            raise BadInput(f"Expected a list of {int(needed)} to {MOST_IDS} texts as {name}, not {came}.", param=name)
        return tuple(dict.fromkeys(text_of(one, f"{name}[{at}]", most=most, needed=True) for at, one in enumerate(value)))

    def switch(self, name: str, otherwise: bool) -> bool:
        value = self._given.get(name)
        if not isinstance(value, bool | None):
            raise BadInput(f"Expected true or false as {name}, not {kind_of(value)}.", param=name)
        return otherwise if value is None else value

    def number(self, name: str, otherwise: int, most: int) -> int:
        if self._given.get(name) is None:
            return otherwise
        value = whole(self._given[name])
        if value is None or not 1 <= value <= most:
            raise BadInput(f"Expected a whole number from 1 to {most} as {name}.", param=name)
        return value

    def wait(self, otherwise: float = WAIT) -> float:
        return wait_of(self._given.get("wait"), otherwise)

    def seconds(self) -> float:
        """How long who decides took, 0 where they do not say."""
        value = self._given.get("seconds")
        if value is None:
            return 0.0
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= LONGEST_DECISION:
            raise BadInput(f"Expected seconds from 0 to {LONGEST_DECISION:,.0f} as seconds.", param="seconds")
        return float(value)

    def object(self, name: str) -> dict[str, Any] | None:
        value = self._given.get(name)
        if not isinstance(value, dict | None):
            raise BadInput(f"Expected an object as {name}, not {kind_of(value)}.", param=name)
        return value


def wait_of(value: Any, otherwise: float) -> float:
    """Seconds to wait. Raises BadInput."""
    if value is None:
        return otherwise
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= LONGEST_WAIT:
        raise BadInput(f"Expected seconds from 0 to {LONGEST_WAIT:g} as wait.", param="wait")
    return float(value)


def text_of(value: Any, name: str, *, most: int = LONGEST, needed: bool = False) -> str:
    """A text with something in it, "" for none. Raises BadInput."""
    if value is None and not needed:
        return ""
    if not isinstance(value, str) or not value.strip() or len(value) > most:
        came = kind_of(value) if not isinstance(value, str) else "an empty one" if not value.strip() else f"{len(value):,}"
        raise BadInput(f"Expected a text of 1 to {most:,} characters as {name}, not {came}.", param=name)
    if "\0" in value:
        raise BadInput(f"Expected a text without NUL characters as {name}; take them out.", param=name)
    return value


def who_of(request: Request, given: Given) -> str:
    """Who decides: the name that is stated, and the key that it came under."""
    caller, by = exchange.of(request.scope).caller, given.text("by")
    return f"{by} ({caller})" if by and caller != LOCAL else by or caller


def once_of(request: Request, given: Given) -> str:
    """What makes an ask the same ask when it is sent again, apart for each caller; "" where nothing does."""
    once = given.text("once")
    return f"{exchange.of(request.scope).caller}/{once}" if once else ""


def ask_json(queued: Queued) -> dict[str, Any]:
    """An ask as its asker sees it."""
    refused = isinstance(queued.outcome, dict) and bool(queued.outcome.get("refused"))
    state = "waiting" if not queued.version else "refused" if refused else "done"
    ask = queued.ask
    return {
        "key": ask.key,
        "kind": ask.kind,
        "at": ask.at,
        "version": queued.version,
        "state": state,
        "outcome": queued.outcome,
    }


async def told_of(claims: Claims, keys: Sequence[str], wait: float) -> list[dict[str, Any]]:
    """What became of asks, waited for together."""
    return [ask_json(each) for each in await claims.asked(keys, wait)]


def unrefused(told: dict[str, Any]) -> dict[str, Any]:
    """The ask. Raises Conflict where it was refused, with the reason."""
    if told["state"] == "refused":
        raise Conflict(" ".join(str(why) for why in told["outcome"]["refused"]))
    return told
