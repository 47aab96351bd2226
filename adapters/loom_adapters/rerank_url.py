"""Texts scored against a question by a cross-encoder behind a URL: `POST …/rerank`, as Jina, Cohere, vLLM, llama.cpp and Infinity speak it
(`documents`, answered by `results` with `relevance_score`), or text-embeddings-inference (`texts`, answered by a list with `score`)."""

import asyncio
import json
import math
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

import httpx

from loom.core.claims.judging.calls import Call, Judged, Outcome, Unjudged
from loom.core.errors import BadSettings
from loom.core.values import tokens_of
from loom_adapters.posting import posted

ROUTES = ("/rerank", "/reranking")
FORMS = ("documents", "texts")
"""What the texts are called, in the order in which it is tried; the other one where a server refuses."""
REFUSED = frozenset({400, 415, 422})
SHOWN = 200
"""Code points of a server's complaint that are passed on."""
MOST_BYTES = 4 * 1024 * 1024


class RerankUrl:
    """A cross-encoder behind a URL: that of its route, or what comes before `/rerank`. `timeout` is seconds for one question, `price`
    what a million tokens cost. The last `most` answers are kept in memory: the same question over the same texts costs nothing while its
    answer is among them. A reply without one score for each text is malformed, and gives none."""

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str = "",
        tier: str = "url",
        price: float = 0.0,
        timeout: float = 10.0,
        most: int = 1024,
    ) -> None:
        if not 0 <= price < math.inf:
            raise BadSettings(f"Expected a price of 0 or more, but got {price}.", param="price")
        base = url.rstrip("/")
        self._url = base if base.endswith(ROUTES) else f"{base}/rerank"
        self._host = httpx.URL(self._url).netloc.decode("ascii", "replace").rpartition("@")[2]
        self.model, self._tier, self._price, self._timeout = model, tier, price, timeout
        self._form, self._most = 0, most
        self._kept: OrderedDict[str, tuple[float, ...]] = OrderedDict()
        headers = {"user-agent": "loom", **({"authorization": f"Bearer {key}"} if key else {})}
        self._client = httpx.Client(timeout=httpx.Timeout(timeout), headers=headers)

    async def rerank(self, question: str, texts: Sequence[str]) -> Judged[Sequence[float]]:
        if not texts:
            return Judged(())
        clean = [each.encode("utf-8", "replace").decode() for each in (question, *texts)]
        key = sha256(json.dumps([self.model, *clean]).encode()).hexdigest()
        if (held := self._kept.get(key)) is not None:
            self._kept.move_to_end(key)
            return Judged(held, (Call("reranking", self.model, self._tier, cached=True, key=key),))
        return await asyncio.to_thread(self._heard, clean[0], clean[1:], key)

    def close(self) -> None:
        self._client.close()

    def _heard(self, question: str, texts: Sequence[str], key: str) -> Judged[Sequence[float]]:
        calls: list[Call] = []
        form = self._form
        while True:
            try:
                status, body = self._asked(question, texts, form)
            except httpx.HTTPError as error:
                said = " ".join(f"{type(error).__name__}: {error}".rstrip(": ").split())[:SHOWN]
                raise self._failure(f"did not answer in {self._timeout:g} s ({said})", calls, key) from error
            if status == 200:
                break
            if status not in REFUSED or form + 1 == len(FORMS):
                said = " ".join(body.decode("utf-8", "replace").split())[:SHOWN]
                raise self._failure(f"answered {status}: {said}", calls, key)
            calls.append(self._failed(key))
            form += 1
        content = _content(body)
        scores = _scores(content, len(texts))
        spent = _spent(content, question, texts)
        outcome: Outcome = "used" if scores else "malformed"
        paid = spent * self._price / 1e6
        calls.append(Call("reranking", self.model, self._tier, spent, 0, paid, key=key, outcome=outcome))
        if scores:
            self._form = form
            self._kept[key] = scores
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return Judged(scores, tuple(calls))

    def _asked(self, question: str, texts: Sequence[str], form: int) -> tuple[int, bytes]:
        body: dict[str, Any] = {"model": self.model, "query": question, FORMS[form]: list(texts)}
        if FORMS[form] == "documents":
            body["top_n"] = len(texts)
        return posted(self._client, self._url, body, seconds=self._timeout, most=MOST_BYTES)

    def _failed(self, key: str) -> Call:
        return Call("reranking", self.model, self._tier, key=key, outcome="failed")

    def _failure(self, what: str, calls: Sequence[Call], key: str) -> Unjudged:
        return Unjudged(f"The reranker at {self._host} {what}.", calls=(*calls, self._failed(key)))


def _content(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None


def _scores(content: Any, count: int) -> tuple[float, ...]:
    """The scores in the order of the texts, which the server states by `index`; none where they are not one for each text."""
    rows = content.get("results") if isinstance(content, Mapping) else content
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        return ()
    found: dict[int, float] = {}
    for row in rows:
        place, score = row.get("index"), row.get("relevance_score", row.get("score"))
        if type(place) is not int or type(score) not in (int, float) or not math.isfinite(score):
            return ()
        found[place] = float(score)
    return tuple(found[at] for at in range(count)) if len(rows) == count and set(found) == set(range(count)) else ()


def _spent(content: Any, question: str, texts: Sequence[str]) -> int:
    """Tokens, as the server counts them, else as the node does: a cross-encoder reads the question with each text."""
    usage = content.get("usage") if isinstance(content, Mapping) else None
    for name in ("total_tokens", "prompt_tokens"):
        told = usage.get(name) if isinstance(usage, Mapping) else None
        if type(told) is int and told > 0:
            return told
    return sum(tokens_of(question) + tokens_of(text) for text in texts)
