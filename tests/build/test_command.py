"""`loom build` through its own door: what it seals, prints and refuses."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.pages import page, ref

from loom.cli.main import main
from loom.core.concepts import Concepts
from loom_adapters.generation_folder import GenerationFolder

VAULT = {
    "Kiln.md": "---\ntitle: Kiln\nparents: [Oven]\nuses: [Clay]\n---\nA kiln fires clay.\n",
    "Oven.md": "---\ntitle: Oven\n---\nAn oven is hot. See [[Kiln]].\n",
    "Clay.md": "---\ntitle: Clay\n---\nClay is earth.\n",
}


def folder(root: Path, contents: dict[str, str]) -> Path:
    for name, text in contents.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return folder(tmp_path / "vault", VAULT)


@pytest.fixture
def store(tmp_path: Path) -> GenerationFolder:
    return GenerationFolder(tmp_path / "generations")


def build(store: GenerationFolder, *arguments: object) -> int:
    return main(["build", "--out", str(store.path), *map(str, arguments)])


def test_a_vault_becomes_the_current_generation(
    vault: Path, store: GenerationFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build(store, vault) == 0
    printed = capsys.readouterr()
    assert printed.out == f"{store.current()}\n"
    assert "3 concepts" in printed.err
    assert "now current" in printed.err
    generation = store.open(store.current() or "")
    concepts = generation.part(Concepts)
    assert concepts is not None
    assert [concepts.title(row) for row in range(concepts.count)] == ["Clay", "Kiln", "Oven"]
    kiln = concepts.record(1)
    assert (kiln["parents"], kiln["relations"], kiln["source"]) == (["urn:loom:oven"], {"uses": ["urn:loom:clay"]}, "Kiln.md:1")
    assert concepts.record(1)["backlinks"] == ["urn:loom:oven"]
    generation.close()


def test_a_second_generation_waits_to_be_used(vault: Path, store: GenerationFolder, capsys: pytest.CaptureFixture[str]) -> None:
    build(store, vault)
    first = store.current()
    folder(vault, {"Glaze.md": "Glaze is glass.\n"})
    assert build(store, vault) == 0
    assert store.current() == first
    assert "not current" in capsys.readouterr().err
    assert build(store, vault, "--use") == 0
    assert (store.previous(), len(store.list())) == (first, 2)


def test_no_use_points_at_nothing(vault: Path, store: GenerationFolder) -> None:
    assert build(store, vault, "--no-use") == 0
    assert store.current() is None
    assert len(store.list()) == 1


def test_pages_a_vault_and_an_index_make_one_corpus(tmp_path: Path, vault: Path, store: GenerationFolder) -> None:
    pages = folder(tmp_path / "pages", {"Glaze.md": page("glaze", subClassOf=ref("coating"))})
    index = tmp_path / "scaffold-index.json"
    index.write_text(
        json.dumps({"version": 1, "classes": {"coating": {"t": "Coating", "sup": ["layer"]}, "glaze": {"t": "Other"}}})
    )
    assert build(store, pages, vault, index) == 0
    concepts = store.open(store.current() or "").part(Concepts)
    assert concepts is not None
    titles = {concepts.iri(row): concepts.title(row) for row in range(concepts.count)}
    assert titles["urn:ngm:class:glaze"] == "Glaze"
    assert titles["urn:ngm:class:coating"] == "Coating"
    assert len(titles) == 5
    row = concepts.row("urn:ngm:class:glaze")
    assert row is not None
    record = concepts.record(row)
    assert (record["ancestors"], record["source"]) == (["urn:ngm:class:layer"], "pages/Glaze.md:17")


def test_the_report_is_written_and_sealed(vault: Path, store: GenerationFolder, tmp_path: Path) -> None:
    folder(vault, {"Pot.md": "---\nparents: [Vessel]\n---\nA pot.\n"})
    assert build(store, vault, "--report", tmp_path / "report.json") == 0
    written = json.loads((tmp_path / "report.json").read_text())
    assert written["generation"] == store.current()
    remark = written["remarks"]["unresolved-reference"]
    assert (remark["count"], remark["examples"][0]["where"]) == (1, "Pot.md:2")
    hexadecimal = (store.current() or "").removeprefix("sha256:")
    assert json.loads((store.path / hexadecimal / "parts/report/report.json").read_text()) == written["remarks"]


@pytest.mark.parametrize(
    "strict", [["--strict=unresolved-reference"], ["--strict=all,unresolved-reference"], ["--strict=warning"]]
)
def test_a_fatal_remark_seals_nothing(
    vault: Path, store: GenerationFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str], strict: list[str]
) -> None:
    folder(vault, {"Pot.md": "---\nparents: [Vessel]\n---\nA pot.\n"})
    assert build(store, vault, *strict, "--report", tmp_path / "report.json") == 3
    assert store.list() == []
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "nothing sealed" in printed.err
    assert "unresolved-reference (1)" in printed.err
    assert json.loads((tmp_path / "report.json").read_text())["generation"] is None


def test_strict_without_kinds_is_every_error(vault: Path, store: GenerationFolder) -> None:
    assert build(store, vault, "--strict") == 0
    (vault / "Bad.md").write_bytes(b"caf\xe9\n")
    assert build(store, vault, "--strict") == 3
    assert main(["build", "--out", str(store.path), "--strict", str(vault)]) == 3
    assert build(store, vault) == 0


def test_a_dry_run_seals_nothing(vault: Path, store: GenerationFolder, capsys: pytest.CaptureFixture[str]) -> None:
    assert build(store, vault, "--dry-run") == 0
    assert not store.path.exists()
    assert "checked 3 concepts" in capsys.readouterr().err


def test_quiet_prints_the_id_alone(vault: Path, store: GenerationFolder, capsys: pytest.CaptureFixture[str]) -> None:
    assert build(store, vault, "--quiet") == 0
    printed = capsys.readouterr()
    assert (printed.out.strip(), printed.err) == (store.current(), "")


def test_prose_can_be_left_out(vault: Path, store: GenerationFolder) -> None:
    folder(vault, {"Oven.md": "An oven.\n\nIt is hot.\n"})
    build(store, vault)
    build(store, vault, "--no-prose", "--use")
    with_prose, without = (store.open(id or "").part(Concepts) for id in (store.previous(), store.current()))
    assert with_prose is not None
    assert without is not None
    assert ("prose" in with_prose.record(2), "prose" in without.record(2)) == (True, False)


def test_agreement_with_an_index_is_told(tmp_path: Path, store: GenerationFolder, capsys: pytest.CaptureFixture[str]) -> None:
    pages = folder(tmp_path / "pages", {"Glaze.md": page("glaze", relations={"uses": [ref("ash")]})})
    index = tmp_path / "scaffold-index.json"
    stated = {"t": "Glaze", "sup": [], "isup": [], "rel": {"uses": ["ash"]}}
    index.write_text(json.dumps({"version": 1, "classes": {"glaze": stated}}))
    assert build(store, pages, "--against", index) == 0
    assert "1 classes, 1 titles, 0 parents, 0 ancestors, 1 relations; 0 differences" in capsys.readouterr().err
    index.write_text(json.dumps({"version": 1, "classes": {"glaze": {**stated, "t": "Glass"}}}))
    assert build(store, pages, "--against", index) == 4
    assert "title of glaze: index 'Glass', built 'Glaze' (unexplained)" in capsys.readouterr().err


REFUSED = {
    "no source": ([], "Expected at least one SOURCE"),
    "a source that is not there": (["absent"], "absent does not exist"),
    "an empty folder": (["empty"], "Expected pages"),
    "a file of another kind": (["x.txt"], "Expected a folder or an archive"),
    "an index that is none": (["x.json"], "is not JSON"),
    "a folder as an index": (["vault", "--kind", "index-v1"], "cannot be read"),
    "an index as pages": (["x.json", "--kind", "pages"], "Expected a folder or an archive"),
    "an unknown kind of remark": (["vault", "--strict=selfloop"], "did you mean 'self-loop'"),
    "no worker": (["vault", "--workers", "0"], "--workers expects 1 or more"),
    "a report nowhere": (["vault", "--report", "absent/report.json"], "--report expects"),
    "an index to compare that is not there": (["vault", "--against", "absent.json"], "cannot be read"),
    "a base that is no IRI": (["vault", "--base", "my base"], "--base expects"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_built_is_one_sentence_and_seals_nothing(
    vault: Path, store: GenerationFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    arguments, said = REFUSED[name]
    (tmp_path / "empty").mkdir()
    (tmp_path / "x.txt").write_text("x")
    (tmp_path / "x.json").write_text("{")
    here = [str(tmp_path / one) if (tmp_path / one).exists() or one.startswith("absent") else one for one in arguments]
    assert build(store, *here) == 2
    printed = capsys.readouterr()
    assert said in printed.err
    assert printed.err.startswith("loom build: ")
    assert printed.out == ""
    assert store.list() == []


def test_a_folder_of_generations_that_cannot_be_written_is_one_sentence(
    vault: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("x")
    assert main(["build", str(vault), "--out", str(tmp_path / "file" / "generations")]) == 2
    assert "Expected to write a generation into" in capsys.readouterr().err


def test_any_hash_seed_and_number_of_processes_gives_the_same_bytes(tmp_path: Path) -> None:
    text = {
        f"{at}.md": page(
            f"kiln-{at}",
            subClassOf=[ref(f"kiln-{at // 2}"), ref("x")],
            relations={"uses": ref("clay"), "odd": ref(f"kiln-{at % 7}")},
        )
        for at in range(600)
    }
    pages = folder(tmp_path / "pages", text)
    ids = set()
    for seed, workers in (("0", "1"), ("7", "1"), ("0", "2")):
        out = tmp_path / f"{seed}-{workers}"
        done = subprocess.run(
            [sys.executable, "-m", "loom.cli.main", "build", str(pages), "--out", str(out), "--workers", workers, "--quiet"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        ids.add(done.stdout)
        GenerationFolder(out).verify(done.stdout.strip())
    assert len(ids) == 1
