"""What every judge does: the plain rules, the scripted fake, and a model behind a URL, which here obeys."""

from collections.abc import Callable
from typing import Any

import pytest
from support.judging_model import JudgingModel

from loom.core.claims.judging.asked import (
    REGISTERS,
    WAYS,
    Axis,
    Brief,
    Cited,
    Inference,
    Inquiry,
    Known,
    Pair,
    Placing,
    Request,
    Sample,
    Stated,
)
from loom.core.claims.judging.calls import Judged, price_of
from loom.core.claims.judging.given import VERDICTS, Filed, Inferred, Placed, Way
from loom.core.claims.records import Domain, Entry
from loom.ports import (
    Deciding,
    Derivation,
    Entailment,
    Extraction,
    Filing,
    Projecting,
    Proposing,
    Rendering,
    Routing,
    Supposing,
    Verdicts,
)
from loom_adapters.answer_book import FakeAnswers
from loom_adapters.clock import FakeClock
from loom_adapters.judges_plain import PlainJudges
from loom_adapters.judges_scripted import FakeJudges
from loom_adapters.judges_url import Prices, UrlJudges

ENTRIES = [
    Entry("entry:1", "mail:ana", "We sell tiles. The kiln is broken! Is it?", "mail", "Ana", "2026-03-02"),
    Entry("entry:2", "file:x", "", "document"),
    Entry("entry:3", "file:y", "The kiln is repaired.\n\nThe glaze is lead-free and shiny.", "document"),
]
PAIRS = [
    Pair(Stated("The kiln is not hot."), Stated("The kiln is hot.")),
    Pair(Stated("The kiln is hot."), Stated("The kiln is hot.")),
    Pair(Stated("Anna likes tea."), Stated("The kiln is hot.")),
]
DOMAINS = [Domain("d1", "Kilns", "Furnaces that harden clay"), Domain("d2", "Glazes", "What makes ware shiny")]
SPEED = Axis(
    "speed", "How fast something is.", "ordinal", ("slow", "fast"), prototypes=(("slow", "It crawls."), ("fast", "It flies."))
)
SHARE = Axis("share", "What part it is.", "scalar", low=0.0, high=1.0, cues={"unit": ("percent",)})
SAFE = Axis("safe", "Whether it is safe.", "binary", cues={"true": ("safe",)})
EVIDENCE = (Known("a", "The kiln depends on gas."), Known("b", "Gas depends on the pipeline."))
CITED = (
    Cited("claim:1", "The kiln is hot.", "contested", ("the gauge is right",), (("claim:2", "The kiln is cold."),)),
    Cited("claim:2", "The kiln is cold.", "contested", (), (("claim:1", "The kiln is hot."),)),
)

FAKE = dict(
    propositions={"entry:1": ["The kiln is broken!"], "entry:3": ["The kiln is repaired."]},
    opinions={("The kiln is not hot.", "The kiln is hot."): "contradicts"},
    inferred={"What does the kiln depend on?": [Inferred("The kiln depends on the pipeline.", ("a", "b"), ("it works",))]},
    values={("speed", "It crawls."): Placed("slow", 0.9)},
    filed={"Kilns are furnaces": ["d1"], "Write a memo on kilns.": ["d1"]},
    ways={"Write a memo.": "author", "Write a memo on kilns.": "author"},
    passages={"Who mends the kiln?": "Ana mends the kiln."},
)


@pytest.fixture(params=["plain", "fake", "url"])
def judges(request: pytest.FixtureRequest) -> Any:
    if request.param == "plain":
        return PlainJudges()
    if request.param == "fake":
        return FakeJudges(**FAKE)
    return UrlJudges(JudgingModel(), FakeAnswers(), FakeClock(), model="m", prices=Prices(1.0, 2.0), batch=2)


