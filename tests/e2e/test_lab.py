"""The lab through the installed command alone: a study over the example vault, to its page."""

import json
from pathlib import Path

from support.installed import FIXTURES, loom

STUDY = FIXTURES / "lab" / "kitchen.toml"


def test_a_study_ends_in_its_page(generations: Path, tmp_path: Path) -> None:
    said = loom("lab", "run", STUDY, "--generations", generations, "--questions", "12", "--out", tmp_path / "study", "--json")
    assert said.returncode == 0, said.stderr
    told = json.loads(said.stdout)
    assert told["result"]["statuses"]["reader"]["answered"] > 100
    page = (tmp_path / "study" / "report.html").read_text(encoding="utf-8")
    assert "<svg" in page and "Gain over copy" in page and "<script" not in page
    results = json.loads((tmp_path / "study" / "results.json").read_text(encoding="utf-8"))
    ceilings = {each["arm"]: each.get("symmetric") for each in results["ceilings"]}
    assert ceilings["scaffold"] == 1 and ceilings["raw"] == 0
    again = loom("lab", "report", tmp_path / "study", "--titles", "--generations", generations, "--json")
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "study" / "report.html").read_text(encoding="utf-8") == page


def test_the_known_answers_of_paired_scores() -> None:
    said = loom("lab", "stats", "paired", FIXTURES / "lab" / "paired.csv", "--a", "loom", "--b", "raw", "--by", "set", "--json")
    assert said.returncode == 0, said.stderr
    pooled = json.loads(said.stdout)["result"]["pooled"]
    assert (round(pooled["p_exact"], 7), round(pooled["rank_biserial"], 4)) == (0.0023038, 0.5890)
