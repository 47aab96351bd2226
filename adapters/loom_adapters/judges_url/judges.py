"""Every port of judgement over one model behind a URL."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

from loom.core.claims.judging.asked import Brief, Inference, Inquiry, Pair, Placing, Request, Sample
from loom.core.claims.judging.calls import Call, Judged, Unjudged
from loom.core.claims.judging.given import Artifact, Decided, Extract, Filed, Inferred, Opinion, Placed, Proposal, Way
from loom.core.claims.judging.rendering import completed, notes, render, shown
from loom.core.claims.records import Domain, Entry
from loom.core.values import Json
from loom.ports import AnswerBook, Clock, ModelBackend
from loom_adapters.judges_url import replies, tasks
from loom_adapters.judges_url.asking import Asking, Heard, Prices
from loom_adapters.judges_url.fenced import harmless
from loom_adapters.judges_url.tasks import Task

T = TypeVar("T")
Item = TypeVar("Item")
Answer = TypeVar("Answer")

PIECE = 8000
"""Characters of an entry that go into one request."""
UNSURE = Way("reason", (("retrieve", 0.0), ("reason", 1.0), ("author", 0.0)))
"""The way of a request of which a model says nothing that can be used."""
LEAST = 0.5
"""The probability from which a text is filed under a domain that has no threshold of its own."""


class UrlJudges:
    """Judges behind an OpenAI-compatible URL: `backend` is the URL, `model` its name there, `tier` what the ledger calls it, `prices` what
    its tokens cost. Answers are kept in `book` by content and never paid for twice; `batch` items go into one request.

    A judgement that is refused (but for a passage, twice) is the one that writes nothing: no signal, not entailed, unrelated, nothing derived, no value, no
    domain, reason, no proposal, the plain artifact, and no passage.
    """

    def __init__(
        self,
        backend: ModelBackend,
        book: AnswerBook,
        clock: Clock,
        *,
        model: str,
        prices: Prices,
        tier: str = "url",
        batch: int = 1,
        concurrency: int = 4,
        thresholds: Mapping[str, float] | None = None,
    ) -> None:
        self._asking = Asking(backend, book, clock, model=model, tier=tier, prices=prices, concurrency=concurrency)
        self._batch = max(1, batch)
        self._thresholds = dict(thresholds or {})

    async def extract(self, entries: Sequence[Entry]) -> Judged[Sequence[Extract]]:
        pieces = [(number, offset, text) for number, entry in enumerate(entries) for offset, text in _pieces(entry.text)]

        async def one(piece: tuple[int, int, str]) -> Heard[Extract]:
            number, offset, text = piece
            entry = entries[number]
            data = {
                "kind": entry.kind,
                "author": harmless(entry.author),
                "observed": entry.observed_at,
                "entry": harmless(text),
            }
            task = Task("extraction", tasks.EXTRACTION, data, tasks.EXTRACTED, 4096)
            return await self._asking.ask(task, lambda reply: replies.extract(reply, text, offset))

        heard = await _all([one(piece) for piece in pieces])
        found: list[Extract] = [Extract(()) for _ in entries]
        for (number, _, _), each in zip(pieces, heard, strict=True):
            if each.value is not None:
                held = found[number]
                found[number] = Extract((*held.drawn, *each.value.drawn), (*held.passed, *each.value.passed))
        return Judged(found, _calls(heard))

    async def entailed(self, asked: Sequence[Inference]) -> Judged[Sequence[bool]]:
        def data(each: Inference) -> dict[str, Json]:
            held = {"premise": harmless(each.premise), "proposition": harmless(each.proposition)}
            return held | ({"names": [harmless(name) for name in each.given]} if each.given else {})

        def task(items: list[dict[str, Json]]) -> Task:
            return Task("entailment", tasks.ENTAILMENT, {"items": items}, tasks.ENTAILED, 64 + 24 * len(items))

        return await self._items(asked, data, task, replies.truths, lambda why: False)

    async def verdicts(self, pairs: Sequence[Pair]) -> Judged[Sequence[Opinion]]:
        def data(pair: Pair) -> dict[str, Json]:
            held: dict[str, Json] = {"new": harmless(pair.new.text), "claim": harmless(pair.candidate.text)}
            days = {"new_observed": pair.new.at, "claim_observed": pair.candidate.at}
            return held | {name: day for name, day in days.items() if day}

        def task(items: list[dict[str, Json]]) -> Task:
            return Task("verdicts", tasks.VERDICT, {"items": items}, tasks.JUDGED, 64 + 24 * len(items))

        return await self._items(pairs, data, task, replies.opinions, lambda why: Opinion("unrelated", f"refused: {why}", 0.0))

    async def derive(self, asked: Inquiry) -> Judged[Sequence[Inferred]]:
        known = [
            {"id": each.id, "text": harmless(each.text)} | ({"observed": each.at} if each.at else {}) for each in asked.evidence
        ]
        data = {"question": harmless(asked.question), "evidence": known}
        heard = await self._asking.ask(
            Task("derivation", tasks.DERIVATION, data, tasks.DERIVED, 4096), lambda reply: replies.inferred(reply, asked)
        )
        return Judged(heard.value or [], heard.calls)

    async def project(self, asked: Sequence[Placing]) -> Judged[Sequence[Placed]]:
        async def one(each: Placing) -> Heard[Placed]:
            axis = each.axis
            told: dict[str, Json] = {"name": axis.name, "definition": axis.definition, "space": axis.space}
            told |= {"low": axis.low, "high": axis.high} if axis.space == "scalar" else {"values": list(axis.names)}
            told["prototypes"] = [{"value": value, "example": harmless(text)} for value, text in axis.prototypes]
            data = {"axis": told, "proposition": harmless(each.proposition)}
            task = Task("projecting", tasks.PROJECTION, data, tasks.placed(axis), 64)
            return await self._asking.ask(task, lambda reply: replies.placed(reply, axis))

        heard = await _all([one(each) for each in asked])
        return Judged([each.value or Placed(None, 0.0) for each in heard], _calls(heard))

    async def file(self, texts: Sequence[str], domains: Sequence[Domain]) -> Judged[Sequence[Filed]]:
        ids = [domain.id for domain in domains]
        known = _known(domains)
        nothing = Filed((), tuple((id, 0.0) for id in ids))
        if not domains:
            return Judged([nothing for _ in texts])

        def task(items: list[dict[str, Json]]) -> Task:
            allowance = 64 + (24 + 24 * len(ids)) * len(items)
            return Task("filing", tasks.FILING, {"domains": known, "items": items}, tasks.filed(ids), allowance)

        def read(reply: Mapping[str, Json], count: int) -> list[Filed]:
            return replies.filed(reply, count, ids, self._thresholds, LEAST)

        return await self._items(texts, lambda text: {"text": harmless(text)}, task, read, lambda why: nothing)

    async def route(self, requests: Sequence[Request]) -> Judged[Sequence[Way]]:
        def task(items: list[dict[str, Json]]) -> Task:
            return Task("routing", tasks.ROUTING, {"items": items}, tasks.ROUTED, 64 + 48 * len(items))

        return await self._items(requests, _request, task, replies.ways, lambda why: UNSURE)

    async def decide(self, requests: Sequence[Request], domains: Sequence[Domain]) -> Judged[Sequence[Decided]]:
        ids = [domain.id for domain in domains]
        nothing = Filed((), tuple((id, 0.0) for id in ids))
        if not domains:
            ways = await self.route(requests)
            return Judged([Decided(way, nothing) for way in ways.value], ways.calls)

        def task(items: list[dict[str, Json]]) -> Task:
            allowance = 64 + (72 + 24 * len(ids)) * len(items)
            return Task("deciding", tasks.DECIDING, {"domains": _known(domains), "items": items}, tasks.decided(ids), allowance)

        def read(reply: Mapping[str, Json], count: int) -> list[Decided]:
            homes = replies.filed(reply, count, ids, self._thresholds, LEAST)
            return [Decided(way, home) for way, home in zip(replies.ways(reply, count), homes, strict=True)]

        return await self._items(requests, _request, task, read, lambda why: Decided(UNSURE, nothing))

    async def propose(self, asked: Sample) -> Judged[Sequence[Proposal]]:
        data = {
            "domain": harmless(asked.domain),
            "description": harmless(asked.description),
            "axes": [harmless(axis) for axis in asked.axes],
            "propositions": [harmless(each) for each in asked.propositions],
            "unexplained": [[harmless(each) for each in pair] for pair in asked.unexplained],
        }
        heard = await self._asking.ask(Task("proposing", tasks.PROPOSING, data, tasks.PROPOSED, 4096), replies.proposals)
        return Judged(heard.value or [], heard.calls)

    async def render(self, asked: Brief) -> Judged[Artifact]:
        """The model's text; notes that it left out are added, and citations of nothing taken out."""
        sources = [
            {"number": number, "text": shown(each.text), "notes": notes(each)} for number, each in enumerate(asked.cited, 1)
        ]
        data = {
            "request": harmless(asked.request),
            "audience": harmless(asked.audience),
            "register": asked.register,
            "sources": sources,
        }
        heard = await self._asking.ask(Task("rendering", tasks.RENDERING, data, tasks.RENDERED, 4096), replies.text_of)
        return Judged(render(asked) if heard.value is None else completed(heard.value, asked), heard.calls)

    async def suppose(self, questions: Sequence[str]) -> Judged[Sequence[str]]:
        """One generation a question: a malformed passage is not asked for again, since a read goes on as well without one."""

        def one(text: str) -> Awaitable[Heard[str]]:
            task = Task("supposing", tasks.SUPPOSING, {"question": harmless(text)}, tasks.SUPPOSED, 256, tries=1)
            return self._asking.ask(task, replies.passage_of)

        heard = await _all([one(each) for each in questions])
        return Judged([each.value or "" for each in heard], _calls(heard))

    async def _items(
        self,
        asked: Sequence[Item],
        data: Callable[[Item], dict[str, Json]],
        task: Callable[[list[dict[str, Json]]], Task],
        read: Callable[[Mapping[str, Json], int], list[Answer]],
        refused: Callable[[str], Answer],
    ) -> Judged[Sequence[Answer]]:
        """Items in batches, numbered from 1 in each."""
        batches = [asked[at : at + self._batch] for at in range(0, len(asked), self._batch)]

        async def one(batch: Sequence[Item]) -> Heard[list[Answer]]:
            items = [{"id": number, **data(each)} for number, each in enumerate(batch, 1)]
            return await self._asking.ask(task(items), lambda reply: read(reply, len(batch)))

        heard = await _all([one(batch) for batch in batches])
        found: list[Answer] = []
        for batch, each in zip(batches, heard, strict=True):
            found += each.value if each.value is not None else [refused(each.why) for _ in batch]
        return Judged(found, _calls(heard))


