"""The scripted models of the lab do what their table says, over blocks of the live path."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import orjson
import pytest
from support.kitchen import kitchen
from support.lab_running import Rig

from loom.cli.lab.planning import ground
from loom.core.errors import BadInput, UpstreamFailure
from loom.core.exposure import READERS, shown_names
from loom.core.policy.merge import merge
from loom.core.values import Prompt
from loom.lab.ground import Ground
from loom.lab.judging import quality, relation
from loom.lab.judging.fences import asked_again
from loom.lab.judging.quotes import cited
from loom.lab.judging.units import Unit
from loom.lab.paraphrasing import paraphrase, subject_of
from loom.lab.question import LabQuestion, Target
from loom.lab.questions import generate
from loom.lab.row import ANSWERED, Row
from loom.lab.showing import Asking, plain, user, visible
from loom.lab.study import Member
from loom.lab.wrapping.judged import judge as outcome_of
from loom_adapters.lab_models import INVENTED, SPEAKERS, LabModel, LabScript

ASKED = "What does the Maillard reaction require?"


@pytest.fixture(scope="module")
def using() -> Iterator[Ground]:
    with kitchen() as (node, pin):
        yield ground(node, pin)


@pytest.fixture
async def grounded(using: Ground) -> Asking:
    block = (await using.plan(ASKED)).block
    assert len(shown_names(block)) >= 6
    return Asking(ASKED, user(ASKED), block, "authoritative")


def prompt(asking: Asking) -> Prompt:
    return merge(asking.question({"model": "m"}), asking.block, asking.wrapper)


async def said(model: LabModel | str, asking: Asking, allowance: int = 1024) -> dict[str, Any]:
    model = LabModel(model) if isinstance(model, str) else model
    async with model.chat(prompt(asking), allowance=allowance, insist=True) as upstream:
        (frame,) = [frame async for frame in upstream.frames()]
    body: dict[str, Any] = json.loads(frame.data)
    return body


async def text(model: LabModel | str, asking: Asking) -> str:
    content: str = (await said(model, asking))["choices"][0]["message"]["content"]
    return content


async def test_copying_says_the_block_or_the_whole_input(grounded: Asking) -> None:
    assert await text("copies-all", grounded) == grounded.block.text
    assert await text("copies-all?of=input", grounded) == visible(grounded.sent)
    assert await text("copies-all", plain(*user(ASKED))) == ""


async def test_every_third_name_is_dropped(grounded: Asking) -> None:
    names = shown_names(grounded.block)
    lines = (await text("drops-third", grounded)).split("\n")
    assert lines == [f"- {name}" for number, name in enumerate(names, 1) if number % 3]
    assert len(names) - len(lines) == len(names) // 3


async def test_names_are_added_and_enumerated(grounded: Asking) -> None:
    names = [f"- {name}" for name in shown_names(grounded.block)]
    assert (await text("adds?names=Moon Base|Sea", grounded)).split("\n") == [*names, "- Moon Base", "- Sea"]
    assert (await text("enumerates?names=A|B", grounded)).split("\n") == ["- A", "- B"]
    assert (await text(LabModel("enumerates", ["X", "Y"]), grounded)).split("\n") == ["- X", "- Y"]
    assert (await text("enumerates", grounded)).split("\n") == names


async def test_nothing_is_named_or_said(grounded: Asking) -> None:
    said_nothing = await text("names-nothing", grounded)
    assert said_nothing and not any(READERS["default"](said_nothing).names(name) for name in shown_names(grounded.block))
    assert await text("empty", grounded) == ""


@pytest.mark.parametrize(("allowance", "finish"), [(1000, "length"), (1500, "length"), (1501, "stop")])
async def test_thinking_uses_up_the_allowance(grounded: Asking, allowance: int, finish: str) -> None:
    body = await said("thinks?tokens=1500", grounded, allowance)
    choice = body["choices"][0]
    assert choice["finish_reason"] == finish and bool(choice["message"]["content"]) == (finish == "stop")
    assert body["usage"]["completion_tokens"] >= min(allowance, 1500)


async def test_every_relation_is_denied(grounded: Asking) -> None:
    denied = (await text("contradicts", grounded)).split("\n")
    assert {
        "It is not true that Maillard Reaction requires Amino Acid.",
        "It is not true that Maillard Reaction is a Cookery.",
    } <= set(denied)
    assert all(line.startswith("It is not true that ") for line in denied)
    recovered = READERS["default"]("\n".join(denied))
    assert all(recovered.names(name) for name in shown_names(grounded.block))


QUESTION = LabQuestion("q", ASKED, (Target("Amino Acid"), Target("Reducing Sugar")))
ANY = LabQuestion("q", ASKED, QUESTION.gold, "any")


@pytest.mark.parametrize(
    ("question", "answer", "score"),
    [
        (QUESTION, "Amino acid and reducing sugar.", 5),
        (QUESTION, "Amino acid.", 2),
        (QUESTION, "Bread.", 0),
        (ANY, "Amino acid.", 5),
        (ANY, "Bread.", 0),
    ],
)
async def test_the_judge_scores_by_recall(question: LabQuestion, answer: str, score: int) -> None:
    sent = quality.prompt_of(Row(question, "raw", "m", ANSWERED, {}, {"answer": answer}))
    assert orjson.loads(await text("judge", plain(*sent)))["score"] == score
    assert orjson.loads(await text("judge?always=4", plain(*sent)))["score"] == 4


def unit(answer: str) -> list[dict[str, Any]]:
    made = Unit("s", "q", "scaffold", "m", 0, "Amino Acid", "n11", "T-REL", "all", ASKED, "requires", ("Amino Acid",), answer)
    return relation.prompt_of(made)


@pytest.mark.parametrize(
    ("answer", "label", "quote"),
    [
        ("Heat. It needs an amino acid. And more.", "correct_relation", "It needs an amino acid."),
        ("It does not need an amino acid.", "negated", "It does not need an amino acid."),
        ("It needs bread.", "absent", ""),
    ],
)
async def test_the_judge_labels_and_cites(answer: str, label: str, quote: str) -> None:
    found = relation.read(await text("judge", plain(*unit(answer))))
    assert found is not None and (found.label, found.quote, found.role) == (label, quote, "required")


@pytest.mark.parametrize("then", ["right", "never", "null"])
async def test_quotes_are_invented_until_asked_again(then: str) -> None:
    answer = "It needs an amino acid."
    model, sent = LabModel(f"invents-quotes?then={then}"), unit(answer)
    first = await text(model, plain(*sent))
    found = relation.read(first)
    assert found is not None and found.quote == INVENTED and not cited(found.quote, answer, "default").stands
    again = relation.read_again(await text(model, plain(*asked_again(sent, first, relation.VERBATIM))))
    assert again is not None
    assert (again[1], cited(again[1], answer, "default").stands) == {
        "right": (answer, True),
        "never": (f"{INVENTED} and its errata", False),
        "null": ("", False),
    }[then]


async def test_what_leaks_ends_after_so_many_tries() -> None:
    model = LabModel("says?text=leak&then=clean&after=2")
    other = plain({"role": "user", "content": "another"})
    assert [await text(model, plain(*user(ASKED))) for _ in range(4)] == ["leak", "leak", "clean", "clean"]
    assert await text(model, other) == "leak"


async def test_the_judge_of_pages_goes_by_their_lines() -> None:
    from loom.lab.judging.fences import messages

    for first, second, score in [("a", "a\nb", 1), ("a\nb", "a", -1), ("a", "b", 0), ("a", "a", 0)]:
        sent = messages("Compare.", [("first version", first), ("second version", second)])
        assert orjson.loads(await text("judge", plain(*sent)))["score"] == score


@pytest.mark.parametrize("script", sorted(set(SPEAKERS) - {"fails"}))
async def test_the_same_prompt_is_answered_the_same(script: str, grounded: Asking) -> None:
    assert await text(script, grounded) == await text(script, grounded)


async def test_three_numbers_are_invented_that_stand_nowhere() -> None:
    for asked in ("How much?", "How much is 1234567 in all?"):
        sent = plain(*user(asked))
        said = await text("invents-numbers", sent)
        numbers = re.findall(r"[\d.]*\d", said)
        assert len(numbers) == len(set(numbers)) == 3
        assert not any(number in asked for number in numbers)


async def test_what_only_asks_names_a_file(grounded: Asking) -> None:
    assert await text("asks", grounded) == "HYDRATE: nothing.txt"
    assert await text("asks?names=a.txt|b.txt", grounded) == "HYDRATE: a.txt\nHYDRATE: b.txt"


async def test_what_fails_fails_always_or_once_it_has_what_it_asked_for(grounded: Asking) -> None:
    with pytest.raises(UpstreamFailure):
        await text("fails", grounded)
    first = grounded.question()
    second = merge(replace(first, fetch="HYDRATE: nothing.txt"), grounded.block, grounded.wrapper)
    model = LabModel("asks-then-fails")
    async with model.chat(merge(first, grounded.block, grounded.wrapper)) as reply:
        assert b"HYDRATE: nothing.txt" in b"".join([frame.data async for frame in reply.frames()])
    with pytest.raises(UpstreamFailure):
        async with model.chat(second):
            pytest.fail("A call that fails gives nothing.")


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("copies-none", "Expected a scripted model among copies-all, drops-third"),
        ("drops-third?eech=2", "Expected options of drops-third among of, each"),
        ("drops-third?each=x", "Expected each of drops-third to be a number, but got 'x'"),
        ("drops-third?each=0", "each of 1 or more"),
        ("thinks?by=thinks", "by of another script"),
        ("empty?wait=nan", "a wait of at most 60 s"),
    ],
)
def test_a_script_that_there_is_not(script: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        LabScript.parse(script)


def writers(kind: str, after: int, gold: str) -> Rig:
    scripts = {"writer": f"leaks?kind={kind}&after={after}&names={gold}", "judge": "judge"}
    members = [Member(name, "script", script, script=script) for name, script in scripts.items()]
    return Rig(members, backends={name: LabModel(script) for name, script in scripts.items()})


@pytest.mark.parametrize("after", [0, 1, 3, 4, 99])
@pytest.mark.parametrize(
    ("kind", "reason"), [("verbatim", "gold"), ("subject", "subject"), ("prefix", "subject"), ("relation", "relation")]
)
async def test_leaks_are_refused_and_what_follows_passes(using: Ground, kind: str, reason: str, after: int) -> None:
    questions = [each for each in generate(using.concepts).questions if each.template == "T-REL"][::7]
    assert len(questions) >= 10
    for question in questions:
        rig = writers(kind, after, question.titles[0])
        done = await paraphrase(rig.asker, "writer", "judge", question, subject_of(question, using.concepts))
        assert len(done.tries) == min(after + 1, 4) and (done.text is None) == (after >= 4)
        for attempt in done.tries[:after]:
            assert reason in {refusal.reason for refusal in attempt.refusals}, (question.prompt, attempt)


async def test_an_omitted_target_is_told_by_its_name() -> None:
    asker = writers("verbatim", 0, "A").asker
    for answer, outcome in [("An amino acid.", "recovered"), ("I do not know.", "abstention"), ("Bread.", "omission")]:
        row = Row(QUESTION, "raw", "m", ANSWERED, {}, {"answer": answer})
        assert await outcome_of(asker, "judge", row, "Amino Acid") == outcome
