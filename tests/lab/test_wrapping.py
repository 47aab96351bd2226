"""The wrapper ablation: the same block under each sentence, and what becomes of the targets that it leaves out."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence

import pytest
from support.kitchen import kitchen

from loom.core.errors import BadInput
from loom.core.exposure import hit
from loom.core.policy.wrappers import WRAPPERS
from loom.core.values import Json
from loom.lab.asking import FakeAsker
from loom.lab.ground import Ground
from loom.lab.question import LabQuestion, Target
from loom.lab.row import Row
from loom.lab.running.answered import row_of
from loom.lab.showing import Showing, visible
from loom.lab.wrapping import WRAPPERS_ASKED, outcome, plan_wrappers, score
from loom.lab.wrapping.judged import judge

QUESTIONS = (
    LabQuestion("a", "What does an emulsion require?", (Target("Emulsifier"), Target("Blowtorch"), Target("Time Machine"))),
    LabQuestion("b", "What does bread require?", (Target("Flour"), Target("Anvil")), gold_type="any"),
    LabQuestion("c", "Who won the cup in 1966?", (Target("England"),)),
    LabQuestion("d", "What does an emulsion require?", (Target("Emulsifier"),)),
)


@pytest.fixture(scope="module")
def ground() -> Iterator[Ground]:
    with kitchen() as (node, pin):
        yield Ground(pin, node.finders, node.policies)


def planned(ground: Ground, raw: bool = False) -> list[Showing]:
    return asyncio.run(plan_wrappers(ground, QUESTIONS, raw=raw))


def test_only_gold_that_no_input_exposes_is_asked_for_and_the_block_is_the_same(ground: Ground) -> None:
    showings = planned(ground, raw=True)
    assert [(showing.question.id, showing.arm) for showing in showings] == [
        (id, arm) for id in "ab" for arm in [*(f"wrapper/{name}" for name in WRAPPERS_ASKED), "raw"]
    ]
    for showing in showings:
        if showing.arm == "raw":
            assert showing.block.text == ""
            continue
        assert showing.block.text == showings[0 if showing.question.id == "a" else 6].block.text
        sentence = WRAPPERS[showing.wrapper]
        assert showing.asking.sent[0]["content"] == (f"{sentence}\n\n" if sentence else "") + showing.block.text
        assert not any(hit(name, visible(showing.asking.sent)) for name in showing.notes["omitted"])
    assert showings[0].notes["omitted"] == ["Blowtorch", "Time Machine"]
    assert (showings[0].notes["alternatives"], showings[6].notes["alternatives"]) == (False, True)


def test_a_wrapper_that_there_is_not_is_refused(ground: Ground) -> None:
    with pytest.raises(BadInput, match="authoritative"):
        asyncio.run(plan_wrappers(ground, QUESTIONS, ("polite",)))


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("It requires an emulsifier and a blowtorch.", "recovered"),
        ("- Emulsifier\n- Blowtorch", "recovered"),
        ("It requires an emulsifier.", "omission"),
        ("It does not require a blowtorch.", "contradiction"),
        ("It needs a whisk, not a blowtorch.", "contradiction"),
        ("No blowtorch is needed. Use a whisk.", "contradiction"),
        ("It requires only an emulsifier and oil.", "contradiction"),
        ("It requires an emulsifier and nothing else.", "contradiction"),
        ("The context does not mention a blowtorch.", "abstention"),
        ("It requires an emulsifier. The material does not say what else is needed.", "abstention"),
        ("I don't know.", "abstention"),
        ("An emulsifier; further requirements are not specified in the excerpt.", "abstention"),
        ("There is no further information in the block.", "abstention"),
        ("An emulsifier. There may be others.", "abstention"),
        ("It requires not only an emulsifier but also oil.", "omission"),
        ("The context does not mention it, but a blowtorch is used as well.", "recovered"),
        ("A blowtorch is not a whisk. It requires a blowtorch.", "recovered"),
        ("Knots and notes are tied.", "omission"),
        ("", "omission"),
    ],
)
def test_the_outcome_of_a_target_follows_from_the_answer(answer: str, expected: str) -> None:
    assert outcome("Blowtorch", answer) == expected


def rows(ground: Ground, says: Mapping[str, str], model: str = "m") -> list[Row]:
    """Rows in which each wrapper's answer is fixed."""

    def answer(_: str, messages: Sequence[Mapping[str, Json]]) -> str:
        head = str(messages[0]["content"]) if messages[0]["role"] == "system" else ""
        name = next((name for name, sentence in WRAPPERS.items() if sentence and head.startswith(sentence)), "bare")
        return says[name]

    asker, showings = FakeAsker(answer), planned(ground)

    async def asked() -> list[Row]:
        return [
            row_of(each, each.as_json(), model, await asker.ask(model, each.asking, purpose="answer"), {}) for each in showings
        ]

    return asyncio.run(asked())


