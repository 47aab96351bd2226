"""Judges without a model: the rules of `loom.core.claims.judging` behind the ports of judgement. They make no call."""

import asyncio
from collections.abc import Mapping, Sequence

import numpy as np

from loom.core.claims.judging import deriving, entailing, extracting, filing, projecting, rendering, routing
from loom.core.claims.judging import verdicts as ruled
from loom.core.claims.judging.asked import Brief, Inference, Inquiry, Pair, Placing, Request, Sample
from loom.core.claims.judging.calls import Judged
from loom.core.claims.judging.given import Artifact, Decided, Extract, Filed, Inferred, Opinion, Placed, Proposal, Way
from loom.core.claims.records import Domain, Entry
from loom.ports import Embedder


class PlainJudges:
    """Every port of judgement by rules. With an embedder the projector compares vectors; `filer` and `router` are what was learned
    from labels, and need the embedder that their vectors came from. No dimension is ever proposed, and no passage
    supposed."""

    def __init__(
        self,
        embedder: Embedder | None = None,
        *,
        filer: filing.Filer | None = None,
        router: routing.Router | None = None,
        thresholds: Mapping[str, float] | None = None,
    ) -> None:
        self._embedder = embedder
        self._filer = filer if embedder else None
        self._router = router if embedder else None
        self._thresholds = dict(thresholds or {})

    async def extract(self, entries: Sequence[Entry]) -> Judged[Sequence[Extract]]:
        return Judged([extracting.extract(entry) for entry in entries])

    async def entailed(self, asked: Sequence[Inference]) -> Judged[Sequence[bool]]:
        return Judged([entailing.entailed(each) for each in asked])

    async def verdicts(self, pairs: Sequence[Pair]) -> Judged[Sequence[Opinion]]:
        return Judged([ruled.verdict(pair) for pair in pairs])

    async def derive(self, asked: Inquiry) -> Judged[Sequence[Inferred]]:
        return Judged(deriving.derive(asked))

    async def project(self, asked: Sequence[Placing]) -> Judged[Sequence[Placed]]:
        if self._embedder is None:
            return Judged([projecting.project(each) for each in asked])
        made = []
        for each in asked:
            texts = [each.proposition, each.axis.definition, *(example for _, example in each.axis.prototypes)]
            vectors = (await self._vectors(texts)).astype(np.float64)
            made.append(projecting.project(each, [round(float(vectors[0] @ other), 6) for other in vectors[1:]]))
        return Judged(made)

    async def file(self, texts: Sequence[str], domains: Sequence[Domain]) -> Judged[Sequence[Filed]]:
        if self._filer is None or not texts or set(self._filer.domains) != {domain.id for domain in domains}:
            return Judged(filing.by_description(texts, domains, self._thresholds))
        return Judged(self._filer.file(await self._vectors(texts)))

    async def route(self, requests: Sequence[Request]) -> Judged[Sequence[Way]]:
        if self._router is None or not requests:
            return Judged([routing.by_words(each) for each in requests])
        return Judged(self._router.route(await self._vectors([each.text for each in requests])))

    async def decide(self, requests: Sequence[Request], domains: Sequence[Domain]) -> Judged[Sequence[Decided]]:
        ways = (await self.route(requests)).value
        homes = (await self.file([each.text for each in requests], domains)).value
        return Judged([Decided(way, filed) for way, filed in zip(ways, homes, strict=True)])

    async def propose(self, asked: Sample) -> Judged[Sequence[Proposal]]:
        return Judged(())

    async def render(self, asked: Brief) -> Judged[Artifact]:
        return Judged(rendering.render(asked))

    async def suppose(self, questions: Sequence[str]) -> Judged[Sequence[str]]:
        return Judged([""] * len(questions))

    async def _vectors(self, texts: Sequence[str]) -> np.ndarray:
        assert self._embedder is not None
        return await asyncio.to_thread(self._embedder.embed, list(texts))
