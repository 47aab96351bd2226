"""Models whose behaviour is known, over contexts of the battery: what their clients get, through the path that answers clients."""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager

import pytest

from loom.cli.lab.battery_ground import Made, Making
from loom.cli.lab.battery_run import scripted
from loom.core.directives import alone
from loom.core.facts.hydrating import PREFIX
from loom.core.values import Prompt
from loom.lab.battery import BatteryQuestion, questions
from loom.lab.battery.answering import Given, given, said_in
from loom.lab.battery.answers import ADVERSARIES, INVENTED, QUOTING, READER, Answers, wrong_with
from loom.lab.battery.arm import ARMS, FULL, HYDRATE
from loom.lab.battery.contexts import Contexts
from loom_adapters.lab_models import LabModel

ASKED = ("S1-1", "S2-1", "S4-en", "N3", "N4-1", "S5-1", "T1-alone", "M1-en")


@pytest.fixture(scope="module")
def made() -> Iterator[Made]:
    with Making(1500, 1600).corpus(3) as corpus:
        yield corpus


def some(made: Made) -> list[BatteryQuestion]:
    return [one for one in questions(made.corpus.truth) if one.id in ASKED]


async def answer_of(made: Made, id: str, script: str, *, stream: bool) -> Given:
    question = next(one for one in questions(made.corpus.truth) if one.id == id)
    contexts = Contexts(made.bench, ARMS[HYDRATE])
    return await given(contexts, question, LabModel(script), made.node.watches, {"model": script, "stream": stream})


@pytest.mark.parametrize("seed", [2, 3])
async def test_every_adversary_meets_its_bar_and_the_reader_answers(made: Made, seed: int) -> None:
    answers = Answers(scripted())
    rows = []
    for arm in (FULL, HYDRATE):
        rows += await answers.seed(seed, Contexts(made.bench, ARMS[arm]), some(made), made.node.watches)
    assert len(rows) == 2 * len(ASKED) * (1 + len(ADVERSARIES))
    assert [one for one in answers.verdicts() if not one.met] == []
    found = {(one["model"], one["arm"]): one for one in answers.as_json()}
    assert found["invents", FULL]["unsupported"] == INVENTED * len(ASKED)
    assert found["parrots", FULL]["unsupported"] == 0 and found["parrots", FULL]["numbers"] > len(ASKED)
    assert found["fails", FULL]["errors"] == len(ASKED)
    assert found["asks", HYDRATE]["second_rounds"] >= len(ASKED) - 1
    assert not any("seconds" in row for row in rows)


@pytest.mark.parametrize("stream", [False, True])
async def test_directives_alone_are_never_shown(made: Made, stream: bool) -> None:
    for script in ("asks", "asks-then-fails", "asks?names=../../etc/passwd"):
        said = await answer_of(made, "S5-1", script, stream=stream)
        assert said.text.strip() and not alone(said.text, PREFIX)
        assert (said.calls, said.escaped, said.error, said.outcome) == (2, "", "", "degraded")


@pytest.mark.parametrize("stream", [False, True])
async def test_what_is_asked_for_reaches_the_second_call(made: Made, stream: bool) -> None:
    source = next(one for one in questions(made.corpus.truth) if one.id == "S5-3")
    path = source.sources[0].partition("/")[2]

    class Reads(LabModel):
        """Asks for a file, then says what it was given."""

        @asynccontextmanager
        async def chat(self, prompt: Prompt, **more: object) -> AsyncIterator[object]:  # type: ignore[override]
            script = "copies-all" if prompt.question.fetch else f"asks?names={path}"
            async with LabModel(script).chat(prompt) as reply:
                yield reply

    contexts = Contexts(made.bench, ARMS["full"])
    said = await given(contexts, source, Reads("empty"), made.node.watches, {"stream": stream})
    assert (said.calls, said.rounds, said.outcome, said.spontaneous) == (2, 2, "hydrated", True)
    assert all(any(way in said.text for way in needle) for needle in source.needle)


async def test_an_exception_that_no_model_should_raise_is_counted(made: Made) -> None:
    class Breaks(LabModel):
        @asynccontextmanager
        async def chat(self, prompt: Prompt, **more: object) -> AsyncIterator[object]:  # type: ignore[override]
            raise ZeroDivisionError
            yield

    question = some(made)[0]
    said = await given(Contexts(made.bench, ARMS[FULL]), question, Breaks("empty"), made.node.watches, {})
    assert bool(said.escaped) != bool(said.error)
    assert (wrong_with("parrots", question, said) != "") and said.calls == 1


def test_each_way_to_be_wrong_is_told() -> None:
    question = BatteryQuestion(
        "S1-1", "S1", "peak", "en", ({"role": "user", "content": "?"},), needle=(("38.6",),), forbidden=("36.2",)
    )
    cases: Mapping[tuple[str, Given], str] = {
        (READER, Given("38.6")): "",
        (READER, Given("36.2")): "lacks 38.6; says 36.2",
        (READER, Given("38.6 and 7", unsupported=("7",))): "without support: 7",
        ("parrots", Given("x", verified=True, unsupported=("7",))): "without support, though they were shown: 7",
        ("invents", Given("x", verified=True, unsupported=("7",))): "1 of 3 invented numbers were found",
        ("invents", Given("x")): "",
        ("ignores", Given("other")): "an answer that quotes a directive was not left alone",
        ("ignores", Given(QUOTING)): "",
        ("asks", Given(f"{PREFIX} a.txt")): "the client was shown directives, or nothing",
        ("asks", Given("fine", calls=3)): "3 calls",
        ("fails", Given("fine")): "an answer came of a call that fails",
        ("fails", Given(error="upstream_failure: no")): "",
        ("asks", Given(error="upstream_failure: no")): "no answer: upstream_failure: no",
        ("fails", Given(escaped="KeyError: 1")): "escaped: KeyError: 1",
    }  # fmt: skip
    assert {case: wrong_with(case[0], question, case[1]) for case in cases} == cases


def test_text_is_read_of_bodies_and_of_streams() -> None:
    assert said_in(b'{"choices":[{"message":{"content":"a b"}}]}', streamed=False) == "a b"
    stream = b': wait\n\ndata: {"choices":[{"delta":{"content":"a "}}]}\n\ndata: {"choices":[{"delta":{"content":"b"}}]}\n\ndata: [DONE]\n\n'
    assert said_in(stream, streamed=True) == "a b"
