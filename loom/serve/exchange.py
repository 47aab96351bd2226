"""What is known of one request while it runs, for its headers, its log line and its metrics."""

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from loom.serve.asgi import Headers, Scope

if TYPE_CHECKING:
    from loom.answer.memory import Begun

KEY = "loom"
_ALLOWED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:")


@dataclass(slots=True)
class Exchange:
    """One request and its response. Rooms on the way in write to it; the edge reads it on the way out.

    `route` is a name from a small closed set, for labels; `headers` are added to whatever response is sent. `told` is set with
    the last byte of the response: a client that leaves after it has left nothing undone. `begun` is what memory knew when it came,
    where it is to be kept there.
    """

    request_id: str
    method: str
    path: str
    route: str = "other"
    caller: str = "local"
    status: int = 0
    decision: str | None = None
    injected_tokens: int | None = None
    generation: str | None = None
    completion: str | None = None
    gone: bool = False
    told: bool = False
    headers: Headers = field(default_factory=list)
    begun: "Begun | None" = None


def of(scope: Scope) -> Exchange:
    """The exchange that the edge attached to a request."""
    exchange: Exchange = scope[KEY]
    return exchange


def new_request_id(given: str | None) -> str:
    """The client's own id when it is a plain one of at most 128 characters, else a new one."""
    if given and len(given) <= 128 and _ALLOWED.issuperset(given):
        return given
    return "req_" + os.urandom(12).hex()