@pytest.fixture(params=["plain", "fake", "url"])
def fresh(request: pytest.FixtureRequest) -> Callable[[], Any]:
    """Makes the same judges anew."""
    return {
        "plain": PlainJudges,
        "fake": lambda: FakeJudges(**FAKE),
        "url": lambda: UrlJudges(JudgingModel(), FakeAnswers(), FakeClock(), model="m", prices=Prices(1.0, 2.0), batch=2),
    }[request.param]


async def test_extraction(judges: Extraction) -> None:
    judged = await judges.extract(ENTRIES)
    assert len(judged.value) == len(ENTRIES) and not judged.value[1].drawn
    for entry, found in zip(ENTRIES, judged.value, strict=True):
        for drawn in found.drawn:
            assert 0 <= drawn.start < drawn.end <= len(entry.text) and drawn.proposition
    assert any(found.drawn for found in judged.value)


async def test_entailment(judges: Entailment) -> None:
    asked = [Inference("The kiln is hot.", "The kiln is hot."), Inference("Anna likes tea.", "The kiln is hot.")]
    assert list((await judges.entailed(asked)).value) == [True, False]


async def test_verdicts(judges: Verdicts) -> None:
    judged = await judges.verdicts(PAIRS)
    assert [each.verdict for each in judged.value][::2] == ["contradicts", "unrelated"]
    assert all(each.verdict in VERDICTS for each in judged.value)


async def test_derivation(judges: Derivation) -> None:
    judged = await judges.derive(Inquiry("What does the kiln depend on?", EVIDENCE))
    assert judged.value
    for each in judged.value:
        assert each.antecedents and set(each.antecedents) <= {"a", "b"} and each.proposition


@pytest.mark.parametrize("axis", [SPEED, SHARE, SAFE], ids=lambda axis: axis.name)
async def test_projecting(judges: Projecting, axis: Axis) -> None:
    judged = await judges.project([Placing(axis, "It crawls."), Placing(axis, "It is safe by 20 percent.")])
    assert len(judged.value) == 2
    for placed in judged.value:
        assert 0 <= placed.relevance <= 1
        if axis.space == "scalar":
            assert placed.value is None or 0 <= float(placed.value) <= 1
        else:
            assert placed.value in (None, *((True, False) if axis.space == "binary" else axis.values))


async def test_filing(judges: Filing) -> None:
    judged = await judges.file(["Kilns are furnaces", "Anna likes tea."], DOMAINS)
    assert [each.domains for each in judged.value] == [("d1",), ()]
    assert all([id for id, _ in each.probabilities] == ["d1", "d2"] for each in judged.value)
    assert (await judges.file(["Kilns are furnaces"], [])).value == [Filed((), ())]


async def test_routing(judges: Routing) -> None:
    judged = await judges.route([Request("Write a memo."), Request("Who runs the kiln?", ("We spoke of kilns.",), "A memo.")])
    assert judged.value[0].way == "author"
    for way in judged.value:
        assert way.way in WAYS and [name for name, _ in way.probabilities] == list(WAYS)
        assert sum(share for _, share in way.probabilities) == pytest.approx(1, abs=1e-5)


async def test_deciding(judges: Deciding) -> None:
    requests = [Request("Write a memo on kilns."), Request("Write a memo.", ("We spoke of tea.",), "A memo.")]
    judged = await judges.decide(requests, DOMAINS)
    assert [(each.way.way, each.filed.domains) for each in judged.value] == [("author", ("d1",)), ("author", ())]
    assert len(judged.calls) <= len(requests), "one call a request for both"
    (alone,) = (await judges.decide(requests[:1], [])).value
    assert alone.way == judged.value[0].way and alone.filed == Filed((), ())


async def test_proposing(judges: Proposing) -> None:
    judged = await judges.propose(Sample("d1", "Kilns", ("The kiln is cheap.",)))
    assert all(each.axis.name and each.axis.space in ("ordinal", "scalar", "binary", "category") for each in judged.value)


