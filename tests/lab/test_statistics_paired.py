"""Two arms paired: known answers, the library door on lists, mappings and frames, estimands and non-regression."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.sources import ROOT

from loom.core.errors import BadInput
from loom.lab import paired
from loom.lab.statistics import (
    Compared,
    Paired,
    common_ids,
    intention_to_treat,
    non_regression,
    tost,
    worst,
)
from loom.lab.statistics.report import Wanted, paired_report
from loom.lab.statistics.scorefile import read_scores

PUBLISHED = ROOT / "fixtures" / "lab" / "paired.csv"
"""114 pairs made to have the statistics of a published study (three sets of 24, 30 and 60)."""
KNOWN = {
    "braising": (24, 13, 0.7917, (0.167, 1.417), 0.0322266, 0.6703, 0.0967, (10, 3, 11)),
    "baking": (30, 17, 0.3, (-0.033, 0.633), 0.1304932, 0.4314, 0.2610, (12, 5, 13)),
    "general": (60, 2, 0.05, (0.0, 0.133), 0.5, 1.0, 0.5, (2, 0, 58)),
    "pooled": (114, 32, 0.2719, (0.105, 0.447), 0.0023038, 0.5890, None, (24, 8, 82)),
}


def polars_of(frame: pd.DataFrame) -> pl.DataFrame:
    return pl.DataFrame({name: frame[name].to_list() for name in frame.columns})


@pytest.fixture
def frame() -> pd.DataFrame:
    return pd.read_csv(PUBLISHED)


def check_known(name: str, found: dict[str, Any]) -> None:
    n, nonzero, mean, ci, p, effect, holm, counts = KNOWN[name]
    assert (found["n"], found["nonzero"]) == (n, nonzero)
    assert found["mean"] == pytest.approx(mean, abs=5e-5)
    assert found["ci95"] == pytest.approx(ci, abs=6e-4)
    assert found["p_exact"] == pytest.approx(p, abs=5e-8)
    assert found["rank_biserial"] == pytest.approx(effect, abs=5e-5)
    assert found["p_holm"] == (None if holm is None else pytest.approx(holm, abs=5e-5))
    assert (found["wins"], found["losses"], found["ties"]) == counts


@pytest.mark.parametrize("name", KNOWN)
def test_the_published_statistics_come_out(name: str) -> None:
    result = paired_report(PUBLISHED, Wanted("loom", "raw", by="set"))
    check_known(name, {**result["sets"], "pooled": result["pooled"]}[name])


def test_row_order_and_seed_change_nothing_of_them(frame: pd.DataFrame) -> None:
    shuffled = frame.sample(frac=1, random_state=3)
    found = paired(shuffled, a="loom", b="raw", by="set", seed=8)
    assert isinstance(found, Compared)
    for name, each in found.as_json()["sets"].items():
        check_known(name, each)


def test_pandas_polars_lists_and_mappings_agree(frame: pd.DataFrame) -> None:
    wide = frame.pivot(index=["set", "id"], columns="arm", values="score")
    keys = [f"{set}/{id}" for set, id in wide.index]
    lists = paired(list(wide["loom"]), list(wide["raw"]))
    assert paired(frame, a="loom", b="raw") == lists
    assert paired(polars_of(frame), a="loom", b="raw") == lists
    assert paired(wide["loom"].to_numpy(), wide["raw"]) == lists
    assert paired(a=list(wide["loom"]), b=list(wide["raw"])) == lists
    assert paired(dict(zip(keys, wide["loom"], strict=True)), dict(zip(keys, wide["raw"], strict=True))) == lists
    assert isinstance(lists, Paired)
    check_known("pooled", lists.as_json())


def test_missing_scores_leave_their_pair_out_and_are_counted() -> None:
    with_gap = pd.DataFrame({"id": ["a", "b", "c"] * 2, "arm": ["x"] * 3 + ["y"] * 3, "score": [1, None, 3, 0, 1, 1]})
    for found in (
        paired([1, None, 3], [0, 1, 1]),
        paired({"a": 1, "b": 2, "c": 3}, {"c": 1, "a": 0, "b": None}),
        paired(with_gap, a="x", b="y"),
        paired(with_gap.astype({"score": "Int64"}), a="x", b="y"),
        paired(polars_of(with_gap), a="x", b="y"),
    ):
        assert isinstance(found, Paired)
        assert (found.n, found.mean, found.dropped) == (2, 1.5, 1)


def test_clusters_widen_what_hangs_together() -> None:
    scores = [value for value in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11) for _ in range(5)]
    labels = [place // 5 for place in range(60)]
    found = paired(scores, [5] * 60, clusters=labels)
    assert isinstance(found, Paired) and found.ci_clustered is not None and found.clusters == 12
    assert found.ci_clustered[1] - found.ci_clustered[0] > 1.8 * (found.ci95[1] - found.ci95[0])
    by_id = paired(dict(enumerate(scores)), dict.fromkeys(range(60), 5), clusters=dict(enumerate(labels)))
    assert by_id == found
    framed = pd.DataFrame(
        {"id": [*range(60)] * 2, "arm": ["a"] * 60 + ["b"] * 60, "score": scores + [5] * 60, "at": labels * 2}
    )
    assert paired(framed, a="a", b="b", clusters="at") == found
    one = paired(scores, [5] * 60, clusters=["same"] * 60)
    assert isinstance(one, Paired) and one.as_json()["ci_clustered"] is None


def test_another_confidence_stands_beside_the_95_percent() -> None:
    found = paired([3, 1, 4, 1, 5, 9, 2, 6], [2, 7, 1, 8, 2, 8, 1, 8], confidence=0.5)
    assert isinstance(found, Paired)
    assert found.ci95[0] < found.ci[0] < found.mean < found.ci[1] < found.ci95[1]
    assert found.as_json()["confidence"] == 0.5


def test_every_interval_is_drawn_where_that_is_wanted() -> None:
    scores = list(np.random.default_rng(1).integers(0, 6, 50))
    drawn, whole = paired(scores, [2] * 50, exact=False), paired(scores, [2] * 50)
    assert isinstance(drawn, Paired) and isinstance(whole, Paired)
    assert (drawn.ci_method, whole.ci_method) == ("resampled", "exact")
    assert drawn.ci95 == pytest.approx(whole.ci95, abs=0.05)


def test_pairs_that_are_all_tied_show_nothing() -> None:
    found = paired([0.1 + 0.2, 1, 2], [0.3, 1, 2])
    assert isinstance(found, Paired)
    assert (found.nonzero, found.mean, found.p_exact, found.rank_biserial, found.ties) == (0, 0.0, 1.0, None, 3)
    assert found.ci95 == (0.0, 0.0)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=30))
def test_swapping_the_arms_mirrors_everything(pairs: list[tuple[int, int]]) -> None:
    a, b = [first for first, _ in pairs], [second for _, second in pairs]
    forth, back = paired(a, b), paired(b, a)
    assert isinstance(forth, Paired) and isinstance(back, Paired)
    assert (forth.mean, forth.p_exact, forth.wins, forth.losses) == (-back.mean, back.p_exact, back.losses, back.wins)
    assert forth.ci95 == pytest.approx((-back.ci95[1], -back.ci95[0]), abs=1e-9)


FRAME = pd.DataFrame({"id": ["a", "a"], "arm": ["x", "y"], "score": [1, 2]})


@pytest.mark.parametrize(
    ("given", "more", "told"),
    [
        (([1, 2], [1]), {}, "equally long"),
        (([], []), {}, "at least one pair"),
        (([1, None], [None, 2]), {}, "at least one pair"),
        (([1, "x"], [1, 2]), {}, "finite number"),
        (([1, float("nan")], [1, 2]), {}, "finite number"),
        (([1], {"a": 1}), {}, "two lists or two mappings"),
        (([1],), {}, "two arms"),
        (("12", "34"), {}, "to be a list"),
        (([1, 2], [1, 2]), {"clusters": [1]}, "equally long"),
        (({"a": 1}, {"a": 2}), {"clusters": {}}, "cluster for every id"),
        (({"a": 1}, {"a": 2}), {"clusters": ["x"]}, "mapping by id"),
        (([1], [2]), {"by": "set"}, "data frame"),
        ((FRAME,), {}, "names of two arms"),
        ((FRAME,), {"a": "x", "b": "z"}, "among x, y"),
        ((FRAME,), {"a": "x", "b": "y", "by": "set"}, "column set"),
        ((FRAME.rename(columns={"score": "points"}),), {"a": "x", "b": "y"}, "column score"),
        ((pd.concat([FRAME, FRAME]),), {"a": "x", "b": "y"}, "second one"),
        ((FRAME.assign(score=["1", "many"]),), {"a": "x", "b": "y"}, "to be a number"),
        ((FRAME.assign(score=[1, None]),), {"a": "x", "b": "y"}, "score under both"),
        ((polars_of(FRAME).lazy(),), {"a": "x", "b": "y"}, "lazy"),
    ],
)
def test_what_cannot_be_paired_is_refused_in_one_sentence(given: tuple[Any, ...], more: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput, match=told) as caught:
        paired(*given, **more)
    assert "\n" not in caught.value.message


def scores_file(folder: Path, rows: str) -> Path:
    path = folder / "scores.csv"
    path.write_text("set,id,arm,score\n" + rows)
    return path


def test_an_empty_answer_leaves_the_pair_out_or_scores_zero(tmp_path: Path) -> None:
    path = scores_file(tmp_path, "s,1,x,4\ns,1,y,2\ns,2,x,\ns,2,y,3\ns,3,x,5\ns,3,y,5\ns,4,x,1\nt,5,x,1\nt,5,y,\n")
    result = paired_report(path, Wanted("x", "y", by="set"))
    assert (result["pooled"]["n"], result["pooled"]["mean"]) == (2, 1.0)
    assert (result["service"]["pooled"]["n"], result["service"]["pooled"]["mean"]) == (4, 0.0)
    assert result["sets"]["t"]["n"] == 0 and result["sets"]["t"]["p_holm"] is None
    assert result["service"]["sets"]["t"]["mean"] == 1.0
    assert result["missing"] == {"x": {"rows": 5, "scored": 4, "empty": 1}, "y": {"rows": 4, "scored": 3, "empty": 1}}
    assert (result["dropped"]["only_a"], result["dropped"]["only_b"], result["dropped"]["empty"]) == (1, 0, 2)
    assert {"set": "s", "id": "4"} in result["dropped"]["ids"]


def test_the_common_intersection_is_over_all_arms_of_the_file(tmp_path: Path) -> None:
    path = scores_file(tmp_path, "s,1,x,4\ns,1,y,2\ns,1,z,1\ns,2,x,1\ns,2,y,3\ns,2,z,\n")
    result = paired_report(path, Wanted("x", "y"))
    assert (result["pooled"]["n"], result["common"]["pooled"]["n"]) == (2, 1)
    assert result["common"]["arms"] == ["x", "y", "z"]
    assert common_ids(read_scores(path).arms) == [("s", "1")]


def test_intention_to_treat_keeps_those_for_which_the_gate_stayed_silent() -> None:
    whole, treated = intention_to_treat([3, 2, 1], [1, 2, 1], [1, 0, 1])
    assert treated is not None and (whole.n, treated.n, treated.mean) == (3, 2, 1.0)
    assert intention_to_treat([1], [1], [False])[1] is None


def test_tost_is_statsmodels() -> None:
    from statsmodels.stats.weightstats import ttost_paired

    for seed, shift in ((0, 0.0), (1, 0.2), (2, -0.3)):
        differences = np.random.default_rng(seed).normal(shift, 1, 60)
        wanted = ttost_paired(differences, np.zeros(60), -0.25, 0.25)[0]
        assert tost(differences, 0.25).p == pytest.approx(wanted, abs=1e-12)
    assert tost([0.1, 0.1]).equivalent and not tost([0.5, 0.5]).equivalent


def test_non_regression_needs_the_whole_interval_inside_the_margin() -> None:
    held = non_regression([0] * 58 + [1, 2])
    assert held.shown and held.shown90 and held.tost is not None and held.tost.equivalent and not held.detected
    wide, bad = non_regression([3, -3] * 10), non_regression([-1] * 20 + [0])
    assert not wide.shown and not wide.detected
    assert bad.detected
    assert worst({"wide": wide, "held": held, "bad": bad}) == "wide"
    edge = non_regression([0.25] * 5)
    assert not edge.shown
    with pytest.raises(BadInput, match="margin"):
        non_regression([1, 2], 0)


def test_a_frame_with_a_column_an_arm_is_paired_by_row() -> None:
    wide = pd.DataFrame({"loom": [5, 4, None, 3], "raw": [4, 4, 2, 1], "kind": ["x", "x", "y", "y"]})
    assert paired(wide, a="loom", b="raw") == paired([5, 4, None, 3], [4, 4, 2, 1])
    assert paired(polars_of(wide[["loom", "raw"]].dropna()), a="loom", b="raw").n == 3
    groups = paired(wide, a="loom", b="raw", by="kind").sets
    assert {name: each.n for name, each in groups.items()} == {"x": 2, "y": 1}


def test_series_leave_out_what_is_missing_and_are_not_paired_in_another_order() -> None:
    assert paired(pd.Series([1.0, None, 3.0]), pd.Series([1, 2, 2])) == paired([1, None, 3], [1, 2, 2])
    assert paired(pd.Series([1, 2], index=[0, 2]), pd.Series([1, 1], index=[1, 3])).n == 2
    with pytest.raises(BadInput, match="same order"):
        paired(pd.Series([1, 2], index=["p", "q"]), pd.Series([5, 7], index=["q", "p"]))


@pytest.mark.parametrize(("a", "b"), [([[1, 2], [3, 4]], [[1, 2], [3, 4]]), ([1e308], [-1e308])])
def test_tables_and_differences_without_end_are_refused_in_a_sentence(a: list[Any], b: list[Any]) -> None:
    with pytest.raises(BadInput):
        paired(np.array(a), np.array(b))
