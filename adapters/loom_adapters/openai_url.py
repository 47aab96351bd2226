"""A model behind an OpenAI-compatible URL.

Requests are httpx requests over a transport of our own: httpx's own pool collapses under concurrency, and its client costs more
per request than the rest of the call. Any `httpx.AsyncBaseTransport` will do that states host and length itself.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx
import orjson

from loom.core.allowance import with_least
from loom.core.envelope import error_object
from loom.core.errors import BadSettings, UpstreamFailure
from loom.core.frames import Frame, Splitter
from loom.core.values import Json, ModelCard, Prompt
from loom_adapters.http1 import Http1Transport
from loom_adapters.patience import Patience
from loom_adapters.profiles import GENERIC, PROFILES, Profile, by_owner, by_url, fitted

RETRIED = frozenset({429, 502, 503, 504})
LONGEST_PAUSE = 5.0
FIRST_PAUSE = 0.1
LARGEST_ERROR = 1 << 20
KEPT_HEADERS = frozenset({"content-type", "retry-after", "retry-after-ms", "x-should-retry"})
KEPT_PREFIXES = ("x-ratelimit-", "ratelimit-")


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds to wait: for a connection, for the first byte of an answer, and between two pieces of it."""

    connect: float = 5.0
    first_byte: float = 600.0
    idle: float = 120.0


def base_of(url: str) -> str:
    """The base that routes are appended to: without a trailing slash or route, with `/v1` where the URL names no path."""
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadSettings(f"Expected a model URL such as http://127.0.0.1:11434/v1, but got {url!r}.", param="LOOM_MODEL_URL")
    path = parts.path.rstrip("/").removesuffix("/chat/completions")
    return f"{parts.scheme}://{parts.netloc}{path or '/v1'}"


def _pause(response: httpx.Response, attempt: int) -> float | None:
    """Seconds to wait before trying again; None where the upstream asks for more patience than a client has."""
    asked = response.headers.get("retry-after")
    if asked is None:
        return FIRST_PAUSE * 2.0**attempt
    try:
        seconds = float(asked)
    except ValueError:
        return None
    return seconds if 0 <= seconds <= LONGEST_PAUSE else None


class Answer:
    """An answer that has begun: its first piece is here, and its frames are read as they come."""

    def __init__(
        self,
        response: httpx.Response,
        deadlines: Deadlines,
        patience: Patience,
        where: str,
        sent: str,
        error: bytes | None = None,
    ) -> None:
        self.status = response.status_code
        self.headers = {
            name: value for name, value in response.headers.items() if name in KEPT_HEADERS or name.startswith(KEPT_PREFIXES)
        }
        self.sent = sent
        self.streamed = error is None and self.headers.get("content-type", "").startswith("text/event-stream")
        self.response = response
        self._deadlines = deadlines
        self.patience = patience
        self._where = where
        self._error = error
        encoded = "content-encoding" in response.headers
        self._source = response.aiter_bytes() if encoded else response.stream.__aiter__()  # type: ignore[union-attr]
        self._first: bytes | None = None
        self._ended = False
        self._done = False
        if error is not None:
            self.headers["content-type"] = "application/json"

    async def prime(self) -> None:
        """Wait for the first piece of the body, or for its end. Raises UpstreamFailure when neither comes."""
        self._first = await self._next(self._deadlines.first_byte)

    async def _next(self, patience: float) -> bytes | None:
        """The next piece of the body; None at its end."""
        try:
            with self.patience.of(patience):
                return await anext(self._source)
        except StopAsyncIteration:
            self._ended = True
            return None
        except TimeoutError:
            message = f"The model at {self._where} sent nothing for {patience:g} s."
            raise UpstreamFailure(message, status=504, code="upstream_timeout") from None
        except (httpx.HTTPError, OSError) as error:
            message = f"The model at {self._where} broke off in the middle of its answer ({_cause(error)})."
            raise UpstreamFailure(message, code="upstream_interrupted") from error

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        """The bytes of the body. Raises UpstreamFailure when they stop before their end."""
        chunk, self._first = self._first, None
        while chunk is not None:
            yield chunk
            chunk = await self._next(self._deadlines.idle)

    async def body(self, largest: int | None = None) -> bytes:
        """The whole body, or its first `largest` bytes."""
        parts: list[bytes] = []
        size = 0
        async with aclosing(self.chunks()) as chunks:
            async for chunk in chunks:
                parts.append(chunk)
                size += len(chunk)
                if largest is not None and size >= largest:
                    break
        return b"".join(parts)[:largest]

    async def frames(self) -> AsyncIterator[Frame]:
        if self._error is not None:
            yield Frame(self._error, self._error)
        elif self.streamed:
            splitter = Splitter()
            async with aclosing(self.chunks()) as chunks:
                async for chunk in chunks:
                    for frame in splitter.feed(chunk):
                        self._done = self._done or frame.done
                        yield frame
            for frame in splitter.close():
                yield frame
        else:
            whole = await self.body()
            yield Frame(whole, whole)

    async def close(self) -> None:
        """Free the connection. One whose answer was read to its end marker is kept for the next call; any other is cut."""
        if self._done and not self._ended:
            with suppress(TimeoutError, httpx.HTTPError, OSError), self.patience.of(0.25):
                async for _ in self.response.stream:  # type: ignore[union-attr]
                    pass
        self.patience.close()
        with suppress(httpx.HTTPError, OSError):
            await self.response.stream.aclose()  # type: ignore[union-attr]


