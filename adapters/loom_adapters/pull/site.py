"""A folder of generations behind a web server that knows nothing of them."""

import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import httpx

from loom.core.attachment import FOLDER, MANIFEST
from loom.core.errors import BadInput, BrokenGeneration, Unreachable
from loom.core.manifest import HEX, PREFIX
from loom.core.values import Json

POINTER_MOST = 1024
MANIFEST_MOST = 16 * 1024 * 1024
PROGRESS = 1024 * 1024
"""Bytes that a broken answer must have brought to be worth another round of attempts."""

SLOWEST = 1024
"""Fewer bytes than this within the patience are a stall, though some came."""

AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})

ABSENT = frozenset({403, 404, 410})
"""What servers answer for a file that they do not have; buckets that may not be listed say 403."""

Told = Callable[[int], object]
T = TypeVar("T")


class Absent(Unreachable):
    """A file that the server does not have."""


class Site:
    """`patience` is seconds of silence, `attempts` how often something is asked for that does not come. Sizes are bytes."""

    def __init__(self, url: str, *, patience: float = 30.0, attempts: int = 5, pause: float = 0.5) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadInput(
                f"Expected the URL of a folder of generations, such as https://example.org/generations, not {url!r}."
            )
        self.url = url.rstrip("/")
        self.shown = parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl().rstrip("/")
        self._patience = patience
        self._attempts = attempts
        self._pause = pause
        self._client = httpx.Client(
            timeout=httpx.Timeout(patience, connect=min(patience, 10.0)),
            follow_redirects=True,
            headers={"accept-encoding": "identity", "user-agent": "loom-pull"},
        )

    def close(self) -> None:
        self._client.close()

    def current(self) -> str:
        """The id that the server's pointer names."""
        text = self._small("current", POINTER_MOST).decode("ascii", "replace").strip()
        if not HEX.fullmatch(text.removeprefix(PREFIX)):
            raise BrokenGeneration(
                f"{self.shown}/current does not hold the id of a generation (it begins {text[:40]!r}); is this a folder of generations?"
            )
        return PREFIX + text.removeprefix(PREFIX)

    def manifest(self, id: str) -> bytes:
        return self._small(f"{id.removeprefix(PREFIX)}/manifest.json", MANIFEST_MOST)

    def about(self, id: str) -> bytes:
        """What the server knows of a generation and is not sealed; nothing where it has nothing."""
        try:
            return self._small(f"{id.removeprefix(PREFIX)}/about.json", MANIFEST_MOST)
        except (Unreachable, BrokenGeneration):
            return b""

    def attachment(self, id: str) -> str | None:
        """The hexadecimal name of what serves beside a generation there; None where nothing does."""
        try:
            text = self._small(f"{id.removeprefix(PREFIX)}/{FOLDER}/current", POINTER_MOST).decode("ascii", "replace").strip()
        except Absent:
            return None
        if not HEX.fullmatch(text.removeprefix(PREFIX)):
            raise BrokenGeneration(f"{FOLDER}/current of {id[:19]} at {self.shown} does not hold the id of an attachment.")
        return text.removeprefix(PREFIX)

    def attachment_manifest(self, id: str, name: str) -> bytes:
        return self._small(f"{id.removeprefix(PREFIX)}/{FOLDER}/{name}/{MANIFEST}", MANIFEST_MOST)

    def _small(self, name: str, most: int) -> bytes:
        def read(answer: httpx.Response) -> bytes:
            data = b""
            for piece in self._pieces(answer):
                data += piece
                if len(data) > most:
                    raise BrokenGeneration(f"{self.shown}/{name} is more than {most} bytes, which no such file is.")
            return data

        return self._insisting(name, read, lambda: 0)

    def fetch(self, name: str, into: Path, stated: Mapping[str, Json], told: Told) -> None:
        """Bring `into` to the size that was sealed, from the file of that name below the URL, going on where it ends. Its digest is for the caller to check.

        Raises BrokenGeneration where the server's file cannot be the sealed one, Unreachable where it does not come.
        """
        size = int(stated["bytes"])

        def have() -> int:
            return into.stat().st_size if into.exists() else 0

        if have() > size:
            into.unlink()
        if have() < size or not size:
            self._insisting(name, lambda answer: self._append(answer, into, size, name, told), have)

    def _append(self, answer: httpx.Response, into: Path, size: int, name: str, told: Told) -> None:
        start = into.stat().st_size if into.exists() else 0
        whole = self._whole(answer, name, start)
        if whole is not None and whole != size:
            raise BrokenGeneration(f"{self.shown}/{name} has {whole} bytes and {size} were sealed: it is another file.")
        resumed = answer.status_code == 206
        at = start if resumed else 0
        with into.open("r+b" if into.exists() else "wb") as out:
            out.truncate(at)
            out.seek(at)
            told(at - start)
            for piece in self._pieces(answer):
                at += len(piece)
                if at > size:
                    out.truncate(start if resumed else 0)
                    raise BrokenGeneration(
                        f"{self.shown}/{name} goes on after the {size} bytes that were sealed: it is another file."
                    )
                out.write(piece)
                told(len(piece))
        if at < size:
            raise httpx.RemoteProtocolError(f"it ended after {at} of {size} bytes")

    def _whole(self, answer: httpx.Response, name: str, start: int) -> int | None:
        """The size of the whole file, as far as the server states it."""
        if answer.status_code == 206:
            unit, _, rest = answer.headers.get("content-range", "").partition(" ")
            span, _, total = rest.partition("/")
            if unit != "bytes" or span.partition("-")[0] != str(start):
                raise BrokenGeneration(
                    f"{self.shown}/{name} was asked for from byte {start} on and answered with {rest[:60]!r}."
                )
            return int(total) if total.isdigit() else None
        length = answer.headers.get("content-length", "")
        return int(length) if length.isdigit() else None

    def _pieces(self, answer: httpx.Response) -> Iterator[bytes]:
        """The body. Slower than SLOWEST bytes within the patience counts as silence."""
        since, came = time.monotonic(), 0
        for piece in answer.iter_raw():
            yield piece
            came += len(piece)
            now = time.monotonic()
            if now - since > self._patience:
                if came < SLOWEST:
                    raise httpx.ReadTimeout(f"{came} bytes in {now - since:.0f} s")
                since, came = now, 0

    def _insisting(self, name: str, read: Callable[[httpx.Response], T], have: Callable[[], int]) -> T:
        """What `read` makes of the answer, asked for again where it breaks off; `have` says how much of it there is already."""
        left, brought, last = self._attempts, have(), ""
        while left:
            left -= 1
            try:
                with self._asked(name, have()) as answer:
                    if answer.status_code in (200, 206):
                        return read(answer)
                    last = f"it answered {answer.status_code}"
            except httpx.TransportError as error:
                last = _said(error)
            if have() - brought >= PROGRESS:
                left, brought = self._attempts, have()
            if left:
                time.sleep(self._pause * (self._attempts - left) * (1 + random.random() / 4))
        raise Unreachable(f"{self.shown}/{name} could not be fetched in {self._attempts} attempts: {last}.")

    @contextmanager
    def _asked(self, name: str, start: int) -> Iterator[httpx.Response]:
        """An answer that can be read, or one after which to ask again."""
        headers = {"range": f"bytes={start}-"} if start else {}
        try:
            with self._client.stream("GET", f"{self.url}/{name}", headers=headers) as answer:
                status = answer.status_code
                if status == 416:
                    raise BrokenGeneration(f"{self.shown}/{name} has fewer bytes than were sealed: it is another file.")
                if status not in AGAIN and status not in (200, 206):
                    raise (Absent if status in ABSENT else Unreachable)(
                        f"{self.shown}/{name} answered {status}; is this a folder of generations, and is it complete?"
                    )
                if status not in AGAIN and answer.headers.get("content-encoding", "identity") != "identity":
                    raise BrokenGeneration(f"{self.shown}/{name} came compressed, though it was asked for as it is.")
                yield answer
        except (httpx.InvalidURL, httpx.TooManyRedirects) as error:
            raise Unreachable(f"{self.shown}/{name} cannot be fetched: {error}.") from error


def _said(error: httpx.TransportError) -> str:
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        kind = "there was no connection"
    else:
        kind = "it went silent" if isinstance(error, httpx.TimeoutException) else "it broke off"
    return f"{kind} ({str(error) or type(error).__name__})"
