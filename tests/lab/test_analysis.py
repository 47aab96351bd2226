"""The analysis of made-up studies whose truth is known: every figure against a second, plain computation."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import lab_rows

from loom.core.errors import BadInput
from loom.core.exposure import READERS
from loom.lab.analysis import analyse
from loom.lab.files import write_lines
from loom.lab.question import LabQuestion, Target
from loom.lab.row import Row, write_rows
from loom.lab.showing import visible
from loom.lab.statistics import holm
from loom.lab.study.study import Contrast, Family

MODELS = ("copier", "dropper", "silent", "recaller")
FEW = {"resamples": 200}
Results = dict[str, Any]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Row], Results]:
    path = tmp_path_factory.mktemp("study") / "rows.jsonl"
    rows = list(lab_rows.rows(lab_rows.questions(50), MODELS))
    write_rows(path, rows)
    return rows, analyse(path, **FEW)


def cell(results: Results, model: str, arm: str) -> Results:
    return next(each for each in results["cells"] if (each["model"], each["arm"]) == (model, arm))


def analysed(folder: Path, rows: Sequence[Row], **more: Any) -> Results:
    write_rows(folder / "rows.jsonl", rows)
    return analyse(folder / "rows.jsonl", **{**FEW, **more})


def scored(row: Row, matcher: str = "default") -> tuple[list[bool], list[bool], float, float, float]:
    """Exposed, recovered, symmetric ceiling, reference ceiling, recall: the definitions, plainly."""
    shown, said = READERS[matcher](visible(row.messages)), READERS[matcher](row.answer)
    x, y = [shown.names(name) for name in row.question.titles], [said.names(name) for name in row.question.titles]
    either = row.question.gold_type == "any"
    reference = sum(x) / len(x)
    return x, y, float(any(x)) if either else reference, reference, float(any(y)) if either else sum(y) / len(y)


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def test_every_cell_is_what_the_definitions_give(made: tuple[list[Row], Results]) -> None:
    rows, results = made
    assert len(results["cells"]) == len(MODELS) * len(lab_rows.EXPOSED)
    for each in results["cells"]:
        own = [row for row in rows if (row.model, row.arm) == (each["model"], each["arm"])]
        told = [scored(row) for row in own if row.status == "answered"]
        pairs = [pair for x, y, *_ in told for pair in zip(x, y, strict=True)]
        assert each["n"] == len(told)
        assert each["counts"] == {
            name: pairs.count(pair) for name, pair in (("n11", (1, 1)), ("n10", (1, 0)), ("n01", (0, 1)), ("n00", (0, 0)))
        }
        assert each["ceiling"]["symmetric"] == pytest.approx(mean([one[2] for one in told]))
        assert each["ceiling"]["reference"] == pytest.approx(mean([one[3] for one in told]))
        assert each["recall"]["macro"] == pytest.approx(mean([one[4] for one in told]))
        assert each["gain"]["symmetric"]["mean"] == pytest.approx(mean([one[4] - one[2] for one in told]))
        assert each["gain"]["reference"]["mean"] == pytest.approx(mean([one[4] - one[3] for one in told]))
        served = [one[4] for one in told] + [0.0 for row in own if row.status == "empty"]
        assert each["effectiveness"] == pytest.approx(mean(served))
        under = [scored(row, "reference") for row in own if row.status == "answered"]
        assert each["under"]["reference"]["recall"]["macro"] == pytest.approx(mean([one[4] for one in under]))


def test_scripted_models_show_what_they_do(made: tuple[list[Row], Results]) -> None:
    results = made[1]
    copier, dropper = cell(results, "copier", "scaffold"), cell(results, "dropper", "scaffold")
    recaller, silent = cell(results, "recaller", "scaffold"), cell(results, "silent", "scaffold")
    assert copier["gain"]["symmetric"] == {"mean": 0.0, "ci95": [0.0, 0.0], "ci_clustered": [0.0, 0.0]}
    assert copier["utilisation"] == 1 and copier["counts"]["n01"] == 0
    assert dropper["counts"]["n10"] > 0 and dropper["gain"]["symmetric"]["ci95"][1] < 0
    assert recaller["counts"]["n01"] > 0 and recaller["gain"]["symmetric"]["mean"] > 0
    assert silent["n"] < 50 and silent["effectiveness"] < silent["recall"]["macro"]


def test_ceilings_are_of_what_was_shown_whoever_answered(made: tuple[list[Row], Results]) -> None:
    rows, results = made
    for each in results["ceilings"]:
        own = [scored(row) for row in rows if row.arm == each["arm"] and row.model == "copier" and row.status != "no_donor"]
        assert each["questions"] == len(own) == sum(each["bins"])
        assert each["symmetric"] == pytest.approx(mean([one[2] for one in own]))
        assert each["bins"][0] == each["unexposed"] == sum(one[3] == 0 for one in own)
        assert each["bins"][-1] == sum(one[3] == 1 for one in own)


def test_the_flow_counts_every_row_once(made: tuple[list[Row], Results]) -> None:
    rows, results = made
    for each in results["arms"]:
        own = [row for row in rows if (row.model, row.arm) == (each["model"], each["arm"])]
        flow = each["flow"]
        assert flow["planned"] == len(own) == flow["attempted"] + flow["no_donor"] + flow["no_block"]
        assert flow["attempted"] == flow["answered"] + flow["empty"] + flow["errors"]
        assert flow["retried"] == flow["empty"] == sum(row.status == "empty" for row in own)
    assert next(each for each in results["arms"] if each["arm"] == "irrelevant")["flow"]["no_donor"] == 5


def test_contrasts_pair_questions_under_both_estimands(made: tuple[list[Row], Results]) -> None:
    rows, results = made
    by = {(row.model, row.arm, row.question.id): row for row in rows}
    kept = {"given an answer": ("answered",), "service": ("answered", "empty")}
    assert {each["estimand"] for each in results["contrasts"]} == set(kept)
    for each in results["contrasts"]:
        pairs = [[by[each["model"], each[side], f"q{at:04}"] for side in "ab"] for at in range(50)]
        apart = [
            scored(a)[4] - scored(b)[4]
            for a, b in pairs
            if a.status in kept[each["estimand"]] and b.status in kept[each["estimand"]]
        ]
        assert each["n"] == len(apart)
        assert each["mean"] == pytest.approx(mean(apart), abs=1e-12)
        assert (each["wins"], each["ties"]) == (sum(x > 1e-9 for x in apart), sum(abs(x) < 1e-9 for x in apart))


def test_holm_corrects_over_contrasts_and_models_of_a_family(made: tuple[list[Row], Results]) -> None:
    primary = [each for each in made[1]["contrasts"] if each["family"] == "primary" and each["estimand"] == "service"]
    assert len(primary) == 2 * len(MODELS)
    assert [each["p_holm"] for each in primary] == holm([each["p_exact"] for each in primary])


def test_common_questions_have_an_answer_in_every_arm(made: tuple[list[Row], Results]) -> None:
    rows, results = made
    for model, count in results["common"]["questions"].items():
        answered = [
            {row.question.id for row in rows if (row.model, row.arm, row.status) == (model, arm, "answered")}
            for arm in lab_rows.EXPOSED
        ]
        common = set.intersection(*answered)
        assert count == len(common) < 50
        found = [each for each in results["common"]["contrasts"] if each["model"] == model]
        assert found and all(each["n"] == count for each in found)


@pytest.mark.parametrize("member", ["templates", "domains"])
def test_groups_add_up_to_their_cell(made: tuple[list[Row], Results], member: str) -> None:
    for each in made[1]["cells"]:
        groups = [one for one in made[1][member] if (one["model"], one["arm"]) == (each["model"], each["arm"])]
        assert sum(one["n"] for one in groups) == each["n"]
        assert {name: sum(one["counts"][name] for one in groups) for name in each["counts"]} == each["counts"]
        assert sum(one["n"] * one["gain"] for one in groups) / each["n"] == pytest.approx(
            each["gain"]["symmetric"]["mean"], abs=1e-12
        )


def test_omitted_names_are_those_that_the_grounded_arm_does_not_show(made: tuple[list[Row], Results]) -> None:
    rows, results = made
    by = {(row.model, row.arm, row.question.id): row for row in rows}
    for each in results["omitted"]:
        hidden = said = 0
        for at in range(50):
            bare, shown = (by[each["model"], arm, f"q{at:04}"] for arm in ("raw", "scaffold"))
            if bare.status == shown.status == "answered":
                out = [not x for x in scored(shown)[0]]
                hidden += sum(out)
                said += sum(y for y, o in zip(scored(bare)[1], out, strict=True) if o)
        assert (each["names"], each["raw"]) == (hidden, said)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6), count=st.integers(1, 12), any_share=st.sampled_from([0.0, 0.5, 1.0]))
def test_the_counts_explain_the_gain(tmp_path: Path, seed: int, count: int, any_share: float) -> None:
    """Over items, gain = (n01 - n10) / N; where all is asked for of one name a question, macro and micro are one."""
    asked = lab_rows.questions(count, any_share=any_share, seed=seed)
    results = analysed(tmp_path, list(lab_rows.rows(asked, ("dropper", "recaller"), seed=seed)), resamples=10)
    for each in results["cells"]:
        counts, total = each["counts"], sum(each["counts"].values())
        gain = each["recall"]["micro"] - each["ceiling"]["micro"]
        assert gain == pytest.approx((counts["n01"] - counts["n10"]) / total)
        assert each["ceiling"]["symmetric"] >= each["ceiling"]["reference"] - 1e-12
        assert each["omission"]["compliant"] <= counts["n10"]


def test_the_two_scorers_differ_on_any_questions_alone(tmp_path: Path) -> None:
    asked = LabQuestion("q0001", "Which?", (Target("alpha bravo"), Target("gamma delta")), "any")
    row = lab_rows.row(asked, "scaffold", "m", ["alpha bravo"], "alpha bravo")
    gain = analysed(tmp_path, [row])["cells"][0]["gain"]
    assert (gain["symmetric"]["mean"], gain["reference"]["mean"]) == (0.0, 0.5)


def warned(results: Results, kind: str) -> str:
    return " ".join(each["text"] for each in results["warnings"] if each["kind"] == kind)


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    asked = lab_rows.questions(40, domains=1)
    rows = list(lab_rows.rows(asked, ("silent",), ("scaffold",)))
    cut = [
        Row(r.question, r.arm, "cutter", r.status, r.showing, {**r.said, "finish_reason": "length"}, r.study)
        for r in rows[:40:2]
    ]
    failed = [
        Row(r.question, r.arm, "failing", "error", r.showing, {"error": "refused"}, {**r.study, "generation": "b"})
        for r in rows
    ]
    results = analysed(tmp_path, [*rows, *cut, *failed], arms=("raw", "scaffold"), unavailable={"flat-dense": "no embeddings"})
    assert "flat-dense is not available: no embeddings" in warned(results, "arm")
    assert "raw is not available: it has no rows" in warned(results, "arm")
    assert "There is no raw arm" in warned(results, "bare") and results["study"]["bare"] is None
    assert "scaffold - flat-fused, scaffold - graph-query" in warned(results, "primary")
    assert "cutter" in warned(results, "truncated") and "silent" not in warned(results, "truncated")
    assert "silent" in warned(results, "missing")
    assert "40 calls of failing" in warned(results, "errors")
    assert "one domain" in warned(results, "clusters")
    assert "generation" in warned(results, "mixed")
    assert results["study"]["generation"] is None
    assert cell(results, "cutter", "scaffold")["lower_confidence"] is True
    flat = next(each for each in results["ceilings"] if each["arm"] == "flat-dense")
    assert (flat["available"], flat["note"]) == (False, "no embeddings")


def verdict(row: Row, judge: str, score: int | None) -> Results:
    question = row.question
    return {
        "kind": "quality", "set": question.set, "id": question.id, "arm": row.arm, "model": row.model, "judge": judge,
        "status": "scored" if score is not None else "unresolved", "score": score,
    }  # fmt: skip


def test_judges_give_a_second_outcome_and_their_agreement(tmp_path: Path) -> None:
    rows = list(lab_rows.rows(lab_rows.questions(30), ("silent",), ("raw", "scaffold")))
    draw = random.Random(1)
    first = {
        id(row): draw.randrange(2, 6) if row.arm == "scaffold" else draw.randrange(0, 4)
        for row in rows
        if row.status == "answered"
    }
    some = [row for row in rows if id(row) in first]
    write_lines(
        tmp_path / "judged.jsonl",
        [verdict(row, "one", first[id(row)]) for row in some]
        + [verdict(row, "two", min(5, first[id(row)] + number % 2)) for number, row in enumerate(some[:20])]
        + [verdict(some[20], "two", None)],
    )
    results = analysed(
        tmp_path, rows, judged=tmp_path / "judged.jsonl", families=[Family("own", (Contrast("scaffold", "raw"),))]
    )
    given = next(each for each in results["contrasts"] if (each["outcome"], each["estimand"]) == ("judged", "given an answer"))
    served = next(each for each in results["contrasts"] if (each["outcome"], each["estimand"]) == ("judged", "service"))
    by = {(row.arm, row.question.id): (first.get(id(row)), row.status) for row in rows}
    pairs = [(by["scaffold", f"q{at:04}"][0], by["raw", f"q{at:04}"][0]) for at in range(30)]
    assert given["mean"] == pytest.approx(mean([a - b for a, b in pairs if a is not None and b is not None]))
    assert served["mean"] == pytest.approx(mean([(a or 0) - (b or 0) for a, b in pairs]))
    assert served["n"] == 30 > given["n"]
    judges = results["judges"][0]
    assert (judges["a"], judges["b"], judges["n"], judges["within_one"]) == ("one", "two", 20, 1.0)
    same = sum(min(5, first[id(row)] + number % 2) == first[id(row)] for number, row in enumerate(some[:20]))
    assert judges["agreement"] == same / 20
    assert sum(each["flow"]["graded"] for each in results["arms"]) == len(some)
    assert results["non_regression"][0]["outcome"] == "judged"
    assert results["non_regression"][0]["worst"] in results["non_regression"][0]["subgroups"]
    whole = results["intention_to_treat"][-1]
    assert whole["outcome"] == "judged" and whole["engaged"]["n"] < whole["all"]["n"]


def test_an_audit_is_that_of_the_judge_who_read_most(tmp_path: Path) -> None:
    rows = list(lab_rows.rows(lab_rows.questions(5), ("copier",), ("raw", "scaffold")))
    lines: list[Results] = [{"frame": {"n11": 900, "n10": 100, "n01": 0, "n00": 10}}]
    for judge, right in (("few", 1), ("many", 8)):
        lines += [
            {"set": "made", "id": f"q{at}", "arm": "scaffold", "model": "copier", "item": "a", "judge": judge, "cell": "n11",
             "label": "correct_relation" if at < right else "name_only", "resolved": True}
            for at in range(2 if judge == "few" else 10)
        ]  # fmt: skip
    lines += [{"id": f"z{at}", "cell": "n10", "label": "absent", "resolved": True, "judge": "many"} for at in range(4)]
    write_lines(tmp_path / "audited.jsonl", lines)
    audit = analysed(tmp_path, rows, audited=tmp_path / "audited.jsonl")["audit"]
    assert audit["judge"] == "many"
    assert audit["readings"]["as_run"]["at_its_word"]["corrected"]["rate"] == pytest.approx(0.9 * 0.8)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"cluster": "moon"}, "cluster"),
        ({"resamples": 0}, "resamples"),
        ({"matcher": "x"}, "matcher"),
        ({"margin": 0.0}, "margin"),
    ],
)
def test_a_setting_that_is_none_is_named(tmp_path: Path, more: Results, told: str) -> None:
    rows = list(lab_rows.rows(lab_rows.questions(3), ("copier",)))
    with pytest.raises(BadInput, match=told):
        analysed(tmp_path, rows, **more)


def test_two_families_of_one_name_are_refused(tmp_path: Path) -> None:
    family = Family("a", (Contrast("scaffold", "raw"),))
    with pytest.raises(BadInput, match="comes twice"):
        analysed(tmp_path, list(lab_rows.rows(lab_rows.questions(2))), families=[family, family])


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ({"kind": "audit"}, "quality"),
        ({"score": 7}, "0 to 5"),
        ({"score": True}, "0 to 5"),
    ],
)
def test_a_verdict_that_is_none_is_named_by_its_line(tmp_path: Path, line: Results, told: str) -> None:
    rows = list(lab_rows.rows(lab_rows.questions(2), ("copier",)))
    write_lines(tmp_path / "judged.jsonl", [{**verdict(rows[0], "one", 3), **line}])
    with pytest.raises(BadInput, match=f"{told}.*line 1"):
        analysed(tmp_path, rows, judged=tmp_path / "judged.jsonl")


def test_rows_that_repeat_and_files_without_rows_are_refused(tmp_path: Path) -> None:
    rows = list(lab_rows.rows(lab_rows.questions(2), ("copier",)))
    with pytest.raises(BadInput, match="has two"):
        analysed(tmp_path, [*rows, rows[0]])
    with pytest.raises(BadInput, match="at least one row"):
        analysed(tmp_path, [])


def test_questions_without_gold_give_no_figures_but_a_warning(tmp_path: Path) -> None:
    rows = [
        lab_rows.row(LabQuestion(f"q{at}1", "Why?"), arm, "m", [], "because") for at in range(3) for arm in ("raw", "scaffold")
    ]
    results = analysed(tmp_path, rows)
    assert results["cells"] == [] and results["contrasts"] == []
    assert "no recall and no ceiling" in warned(results, "gold")
