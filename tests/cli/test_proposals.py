"""`loom proposals` over a copy of the example vault: from documents to a sealed change, refusals by sentence, and no trace of a rejection."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.kitchen import VAULT

from loom.cli.main import main
from loom.core.proposals.sections import without

SAID = (
    (
        "radio.txt",
        "Guest: The Sourdough of San Francisco owes its tang to Lactobacillus Sanfranciscensis. I once dropped it.\n",
    ),
    (
        "bakery.md",
        "# A visit\n\nTheir Sourdough rests for sixteen hours in a Banneton before it is baked. "
        "Sourdough keeps for five days in a linen bag without going stale.\n",
    ),
)
JUDGES = ("--judge-script", "judge", "--judge-script", "judge?wait=0", "--quiet")


NAMED = ("bread/*.md", "**/Banneton.md", "**/Dutch Oven.md", "**/Fermentation.md", "**/Yeast.md", "**/Flour.md")
ORIGINAL = {path.relative_to(VAULT).as_posix(): path.read_bytes() for pattern in NAMED for path in VAULT.glob(pattern)}
"""A part of the example vault, which is quick to build."""


def filled(folder: Path) -> Path:
    for name, data in ORIGINAL.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture(scope="module")
def generations(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    assert main(["build", str(filled(folder / "vault")), "--out", str(folder / "generations"), "--quiet"]) == 0
    return folder / "generations"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, generations: Path) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOOM_PROPOSALS_VAULT", "vault")
    shutil.copytree(generations, tmp_path / "generations", symlinks=True)
    filled(tmp_path / "vault")
    (tmp_path / "notes").mkdir()
    for name, text in SAID:
        (tmp_path / "notes" / name).write_text(text)
    return tmp_path


@pytest.fixture
def loom(place: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Runs a command; gives its JSON where it printed some, else its output."""

    def run(*arguments: str, code: int = 0) -> Any:
        capsys.readouterr()
        assert main(list(arguments)) == code
        out = capsys.readouterr().out
        return json.loads(out) if "--json" in arguments else out

    return run


def landed(loom: Callable[..., Any]) -> None:
    loom("proposals", "extract", "notes", "--out", "said.jsonl")
    loom("proposals", "land", "said.jsonl")
    loom("proposals", "rule")


def built(loom: Callable[..., Any]) -> str:
    return str(loom("build", "vault", "--out", "generations", "--quiet")).strip()


def vault(place: Path) -> dict[str, bytes]:
    """The pages that are not of the ledger."""
    root = place / "vault"
    return {
        str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*.md") if path.parent.name != "assertion-ledger"
    }


def test_from_documents_to_a_sealed_change(place: Path, loom: Callable[..., Any]) -> None:
    before = built(loom)
    told = loom("proposals", "extract", "notes", "--out", "said.jsonl", "--json")
    assert (told["documents"], told["assertions"], told["open_terms"]) == (2, 3, 1)
    told = loom("proposals", "land", "said.jsonl", "--json")
    assert (told["new"], told["known"], len(told["pages"])) == (3, 0, 2)
    told = loom("proposals", "land", "said.jsonl", "said.jsonl", "--json")
    assert (told["new"], told["known"]) == (0, 6)
    assert built(loom) == before and vault(place) == ORIGINAL
    assert "3 assertions of 2 sources" in loom("proposals", "ledger")
    (term,) = loom("proposals", "terms", "--json")["terms"]
    assert (term["term"], term["count"]) == ("Lactobacillus Sanfranciscensis", 1)
    told = loom("proposals", "candidates", "--json")
    assert (told["candidates"], told["topics"][0]["title"], told["topics"][0]["reason"]) == (1, "Sourdough", "evidence")
    assert loom("proposals", "candidates", "--fingerprints", "4", "--json")["candidates"] == 0
    loom("proposals", "rule")
    told = loom("proposals", "propose", *JUDGES, "--json")
    (made,) = told["proposals"]
    assert (made["state"], made["mean"], made["ceiling"], told["refused"]) == ("proposed", 1.0, 1.0, [])
    assert built(loom) == before and vault(place) == ORIGINAL
    shown = loom("proposals", "show", made["id"])
    assert "+- Sourdough keeps" in shown and "bakery.md" in shown
    dossier = loom("proposals", "show", made["id"], "--json")
    assert [each["fingerprint"] for each in dossier["assertions"]] == [
        json.loads(line)["fingerprint"] for line in sorted((place / "said.jsonl").read_text().splitlines(), key=_by_source)
    ]
    told = loom("proposals", "approve", made["id"], "--reason", "Two sources.", "--by", "Anna", "--json")
    assert [each["state"] for each in told["sections"]] == ["written"]
    changed = {name for name, data in vault(place).items() if data != ORIGINAL[name]}
    assert changed == {"bread/Sourdough.md"}
    assert {name: without(data) for name, data in vault(place).items()} == ORIGINAL
    after = built(loom)
    told = loom("generations", "diff", before[7:19], after[7:19], "--json")
    assert "prose" in json.dumps(told) and "sourdough" in json.dumps(told)
    assert after != before
    assert "0 of 1 sections changed" in loom("proposals", "regenerate")
    loom("proposals", "withdraw", made["id"], "--reason", "It was a joke.", "--by", "Anna")
    assert vault(place) == ORIGINAL and built(loom) == before


