"""What a read asks of models: the same few calls however much is held (specs/claims.md §8), counted in a real store at 1 and 100 times."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.claims_axes import dimension
from support.claims_stored import AT, Writer

from loom.claims.axes import row_of
from loom.claims.drafting import NODE
from loom.claims.fast import WEAK, Wants
from loom.claims.gathering import RERANKED
from loom.claims.judges import Judges
from loom.claims.workspace import Answer, Claims
from loom.core.claims import writes as w
from loom.core.claims.dimensions.rules import DEFAULT
from loom.core.claims.judging.asked import Request
from loom.core.claims.judging.calls import Judged
from loom.core.claims.judging.given import Placed
from loom.core.claims.parts import Parts
from loom.core.claims.records import Claim, Domain, Entry, Justification, Signal
from loom.core.claims.stored import ProjectionRow, Vector
from loom_adapters.claims.sql import SqliteClaims
from loom_adapters.fake_embedder import FakeEmbedder
from loom_adapters.judges_scripted import FakeJudges

DOMAINS = ("plant", "music", "law")
SIGNALS = 45
"""Signals at one time; two of them are a claim."""
TIMES = (1, 100)
STRONG, WEAKLY = "What does pump 7 of the plant feed?", "Who keeps us warm at night?"
MODELS = ("filing", "routing", "deciding", "projecting", "reranking", "supposing")


class Counted(FakeEmbedder):
    """An embedder that counts the texts of reads."""

    texts = 0

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.texts += len(texts)
        return super().embed(texts)


class Weighed(FakeJudges):
    """Judges that count the texts that a cross-encoder reads, and place whatever they are asked to."""

    async def rerank(self, question: str, texts: Sequence[str]) -> Judged[Sequence[float]]:
        self.counts["reranked texts"] += len(texts)
        return await super().rerank(question, texts)

    async def project(self, asked: Sequence[Any]) -> Judged[Sequence[Placed]]:
        made = await super().project(asked)
        return Judged([Placed("ready", 0.9) for _ in asked], made.calls)


async def filled(path: Path, times: int) -> None:
    """A store of so many times SIGNALS, with as many dimensions a domain as may be active."""
    store = SqliteClaims(path / f"{times}.sqlite")
    writer = await Writer.of(store)
    writes: list[w.Write] = [w.AddEntry(Entry("entry:1", "memo"))]
    texts: dict[str, str] = {}
    positions: list[ProjectionRow] = []
    for at in range(SIGNALS * times):
        id, domain = f"signal:{at}", DOMAINS[at % len(DOMAINS)]
        texts[id] = f"Pump {at} of the {domain} feeds line {at % 13}."
        writes.append(w.AddSignal(Signal(id, "entry:1", texts[id], domains=frozenset((domain,)))))
        if at % 2:
            claim = f"claim:{at}"
            texts[claim] = f"Line {at % 13} of the {domain} needs pump {at}."
            writes.append(w.AddClaim(Claim(claim, (Justification((id, f"signal:{at - 1}")),), texts[claim])))
            positions.append(ProjectionRow(claim, f"{domain}-0", 1, "fake", "ready", 0.9, AT))
    vectors = FakeEmbedder().embed(list(texts.values()))
    rows = [
        row_of(dimension(f"{domain}-{axis}", domain=domain, distilled=True, weight=0.001))
        for domain in DOMAINS
        for axis in range(DEFAULT.active)
    ]
    await writer.commit(
        *writes,
        domains=[Domain(each, each.title(), each) for each in DOMAINS],
        dimensions=rows,
        projections=positions,
        vectors=[Vector(NODE, id, vector) for id, vector in zip(texts, vectors, strict=True)],
    )
    await store.release(writer.lease)
    await store.aclose()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where both stores lie."""
    made = tmp_path_factory.mktemp("budget")
    for times in TIMES:
        asyncio.run(filled(made, times))
    return made


@pytest.fixture
async def stores(folder: Path) -> AsyncIterator[dict[int, SqliteClaims]]:
    made = {times: SqliteClaims(folder / f"{times}.sqlite") for times in TIMES}
    yield made
    for each in made.values():
        await each.aclose()


