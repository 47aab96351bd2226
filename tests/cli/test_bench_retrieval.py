"""`loom bench retrieval`, from its command line: figures that can be worked out, and the report of the example corpus."""

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from support.nodes import KILNS
from support.sealed import sealed
from support.sources import ROOT

from loom.answer.finders.switches import COMPONENTS
from loom.cli.main import main

SETS = ROOT / "fixtures" / "retrieval"

TINY: dict[str, list[dict[str, Any]]] = {
    "questions.jsonl": [
        {
            "template": "T-REL",
            "class_slugs": ["kiln"],
            "prompt": "What parts does a kiln have?",
            "gold": [{"title": "Kiln Shelf"}],
        },
        {
            "template": "T-TAX",
            "class_slugs": ["tide-kiln"],
            "prompt": "What is a tide kiln a kind of?",
            "gold": [{"title": "Tidal Bellows"}, {"title": "Northern Observatory"}],
        },
    ],
    "gate-set.jsonl": [
        {"label": "in_domain", "prompt": "How do tidal bellows work?", "slug_groups": [["tidal-bellows"]]},
        {"label": "off_domain", "prompt": "Thank you, that was helpful."},
        {"label": "adjacent", "prompt": "Which violin strings last longest?", "topic": ["violin"]},
    ],
    "followups.jsonl": [
        {
            "kind": "topic_switch",
            "messages": [
                {"role": "user", "content": "What is a kiln shelf?"},
                {"role": "assistant", "content": "A plate."},
                {"role": "user", "content": "Forget that. What is a furnace?"},
            ],
            "slugs": ["furnace"],
            "not_slugs": ["kiln-shelf"],
        }
    ],
}


def figures(*words: str) -> dict[str, Any]:
    out = Path(words[words.index("--json") + 1])
    assert main(["bench", "retrieval", *words]) == 0
    return json.loads(out.read_text("utf-8"))


@pytest.fixture
def tiny(tmp_path: Path) -> tuple[Path, Path]:
    sealed(tmp_path / "generations", KILNS)
    sets = tmp_path / "sets"
    sets.mkdir()
    for name, rows in TINY.items():
        (sets / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return tmp_path / "generations", sets


def test_figures_of_a_tiny_set_are_those_worked_out_by_hand(
    tiny: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    generations, sets = tiny
    rows = tmp_path / "rows.jsonl"
    result = figures(
        "--sets",
        str(sets),
        "--store",
        str(generations),
        "--no-ablations",
        "--rows",
        str(rows),
        "--json",
        str(tmp_path / "r.json"),
    )
    found = {each["key"]: each for each in result["scores"]}
    assert found["in-title.ceiling"]["value"] == 0.75
    assert (found["in-title.T-REL"]["value"], found["in-title.T-REL"]["met"]) == (1.0, True)
    assert found["in-title.T-TAX"]["value"] == 0.5
    assert (found["gate.in-domain-right"]["hits"], found["gate.in-domain-right"]["of"]) == (1, 1)
    assert (found["gate.off-domain"]["hits"], found["gate.off-domain"]["of"]) == (0, 1)
    assert (found["gate.adjacent"]["hits"], found["gate.adjacent"]["of"]) == (1, 1)
    assert found["gate.auc"]["value"] == 1.0
    assert (found["follow-ups.dragged"]["hits"], found["follow-ups.onward"]["hits"]) == (0, 1)
    assert "rephrased.first" not in found and result["beside"] == {} and result["without"] == {}
    assert result["questions"] == {"in-title": 2, "gate": 3, "follow-ups": 1}
    lines = [json.loads(line) for line in rows.read_text("utf-8").splitlines()]
    assert [(line["set"], line["engaged"]) for line in lines] == [
        *[("in-title", True)] * 2, ("gate", True), ("gate", False), ("gate", False), ("follow-ups", True)
    ]  # fmt: skip
    assert lines[0]["ceiling"] == 1.0 and lines[0]["served"][0] == "kiln" and lines[3]["tokens"] == 0
    told = capsys.readouterr()
    assert "no paraphrases.jsonl" in told.err and "no surface-forms.jsonl" in told.err
    assert "in-title.T-REL" in told.out and "1 of 1" in told.out


def test_the_report_of_the_example_corpus(tmp_path: Path) -> None:
    store = tmp_path / "generations"
    assert main(["build", str(ROOT / "fixtures" / "kitchen"), "--out", str(store), "--quiet"]) == 0
    out = tmp_path / "retrieval"
    result = figures("--sets", str(SETS), "--store", str(store), "--out", str(out), "--json", str(tmp_path / "r.json"))
    assert set(result["without"]) == set(COMPONENTS)
    assert sum(result["questions"].values()) == 79
    page = (tmp_path / "retrieval.md").read_text("utf-8")
    assert "loom bench retrieval" in page and str(tmp_path) not in page
    assert not re.search(r"\b20\d\d-\d\d-\d\d\b", page)
    for component in COMPONENTS:
        assert f"| `{component}` |" in page
    plots = re.findall(r"\]\((retrieval/[^)]+\.svg)\)", page)
    assert sorted(plots) == sorted(f"retrieval/{file.name}" for file in out.iterdir())
    for plot in plots:
        root = ElementTree.parse(tmp_path / plot).getroot()
        assert root.tag.endswith("svg")
        style = next(element for element in root if element.tag.endswith("style"))
        assert "prefers-color-scheme: dark" in (style.text or "")
    heads = [line for line in page.splitlines() if line.startswith("|---")]
    rows = [line for line in page.splitlines() if line.startswith("| ") and not line.startswith("|---")]
    assert heads and {line.count("|") for line in rows} <= {line.count("|") for line in heads}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--sets", "nowhere"], "questions.jsonl"),
        (["--sets", str(SETS), "--generation", "zzz"], "zzz"),
    ],
)
def test_what_cannot_be_measured_is_one_sentence(
    tiny: tuple[Path, Path], given: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "retrieval", "--store", str(tiny[0]), *given]) == 2
    error = capsys.readouterr().err
    assert said in error and len(error.strip().splitlines()) == 1
