"""The two halves of the pre-filter: each stops alone what it is there to stop, and both let pass what is good."""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from support.proposing import JUDGES, about, corpus, judging, measured, memory_desk, rule_in, said, topic_of, versions

from loom.core.errors import BadInput
from loom.core.proposals.dossier import COMPLETE, JUDGED, Dossier
from loom.core.proposals.rendering import Edit
from loom.core.proposals.topics import Bars, apart
from loom.lab.asking import FakeAsker, Said
from loom.lab.judging.rule import read_rule
from loom.lab.question import LabQuestion, Target
from loom.proposals.drafting import Draft, drafted, edit_of, written
from loom.proposals.prefilter import completed, judged, pairs_of
from loom.proposals.served import Served

LOW = Bars(1, 1)


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with corpus() as found:
        yield found


def draft_of(served: Served, *texts: str, edit: Edit | None = None, terms: Sequence[str] = ("Sourdough",)) -> Draft:
    desk = memory_desk(LOW)
    desk.land([said(text, f"{number}.txt", *terms) for number, text in enumerate(texts)], served)
    return drafted(desk, served, topic_of("Sourdough", desk.topics(served), served), edit)


GOOD = "Sourdough keeps for five days when it is wrapped in linen."
STUFFED = "Sourdough Starter, Dutch Oven, Banneton, Baguette, Yeast, Bread, Fermentation, Flour."


async def test_what_both_halves_like_passes(served: Served, tmp_path: Path) -> None:
    draft = draft_of(served, GOOD)
    asker = judging(lambda before, after: 1)
    (dossier,) = await measured([draft], served, tmp_path, asker)
    assert dossier.stopped == () and dossier.judged["mean"] == 1.0 and dossier.complete["ceiling"]["macro"] == 1.0
    assert len(asker.asked) == 4
    orders = {(model, versions(messages) == (draft.before, draft.after)) for model, messages in asker.asked}
    assert orders == {(judge.name, forward) for judge in JUDGES for forward in (True, False)}
    assert all(len(set(pair.shown(seed) for pair in pairs_of(draft))) == 2 for seed in range(40))


async def test_a_diluting_section_is_stopped_by_the_judged_half_alone(served: Served, tmp_path: Path) -> None:
    (dossier,) = await measured([draft_of(served, GOOD)], served, tmp_path, judging(lambda before, after: -1))
    assert dossier.stopped == (JUDGED,) and dossier.judged["mean"] == -1.0
    assert dossier.complete["outcome"] == "pass"


@pytest.mark.parametrize(
    "edit", [STUFFED, f"{GOOD}\n\n{STUFFED}", "\n".join(f"- {name.strip(' .')}" for name in STUFFED.split(","))]
)
async def test_a_stuffed_section_is_stopped_by_the_half_of_names_alone(served: Served, tmp_path: Path, edit: str) -> None:
    draft = draft_of(served, GOOD, edit=Edit(edit))
    (dossier,) = await measured([draft], served, tmp_path, judging(lambda before, after: 2))
    assert dossier.stopped == (COMPLETE,) and dossier.complete["outcome"] == "flagged"
    assert dossier.judged["outcome"] == "integrate" and dossier.judged["mean"] == 2.0


STRANGERS = ("Dutch Oven", "Banneton", "Baguette", "Yeast", "Braising", "Knife")


@pytest.mark.parametrize(
    "edit",
    [
        f"{GOOD} See {', '.join(f'[[{name}]]' for name in STRANGERS)}.",
        " ".join(f"Sourdough is related to {name}." for name in STRANGERS),
        GOOD + " " + " ".join(f"The {name} of the house was {done}." for name, done in zip(STRANGERS, "abcdef", strict=True)),
    ],
    ids=["see", "frames", "sentences"],
)
async def test_names_that_no_assertion_is_about_are_stuffing_in_whatever_sentence(
    served: Served, tmp_path: Path, edit: str
) -> None:
    (dossier,) = await measured([draft_of(served, GOOD, edit=Edit(edit))], served, tmp_path, judging(lambda before, after: 2))
    assert dossier.stopped == (COMPLETE,) and "unfounded" in [each["kind"] for each in dossier.complete["reasons"]]
    founded = " ".join(f"Sourdough is eaten with {name}, said the baker of day {at}." for at, name in enumerate(STRANGERS))
    draft = draft_of(served, GOOD, *founded.split(". "), edit=Edit(edit))
    assert "unfounded" not in [each["kind"] for each in completed(draft, served, (), 0.0)["reasons"]]
    one_more = draft_of(served, GOOD, edit=Edit(f"{GOOD} The Banneton is dry."))
    assert completed(one_more, served, (), 1.0)["outcome"] == "pass"


async def test_a_stuffed_assertion_is_stopped_however_it_was_drafted(served: Served, tmp_path: Path) -> None:
    draft = draft_of(served, STUFFED, terms=("Sourdough", *(name.strip(" .") for name in STUFFED.split(","))))
    (dossier,) = await measured([draft], served, tmp_path, judging(lambda before, after: 2))
    assert COMPLETE in dossier.stopped


async def test_a_section_that_leaves_names_out_is_incomplete(served: Served, tmp_path: Path) -> None:
    draft = draft_of(served, "Sourdough rests in a Banneton.", edit=Edit(GOOD), terms=("Sourdough", "Banneton"))
    (dossier,) = await measured([draft], served, tmp_path, judging(lambda before, after: 1))
    assert dossier.stopped == (COMPLETE,) and dossier.complete["missing"] == ["Banneton"]
    assert completed(draft, served, (), 0.0)["outcome"] == "pass"