def workspace(store: SqliteClaims, parts: Parts, *, apart: bool = False) -> tuple[Claims, Weighed, Counted]:
    """A workspace whose every judge is a model, and who counts."""
    filed = {text: ("plant", "music") for text in (STRONG, WEAKLY)}
    model, embedder = Weighed(filed=filed, passages={WEAKLY: "The boiler feeds line 3 of the plant."}), Counted()
    judges = Judges(*(model,) * 9, embedder, queries=model, supposing=model, reranking=model, deciding=None if apart else model)
    made = Claims(
        lambda: store, judges, lambda: datetime(2026, 5, 4, tzinfo=UTC), holder="test", parts=parts, penalty=0.002, weak=WEAK
    )
    return made, model, embedder


async def spent(store: SqliteClaims, text: str, parts: Parts, **how: Any) -> tuple[Counter[str], Answer]:
    claims, model, embedder = workspace(store, parts, **how)
    before = await _calls(store)
    answer = await claims.answer(Request(text))
    counts = Counter(model.counts)
    counts["embedded texts"] = embedder.texts
    assert await _calls(store) - before == Counter({each: counts[each] for each in MODELS if counts[each]}), (
        "each is in the log"
    )
    return counts, answer


async def _calls(store: SqliteClaims) -> Counter[str]:
    found: Counter[str] = Counter()
    after = 0
    while page := await store.look(lambda view, after=after: view.calls(after)):  # type: ignore[misc]
        found.update(row.component for _, row in page)
        after = page[-1][0]
    return found


ALL = Parts(router="model", hyde=True)


@pytest.mark.parametrize("text", [STRONG, WEAKLY])
async def test_an_answer_makes_the_same_calls_at_a_hundred_times_as_much(stores: dict[int, SqliteClaims], text: str) -> None:
    (few, small), (many, large) = [await spent(stores[times], text, ALL) for times in TIMES]
    assert few == many
    generated = int(text == WEAKLY)
    assert many == Counter(
        {
            "deciding": 1,
            "projecting": 2 * DEFAULT.active,
            "reranking": 1,
            "reranked texts": RERANKED,
            "supposing": generated,
            "embedded texts": 1 + generated,
        }
    )
    for answer in (small, large):
        assert answer.reading is not None and answer.reading.scope == ("plant", "music") and len(answer.reading.hits) == 10


@pytest.mark.parametrize(
    ("parts", "apart", "expected"),
    [
        (Parts(router="model"), True, {"routing": 1, "filing": 1, "projecting": 16, "reranking": 1}),
        (Parts(), False, {"filing": 1, "projecting": 16, "reranking": 1}),
        (Parts(router="user", scope=False), False, {"projecting": 24, "reranking": 1}),
        (Parts(dimensions=False), False, {"filing": 1, "reranking": 1}),
    ],
    ids=["apart", "rules", "unscoped", "without dimensions"],
)
async def test_what_is_taken_out_is_not_asked(
    stores: dict[int, SqliteClaims], parts: Parts, apart: bool, expected: dict[str, int]
) -> None:
    (few, _), (many, _) = [await spent(stores[times], STRONG, parts, apart=apart) for times in TIMES]
    assert few == many == Counter({**expected, "reranked texts": RERANKED, "embedded texts": 1})


async def test_a_read_of_a_chat_is_filed_once_and_never_routed(stores: dict[int, SqliteClaims]) -> None:
    for store in stores.values():
        claims, model, embedder = workspace(store, ALL)
        await (await claims.fast()).read(Wants(STRONG), AT)
        assert model.counts["filing"] == 1 and not model.counts["routing"] + model.counts["deciding"] and embedder.texts == 1


async def test_a_model_that_decides_both_bounds_the_read_and_a_stated_way_is_not_judged(
    stores: dict[int, SqliteClaims],
) -> None:
    claims, model, _ = workspace(stores[1], ALL)
    answer = await claims.answer(Request(STRONG), way="retrieve", domains=("law",))
    assert answer.reading is not None and answer.reading.scope == ("law",) and not model.counts["deciding"]
    claims, model, _ = workspace(stores[1], ALL)
    claims.judges = replace(claims.judges, deciding=FakeJudges(filed={STRONG: ["law"]}, ways={STRONG: "author"}))
    answer = await claims.answer(Request(STRONG))
    assert answer.way.way == "author" and answer.artifact is not None
    assert answer.reading is not None and answer.reading.scope == ("law",) and not model.counts["filing"]
