"""The commands that judge, through the command line, with scripted judges."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.lab_judging import question, read, row
from support.published_audit import FILE

from loom.cli.main import main
from loom.lab.files import write_lines
from loom.lab.row import write_rows

SCRIPT = {"model": {"requested": "copies-all", "kind": "script", "family": None}, "matcher": "default"}


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """Twelve questions, of which the grounded answers name both items (every third: one), the bare ones an unexposed one."""
    made = []
    for number in range(12):
        about = question(f"q{number:02}", gold=("Lime Kiln", "Salt Pan", "Fog Horn"))
        said = "It requires a Lime Kiln." + (" It requires a Salt Pan." if number % 3 else "")
        made += [
            row(said, about=about, model="copies-all", shown="Lime Kiln, Salt Pan", study=SCRIPT),
            row(
                "It is not a Fog Horn." if number < 6 else "It requires a Fog Horn.",
                about=about,
                arm="raw",
                model="copies-all",
                study=SCRIPT,
            ),
        ]
    path = tmp_path / "rows.jsonl"
    write_rows(path, made)
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: object, code: int = 0) -> Any:
    capsys.readouterr()
    assert main(["lab", *map(str, arguments), "--json"]) == code
    told = json.loads(capsys.readouterr().out)
    assert set(told) == {"command", "version", "generation", "seeds", "rows_sha256", "result"}
    return told["result"]


def fails(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    capsys.readouterr()
    assert main(["lab", *map(str, arguments)]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.startswith("loom lab")
    return told.err


def test_the_judge_grades_goes_on_and_computes_again(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scores = rows.with_name("scores.csv")
    judges = (
        "--judge-script",
        "judge",
        "--judge-script",
        "judge?always=4",
        "--second-share",
        "0.5",
        "--quiet",
        "--resamples",
        "200",
    )
    result = run(capsys, "judge", rows, *judges, "--scores", scores)
    assert result["judging"]["given"] == 36
    means = {(cell["judge"], cell["arm"]): (cell["n"], cell["mean"]) for cell in result["cells"]}
    assert means[("judge", "scaffold")] == (12, pytest.approx((8 * 3 + 4 * 2) / 12))
    assert means[("judge", "raw")] == (12, 2.0)
    assert means[("judge?always=4", "raw")] == (6, 4.0)
    (contrast, *_) = result["contrasts"]
    assert (contrast["a"], contrast["b"], contrast["pooled"]["n"]) == ("scaffold", "raw", 12)
    assert scores.read_text().splitlines()[:2] == ["set,id,arm,score", "s,q00,scaffold,2"]
    before = rows.with_name("judged.jsonl").read_bytes()
    again = run(capsys, "judge", rows, *judges)
    assert (again["judging"]["given"], again["judging"]["kept"]) == (0, 36)
    assert rows.with_name("judged.jsonl").read_bytes() == before
    alone = run(capsys, "judge", "--judged", rows.with_name("judged.jsonl"), "--resamples", "200")
    assert alone["contrasts"] == again["contrasts"] == result["contrasts"]
    paired = run(capsys, "stats", "paired", scores, "--a", "scaffold", "--b", "raw", "--by", "set")
    assert paired["pooled"]["mean"] == pytest.approx(contrast["pooled"]["mean"])


def test_the_table_is_for_reading(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "judge", str(rows), "--judge-script", "judge", "--quiet"]) == 0
    assert "scaffold - raw" in capsys.readouterr().out
    assert main(["lab", "audit", str(rows), "--judge-script", "judge", "--quiet"]) == 0
    assert "precision of credit" in capsys.readouterr().out
    assert main(["lab", "audit", str(rows), "--omitted", "--judge-script", "judge", "--quiet"]) == 0
    assert "lexical hits" in capsys.readouterr().out


def test_an_audit_of_rows(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = run(capsys, "audit", rows, "--sample", "n11=10,n10=4,n00=3", "--judge-script", "judge", "--quiet")
    assert result["frame"] == {
        "arm": "scaffold",
        "matcher": "default",
        "units": 36,
        "n11": 20,
        "n10": 4,
        "n01": 0,
        "n00": 12,
        "empty": 0,
    }
    assert result["sample"] == {"n11": 10, "n10": 4, "n01": 0, "n00": 3}
    told = result["readings"]["as_run"]["at_its_word"]
    assert (told["precision_of_credit"]["k"], told["omitted"]["true_omission"]["k"]) == (10, 4)
    assert told["corrected"]["rate"] == pytest.approx(20 / 24)
    again = run(capsys, "audit", "--verdicts", rows.with_name("audited.jsonl"))
    assert again["readings"] == result["readings"]
    assert again["frame"] == {cell: result["frame"][cell] for cell in ("n11", "n10", "n01", "n00")}


@pytest.mark.parametrize(("then", "fate"), [("right", "repaired"), ("never", "misquoted"), ("null", "conceded")])
def test_invented_quotes_are_caught_and_three_readings_told(
    rows: Path, capsys: pytest.CaptureFixture[str], then: str, fate: str
) -> None:
    result = run(capsys, "audit", rows, "--sample", "100", "--judge-script", f"invents-quotes?then={then}", "--quiet")
    quotes = result["quotes"]["all"]
    assert (quotes["first"], quotes[fate], quotes["due"]) == (0, 20, 20)
    precision = [told["precision_of_credit"] for told in result["readings"]["as_run"].values()]
    wanted = [(20, 20), (20, 20), (20, 20)] if then == "right" else [(20, 20), (0, 20), (0, 0)]
    assert [(told["k"], told["n"]) for told in precision] == wanted


def test_hits_on_omitted_items(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = run(capsys, "audit", rows, "--omitted", "--judge-script", "judge", "--quiet")
    assert (result["items"], result["lexical"]) == (12, {"raw": 12, "scaffold": 0})
    assert result["arms"]["raw"]["validated"]["as_run"]["at_its_word"] == 6
    assert result["arms"]["raw"]["labels"]["negated"] == 6
    lexical = run(capsys, "omitted", rows)["pooled"]
    assert (lexical["items"], lexical["bare"], lexical["grounded"]) == (12, 12, 0)


def test_saved_verdicts_with_the_published_counts(capsys: pytest.CaptureFixture[str]) -> None:
    result = run(capsys, "audit", "--verdicts", FILE)
    corrected = result["readings"]["as_run"]["at_its_word"]["corrected"]
    assert round(corrected["rate"], 4) == 0.9052
    assert [round(bound, 3) for bound in corrected["ci95_by_question"]] == [0.884, 0.923]
    assert [round(bound, 3) for bound in corrected["ci95_by_model"]] == [0.886, 0.924]
    other = run(capsys, "audit", "--verdicts", FILE, "--frame", "n11=1,n10=1")
    assert other["readings"]["as_run"]["at_its_word"]["corrected"]["rate"] == pytest.approx((233 / 240 + 3 / 120) / 2)


def test_a_sample_is_drawn_labelled_and_compared(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample = rows.with_name("sample.jsonl")
    assert run(capsys, "audit", rows, "--sample", "14", "--draw", sample)["units"] == 14
    assert "label" not in read(sample)[0]
    assert run(capsys, "judge", rows, "--draw", rows.with_name("graded.jsonl"), "--sample", "5")["items"] == 5
    from loom.lab.judging.session import sample_of
    from loom.lab.judging.votes import Votes

    mixed = sample_of(sample, 42)
    for rater in ("ann", "bob"):
        votes = Votes(rows.with_name(f"{rater}.jsonl"), {**mixed.head, "rater": rater})
        for at, item in enumerate(mixed.items):
            votes.choose(item.key, "absent" if at % 2 or (rater, at) == ("bob", 0) else "correct_relation", "")
        votes.close()
    files = [rows.with_name(f"{rater}.jsonl") for rater in ("ann", "bob")]
    queue = rows.with_name("queue.jsonl")
    result = run(capsys, "annotate", sample, "--agree", *files, "--queue", queue)
    assert (result["raters"], result["disagreements"], result["queue"]["items"]) == (["ann", "bob"], 1, 1)
    assert 0 < result["tasks"]["relation"]["kappa"] < 1
    assert main(["lab", "annotate", str(sample), "--agree", *map(str, files)]) == 0
    assert "known items" in capsys.readouterr().out


def test_pages_are_judged_by_a_rule_that_was_there_before(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs, rule = tmp_path / "pairs.jsonl", tmp_path / "rule.toml"
    write_lines(pairs, [{"id": f"p{n}", "arm": "splice", "before": f"Page {n}.", "after": f"Page {n}!"} for n in range(8)])
    judge = ("--judge-script", "judge?always=1", "--judge-script", "judge?always=2", "--second-share", "0.5", "--quiet")
    assert "write it before" in fails(capsys, "integrate", pairs, "--rule", rule, *judge)
    rule.write_text("threshold = 0.0\nminimum = 4\n")
    result = run(capsys, "integrate", pairs, "--rule", rule, *judge)
    told = result["arms"]["splice"]
    assert (told["n"], told["better"] + told["worse"], told["outcome"]) == (8, 8, "reject")
    assert (result["reliability"][0]["agreement"], result["reliability"][0]["direction_agreement"]) == (0.0, 1.0)
    again = run(capsys, "integrate", pairs, "--rule", rule, "--judged", tmp_path / "pairs.judged.jsonl")
    assert again["arms"] == result["arms"]
    rule.write_text("threshold = -2.0\nminimum = 4\n")
    assert "not changed" in fails(capsys, "integrate", pairs, "--rule", rule, *judge)


def test_a_judge_of_the_writers_family_is_refused(rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "both house" in fails(
        capsys, "judge", rows, "--judge-script", "judge", "--family", "judge=house", "--family", "copies-all=house"
    )
    allowed = ("--family", "judge=house", "--family", "copies-all=house", "--allow-same-family", "--quiet")
    assert run(capsys, "judge", rows, "--judge-script", "judge", *allowed)["same_family"] == 24
    assert "wrote none" in fails(capsys, "judge", rows, "--judge-script", "copies-all")


def test_a_judge_of_a_study(rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = tmp_path / "study.toml"
    study.write_text(
        'name = "toy"\nquestions = "questions.jsonl"\narms = ["raw", "scaffold"]\n'
        '[[models]]\nname = "copies-all"\nkind = "script"\nscript = "copies-all"\n'
        '[[judges]]\nname = "strict"\nkind = "script"\nscript = "judge"\n'
    )
    (tmp_path / "questions.jsonl").write_text('{"prompt": "?"}\n')
    result = run(capsys, "judge", rows, "--study", study, "--quiet")
    assert list(result["judges"]) == ["strict"] and result["judges"]["strict"]["requested"] == ["judge"]
    assert "--judge among" in fails(capsys, "judge", rows, "--study", study, "--judge", "nobody")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("judge",), "give one of them"),
        (("judge", "ROWS"), "Expected a judge"),
        (("judge", "NOTHING", "--judge-script", "judge"), "cannot be read"),
        (("judge", "ROWS", "--judge-model", "gpt-4.1"), "--judge-url"),
        (("judge", "ROWS", "--judge-url", "http://127.0.0.1:1/v1"), "--judge-model"),
        (("judge", "ROWS", "--judge-url", "somewhere", "--judge-model", "gpt-4.1"), "OpenAI-compatible"),
        (
            (
                "judge",
                "ROWS",
                "--judge-url",
                "http://127.0.0.1:1/v1",
                "--judge-model",
                "gpt-4.1",
                "--judge-key-env",
                "NO_SUCH_KEY",
            ),
            "not set",
        ),
        (("judge", "ROWS", "--judge", "x"), "--study"),
        (("judge", "ROWS", "--judge-script", "judge", "--family", "x"), "NAME=FAMILY"),
        (("judge", "ROWS", "--judge-script", "judge", "--contrast", "raw", "--quiet"), "contrast"),
        (("judge", "ROWS", "--judge-script", "judge", "--arms", "true"), "answers to judge"),
        (("judge", "--judged", "ROWS"), "verdict of quality"),
        (("audit",), "give one of them"),
        (("audit", "ROWS", "--sample", "some", "--judge-script", "judge"), "--sample"),
        (("audit", "ROWS", "--arm", "true", "--judge-script", "judge"), "its arms are"),
        (("audit", "--verdicts", "ROWS"), "cell"),
        (("audit", "--verdicts", "EMPTY"), "there are none"),
        (("audit", "--verdicts", "VERDICTS", "--frame", "n11"), "--frame"),
        (("audit", "ROWS", "--judge-script", "judge", "--judge-script", "judge?always=1"), "one judge"),
        (("annotate", "ROWS"), "--rater"),
        (("annotate", "ROWS", "--rater", "ann"), "Expected a unit"),
        (("annotate", "EMPTY", "--rater", "ann"), "has none"),
        (("annotate", "VERDICTS", "--agree", "ROWS", "ROWS"), "rater's file"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    rows: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], says: str
) -> None:
    sample = rows.with_name("sample.jsonl")
    assert main(["lab", "audit", str(rows), "--draw", str(sample), "--json"]) == 0
    rows.with_name("empty").write_bytes(b"")
    places = {"ROWS": rows, "EMPTY": rows.with_name("empty"), "NOTHING": rows.with_name("no"), "VERDICTS": sample}
    if arguments[:2] == ("audit", "--verdicts"):
        places["VERDICTS"] = FILE
    assert says in fails(capsys, *[places.get(each, each) for each in arguments])


def test_a_judge_that_is_not_there_leaves_what_is_kept(rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = tmp_path / "study.toml"
    study.write_text(
        'name = "toy"\nquestions = "questions.jsonl"\narms = ["raw", "scaffold"]\npatience = 0.0\n'
        '[[models]]\nname = "copies-all"\nkind = "script"\nscript = "copies-all"\n'
        '[[judges]]\nname = "gone"\nkind = "url"\nurl = "http://127.0.0.1:9/v1"\nfamily = "house"\n'
    )
    (tmp_path / "questions.jsonl").write_text('{"prompt": "?"}\n')
    for command in ("judge", "audit"):
        assert main(["lab", command, str(rows), "--study", str(study), "--quiet"]) == 1
        assert "verdicts are missing" in capsys.readouterr().err
    judge = ("--judge-script", "judge", "--quiet")
    assert run(capsys, "judge", rows, *judge, "--arms", "raw")["judging"]["given"] == 12
    assert main(["lab", "judge", str(rows), "--study", str(study), "--quiet", "--judge", "gone"]) == 1
    assert len(read(rows.with_name("judged.jsonl"))) == 12
