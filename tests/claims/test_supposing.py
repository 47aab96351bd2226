"""The part `hyde`: a weak read is searched for beside its question by a passage that would answer it."""

from dataclasses import replace
from typing import Any

import pytest
from support.claims_desk import Desk, judges

from loom.claims.fast import FastPath, Reading, Wants
from loom.claims.figures import Counted
from loom.claims.stated import stated
from loom.core.claims.judging.calls import Call, Judged, Unjudged
from loom.core.claims.parts import Parts
from loom.core.errors import BadSettings, EmbedderFailure
from loom_adapters.fake_embedder import FakeEmbedder
from loom_adapters.judges_scripted import FakeJudges

ASKED = "Who keeps us warm?"
PASSAGE = "The boiler depends on the pump."
AT = "2026-05-05T10:00:00.000+00:00"


class Failing:
    """A model that is paid for a first reply and then cannot be asked."""

    async def suppose(self, questions: Any) -> Any:
        raise Unjudged("It is not there.", calls=(Call("supposing", "m", "small", 9, 9, 0.5, outcome="malformed"),))


class Broken(FakeEmbedder):
    """Embeds one text alone: the first."""

    asked = 0

    def embed(self, texts: Any) -> Any:
        self.asked += 1
        if self.asked > 1:
            raise EmbedderFailure("It is not there.")
        return super().embed(texts)


@pytest.fixture
async def desk() -> Desk:
    made = Desk()
    await made.read(PASSAGE, *(f"Number {at} of the choir sings in June." for at in range(60)))
    return made


def fake(passages: dict[str, str] | None = None, **more: Any) -> FakeJudges:
    return FakeJudges(passages={ASKED: PASSAGE} if passages is None else passages, price=(1.0, 1.0), **more)


async def read(desk: Desk, text: str = ASKED, hyde: bool = True, weak: float = 0.5, **places: Any) -> tuple[FastPath, Reading]:
    path = FastPath(desk.store, replace(judges(), **places), parts=Parts(hyde=hyde), weak=weak)
    return path, await path.read(Wants(text, k=5), AT)


async def test_a_weak_read_finds_by_the_passage_what_the_question_does_not_say(desk: Desk) -> None:
    _, without = await read(desk, hyde=False, supposing=fake())
    _, found = await read(desk, supposing=fake())
    assert PASSAGE not in [each.text for each in without.hits] and PASSAGE in [each.text for each in found.hits]
    assert without.confidence == found.confidence == 0.0, "the passage's own words are no reason to show anything"


async def test_the_call_is_under_a_line_of_its_own_and_the_ledger_has_it(desk: Desk) -> None:
    model = fake()
    path, reading = await read(desk, supposing=model)
    assert [(each.component, each.of["line"]) for each in reading.calls] == [("supposing", "hyde")]  # type: ignore[index]
    await path.shown(reading, AT)
    figures = await Counted().look(desk.store)
    assert figures.calls == {"hyde": 1} and figures.price["hyde"] == pytest.approx(model.log[0].price)
    assert figures.price["hyde"] > 0


async def test_the_log_of_escalations_names_the_read_and_not_its_words(desk: Desk) -> None:
    path, reading = await read(desk, supposing=fake())
    await path.shown(reading, AT)
    ((_, at, told),) = await desk.store.look(lambda view: view.escalated())
    assert at == AT and told["escalation"] == "hyde" and told["confidence"] == 0.0 and told["supposed"] is True
    assert ASKED not in str(told) and told["question"].startswith("question:")


@pytest.mark.parametrize(("text", "weak"), [("What does the boiler depend on?", 0.5), (ASKED, 0.0)])
async def test_a_read_that_is_not_weak_generates_nothing(desk: Desk, text: str, weak: float) -> None:
    model = fake()
    _, reading = await read(desk, text, weak=weak, supposing=model)
    assert not model.log and not reading.calls and not reading.escalated


async def test_a_workspace_that_holds_nothing_generates_nothing() -> None:
    model = fake()
    _, reading = await read(Desk(), supposing=model)
    assert not reading.hits and not model.log


async def test_a_model_that_fails_does_not_fail_the_read_and_what_it_was_paid_is_logged(desk: Desk) -> None:
    path, reading = await read(desk, supposing=Failing())
    _, without = await read(desk, hyde=False)
    assert reading.hits == without.hits and [each.price for each in reading.calls] == [0.5]
    await path.shown(reading, AT)
    assert (await Counted().look(desk.store)).price == {"hyde": 0.5}
    assert reading.escalated[0]["supposed"] is False  # type: ignore[index]


@pytest.mark.parametrize("places", [{"supposing": None}, {"supposing": fake({})}, {"supposing": fake({ASKED: "  "})}, {"supposing": fake(malformed=frozenset({"supposing"}))}], ids=["none", "silent", "blank", "malformed"])  # fmt: skip
async def test_without_a_passage_the_read_is_as_it_was(desk: Desk, places: dict[str, Any]) -> None:
    _, reading = await read(desk, **places)
    _, without = await read(desk, hyde=False)
    assert reading.hits == without.hits


async def test_a_passage_that_cannot_be_embedded_does_not_fail_the_read(desk: Desk) -> None:
    _, reading = await read(desk, supposing=fake(), embedder=Broken())
    assert reading.hits and len(reading.calls) == 1 and reading.escalated[0]["supposed"] is False  # type: ignore[index]


async def test_a_version_that_came_between_is_the_one_that_is_read(desk: Desk) -> None:
    class Meanwhile(FakeJudges):
        async def suppose(self, questions: Any) -> Judged[Any]:
            await desk.read("The boiler depends on the pump and the valve.", source="letter")
            return await super().suppose(questions)

    _, reading = await read(desk, supposing=Meanwhile(passages={ASKED: PASSAGE}))
    assert reading.version == await desk.store.look(lambda view: view.version)
    assert "The boiler depends on the pump and the valve." in [each.text for each in reading.hits]


def test_the_file_states_the_part_its_bar_and_its_model() -> None:
    model = {"small": {"url": "http://127.0.0.1:1/v1"}}
    said = stated({"parts": {"hyde": True}, "hyde_below": 0.3, "models": model, "judges": {"supposing": "small"}})
    assert (said.parts.hyde, said.hyde_below, said.judges["supposing"]) == (True, 0.3, "small")
    assert not stated({}).parts.hyde
    with pytest.raises(BadSettings, match="supposing"):
        stated({"parts": {"hyde": True}})
    with pytest.raises(BadSettings, match="from 0 to 1"):
        stated({"hyde_below": 1.5})
