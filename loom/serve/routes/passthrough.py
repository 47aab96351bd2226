"""Routes of the OpenAI protocol that the node passes on unchanged, byte for byte."""

from typing import Any

import orjson

from loom.core.errors import NotFound, UpstreamFailure
from loom.ports import Upstream
from loom.serve.asgi import App, Receive, Scope, Send, send_body
from loom.serve.body import parse_object, read_body
from loom.serve.metrics import count_failure
from loom.serve.relay import client_headers, passed_back
from loom.serve.schemas import EVENT, answers, of_object, takes
from loom.serve.serving import Serving
from loom.serve.stream import Departure, EventStream


class Passthrough:
    """Relays one path of the upstream. The body is understood only as far as: it is a JSON object, and the node's own key in
    it, which these paths have no use for, stays here."""

    def __init__(self, serving: Serving, path: str) -> None:
        self._serving = serving
        self._path = path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        node = self._serving.node
        data = await read_body(receive)
        asked = parse_object(data)
        if asked.pop("loom", None) is not None:
            data = orjson.dumps(asked)
        if node.backend.served_as == "reader":
            raise NotFound(f"/v1{self._path} needs a model behind the node; set LOOM_MODEL_URL to one that offers it.")
        departure = Departure(scope, receive)
        try:
            headers = client_headers(scope, node.settings.model.forward_headers)
            async with node.backend.forward("POST", self._path, data, headers) as upstream:
                await self._relay(send, upstream)
        except UpstreamFailure as failure:
            count_failure(self._serving.metrics, failure.code)
            raise
        finally:
            departure.over()

    async def _relay(self, send: Send, upstream: Upstream) -> None:
        back = passed_back(upstream.headers)
        if not upstream.streamed:
            await send_body(send, upstream.status, back, b"".join([frame.raw async for frame in upstream.frames()]))
            return
        stream = EventStream(send, self._serving.node.settings.serving.keepalive)
        stream.begin(back)
        try:
            async for frame in upstream.frames():
                await stream.frame(frame.raw)
            await stream.end()
        except UpstreamFailure as failure:
            await stream.fail(failure)
            count_failure(self._serving.metrics, failure.code)
        finally:
            stream.close()


PATHS = ("/completions", "/embeddings")
DESCRIPTIONS: dict[str, dict[str, Any]] = {
    f"/v1{path}": {
        "summary": summary,
        "tags": ["models"],
        "openapi_extra": takes(of_object()),
        "responses": answers(
            of_object(),
            also={"text/event-stream": EVENT},
            errors=(400, 404, 413, 500, 502, 503, 504),
            envelope=True,
        ),
    }
    for path, summary in zip(PATHS, ("Text completion, passed on", "Embeddings, passed on"), strict=True)
}


def raw(serving: Serving) -> dict[str, App]:
    return {f"/v1{path}": Passthrough(serving, path) for path in PATHS}