def _request(each: Request) -> dict[str, Json]:
    held: dict[str, Json] = {"request": harmless(each.text)}
    more = {"before": [harmless(turn) for turn in each.before], "artifact": harmless(each.artifact)}
    return held | {name: value for name, value in more.items() if value}


def _known(domains: Sequence[Domain]) -> list[Json]:
    return [{"id": each.id, "name": harmless(each.name), "description": harmless(each.description)} for each in domains]


def _calls(heard: Sequence[Heard[T]]) -> tuple[Call, ...]:
    return tuple(call for each in heard for call in each.calls)


async def _all(asked: Sequence[Awaitable[Heard[T]]]) -> list[Heard[T]]:
    """What all of them heard. Where one cannot be asked the others come to their end, so that every call is told of."""
    ended = await asyncio.gather(*asked, return_exceptions=True)
    heard = [each for each in ended if isinstance(each, Heard)]
    failures = [each for each in ended if isinstance(each, BaseException)]
    for failure in failures:
        if not isinstance(failure, Unjudged):
            raise failure
    if failures and isinstance(first := failures[0], Unjudged):
        calls = tuple(call for each in ended if isinstance(each, Heard | Unjudged) for call in each.calls)
        raise Unjudged(first.message, status=first.status, code=first.code, calls=calls)
    return heard


def _pieces(text: str) -> list[tuple[int, str]]:
    """An entry in pieces that a request can hold, parted at the ends of lines, sentences or words."""
    found, at = [], 0
    while len(text) - at > PIECE:
        cut = next(
            (end for mark in ("\n\n", "\n", ". ", " ") if (end := text.rfind(mark, at + PIECE // 2, at + PIECE)) > 0),
            at + PIECE - 1,
        )
        found.append((at, text[at : cut + 1]))
        at = cut + 1
    return [*found, (at, text[at:])] if text[at:].strip() else found