SAYS = {
    "authoritative": "An emulsifier.",
    "incomplete": "An emulsifier; the excerpt does not say more.",
    "supplement": "An emulsifier, a blowtorch, a time machine and an anvil.",
    "neutral": "Only an emulsifier.",
    "bare": "",
}


def test_counts_intervals_and_paired_tests_are_those_of_the_scripted_answers(ground: Ground) -> None:
    found = score(rows(ground, SAYS)).as_json()
    assert (found["items"], found["alternatives"]) == (3, 1)
    told = {row["wrapper"]: row for row in found["outcomes"]}
    assert [told[name][kind]["count"] for name, kind in _EXPECTED.items()] == [3, 3, 3, 3]
    assert told["authoritative"]["omission"]["ci95"][1] == 1.0
    assert (told["bare"]["n"], told["bare"]["empty"]) == (0, 2)
    pair = next(
        row
        for row in found["contrasts"]
        if (row["a"], row["b"], row["outcome"]) == ("authoritative", "supplement", "recovered")
    )
    assert (pair["n"], pair["only_a"], pair["only_b"], pair["p_exact"]) == (3, 0, 3, 0.25)
    assert pair["p_holm"] == 1.0
    assert not any("bare" in (row["a"], row["b"]) for row in found["contrasts"])


_EXPECTED = {"authoritative": "omission", "incomplete": "abstention", "supplement": "recovered", "neutral": "contradiction"}


def test_rows_of_other_arms_are_passed_over_and_nothing_to_score_is_told() -> None:
    with pytest.raises(BadInput, match="wrapper/"):
        score([Row(QUESTIONS[0], "scaffold", "m", "answered", {}, {"answer": "x"})])


def test_a_judge_sees_neither_wrapper_nor_model_and_stands_beside_the_rules(ground: Ground) -> None:
    made = rows(ground, SAYS)
    scored = score(made)
    asker = FakeAsker(lambda _, messages: 'Sure: ```json\n{"outcome": "Omission"}\n```')
    verdicts = {}
    for row in made:
        for target in row.showing["notes"]["omitted"] if row.status == "answered" else ():
            key = (row.model, row.arm.removeprefix("wrapper/"), row.question.set, row.question.id, target)
            verdicts[key] = asyncio.run(judge(asker, "judge", row, target))
    assert set(verdicts.values()) == {"omission"}
    for _, messages in asker.asked:
        assert "wrapper" not in str(messages) and "body of knowledge" not in str(messages)
    found = scored.with_judged(verdicts).as_json()
    assert found["agreement"]["same"] == 3 and found["agreement"]["n"] == 12
    assert {"rule": "recovered", "judge": "omission", "count": 3} in found["agreement"]["table"]


def test_a_judge_that_says_nothing_of_use_leaves_it_open(ground: Ground) -> None:
    row = rows(ground, SAYS)[0]
    for said in ("", "no idea", '{"outcome": "maybe"}'):
        assert asyncio.run(judge(FakeAsker(lambda *_, said=said: said), "judge", row, "Blowtorch")) is None


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Unlike grilling, it uses an oven.", "recovered"),
        ("It requires flour, salt and an oven, not a grill.", "recovered"),
        ("Without an oven it cannot be done.", "recovered"),
        ("It cannot be done without an oven.", "recovered"),
        ("Unlike an oven, it uses a grill.", "contradiction"),
        ("It requires flour, not an oven.", "contradiction"),
        ("It does not need flour, salt or an oven.", "contradiction"),
        ("The oven, however, is not part of it.", "contradiction"),
        ("It is made without an oven.", "contradiction"),
    ],
)
def test_what_is_set_against_something_else_is_read_by_the_clause_of_the_name(answer: str, expected: str) -> None:
    assert outcome("Oven", answer) == expected
