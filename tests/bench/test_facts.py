"""The made knowledge bases: the same every time, readable without a fault, and with questions that they can answer."""

from pathlib import Path

from loom.bench.facts_made import KINDS, make, questions
from loom.compose import knowledge_base
from loom.core.facts.checks import KINDS as REMARKS
from loom.core.report import Report


def test_bases_are_the_same_every_time_and_have_no_fault(tmp_path: Path) -> None:
    made, again = make(tmp_path / "a", 12_000), make(tmp_path / "b", 12_000)
    assert (made.rows, made.measured, made.stated, made.titles) == (again.rows, again.measured, again.stated, again.titles)
    assert 9_000 <= made.rows <= 12_000
    assert len(made.folders) == 10
    files = sorted(path.relative_to(tmp_path / "a") for path in (tmp_path / "a").rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(tmp_path / "b") for path in (tmp_path / "b").rglob("*") if path.is_file())
    assert all((tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes() for file in files)
    for folder in (made.folders[0], *made.folders[-3:]):
        report = Report(REMARKS)
        assert knowledge_base(folder, report) is not None
        assert not report.of("error")


def test_questions_are_others_in_each_turn(tmp_path: Path) -> None:
    made = make(tmp_path, 10_000)
    first, second = list(questions(made, 5)), list(questions(made, 5, 1))
    assert first == list(questions(made, 5))
    assert {kind for kind, _ in first} == set(KINDS)
    assert len({text for _, text in first} & {text for _, text in second}) <= 5