@pytest.mark.parametrize("register", REGISTERS)
async def test_rendering(judges: Rendering, register: str) -> None:
    artifact = (await judges.render(Brief("The state of the kiln", "the board", CITED, register))).value
    assert artifact.citations and set(artifact.citations) <= {"claim:1", "claim:2"}
    for each in CITED:
        if each.id in artifact.citations:
            assert all(text in artifact.text for text in (*each.preconditions, *(text for _, text in each.conflicts)))


async def test_supposing(judges: Supposing) -> None:
    judged = await judges.suppose(["Who mends the kiln?", "Who sings?"])
    assert len(judged.value) == 2 and len(judged.calls) <= 2
    assert all(isinstance(each, str) for each in judged.value)
    assert bool(judged.value[0]) == bool(judged.calls), "a passage takes a call, and no rule writes one"


async def test_nothing_asked_is_nothing_said(judges: Any) -> None:
    for judged in (
        await judges.extract([]),
        await judges.entailed([]),
        await judges.verdicts([]),
        await judges.project([]),
        await judges.file([], DOMAINS),
        await judges.route([]),
        await judges.suppose([]),
        await judges.decide([], DOMAINS),
    ):
        assert (list(judged.value), judged.calls) == ([], ())


async def _all(judges: Any) -> list[Judged[Any]]:
    return [
        await judges.extract(ENTRIES),
        await judges.entailed([Inference("The kiln is hot.", "The kiln is hot.")]),
        await judges.verdicts(PAIRS),
        await judges.derive(Inquiry("What does the kiln depend on?", EVIDENCE)),
        await judges.project([Placing(SPEED, "It crawls.")]),
        await judges.file(["Kilns are furnaces"], DOMAINS),
        await judges.route([Request("Write a memo.")]),
        await judges.propose(Sample("d1", "Kilns", ("The kiln is cheap.",))),
        await judges.render(Brief("The kiln", "", CITED)),
        await judges.suppose(["Who mends the kiln?"]),
        await judges.decide([Request("Write a memo on kilns.")], DOMAINS),
    ]


async def test_the_same_question_has_the_same_answer(fresh: Callable[[], Any]) -> None:
    assert await _all(fresh()) == await _all(fresh())


async def test_a_second_asking_costs_nothing(judges: Any) -> None:
    first, second = await _all(judges), await _all(judges)
    assert [each.value for each in first] == [each.value for each in second]
    calls = [call for each in second for call in each.calls]
    assert price_of(calls) == 0 and all(call.cached and not call.tokens_in and not call.tokens_out for call in calls)
    assert [call.key for call in calls] == [call.key for each in first for call in each.calls]


async def test_a_call_says_what_it_was(judges: Any) -> None:
    for judged in await _all(judges):
        for call in judged.calls:
            assert call.model and call.tier and call.key and call.outcome == "used" and not call.cached
            assert call.tokens_in > 0 and call.tokens_out > 0 and call.price >= 0


async def test_plain_judges_make_no_call() -> None:
    assert not any(judged.calls for judged in await _all(PlainJudges()))


async def test_the_fake_counts_its_calls() -> None:
    fake = FakeJudges(price=(2.0, 4.0))
    judged = await fake.verdicts([*PAIRS, PAIRS[0]])
    assert fake.counts["verdicts"] == 3 and [call.cached for call in judged.calls] == [False, False, False, True]
    assert price_of(fake.log) == price_of(judged.calls) > 0


async def test_the_fake_can_be_malformed() -> None:
    fake = FakeJudges(**{**FAKE, "malformed": frozenset({"verdicts", "extraction", "routing"})})
    judged = await fake.verdicts(PAIRS)
    assert {each.verdict for each in judged.value} == {"unrelated"} and judged.refused == len(PAIRS)
    assert not (await fake.extract(ENTRIES)).value[0].drawn
    assert (await fake.route([Request("Write a memo.")])).value[0] == Way(
        "reason", (("retrieve", 0.0), ("reason", 1.0), ("author", 0.0))
    )