def _cause(error: BaseException) -> str:
    """A short name for what happened; the transport's own names for it mislead (a reset is told as a connect timeout)."""
    cause = error.__cause__ or error
    return f"{type(cause).__name__}: {cause}" if str(cause) else type(cause).__name__


def _decoded(body: bytes) -> Json:
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        return body.decode("utf-8", "replace")


class OpenAIUrl:
    """`ModelBackend` over an OpenAI-compatible URL.

    `aliases` maps public model names to upstream ones; `headers` go with every call; `forward` names the client's headers that
    are passed on (its `authorization` only if named there). `profile` is a name from the table of profiles, or auto: told by
    the URL, else by the upstream's list of models once that was read. `quiet` turns thinking off. A call is tried again only
    while no byte of an answer has come: on a failed connection, and on 429, 502, 503 and 504 where the upstream asks for no
    long wait.
    """

    served_as = "delegated"

    def __init__(
        self,
        url: str,
        *,
        key: str = "",
        aliases: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        forward: Sequence[str] = (),
        profile: str = "auto",
        quiet: bool = False,
        deadlines: Deadlines | None = None,
        retries: int = 2,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        if profile != "auto" and profile not in PROFILES:
            known = ", ".join(("auto", *PROFILES))
            raise BadSettings(f"Expected a model profile among {known}, but got {profile!r}.", param="LOOM_MODEL_PROFILE")
        self.url = base_of(url)
        self.profile: Profile = by_url(self.url) if profile == "auto" else PROFILES[profile]
        self._auto = profile == "auto"
        self._aliases = dict(aliases or {})
        self._forward = tuple(name.lower() for name in forward)
        self._quiet = quiet
        self._deadlines = deadlines or Deadlines()
        self._retries = retries
        self._transport = transport or Http1Transport()
        self._where = urlsplit(self.url).netloc.rpartition("@")[2]
        self._chat_url = httpx.URL(self.url + "/chat/completions")
        self._headers = {"content-type": "application/json", "accept-encoding": "identity", "user-agent": "loom"}
        if key:
            self._headers["authorization"] = f"Bearer {key}"
        self._headers |= {name.lower(): value for name, value in (headers or {}).items()}

    @asynccontextmanager
    async def chat(
        self,
        prompt: Prompt,
        *,
        allowance: int | None = None,
        insist: bool = False,
        headers: Mapping[str, str] | None = None,
    ) -> AsyncIterator[Answer]:
        body = self._aliased(prompt.body)
        if allowance:
            body = with_least(body, allowance, self.profile.insert if insist else None)
        body = fitted(body, self.profile, quiet=self._quiet)
        sent, streaming = str(body.get("model", "")), body.get("stream") is True
        accept = "text/event-stream" if streaming else "application/json"
        answer = await self._begin("POST", self._chat_url, orjson.dumps(body), {**self._given(headers), "accept": accept}, sent)
        try:
            self._check(answer, streaming)
            yield answer
        finally:
            await answer.close()

    @asynccontextmanager
    async def forward(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> AsyncIterator[Answer]:
        sent = ""
        if body and self._aliases:
            asked = _decoded(body)
            if isinstance(asked, Mapping) and asked.get("model") in self._aliases:
                aliased = self._aliased(asked)
                sent, body = str(aliased["model"]), orjson.dumps(aliased)
        given = self._given(headers)
        given |= {name: headers[name] for name in ("content-type", "accept") if name in headers}
        answer = await self._begin(method, httpx.URL(self.url + "/" + path.lstrip("/")), body, given, sent)
        try:
            yield answer
        finally:
            await answer.close()

    async def models(self) -> Sequence[ModelCard]:
        """What the upstream lists, under its public names where it has them. Raises UpstreamFailure where it lists nothing."""
        answer = await self._begin("GET", httpx.URL(self.url + "/models"), b"", {"accept": "application/json"}, "")
        try:
            listed = _decoded(await answer.body(16 << 20))
        finally:
            await answer.close()
        rows = listed.get("data") if isinstance(listed, Mapping) else None
        if answer.status != 200 or not isinstance(rows, list):
            message = f"Expected a list of models from {self._where}, but got status {answer.status}."
            raise UpstreamFailure(message, code="upstream_not_openai")
        cards = {
            row["id"]: ModelCard(
                row["id"], str(row.get("owned_by") or ""), created if isinstance(created := row.get("created"), int) else 0
            )
            for row in rows
            if isinstance(row, Mapping) and isinstance(row.get("id"), str)
        }
        if self._auto and self.profile is GENERIC:
            self.profile = by_owner([card.owned_by for card in cards.values()])
        public = [
            ModelCard(name, cards[told].owned_by if told in cards else "", cards[told].created if told in cards else 0)
            for name, told in self._aliases.items()
        ]
        return public + [card for card in cards.values() if card.id not in self._aliases]

    async def aclose(self) -> None:
        await self._transport.aclose()

    def _aliased(self, body: Mapping[str, Json]) -> Mapping[str, Json]:
        model = body.get("model")
        told = self._aliases.get(model) if isinstance(model, str) else None
        return body if told is None else {**body, "model": told}

    def _given(self, headers: Mapping[str, str] | None) -> dict[str, str]:
        """The client's headers that are passed on."""
        return {name: headers[name] for name in self._forward if name in headers} if headers else {}

    def _check(self, answer: Answer, streaming: bool) -> None:
        """Raises UpstreamFailure for an answer that is no chat completion on the face of it."""
        kind = answer.headers.get("content-type", "")
        if answer.status < 300 and ("html" in kind or (answer.streamed and not streaming)):
            message = (
                f"Expected a chat completion from {self._where}, but got {kind or 'no content type'}; check that the model URL is the "
                "base of an OpenAI-compatible API, usually ending in /v1."
            )
            raise UpstreamFailure(message, code="upstream_not_openai")

    async def _begin(self, method: str, url: httpx.URL, body: bytes, headers: Mapping[str, str], sent: str) -> Answer:
        """Call, again where that is safe, and give the answer that began; an error is read whole and put in the envelope."""
        given = {**self._headers, **headers}
        attempt = 0
        while True:
            last = attempt == self._retries
            answer, pause = await self._try(method, url, body, given, sent, attempt, last=last)
            if answer is not None:
                break
            await asyncio.sleep(pause)
            attempt += 1
        if answer.status < 300:
            return answer
        try:
            return await self._failed(answer)
        except BaseException:
            await answer.close()
            raise

    async def _try(
        self, method: str, url: httpx.URL, body: bytes, headers: Mapping[str, str], sent: str, attempt: int, *, last: bool
    ) -> tuple[Answer | None, float]:
        """One call: the answer that began, or None and the seconds to wait before the next."""
        patience = Patience()
        try:
            response = await self._call(method, url, body, headers, patience)
        except httpx.HTTPError as error:
            if last or isinstance(error.__cause__, ValueError):
                message = f"The model at {self._where} cannot be reached ({_cause(error)}); check that it runs and that the model URL is right."
                raise UpstreamFailure(message, code="upstream_unreachable") from error
            return None, FIRST_PAUSE * 2.0**attempt
        answer = Answer(response, self._deadlines, patience, self._where, sent)
        pause = None if last or answer.status not in RETRIED else _pause(response, attempt)
        if pause is not None:
            await answer.close()
            return None, pause
        try:
            await answer.prime()
        except UpstreamFailure as failure:
            await answer.close()
            if last or failure.status == 504:
                raise
            return None, FIRST_PAUSE * 2.0**attempt
        except BaseException:
            await answer.close()
            raise
        return answer, 0.0

    async def _failed(self, answer: Answer) -> Answer:
        """The answer of an upstream that refused, as an error in the envelope."""
        response = answer.response
        if answer.status < 400:
            message = (
                f"The model at {self._where} redirects to {response.headers.get('location', 'nowhere')}; redirects are not followed, "
                "so set the model URL to where it should go."
            )
            raise UpstreamFailure(message, code="upstream_redirect")
        payload = _decoded(await answer.body(LARGEST_ERROR))
        if isinstance(payload, str) and "html" in answer.headers.get("content-type", ""):
            payload = f"The model at {self._where} answered with status {answer.status} and a web page."
        error = orjson.dumps({"error": error_object(answer.status, payload)})
        return Answer(response, self._deadlines, answer.patience, self._where, answer.sent, error)

    async def _call(
        self, method: str, url: httpx.URL, body: bytes, headers: Mapping[str, str], patience: Patience
    ) -> httpx.Response:
        """The response that has begun. The headers are ours and the body is whole, so httpx need not look for what is missing."""
        timeouts = {"connect": self._deadlines.connect, "read": None, "pool": None}
        stream = httpx.ByteStream(body)
        request = httpx.Request(method, url, headers=headers, stream=stream, extensions={"timeout": timeouts})
        request.read()
        try:
            with patience.of(self._deadlines.first_byte):
                return await self._transport.handle_async_request(request)
        except TimeoutError as error:
            patience.close()
            message = f"The model at {self._where} did not begin to answer within {self._deadlines.first_byte:g} s."
            raise UpstreamFailure(message, status=504, code="upstream_timeout") from error
        except OSError as error:
            patience.close()
            raise httpx.ConnectError(str(error)) from error
        except BaseException:
            patience.close()
            raise