def test_questions_of_a_file_are_asked_where_they_are_about_the_topic(served: Served) -> None:
    own = LabQuestion("q1", "Where does Sourdough rest?", (Target("Banneton"),), class_slugs=("sourdough",))
    other = LabQuestion("q2", "What does Butter need?", (Target("Cream"),), class_slugs=("butter",))
    draft = draft_of(served, GOOD)
    found = completed(draft, served, [own, other], 1.0)
    assert (found["outcome"], found["missing"], found["questions"]) == ("incomplete", ["Banneton"], 1)
    assert completed(draft, served, [other], 1.0)["outcome"] == "pass"


@pytest.mark.parametrize(
    ("verdicts", "stopped"),
    [
        ({"first": (1, 1), "second": (1, 1)}, False),
        ({"first": (2, 1), "second": (1, 2)}, False),
        ({"first": (2, 2), "second": (0, 0)}, True),
        ({"first": (2, 0), "second": (1, 1)}, True),
        ({"first": (2, -1), "second": (2, 2)}, True),
        ({"first": (0, 0), "second": (0, 0)}, True),
        ({"first": (None, 1), "second": (1, 1)}, True),
    ],
)
async def test_every_judge_must_like_it_in_both_orders(
    served: Served, tmp_path: Path, verdicts: Mapping[str, tuple[int | None, int | None]], stopped: bool
) -> None:
    draft = draft_of(served, GOOD)

    def answer(model: str, messages: Sequence[Mapping[str, Any]]) -> str:
        forward = versions(messages) == (draft.before, draft.after)
        worth = verdicts[model][0 if forward else 1]
        return "I cannot say." if worth is None else json.dumps({"score": worth if forward else -worth, "why": "So."})

    (dossier,) = await measured([draft], served, tmp_path, FakeAsker(answer))
    assert (JUDGED in dossier.stopped) is stopped


async def test_verdicts_are_kept_and_bound_to_the_rule(served: Served, tmp_path: Path) -> None:
    draft = draft_of(served, GOOD)
    first, again = judging(lambda before, after: 1), judging(lambda before, after: -2)
    (one,) = await measured([draft], served, tmp_path, first)
    (two,) = await measured([draft], served, tmp_path, again)
    assert one == two and not again.asked
    (tmp_path / "rule.toml").write_text((tmp_path / "rule.toml").read_text() + "# milder\n")
    with pytest.raises(BadInput, match="a rule is not changed once there are verdicts"):
        await judged([draft], tmp_path / "verdicts.jsonl", read_rule(tmp_path / "rule.toml"), again, JUDGES)


async def test_two_judges_and_a_rule_that_can_be_met_are_wanted(served: Served, tmp_path: Path) -> None:
    draft, asker = draft_of(served, GOOD), judging(lambda before, after: 1)
    with pytest.raises(BadInput, match="2 judges"):
        await judged([draft], tmp_path / "v.jsonl", rule_in(tmp_path), asker, JUDGES[:1])
    (tmp_path / "strict.toml").write_text("threshold = 0.0\nminimum = 20\n")
    with pytest.raises(BadInput, match="minimum of at most 2"):
        await judged([draft], tmp_path / "v.jsonl", read_rule(tmp_path / "strict.toml"), asker, JUDGES)
    with pytest.raises(BadInput, match="write it before anything is judged"):
        read_rule(tmp_path / "nowhere.toml")
    assert not asker.asked


async def test_many_drafts_by_rule_are_complete_and_not_stuffed(served: Served, tmp_path: Path) -> None:
    """Whatever concepts are said something of: sentences with few names are no stuffing."""
    draw = random.Random("many")
    desk = memory_desk(LOW)
    desk.land(about(served, draw, 40), served)
    drafts = [drafted(desk, served, topic) for topic in apart(desk.topics(served), desk.bars)]
    assert len(drafts) >= 2
    for draft in drafts:
        assert completed(draft, served, (), 1.0)["ceiling"]["macro"] == 1.0


async def _edit(said_: str, served: Served) -> Edit:
    desk = memory_desk(LOW)
    desk.land([said(GOOD, "a.txt", "Sourdough")], served)
    topic = topic_of("Sourdough", desk.topics(served), served)
    asker = FakeAsker(lambda model, messages: said_ if said_ != "fail" else Said("", error="no answer"))
    return await written(asker, "writer", desk.pages, served, topic)


async def test_a_model_writes_an_anchored_edit(served: Served) -> None:
    told = 'Here it is:\n```json\n{"anchor": "## Keeping", "text": "It keeps (a.txt)."}\n```'
    assert await _edit(told, served) == Edit("It keeps (a.txt).", "## Keeping")
    assert await _edit('{"text": "x"}', served) == Edit("x")
    for wrong in ("No.", '{"anchor": "x"}', '{"text": "x", "anchor": 3}', "fail"):
        with pytest.raises(BadInput, match="writer"):
            await _edit(wrong, served)
    with pytest.raises(BadInput):
        edit_of(None, "line 1")


def test_a_dossier_says_all_and_is_known_again(served: Served) -> None:
    from loom.core.proposals.dossier import dossier_of

    made: Dossier = draft_of(served, GOOD).dossier
    assert dossier_of(made.as_json()) == made
    for name in ("text", "page", "anchor"):
        with pytest.raises(BadInput, match="changed"):
            dossier_of({**made.as_json(), name: "another"})
    with pytest.raises(BadInput, match="missing"):
        dossier_of({"id": made.id})
    assert "+- Sourdough keeps" in made.diff and made.as_json()["sources"] == ["0.txt"]
