"""One row, scored: exposure, recovery, what stands beside recall; and what groups of rows come to."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.scoring import made, name

from loom.core.errors import BadInput
from loom.core.exposure import Counts
from loom.lab.question import Target
from loom.lab.row import Row, write_rows
from loom.lab.scoring import Scorer, Scores, decomposed, score, scored_rows

A, B, C = (name(0, item) for item in range(3))


def scores(*rows: Row, matcher: str = "default", beside: str | None = None) -> Scores:
    scorer, found = Scorer(matcher, beside=beside), Scores(matcher, beside)
    for row in rows:
        found.add(scorer(row))
    return found.check()


def test_exposure_is_over_the_visible_input_and_recovery_over_the_answer() -> None:
    found = score(made("q", [A, B, C], [A, B], [B, C]))
    assert (found.exposed, found.recovered) == ((True, True, False), (False, True, True))
    assert (found.ceiling, found.recall) == (pytest.approx(2 / 3), pytest.approx(2 / 3))


def test_the_question_itself_is_shown() -> None:
    assert score(made("q", [A], [], [], prompt=f"What is {A}?")).exposed == (True,)


def test_one_name_of_an_any_question_is_enough_for_the_symmetric_scorer_on_both_sides() -> None:
    found = score(made("q", [A, B], [A], [B], kind="any"))
    assert (found.symmetric, found.ceiling, found.recall) == (1.0, 0.5, 1.0)
    gain = found.as_json()["gain"]
    assert gain == {"symmetric": 0.0, "reference": 0.5}


def test_an_alternative_that_was_not_needed_is_a_compliant_omission() -> None:
    enough = made("q1", [A, B], [A, B], [A], kind="any")
    neither = made("q2", [A, B], [A, B], "nothing", kind="any")
    asked_for = made("q3", [A, B], [A, B], [A])
    whole = decomposed(scores(enough, neither, asked_for), resamples=0).arm("scaffold")
    assert whole.counts == Counts(2, 4, 0, 0)
    assert whole.micro.compliant == 1
    assert (whole.counts.omission, whole.micro.without_compliant) == (4 / 6, 3 / 6)


def test_an_empty_answer_is_missing_given_an_answer_and_zero_as_a_service() -> None:
    whole = decomposed(scores(made("q1", [A], [A], [A]), made("q2", [B], [B], " ", status="empty")), resamples=0).arm(
        "scaffold"
    )
    assert (whole.n, whole.recall, whole.counts) == (1, 1.0, Counts(1, 0, 0, 0))
    assert (whole.service.recall, whole.service.micro.counts) == (0.5, Counts(1, 1, 0, 0))
    assert whole.flow.as_json()["missing"] == 0.5


def test_an_answer_of_blanks_is_empty_whatever_the_row_says() -> None:
    assert score(made("q", [A], [A], "  \n")).status == "empty"


def test_a_row_that_is_empty_names_nothing_whatever_text_it_has() -> None:
    whole = decomposed(scores(made("q", [A], [A], [A], status="empty")), resamples=0).arm("scaffold")
    assert (whole.n, whole.service.recall, whole.service.micro.counts) == (0, 0.0, Counts(0, 1, 0, 0))


def test_messages_in_parts_show_the_text_of_their_parts() -> None:
    row = made("q", [A, B], [], [A])
    parts = [
        {"type": "text", "text": f"line\n{A}"},
        {"type": "image_url", "image_url": {"url": B}},
        {"type": "text", "text": "x"},
    ]
    found = score(replace(row, showing={"messages": [{"role": "user", "content": parts}, {"role": "assistant"}]}))
    assert (found.exposed, found.copied) == ((True, False), 0.5)


def test_rows_that_nobody_answered_count_in_the_flow_alone() -> None:
    rows = [made(f"q{at}", [A], [A], "", status=status) for at, status in enumerate(("error", "no_donor", "no_block"))]
    whole = decomposed(scores(*rows, made("q9", [A], [A], [A])), resamples=0).arm("scaffold")
    flow = whole.flow
    assert (flow.rows, flow.asked, flow.errors, flow.no_donor, flow.no_block) == (4, 2, 1, 1, 1)
    assert whole.counts == whole.service.micro.counts == Counts(1, 0, 0, 0)
    assert score(rows[0]).recall is None


def test_more_than_two_percent_cut_answers_are_of_lower_confidence() -> None:
    def rows(cut: int) -> list[Row]:
        return [made(f"q{at}", [A], [A], [A], finish_reason="length" if at < cut else "stop") for at in range(100)]

    assert not decomposed(scores(*rows(2)), resamples=0).cells[0].flow.lower_confidence
    marked = decomposed(scores(*rows(3)), resamples=0)
    assert marked.cells[0].flow.lower_confidence and "* lower confidence" in str(marked)


def test_a_retried_row_is_counted() -> None:
    assert score(made("q", [A], [A], [A], attempts=[{}, {}])).retried


def test_names_and_precision_leave_out_what_the_question_names_and_admit_extra_gold() -> None:
    row = made("q", [A], [A, B, C, "Kiln"], [A, B, C, "Kiln"], prompt="What does Kiln need?")
    row = replace(row, question=replace(row.question, gold_extra=(Target(B),)))
    found = score(row)
    assert (found.names, found.right) == (3, 2)


def test_a_verbose_copier_has_full_recall_and_little_precision() -> None:
    names = [name(1, item) for item in range(10)]
    whole = decomposed(scores(made("q", names[:2], names, names)), resamples=0).arm("scaffold")
    assert (whole.recall, whole.names, whole.precision) == (1.0, 10.0, 0.2)


def test_where_no_other_name_is_known_no_list_passes_for_precise() -> None:
    bare, shown = made("q", [A], [], [A, B, C], arm="raw"), made("q", [A], [A, B, C], [A, B, C])
    assert (score(bare).names, score(bare).as_json()["precision"]) == (None, None)
    whole = decomposed(scores(bare, shown), resamples=0)
    assert [(each.names, each.precision) for each in whole.pooled] == [(None, None), (3.0, 1 / 3)]
    scorer = Scorer(titles=lambda answer, question: [A, B, C])
    assert (scorer(bare).names, scorer(bare).as_json()["precision"]) == (3, 1 / 3)


def test_titles_of_a_corpus_are_what_precision_is_counted_over_where_there_are_any() -> None:
    scorer = Scorer(titles=lambda answer, question: [title for title in (A, B, C) if title in answer and title not in question])
    found = scorer(made("q", [A], [A], [A, B, C], prompt=f"Not {C}?"))
    assert (found.names, found.right) == (2, 1)


def test_both_matchers_are_counted_beside_each_other() -> None:
    row = made("q", ["AI"], ["AI"], "It must be maintained.")
    found = scores(row, matcher="reference", beside="default")
    assert decomposed(found, resamples=0).arm("scaffold").counts == Counts(1, 0, 0, 0)
    assert decomposed(found, resamples=0, beside=True).arm("scaffold").counts == Counts(0, 1, 0, 0)


def test_a_question_without_gold_has_no_score() -> None:
    found = score(made("q", [], [A], [A]))
    assert (found.ceiling, found.recall, found.as_json()["gain"]) == (None, None, None)
    whole = decomposed(scores(made("q", [], [A], [A])), resamples=100).arm("scaffold")
    assert (whole.n, whole.recall, whole.gain.mean, whole.counts.total) == (0, None, None, 0)


def test_citations_are_summed_and_stand_in_the_table() -> None:
    block = {
        "block": f"## Raku\nneeds: {A}\n\n## Kiln\nneeds: {B}",
        "units": [{"title": "Raku"}, {"title": "Kiln", "cut": True}],
    }
    rows = [made(f"q{at}", [A], [A, B], f"Raku needs {A} [{at + 1}].") for at in range(2)]
    whole = decomposed(scores(*(replace(row, showing={**row.showing, **block}) for row in rows)), resamples=0)
    cited = whole.arm("scaffold").attribution
    assert cited is not None
    assert (cited.cited, cited.judged, cited.held, cited.named, cited.named_cited, cited.cut) == (2, 2, 1, 2, 1, 1)
    assert whole.cells[0].as_json()["attribution"]["accuracy"] == 0.5 and "hold the names" in str(whole)


def test_a_row_that_comes_twice_is_refused() -> None:
    with pytest.raises(BadInput, match="'q' has two for arm 'scaffold' and model 'm'"):
        scores(made("q", [A], [A], [A]), made("q", [A], [A], [B]))


def test_a_question_whose_gold_changes_is_refused() -> None:
    with pytest.raises(BadInput, match="the same names"):
        scores(made("q", [A], [A], [A]), made("q", [A, B], [A], [A], model="n"))
    with pytest.raises(BadInput, match="the same names"):
        scores(made("q", [A, B], [A], [A]), made("q", [A, C], [A], [A], model="n"))
    with pytest.raises(BadInput, match="the same names"):
        scores(made("q", [A, B], [A], [A]), made("q", [A, B], [A], [A], kind="any", model="n"))


def test_the_same_id_in_two_sets_is_two_questions() -> None:
    row = made("q", [A], [A], [A])
    other = replace(row, question=replace(row.question, set="other"))
    assert decomposed(scores(row, other), resamples=0).arm("scaffold").n == 2


def test_intervals_hold_the_mean_and_clusters_are_drawn_whole() -> None:
    rows = [made(f"q{at}", [A, B], [A, B], [A, B] if at % 3 else [A], domain=f"d{at % 5}") for at in range(60)]
    gain = decomposed(scores(*rows), resamples=500).arm("scaffold").gain
    assert gain.mean is not None and gain.ci95 is not None and gain.ci_clustered is not None
    assert gain.ci95[0] <= gain.mean <= gain.ci95[1] and gain.ci_clustered[0] <= gain.mean <= gain.ci_clustered[1]
    alone = decomposed(scores(*rows), cluster="none", resamples=500).arm("scaffold").gain
    assert alone.ci_clustered is None and alone.ci95 == gain.ci95


def test_an_interval_of_many_rows_is_that_of_few_drawn_by_their_values() -> None:
    import numpy as np

    from loom.lab.scoring.estimating import MANY, Estimator
    from loom.lab.statistics import interval

    values = np.resize(np.array([0.0, 0.5, 1.0, 1.0]), MANY + 4)
    made_of = Estimator(None, 42, 2_000)(values, np.arange(len(values)))
    expected = interval(values[: MANY + 4], exact=False, resamples=400)
    assert made_of.ci95 is not None
    assert made_of.ci95 == pytest.approx(expected.bounds, abs=0.001)


@pytest.mark.parametrize("cluster", ["model", ""])
def test_a_cluster_that_is_none_is_refused(cluster: str) -> None:
    with pytest.raises(BadInput, match="Expected cluster to be one of domain"):
        decomposed(scores(made("q", [A], [A], [A])), cluster=cluster)


CELL = st.tuples(st.booleans(), st.booleans())


@given(st.lists(st.tuples(st.sampled_from(["all", "any"]), st.lists(CELL, min_size=1, max_size=4)), min_size=1, max_size=8))
def test_counts_are_what_was_shown_and_said_and_figures_follow_from_them(
    asked: list[tuple[str, list[tuple[bool, bool]]]],
) -> None:
    rows, told = [], [0, 0, 0, 0]
    for number, (kind, cells) in enumerate(asked):
        gold = [name(number, item) for item in range(len(cells))]
        shown = [title for title, (x, _) in zip(gold, cells, strict=True) if x]
        said = [title for title, (_, y) in zip(gold, cells, strict=True) if y]
        rows.append(made(f"q{number}", gold, shown, said or "nothing", kind=kind))
        for x, y in cells:
            told[2 * (not x) + (not y)] += 1
    found = scores(*rows, beside="reference")
    whole = decomposed(found, resamples=0).arm("scaffold")
    assert whole.counts == Counts(*told)
    assert found.invariant.holds
    partial = {
        f"q{at} (scaffold)"
        for at, (kind, cells) in enumerate(asked)
        if kind == "any" and 0 < sum(x for x, _ in cells) < len(cells)
    }
    assert set(found.invariant.partial) == partial
    assert whole.counts.gain == pytest.approx((told[2] - told[1]) / sum(told))
    assert decomposed(found, resamples=0, beside=True).arm("scaffold").counts == whole.counts


@given(st.permutations(range(6)), st.integers(1, 4))
def test_shards_joined_in_order_are_the_whole(order: list[int], parts: int) -> None:
    rows = [made(f"q{at % 3}", [A, B], [A], [B] if at % 2 else [A], model=f"m{at // 3}", domain=f"d{at}") for at in order]
    scorer, whole, joined = Scorer(), Scores(), Scores()
    for row in rows:
        whole.add(scorer(row))
    for part in range(parts):
        shard = Scores()
        for row in rows[part * 6 // parts : (part + 1) * 6 // parts]:
            shard.add(scorer(row))
        joined.extend(shard)
    assert decomposed(joined.check(), resamples=0).as_json() == decomposed(whole.check(), resamples=0).as_json()


def test_scored_rows_are_written_beside_the_scores(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    write_rows(rows, [made(f"q{at}", [A, B], [A], [A] if at else "", model=m) for at in range(3) for m in ("m", "n, o")])
    whole, parted = tmp_path / "whole.jsonl", tmp_path / "parted.jsonl"
    scored_rows(rows, out=whole)
    scored_rows(rows, out=parted, size=100)
    assert whole.read_bytes() == parted.read_bytes()
    lines = [json.loads(line) for line in whole.read_text(encoding="utf-8").splitlines()]
    assert [(line["id"], line["model"], line["recall"]) for line in lines[:3]] == [
        ("q0", "m", 0.0),
        ("q0", "n, o", 0.0),
        ("q1", "m", 0.5),
    ]
    assert lines[2]["exposed"] == lines[2]["recovered"] == [1, 0]
    table = tmp_path / "scores.csv"
    scored_rows(rows, out=table, size=100)
    assert table.read_text(encoding="utf-8").splitlines()[:3] == [
        "set,id,arm,score,model,question,template,domain",
        ",q0 m,scaffold,,m,q0,T-REL,kitchen",
        ',"q0 n, o",scaffold,,"n, o",q0,T-REL,kitchen',
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["parted.jsonl", "rows.jsonl", "scores.csv", "whole.jsonl"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"said": {"answer": ["Kiln"]}}, "answer to be a text in line 1"),
        ({"said": {"answer": 5}}, "answer to be a text in line 1"),
        ({"arm": None}, "Expected arm in line 1"),
        ({"status": ["answered"]}, "Expected status to be one of"),
        ({"question": {"id": "q", "prompt": "?", "class_slugs": 5}}, "class_slugs to be a list of texts"),
    ],
)
def test_what_is_no_row_is_refused_in_one_sentence(tmp_path: Path, change: dict[str, object], said: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({**made("q", [A], [A], [A]).as_json(), **change}))
    with pytest.raises(BadInput, match=said):
        scored_rows(path)


def test_a_matcher_that_is_none_is_the_default_one() -> None:
    row = made("q", [A], [A], [A])
    assert [replace(row, study={"matcher": each}).matcher for each in ("reference", ["x"], "x", None)] == [
        "reference",
        "default",
        "default",
        "default",
    ]