def _by_source(line: str) -> tuple[str, str]:
    stated = json.loads(line)
    return stated["source"], stated["fingerprint"]


def test_what_a_page_hides_from_its_readers_is_no_assertion(place: Path, loom: Callable[..., Any]) -> None:
    built(loom)
    (place / "more").mkdir()
    hidden = "---\nabout: Sourdough is a word of the front matter.\n---\n```\nSourdough is code that says nothing.\n```\n"
    (place / "more" / "page.md").write_text(
        f"{hidden}%% Sourdough is a remark for myself. %%\nSourdough rises slowly in the cold.\n"
    )
    (place / "more" / "talk.txt").write_text("Sourdough rises %% slowly in the cold.\n")
    assert loom("proposals", "extract", "more", "--out", "more.jsonl", "--json")["assertions"] == 2
    said = [json.loads(line) for line in (place / "more.jsonl").read_text().splitlines()]
    assert [each["text"] for each in said] == ["Sourdough rises slowly in the cold.", "Sourdough rises %% slowly in the cold."]
    assert loom("proposals", "land", "more.jsonl", "--documents", "more", "--json")["unverified"] == 0


def test_a_rejected_dossier_leaves_no_trace(place: Path, loom: Callable[..., Any]) -> None:
    before = built(loom)
    landed(loom)
    (made,) = loom("proposals", "propose", *JUDGES, "--json")["proposals"]
    loom("proposals", "reject", made["id"], "--reason", "It says nothing new.", "--by", "Anna")
    loom("proposals", "regenerate")
    assert built(loom) == before and vault(place) == ORIGINAL
    assert loom("proposals", "propose", *JUDGES, "--json")["proposals"] == []
    (one,) = loom("proposals", "list", "--state", "rejected", "--json")["proposals"]
    assert one["id"] == made["id"]
    assert "rejected by Anna" in loom("proposals", "show", made["id"])


def test_what_people_declined_can_be_proposed_again(place: Path, loom: Callable[..., Any]) -> None:
    """Nothing has changed but somebody's mind; the decisions that there were stay."""
    before = built(loom)
    landed(loom)
    (made,) = loom("proposals", "propose", *JUDGES, "--json")["proposals"]
    loom("proposals", "reject", made["id"], "--reason", "It says nothing new.", "--by", "Anna")
    ids = [made["id"]]
    for _ in range(2):
        (again,) = loom("proposals", "propose", "--again", *JUDGES, "--json")["proposals"]
        assert again["state"] == "proposed" and again["id"] not in ids
        assert loom("proposals", "propose", "--again", *JUDGES, "--json")["proposals"] == []
        loom("proposals", "approve", again["id"], "--reason", "It does.", "--by", "Ben")
        assert built(loom) != before
        loom("proposals", "withdraw", again["id"], "--reason", "It does not.", "--by", "Ben")
        assert built(loom) == before and vault(place) == ORIGINAL
        ids.append(again["id"])
    listed = {each["id"]: each["state"] for each in loom("proposals", "list", "--json")["proposals"]}
    assert listed == dict(zip(ids, ["rejected", "withdrawn", "withdrawn"], strict=True))
    (one,) = loom("proposals", "show", ids[0], "--json")["decisions"]
    assert one["by"] == "Anna"


def test_a_judge_who_prefers_what_comes_first_stops_it(loom: Callable[..., Any]) -> None:
    landed(loom)
    first = ("--judge-script", 'says?text={"score":-1}', "--judge-script", "judge", "--quiet")
    (made,) = loom("proposals", "propose", *first, "--json")["proposals"]
    assert (made["state"], made["stopped"], made["ceiling"]) == ("stopped", ["judged"], 1.0)
    (other,) = loom("proposals", "propose", *JUDGES, "--json")["proposals"]
    assert other["state"] == "proposed" and other["id"] != made["id"]


