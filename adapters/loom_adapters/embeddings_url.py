"""Texts embedded by a server: `POST /v1/embeddings`, as OpenAI, vLLM, llama.cpp, Ollama and text-embeddings-inference speak it."""

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

import httpx
import numpy as np

from loom.core.errors import EmbedderFailure
from loom.core.retrieval.vectors import unit_rows
from loom_adapters.posting import TooLong, posted

SHOWN = 200
"""Code points of a server's complaint that are passed on."""

MOST_BYTES = 64 * 1024 * 1024
AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
PAUSE = 0.5


class EmbeddingsUrl:
    """A model behind a base URL. `timeout` is seconds for one batch; `attempts` how often a batch that did not come is asked for.

    Raises EmbedderFailure where the server gives anything but one vector of one width for each text.
    """

    kind = "url"

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str = "",
        timeout: float = 0.5,
        batch: int = 64,
        attempts: int = 1,
        pause: float = PAUSE,
    ) -> None:
        self.model = model
        self._url = f"{url.rstrip('/')}/embeddings"
        self._host = httpx.URL(url).netloc.decode("ascii", "replace").rpartition("@")[2]
        self._timeout = timeout
        self._batch = batch
        self._attempts = attempts
        self._pause = pause
        headers = {"user-agent": "loom", **({"authorization": f"Bearer {key}"} if key else {})}
        self._client = httpx.Client(timeout=httpx.Timeout(timeout), headers=headers)

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        clean = [text.encode("utf-8", "replace").decode("utf-8") or " " for text in texts]
        pieces = [self._insisted(clean[start : start + self._batch]) for start in range(0, len(clean), self._batch)]
        if not pieces:
            return np.zeros((0, 0), dtype=np.float32)
        widths = {piece.shape[1] for piece in pieces}
        if len(widths) > 1:
            raise self._failure(f"gave vectors of different widths ({', '.join(map(str, sorted(widths)))})")
        return unit_rows(np.concatenate(pieces))

    def close(self) -> None:
        self._client.close()

    def _insisted(self, texts: Sequence[str]) -> np.ndarray:
        for attempt in range(1, self._attempts + 1):
            status, body = 0, b""
            try:
                status, body = self._asked(texts)
            except httpx.HTTPError as error:
                if attempt == self._attempts:
                    raise self._failure(f"did not answer in {self._timeout:g} s ({_said(error)})") from error
            if 200 <= status < 300:
                return self._vectors(body, len(texts))
            if status and (status not in AGAIN or attempt == self._attempts):
                said = " ".join(body.decode("utf-8", "replace").split())[:SHOWN]
                raise self._failure(f"answered {status}: {said}")
            time.sleep(self._pause * attempt)
        raise self._failure("was not asked")

    def _asked(self, texts: Sequence[str]) -> tuple[int, bytes]:
        body = {"model": self.model, "input": list(texts), "encoding_format": "float"}
        try:
            return posted(self._client, self._url, body, seconds=self._timeout, most=MOST_BYTES)
        except TooLong as error:
            raise self._failure(f"sent more than {MOST_BYTES} bytes for one batch") from error

    def _vectors(self, body: bytes, count: int) -> np.ndarray:
        """The vectors in the order of the texts, which the server states by `index`."""
        try:
            content: Any = json.loads(body)
            entries: list[Mapping[str, Any]] = content["data"]
            places = [entry.get("index", at) for at, entry in enumerate(entries)]
            vectors = [entry["embedding"] for entry in entries]
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            said = " ".join(body.decode("utf-8", "replace").split())[:SHOWN]
            raise self._failure(f"answered something else than embeddings: {said}") from error
        if any(type(place) is not int for place in places) or sorted(places) != list(range(count)):
            raise self._failure(f"gave {len(vectors)} vectors for {count} texts, or stated places that are not theirs")
        try:
            made = np.array([vectors[places.index(at)] for at in range(count)], dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise self._failure("gave vectors that are not lists of numbers of one length") from error
        if made.ndim != 2 or not made.shape[1] or not np.all(np.isfinite(made)) or not np.all(np.any(made, axis=1)):
            raise self._failure("gave vectors that are not lists of numbers of one length")
        return made.astype(np.float32)

    def _failure(self, what: str) -> EmbedderFailure:
        return EmbedderFailure(f"The embedding server {self._host} {what}.")


def _said(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".rstrip(": ").split())[:SHOWN]
