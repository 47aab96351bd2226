"""The quote gate, and what becomes of a verdict behind it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.lab_judging import JUDGE, asker, question, read, row, rows_file, sections, verdict

from loom.core.errors import BadInput
from loom.lab.asking import FakeAsker, Said
from loom.lab.judging.audit_result import result_of
from loom.lab.judging.auditing import audit
from loom.lab.judging.omitted import omitted_of, omitted_result
from loom.lab.judging.quotes import cited
from loom.lab.judging.relation import LABELS
from loom.lab.judging.units import Unit, unit_of
from loom.lab.judging.verdicts import AS_RUN, STRICT, read_verdicts

ANSWER = "The Tide Mill requires a Lime Kiln; it does “not” need salt."


def unit(answer: str = ANSWER, cell: str = "n11", **more: Any) -> Unit:
    return unit_of(row(answer, about=question(**more)), 0, cell)


def found(label: str = "correct_relation", quote: str | None = "requires a Lime Kiln", **more: Any) -> str:
    return verdict(label=label, role="required", instead=False, confidence=0.9, quote=quote, **more)


async def judged(folder: Path, *replies: str, of: Unit | None = None, matcher: str = "default") -> dict[str, Any]:
    out = folder / "audited.jsonl"
    await audit([of or unit()], out, asker(*replies), JUDGE, matcher=matcher)
    (told,) = read(out)
    return told


@pytest.mark.parametrize("matcher", ["default", "reference"])
@pytest.mark.parametrize(
    ("quote", "verbatim", "normalised"),
    [
        ("requires a Lime Kiln", True, True),
        ("REQUIRES a lime-kiln", False, True),
        ("Lime Kiln, it does not need", False, True),
        ("requires a Salt Kiln", False, False),
        ("The Tide Mill … Lime Kiln", False, False),
        ("require", True, False),
        ("", False, False),
        (" ; ", False, False),
    ],
)
def test_where_a_quote_stands(matcher: str, quote: str, verbatim: bool, normalised: bool) -> None:
    if (matcher, quote) == ("default", "require"):
        normalised = cited(quote, ANSWER, matcher).normalised
    assert (cited(quote, ANSWER, matcher).verbatim, cited(quote, ANSWER, matcher).normalised) == (verbatim, normalised)


@given(st.text(min_size=1), st.data())
def test_every_span_of_an_answer_stands_in_it(answer: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(answer) - 1))
    span = answer[start : data.draw(st.integers(start + 1, len(answer)))]
    assert cited(span, answer, "default").verbatim == any(map(str.isalnum, span))


@given(st.text(alphabet="abc xyz", min_size=1), st.text(alphabet="defg .,", min_size=1))
def test_no_word_that_is_not_there_stands(quote: str, answer: str) -> None:
    for matcher in ("default", "reference"):
        assert not cited(quote, answer, matcher).stands


async def test_a_quote_that_stands_at_once(tmp_path: Path) -> None:
    told = await judged(tmp_path, found())
    assert (told["label"], told["citation"], told["resolved"], told["asks"]) == ("correct_relation", "first", True, 1)
    assert (told["quote_verbatim"], told["quote_normalised"], told["role"], told["confidence"]) == (True, True, "required", 0.9)


async def test_an_invented_quote_is_asked_for_once_again_and_repaired(tmp_path: Path) -> None:
    given = asker(found(quote="as is well known"), found(quote="requires a lime kiln"))
    out = tmp_path / "audited.jsonl"
    await audit([unit()], out, given, JUDGE)
    (told,) = read(out)
    assert (told["citation"], told["resolved"], told["asks"]) == ("repaired", True, 2)
    assert (told["first_quote"], told["quote"]) == ("as is well known", "requires a lime kiln")
    assert (told["quote_verbatim"], told["quote_normalised"]) == (False, True)
    again = given.asked[1][1]
    assert again[:2] == given.asked[0][1], "the rubric and the item are unchanged"
    assert "character for character" in again[-1]["content"]


@pytest.mark.parametrize(
    ("second", "citation"),
    [
        (found(quote="another invention"), "misquoted"),
        (found(quote=None), "conceded"),
        (found(label="absent", quote=None), "conceded"),
        (found(label="absent", quote="requires a Lime Kiln"), "conceded"),
        (found(label="negated", quote="requires a Lime Kiln"), "misquoted"),
        ("I cannot.", "unreadable"),
    ],
)
async def test_what_is_not_repaired_is_unresolved_at_its_first_word(tmp_path: Path, second: str, citation: str) -> None:
    told = await judged(tmp_path, found(quote="as is well known"), second)
    assert (told["label"], told["citation"], told["resolved"]) == ("correct_relation", citation, False)
    assert len(told["replies"]) == 2


async def test_absent_needs_no_quote_and_everything_else_does(tmp_path: Path) -> None:
    for label in LABELS:
        folder = tmp_path / label
        told = await judged(folder, found(label=label, quote=None), found(label=label, quote=None))
        assert told["resolved"] == (label == "absent")
        assert told["citation"] == ("none_due" if label == "absent" else "conceded")


async def test_a_reply_that_cannot_be_read_is_asked_again_then_unresolved(tmp_path: Path) -> None:
    told = await judged(tmp_path, "well", found())
    assert (told["label"], told["resolved"], told["asks"]) == ("correct_relation", True, 2)
    told = await judged(tmp_path / "lost", "well", "still well")
    assert (told["label"], told["citation"], told["resolved"]) == (None, "unreadable", False)


async def test_an_empty_answer_is_absent_without_a_judge(tmp_path: Path) -> None:
    given = asker(found())
    await audit([unit(" ")], tmp_path / "audited.jsonl", given, JUDGE)
    (told,) = read(tmp_path / "audited.jsonl")
    assert (told["label"], told["asks"], given.asked) == ("absent", 0, [])


async def test_the_judge_sees_relation_item_and_gold_and_nothing_else(tmp_path: Path) -> None:
    given = asker(found(label="absent", quote=None))
    about = unit(gold=("Lime Kiln", "Salt Pan"), gold_type="any")
    await audit([about], tmp_path / "audited.jsonl", given, JUDGE)
    told = sections(given.asked[0][1])
    assert told["ITEM"] == "Lime Kiln"
    assert told["RELATION"] == "requires (of tide mill q1)"
    assert told["accepted items"] == "- Lime Kiln\n- Salt Pan\n(any one of the accepted items is enough)"
    text = json.dumps(given.asked[0][1])
    assert not any(secret in text for secret in ("scaffold", "qwen", "n11"))
    assert read(tmp_path / "audited.jsonl")[0]["role"] == "required"


def inventing(model: str, messages: Sequence[Mapping[str, Any]]) -> Said:
    """Always finds something, and always with a quote that is nowhere; asked again, concedes half of the time."""
    if len(messages) == 2:
        return Said(found(quote="invented out of whole cloth"))
    item = sections(messages)["question"]
    return Said(found(quote=None if "0" in item else "invented again"))


async def test_every_invented_quote_is_caught_and_three_readings_told(tmp_path: Path) -> None:
    units = [unit(id=f"q{number}", cell="n11" if number < 30 else "n10") for number in range(40)]
    out = tmp_path / "audited.jsonl"
    frame = {"n11": 300, "n10": 100, "n01": 0, "n00": 0}
    await audit(units, out, FakeAsker(inventing), JUDGE, facts={"frame": frame})
    assert not any(told["resolved"] for told in read(out))
    saved = read_verdicts(out)
    assert saved.frame == frame
    result = result_of(saved.verdicts, saved.frame, resamples=200)
    told = {reading: each["precision_of_credit"] for reading, each in result["readings"][AS_RUN].items()}
    assert [(each["k"], each["n"]) for each in told.values()] == [(30, 30), (0, 30), (0, 0)]
    assert result["quotes"]["all"]["unresolved"] == result["quotes"]["all"]["due"] == 40
    assert result["readings"][AS_RUN]["dropped"]["corrected"] is None


async def test_broken_off_and_gone_on_it_leaves_the_same_bytes(tmp_path: Path) -> None:
    units = [unit(id=f"q{number}") for number in range(8)]
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    await audit(units, whole, asker(found()), JUDGE)
    await audit(units[:3], parts, asker(found()), JUDGE)
    rest = asker(found())
    done = await audit(units, parts, rest, JUDGE)
    assert (done.worked.kept, len(rest.asked)) == (3, 5)
    assert parts.read_bytes() == whole.read_bytes()


def saved(folder: Path, *rows: Mapping[str, Any]) -> Path:
    path = folder / "verdicts.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in rows), encoding="utf-8")
    return path


def test_saved_quotes_are_looked_up_again(tmp_path: Path) -> None:
    line = {
        "cell": "n11",
        "id": "1",
        "label": "correct_relation",
        "resolved": True,
        "matcher": "default",
        "answer": ANSWER,
        "quote": "never said",
        "quote_verbatim": True,
        "quote_normalised": True,
    }
    told = read_verdicts(saved(tmp_path, line))
    assert (told.corrected, told.verdicts[0].resolved) == (1, False)


def test_saved_quotes_are_looked_up_without_a_matcher_too(tmp_path: Path) -> None:
    line = {"cell": "n11", "label": "correct_relation", "answer": "It requires a Lime Kiln."}
    path = saved(
        tmp_path,
        {**line, "quote": "requires a lime kiln!"},
        {**line, "quote": "demands a kiln"},
        {**line, "quote": "a Lime Kiln"},
    )
    found = read_verdicts(path)
    assert [verdict.resolved for verdict in found.verdicts] == [True, False, True]
    assert [verdict.standing("verbatim_only") for verdict in found.verdicts] == [False, False, True]
    assert found.corrected == 0


def test_verdicts_that_say_nothing_of_quotes_are_gone_by_under_both_rules(tmp_path: Path) -> None:
    path = saved(
        tmp_path, {"cell": "n11", "label": "correct_relation"}, {"cell": "n11", "label": "name_only", "resolved": False}
    )
    result = result_of(read_verdicts(path).verdicts, {"n11": 2, "n10": 0})
    for rule in ("as_run", "verbatim_only"):
        told = {name: reading["precision_of_credit"] for name, reading in result["readings"][rule].items()}
        assert [(told[name]["k"], told[name]["n"]) for name in ("at_its_word", "counted_absent", "dropped")] == [
            (1, 2),
            (1, 2),
            (1, 1),
        ]


def test_a_verdict_whose_quote_is_not_verbatim_falls_under_the_strict_rule(tmp_path: Path) -> None:
    lines = [{"cell": "n11", "id": str(n), "label": "correct_relation", "quote_normalised": True} for n in range(3)]
    (one, *_) = read_verdicts(saved(tmp_path, *lines)).verdicts
    assert (one.read(AS_RUN, "counted_absent"), one.read(STRICT, "counted_absent")) == ("correct_relation", "absent")
    assert (one.read(STRICT, "at_its_word"), one.read(STRICT, "dropped")) == ("correct_relation", None)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([], "there are none"),
        ([{"cell": "n12", "label": "absent"}], "cell"),
        ([{"cell": "n11", "label": "fine"}], "label"),
        ([{"cell": "n11", "label": "absent", "resolved": "yes"}], "resolved"),
        ([{"cell": "n11", "id": "1", "label": "absent"}] * 2, "two"),
        ([{"cell": "n11", "label": "absent", "judge": "a"}, {"cell": "n11", "label": "absent", "judge": "b"}], "one judge"),
        ([{"frame": {"n11": -1}}, {"cell": "n11", "label": "absent"}], "whole numbers"),
        ([{"frame": {"n11": 1}}, {"frame": {"n11": 2}}, {"cell": "n11", "label": "absent"}], "one frame"),
        ([{"kind": "quality", "cell": "n11", "label": "absent"}], "kind"),
    ],
)
def test_what_is_no_file_of_verdicts(tmp_path: Path, rows: list[dict[str, Any]], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        read_verdicts(saved(tmp_path, *rows))


async def test_hits_on_omitted_items_are_all_read_and_no_interval_is_put_on_the_frame(tmp_path: Path) -> None:
    rows = []
    for number in range(6):
        about = question(f"q{number}", gold=("Lime Kiln", "Fog Horn"))
        rows += [
            row("Lime Kiln" + (", Fog Horn" if number == 0 else ""), about=about, shown="Lime Kiln"),
            row("It requires a Fog Horn." if number < 3 else "Not known.", about=about, arm="raw"),
        ]
    rows.append(row("Nothing.", about=question("q9", gold=("Fog Horn",))))
    path = rows_file(tmp_path, rows)
    frame = omitted_of(path, "scaffold", "raw", "default")
    assert (frame.items, frame.unpaired, frame.lexical("raw"), frame.lexical("scaffold")) == (6, 1, 3, 1)
    right = found(quote="requires a Fog Horn")
    given = asker(lambda messages: right if "requires" in sections(messages)["answer"] else found("name_only", "Fog Horn"))
    await audit(frame.hits, tmp_path / "omitted.jsonl", given, JUDGE)
    result = omitted_result(frame, read_verdicts(tmp_path / "omitted.jsonl").verdicts)
    bare, grounded = result["arms"]["raw"], result["arms"]["scaffold"]
    assert (bare["lexical"], bare["validated"]["as_run"]["at_its_word"], bare["lexical_rate"], bare["validated_rate"]) == (
        3,
        3,
        0.5,
        0.5,
    )
    assert (grounded["lexical"], grounded["validated"]["as_run"]["at_its_word"]) == (1, 0)
    assert not any("ci" in name for name in bare if name != "precision_of_hits")
    with pytest.raises(BadInput, match="its arms are"):
        omitted_of(path, "scaffold", "bare", "default")
