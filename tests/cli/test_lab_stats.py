"""`loom lab stats`: what the commands print of files and counts, and what they refuse."""

import csv
import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from support.sources import ROOT

from loom.cli.main import main

PUBLISHED = ROOT / "fixtures" / "lab" / "paired.csv"
ROWS = [
    ("s", "1", "x", "4"),
    ("s", "1", "y", "2"),
    ("s", "2", "x", "1"),
    ("s", "2", "y", ""),
    ("t", "1", "x", "3"),
    ("t", "1", "y", "3"),
]


def run(capsys: pytest.CaptureFixture[str], *argv: str | Path) -> dict[str, Any]:
    assert main(["lab", "stats", *map(str, argv), "--json"]) == 0
    printed: dict[str, Any] = json.loads(capsys.readouterr().out)
    return printed


def refused(capsys: pytest.CaptureFixture[str], *argv: str | Path) -> str:
    assert main(["lab", "stats", *map(str, argv)]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1
    return told.err


def paired(capsys: pytest.CaptureFixture[str], path: Path, *more: str) -> dict[str, Any]:
    result: dict[str, Any] = run(capsys, "paired", path, "--a", "x", "--b", "y", *more)["result"]
    return result


def test_the_published_study(capsys: pytest.CaptureFixture[str]) -> None:
    printed = run(capsys, "paired", PUBLISHED, "--a", "loom", "--b", "raw", "--by", "set")
    assert printed["rows_sha256"] == hashlib.sha256(PUBLISHED.read_bytes()).hexdigest()
    assert printed["seeds"] == {"bootstrap": 42}
    sets, pooled = printed["result"]["sets"], printed["result"]["pooled"]
    assert [round(each["p_exact"], 4) for each in (*sets.values(), pooled)] == [0.0322, 0.1305, 0.5, 0.0023]
    assert [round(each["rank_biserial"], 4) for each in (*sets.values(), pooled)] == [0.6703, 0.4314, 1, 0.5890]
    assert [round(each["p_holm"], 4) for each in sets.values()] == [0.0967, 0.2610, 0.5] and pooled["p_holm"] is None
    assert sets["braising"]["ci95"] == pytest.approx([0.167, 1.417], abs=1e-3)


def test_the_table_names_every_group(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "stats", "paired", str(PUBLISHED), "--a", "loom", "--b", "raw", "--by", "set", "--margin", "0.25"]) == 0
    told = capsys.readouterr().out
    for word in ("braising", "pooled", "0.0023", "[0.105, 0.447]", "service", "worst group: baking", "left out: 0"):
        assert word in told


