"""The outermost layer: gives every request its id, path, log line and metrics, and every error its wire form."""

import asyncio
import time
from typing import Any

from loom.core.errors import LoomError
from loom.serve.asgi import App, Message, Receive, Scope, Send, header
from loom.serve.body import ClientGone
from loom.serve.errors import UNKNOWN, send_error
from loom.serve.exchange import KEY, Exchange, new_request_id
from loom.serve.metrics import Metrics
from loom.serve.paths import canonical, plain, route_of

GONE = 499
"""The status that logs and metrics show for a request whose client left before the end."""

PATH_MOST = 300
"""Characters of a path that are logged."""

QUIET = frozenset({"/health", "/health/live", "/health/ready", "/metrics"})
"""Routes that machines call all the time: logged at debug."""


PRIVATE = frozenset({"/loom/memory"})
"""Routes whose paths name people and conversations: these are not logged."""


def _logged(here: Exchange) -> str:
    private = next((route for route in PRIVATE if f"{route}/" in plain(here.path)), here.route)
    return private if private in PRIVATE else here.path[:PATH_MOST]


class Edge:
    def __init__(self, app: App, metrics: Metrics, log: Any) -> None:
        self._app = app
        self._metrics = metrics
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        path = canonical(scope["path"])
        if path != scope["path"]:
            scope["path"], scope["raw_path"] = path, path.encode("utf-8", "replace")
        here = Exchange(new_request_id(header(scope, b"x-request-id")), scope["method"], path, route_of(path))
        scope[KEY] = here
        here.headers.append((b"x-request-id", here.request_id.encode()))

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                here.status = message["status"]
                message["headers"] = [*message.get("headers", ()), *here.headers]
            elif not message.get("more_body"):
                here.told = True
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except ClientGone:
            here.gone = True
        except LoomError as error:
            await self._fail(here, sending, error)
        except asyncio.CancelledError:
            if not here.gone:
                here.gone = True
                raise
        except Exception as error:
            self._log.error("unexpected", request_id=here.request_id, path=_logged(here), exc_info=error)
            await self._fail(here, sending, LoomError(UNKNOWN))
        finally:
            self._account(here, time.perf_counter() - started)

    async def _fail(self, here: Exchange, send: Send, error: LoomError) -> None:
        """A response that has begun cannot be taken back; it ends where it is."""
        if not here.status:
            await send_error(send, error, here.path, here.request_id)

    def _account(self, here: Exchange, seconds: float) -> None:
        status = GONE if here.gone else here.status or 500
        self._metrics.count("loom_requests_total", here.route, str(status))
        self._metrics.observe("loom_request_seconds", seconds, here.route)
        write = self._log.debug if here.route in QUIET else self._log.info
        facts = {
            "generation": here.generation,
            "decision": here.decision,
            "injected_tokens": here.injected_tokens,
            "completion": here.completion,
        }
        write(
            "request",
            request_id=here.request_id,
            method=here.method,
            path=_logged(here),
            status=status,
            ms=round(seconds * 1000, 2),
            caller=here.caller,
            **{name: value for name, value in facts.items() if value is not None},
        )
