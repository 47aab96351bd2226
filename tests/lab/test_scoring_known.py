"""Known answers of a published sweep: a made file of rows with its counts gives its figures, and so do the counts alone."""

from pathlib import Path

import pytest
from support.scoring import published

from loom.core.errors import BadInput
from loom.core.exposure import Counts
from loom.lab.row import write_rows
from loom.lab.scoring import Scores, decomposed, of_counts, scored_rows

COUNTS = Counts(9865, 735, 3, 757)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("published") / "rows.jsonl"
    write_rows(path, published())
    return path


@pytest.fixture(scope="module")
def scores(rows: Path) -> Scores:
    return scored_rows(rows, "reference", beside="default")


def test_the_counts_alone_give_the_micro_figures() -> None:
    found = of_counts(COUNTS, compliant=52)
    assert COUNTS.total == 11_360
    assert round(COUNTS.utilisation or 0, 4) == 0.9307
    assert round(COUNTS.ceiling or 0, 4) == 0.9331
    assert round(COUNTS.omission or 0, 4) == 0.0693
    assert round(found.without_compliant or 0, 4) == 0.0644
    assert COUNTS.gain == (3 - 735) / 11_360
    assert round(COUNTS.unexposed_recovery or 0, 5) == round(3 / 760, 5)


@pytest.mark.parametrize(("counts", "compliant"), [(Counts(1, 2, 3, 4), 3), (Counts(1, -2, 3, 4), 0), (Counts(1, 1, 1, 1), -1)])
def test_counts_that_cannot_be_are_refused(counts: Counts, compliant: int) -> None:
    with pytest.raises(BadInput, match="0 or more"):
        of_counts(counts, compliant)


def test_rows_with_these_counts_give_all_figures(scores: Scores) -> None:
    made = decomposed(scores, resamples=200)
    whole = made.arm("scaffold")
    assert (whole.counts, whole.micro.compliant, whole.n) == (COUNTS, 52, 5100)
    assert [round(value or 0, 4) for value in (whole.ceiling, whole.symmetric, whole.counts.ceiling)] == [
        0.9645,
        0.9645,
        0.9331,
    ]
    assert round(whole.micro.without_compliant or 0, 4) == 0.0644
    assert all(cell.counts.total == 1136 and cell.counts.exposed == 1060 and cell.counts.n01 <= 1 for cell in made.cells)
    assert all(cell.gain.mean is not None and cell.gain.mean < 0 for cell in made.cells)


def test_the_identity_of_the_gain_of_an_item_holds_in_every_group(scores: Scores) -> None:
    made = decomposed(scores, resamples=0)
    for group in (*made.cells, *made.pooled, *made.templates, *made.domains):
        counts = group.counts
        assert counts.recall is not None and counts.ceiling is not None and counts.gain is not None
        assert counts.recall - counts.ceiling == pytest.approx(counts.gain, abs=1e-12)
        assert counts.gain == (counts.n01 - counts.n10) / counts.total


def test_groups_add_up(scores: Scores) -> None:
    made = decomposed(scores, resamples=0)
    for groups in (made.cells, made.templates, made.domains):
        assert sum((group.counts for group in groups), Counts()) == COUNTS


def test_the_other_matcher_agrees_where_names_are_plain(scores: Scores) -> None:
    assert decomposed(scores, resamples=0, beside=True).arm("scaffold").counts == COUNTS


def test_the_invariant_is_checked_once_a_question_and_arm(scores: Scores) -> None:
    assert scores.invariant.holds and scores.invariant.checked == 510 and not scores.invariant.partial


def test_shards_change_nothing(rows: Path, scores: Scores) -> None:
    parted = scored_rows(rows, "reference", beside="default", size=40_000)
    assert decomposed(parted, resamples=50).as_json() == decomposed(scores, resamples=50).as_json()
    assert parted.invariant.as_json() == scores.invariant.as_json()