@pytest.mark.parametrize("shape", ["csv", "crlf", "bom", "quoted", "reordered", "jsonl", "gz", "blank"])
def test_every_shape_of_a_score_file_is_read_alike(shape: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "scores"
    plain = "set,id,arm,score\n" + "".join(",".join(row) + "\n" for row in ROWS)
    if shape == "jsonl":
        members = ("set", "id", "arm", "score", "why")
        rows = [dict(zip(members, (*row[:3], float(row[3]) if row[3] else None, "so"), strict=True)) for row in ROWS]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif shape == "gz":
        path.write_bytes(gzip.compress(plain.encode()))
    elif shape in ("quoted", "reordered"):
        with path.open("w", newline="") as file:
            writer = csv.writer(file, quoting=csv.QUOTE_ALL)
            writer.writerow(
                ["why, if any", "score", "arm", "id", "set"] if shape == "reordered" else ["set", "id", "arm", "score"]
            )
            writer.writerows([["two\nlines", *row[::-1]] if shape == "reordered" else row for row in ROWS])
    else:
        made = {
            "csv": plain,
            "crlf": plain.replace("\n", "\r\n"),
            "bom": "\ufeff" + plain,
            "blank": "\n" + plain.replace("\n", "\n\n"),
        }
        path.write_bytes(made[shape].encode())
    result = paired(capsys, path, "--by", "set")
    assert (result["pooled"]["n"], result["pooled"]["mean"], result["sets"]["s"]["wins"]) == (2, 1.0, 1)
    assert result["service"]["pooled"]["n"] == 3
    assert result["dropped"]["empty"] == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "empty"),
        ("set,id,arm,score\n", "none"),
        ("set,id,arm\ns,1,x\n", "score is not in it"),
        ("set,id,arm,score,score\ns,1,x,1,2\n", "comes twice"),
        ("set,id,arm,score\ns,1,x,1\ns,1,x,2\ns,1,y,2\n", "line 3"),
        ("set,id,arm,score\ns,1,x,many\n", "line 2"),
        ("set,id,arm,score\ns,1,x,NaN\n", "'NaN'"),
        ("set,id,arm,score\ns,1,x,inf\n", "'inf'"),
        ("set,id,arm,score\ns,1,x,1_0\n", "'1_0'"),
        ("set,id,arm,score\ns,1,x\n", "4 fields"),
        ("set,id,arm,score\ns,,x,1\n", "empty"),
        ("set,id,arm,score\ns,1,x,1\ns,2,y,1\n", "score under both"),
        ("set,id,arm,score\ns,1,x,1\n", "arm among x"),
        ('set,id,arm,score\n"s"t,1,x,1\n', "CSV"),
        ('{"set": "s", "id": 1, "arm": "x"}\n', "score"),
        ('{"set": "s", "id": 1, "arm": "x", "score": true}\n', "True"),
        ('{"set": "s", "id": 1, "arm": "x", "score": [1]}\n', "[1]"),
        ("{nonsense}\n", "JSON"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"\x1f\x8bnot gzip", "cannot be read"),
        (b"set,id,arm,score\ns,1,x,\x00\n", "line"),
    ],
)
def test_a_file_that_is_none_is_refused_in_one_sentence(
    text: str | bytes, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scores.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert told in refused(capsys, "paired", path, "--a", "x", "--b", "y")


def test_flags_that_make_no_sense_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("set,id,arm,score,group\n" + "".join(",".join((*row, row[0] + row[2])) + "\n" for row in ROWS))
    arms = ("--a", "x", "--b", "y")
    assert "two different arms" in refused(capsys, "paired", path, "--a", "x", "--b", "x")
    assert "among x, y" in refused(capsys, "paired", path, "--a", "x", "--b", "z")
    assert "colour is not in it" in refused(capsys, "paired", path, *arms, "--by", "colour")
    assert "one group for id 1 of set s" in refused(capsys, "paired", path, *arms, "--cluster", "group")
    assert "confidence" in refused(capsys, "paired", path, *arms, "--confidence", "95")
    assert "resamples" in refused(capsys, "paired", path, *arms, "--resamples", "0")
    assert "margin" in refused(capsys, "paired", path, *arms, "--margin", "-1")
    assert "cannot be read" in refused(capsys, "paired", tmp_path / "absent.csv", *arms)
    assert "cannot be read" in refused(capsys, "paired", tmp_path, *arms)


def test_clusters_engagement_confidence_and_resamples(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "scores.csv"
    lines = ["id,arm,score,domain,engaged"]
    for number in range(40):
        lines += [f"{number},x,{number % 6},{number % 4},{int(number % 2)}", f"{number},y,2,{number % 4},"]
    path.write_text("\n".join(lines))
    result = paired(capsys, path, "--cluster", "domain", "--engaged", "engaged", "--confidence", "0.9", "--resamples", "500")
    pooled = result["pooled"]
    assert result["sets"] == {} and pooled["clusters"] == 4 and pooled["ci_method"] == "resampled"
    assert pooled["ci95"][0] <= pooled["ci"][0] and pooled["confidence"] == 0.9
    assert (result["engagement"]["all"]["n"], result["engagement"]["engaged"]["n"]) == (40, 20)
    assert result["bootstrap"]["resamples"] == 500


def test_enumerate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "units.csv"
    path.write_text("conversation,score\n" + "".join(f"c{number % 10},{number % 7}\n" for number in range(70)))
    result = run(capsys, "enumerate", path, "--unit", "conversation")["result"]
    assert (result["units"], result["draws"], result["mean"]) == (10, 92_378, 3.0)
    pairs = run(capsys, "enumerate", PUBLISHED, "--unit", "set", "--a", "loom", "--b", "raw")["result"]
    assert (pairs["units"], pairs["draws"]) == (3, 10) and pairs["mean"] == pytest.approx(31 / 114)
    assert "both --a and --b" in refused(capsys, "enumerate", path, "--unit", "conversation", "--a", "x")
    assert "2 to 12" in refused(capsys, "enumerate", PUBLISHED, "--unit", "id")


def test_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "wilson", "233", "240")["result"]["ci"] == pytest.approx([0.941, 0.986], abs=5e-4)
    assert run(capsys, "mcnemar", "--only-a", "1", "--only-b", "9")["result"]["p_exact"] == pytest.approx(0.021484375)
    path = tmp_path / "outcomes.csv"
    path.write_text("id,arm,score\n1,x,1\n1,y,0\n2,x,1\n2,y,1\n")
    assert run(capsys, "mcnemar", path, "--a", "x", "--b", "y")["result"]["only_a"] == 1
    assert "--only-b" in refused(capsys, "mcnemar", "--only-a", "1")
    planned = run(capsys, "binomial", "--p0", "0.8", "--p1", "0.9")["result"]
    assert (planned["n"], planned["n_lasting"]) == (82, 94)
    assert (
        run(capsys, "binomial", "--p0", "0.5", "--p1", "0.6", "--n", "225", "--alpha", "0.0167")["result"]["successes"] == 129
    )
    assert "not both" in refused(capsys, "binomial", "--p0", "0.5", "--p1", "0.6", "--n", "9", "--power", "0.8")


def test_power(capsys: pytest.CaptureFixture[str]) -> None:
    by_formula = run(capsys, "power", "--effect", "0.27", "--sd", "0.99", "--n", "114")
    assert by_formula["result"]["power"] == pytest.approx(0.8216, abs=0.005) and by_formula["seeds"] == {}
    assert run(capsys, "power", "--effect", "0.27", "--sd", "0.99")["result"]["n"] < 114
    assert run(capsys, "power", "--n", "114", "--sd", "0.99")["result"]["effect"] == pytest.approx(0.262, abs=0.003)
    pilot = ("--pilot", PUBLISHED, "--a", "loom", "--b", "raw", "--draws", "200")
    simulated = run(capsys, "power", "--effect", "0.27", "--n", "114", "--test", "rank", *pilot)
    assert 0.5 < simulated["result"]["power"] <= 1 and simulated["seeds"] == {"simulation": 42}
    assert "--sd, or --pilot" in refused(capsys, "power", "--effect", "1")
    assert "--effect or --n" in refused(capsys, "power", "--sd", "1")
    assert "third" in refused(capsys, "power", "--sd", "1", "--effect", "1", "--n", "9", "--power", "0.8")
    assert "arms of the pilot" in refused(capsys, "power", "--effect", "1", "--pilot", PUBLISHED)


def test_raters_classes_rankings_and_calibration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("item,one,two,three\n1,a,a,a\n2,b,a,b\n3,b,b,b\n4,a,,a\n")
    assert run(capsys, "kappa", path, "--raters", "one,two")["result"] | {"ci95": None} == {
        "kappa": pytest.approx(0.4),
        "agreement": pytest.approx(2 / 3),
        "n": 3,
        "raters": 2,
        "categories": ["a", "b"],
        "weights": "none",
        "ci95": None,
        "left_out": 1,
    }
    assert run(capsys, "kappa", path, "--raters", "one,two,three")["result"]["raters"] == 3
    assert "two different columns" in refused(capsys, "kappa", path, "--raters", "one")
    assert "four is not in it" in refused(capsys, "kappa", path, "--raters", "one,four")

    path = tmp_path / "cases.csv"
    path.write_text("score,label,confidence,correct\n0.9,1,0.9,true\n0.8,0,0.8,false\n0.7,1,0.7,true\n0.1,0,0.1,no\n")
    assert run(capsys, "auc", path)["result"]["auc"] == 0.75
    calibration = run(capsys, "ece", path)["result"]
    assert calibration["equal_width"]["ece"] == pytest.approx(0.325)
    assert "to be 1 or 0" in refused(capsys, "auc", path, "--label", "confidence")

    path = tmp_path / "rankings.jsonl"
    path.write_text('{"ranked": ["a", "b"], "relevant": ["b"]}\n{"ranked": ["a", 7], "relevant": {"a": 2, "7": 1}}\n')
    ranks = run(capsys, "ranks", path, "--k", "1")["result"]
    assert (ranks["mrr"]["mean"], ranks["recall@1"]["mean"], ranks["ndcg@1"]["mean"]) == (0.75, 0.25, 0.5)
    path.write_text('{"ranked": "a", "relevant": []}\n')
    assert "list of ids" in refused(capsys, "ranks", path)


@pytest.mark.parametrize(
    "argv", [["wilson", "3", "9"], ["binomial", "--p0", "0.5", "--p1", "0.7"], ["power", "--sd", "1", "--n", "30"]]
)
def test_tables_are_printed_without_json(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "stats", *argv]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 3