def test_edits_of_a_file_and_of_a_model(place: Path, loom: Callable[..., Any]) -> None:
    landed(loom)
    stuffed = {
        "topic": "sourdough",
        "text": "Sourdough Starter, Dutch Oven, Banneton, Baguette, Yeast, Bread, Fermentation, Flour",
    }
    (place / "edits.jsonl").write_text(json.dumps(stuffed))
    (made,) = loom("proposals", "propose", "--edits", "edits.jsonl", *JUDGES, "--json")["proposals"]
    assert (made["state"], made["stopped"], made["mean"]) == ("stopped", ["complete"], 1.0)
    for text, code in (
        ('{"text": "It rests in a [[Banneton]] (bakery.md).", "anchor": ""}', 0),
        ('{"text": "x", "anchor": "## Nowhere"}', 1),
        ("no", 1),
    ):
        told = loom(
            "proposals", "propose", "--writer-script", f"says?text={text}".replace("#", "%23"), *JUDGES, "--json", code=code
        )
        assert len(told["proposals"]) == 1 - code and len(told["refused"]) == code
        for each in told["proposals"]:
            loom("proposals", "reject", each["id"], "--reason", "Once more.", "--by", "Anna")
            loom("proposals", "land", "said.jsonl")
        if not code:
            (place / "more.jsonl").write_text(
                "\n".join(
                    json.dumps(
                        {"text": f"Sourdough weighs {n} kg.", "source": f"{n}.txt", "terms": ["Sourdough"], "verified": True}
                    )
                    for n in range(3)
                )
            )
            loom("proposals", "land", "more.jsonl")


def fails(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert main(["proposals", *arguments]) == 2
    told = capsys.readouterr()
    assert told.err.startswith("loom proposals: ") and "Traceback" not in told.err and told.err.count("\n") == 1
    return told.err


def test_what_is_wrong_is_said_in_a_sentence(
    place: Path, loom: Callable[..., Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "there are none" in fails(capsys, "extract", str(place / "generations"), "--out", "x")
    assert "nowhere" in fails(capsys, "land", "nowhere.jsonl")
    (place / "empty.jsonl").write_text("")
    assert "at least one assertion" in fails(capsys, "land", "empty.jsonl")
    assert "no proposal" in fails(capsys, "show", "prop-1")
    assert "but there is nothing; check the path" in fails(capsys, "extract", "nonotes", "--out", "x")
    assert "write it before anything is judged, by `loom proposals rule --out" in fails(capsys, "propose", *JUDGES)
    landed(loom)
    assert "there is one" in fails(capsys, "rule")
    assert "2 judges" in fails(capsys, "propose", "--judge-script", "judge", "--quiet")
    assert "Expected a judge" in fails(capsys, "propose", "--quiet")
    assert "is none" in fails(capsys, "propose", "--topic", "Butter", *JUDGES)
    assert "--most" in fails(capsys, "propose", "--most", "0", *JUDGES)
    assert "--writer-model together" in fails(capsys, "propose", "--writer-url", "http://x", *JUDGES)
    (made,) = loom("proposals", "propose", *JUDGES, "--json")["proposals"]
    assert "reason" in fails(capsys, "approve", made["id"], "--reason", " ", "--by", "Anna")
    assert "to be approved before" in fails(capsys, "withdraw", made["id"], "--reason", "x", "--by", "Anna")
    monkeypatch.setenv("LOOM_PROPOSALS_VAULT", "nowhere")
    assert "folder of a vault" in fails(capsys, "ledger")
    monkeypatch.delenv("LOOM_PROPOSALS_VAULT")
    assert "--vault" in fails(capsys, "ledger")


def test_a_damaged_ledger_and_a_refused_page_are_exit_codes(place: Path, loom: Callable[..., Any]) -> None:
    landed(loom)
    (made,) = loom("proposals", "propose", *JUDGES, "--json")["proposals"]
    loom("proposals", "approve", made["id"], "--reason", "Right.", "--by", "Anna", "--later")
    assert vault(place) == ORIGINAL
    page = place / "vault" / "bread" / "Sourdough.md"
    page.write_bytes(page.read_bytes() + b"\n```\nnever closed\n")
    told = loom("proposals", "regenerate", "--json", code=3)
    assert [each["state"] for each in told["sections"]] == ["refused"] and page.read_bytes().endswith(b"never closed\n")
    page.write_bytes(ORIGINAL["bread/Sourdough.md"])
    assert [each["state"] for each in loom("proposals", "regenerate", "--json")["sections"]] == ["written"]
    ledger = next((place / "vault" / "assertion-ledger").glob("radio*"))
    ledger.write_text(ledger.read_text().replace('"tier":2', '"tier":2,"text":"Another."'))
    loom("proposals", "ledger", code=1)
    told = loom("proposals", "land", "said.jsonl", "--json", code=1)
    assert (told["new"], len(told["faults"])) == (1, 1)
