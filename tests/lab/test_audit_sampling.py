"""Drawing an audit's sample."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.lab_judging import question, row, rows_file

from loom.core.errors import BadInput
from loom.lab.judging.sampling import apportioned, drawn, sizes_of
from loom.lab.judging.units import cell_of, frame_of, unit_from, units_at
from loom.lab.row import Row, first_row


def frame_rows() -> list[Row]:
    """Thirty questions under three models: one item is exposed and named, one exposed only; of one question an unexposed one is
    named, of the others it is not."""
    rows = []
    for number in range(30):
        template = "T-TAX" if number % 3 == 0 else "T-REL"
        about = question(f"q{number:02}", gold=("Lime Kiln", "Salt Pan", "Fog Horn"), template=template)
        for model in ("a", "b", "c"):
            named = "Lime Kiln and Fog Horn" if (number, model) == (7, "b") else "Lime Kiln"
            rows.append(row(f"It needs {named}.", about=about, model=model, shown="Lime Kiln, Salt Pan"))
    return rows


def test_cells() -> None:
    assert [cell_of(*each) for each in ((True, True), (True, False), (False, True), (False, False))] == [
        "n11",
        "n10",
        "n01",
        "n00",
    ]


def test_the_frame_counts_each_gold_item_of_each_answer_given(tmp_path: Path) -> None:
    rows = [*frame_rows(), row("", about=question("empty")), row("x", about=question("other"), arm="raw")]
    found = frame_of(rows_file(tmp_path, rows), "scaffold", "default")
    assert found.counts == {"n11": 90, "n10": 90, "n01": 1, "n00": 89}
    assert found.as_json() == {"arm": "scaffold", "matcher": "default", "units": 270, **found.counts, "empty": 1}


def test_a_sample_is_in_proportion_and_takes_n01_whole(tmp_path: Path) -> None:
    path = rows_file(tmp_path, frame_rows())
    frame = frame_of(path, "scaffold", "default")
    places = drawn(frame, {"n11": 30, "n10": 18, "n00": 1000}, 42)
    units = list(units_at(path, places))
    assert Counter(unit.cell for unit in units) == {"n11": 30, "n10": 18, "n01": 1, "n00": 89}
    assert len({unit.key for unit in units}) == len(units)
    assert Counter(unit.template for unit in units if unit.cell == "n11") == {"T-REL": 20, "T-TAX": 10}
    models = Counter(unit.model for unit in units if unit.cell == "n11")
    assert max(models.values()) - min(models.values()) <= 2
    (beyond,) = [unit for unit in units if unit.cell == "n01"]
    assert (beyond.id, beyond.model, beyond.title, beyond.edge) == ("q07", "b", "Fog Horn", "requires (of tide mill q07)")


def test_the_same_seed_draws_the_same_and_another_one_does_not(tmp_path: Path) -> None:
    frame = frame_of(rows_file(tmp_path, frame_rows()), "scaffold", "default")
    one, again, other = (drawn(frame, {"n11": 30}, seed) for seed in (1, 1, 2))
    assert one == again != other


@given(st.dictionaries(st.tuples(st.text(max_size=3)), st.integers(0, 50), min_size=1, max_size=8), st.integers(0, 120))
def test_parts_add_up_stay_within_their_sizes_and_near_their_share(sizes: dict[tuple[str], int], n: int) -> None:
    parts, total = apportioned(sizes, n, 1, "t"), sum(sizes.values())
    assert sum(parts.values()) == min(n, total)
    for key, size in sizes.items():
        assert 0 <= parts[key] <= size
        assert not total or abs(parts[key] - min(n, total) * size / total) < 1


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        (None, {"n11": 240, "n10": 120, "n00": 60}),
        ("420", {"n11": 240, "n10": 120, "n00": 60}),
        ("70", {"n11": 40, "n10": 20, "n00": 10}),
        ("n11=5, n00=2", {"n11": 5, "n10": 0, "n00": 2}),
    ],
)
def test_sizes_are_stated_as_a_total_or_by_cell(text: str | None, sizes: dict[str, int]) -> None:
    assert sizes_of(text) == sizes


@pytest.mark.parametrize("text", ["many", "-3", "0", "n11=0", "n11=", "n01=3", "n11=2;n10=3", ""])
def test_sizes_that_are_none(text: str) -> None:
    with pytest.raises(BadInput, match="--sample"):
        sizes_of(text)


def test_an_arm_that_is_not_there_and_a_line_that_is_no_unit(tmp_path: Path) -> None:
    path = rows_file(tmp_path, frame_rows())
    with pytest.raises(BadInput, match="its arms are scaffold"):
        frame_of(path, "true", "default")
    with pytest.raises(BadInput, match="lacks answer, model"):
        unit_from({"id": "1", "title": "x", "question": "?", "cell": "n11"}, "line 1")
    with pytest.raises(BadInput, match="cell"):
        unit_from({"id": "1", "title": "x", "question": "?", "answer": "", "model": "m", "cell": "n12"}, "line 1")
    with pytest.raises(BadInput, match="item"):
        unit_from({"id": "1", "title": "x", "question": "?", "answer": "", "model": "m", "cell": "n11", "item": "a"}, "line 1")


def test_the_matcher_is_the_rows_own(tmp_path: Path) -> None:
    assert first_row(rows_file(tmp_path, [row("x", study={"matcher": "reference"})])).matcher == "reference"
    assert first_row(rows_file(tmp_path, [row("x")])).matcher == "default"
