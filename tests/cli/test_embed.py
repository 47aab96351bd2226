"""`loom embed` and `loom build --embed`, through the command's own door, by the toy model and by a server."""

import json
from pathlib import Path

import pytest
from support.embedding_server import embedding_server
from support.nodes import KILNS, OTHERS
from support.sealed import sealed
from support.sources import ROOT

from loom.cli.main import main
from loom_adapters.generation_folder import GenerationFolder


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main([str(word) for word in words])
    said = capsys.readouterr()
    return code, said.out.strip(), said.err.strip()


def test_a_generation_is_embedded_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    id = sealed(tmp_path, KILNS)
    code, made, said = run(capsys, "embed", "--store", tmp_path, "--model", "hash", "--batch", 2)
    assert code == 0 and "5 units in " in said and f"attached to {id[7:19]}" in said
    store = GenerationFolder(tmp_path)
    assert store.attachment(id).id == made and store.current() == id
    code, again, said = run(capsys, "embed", id[7:15], "--store", tmp_path, "--model", "hash")
    assert (code, again) == (0, made) and "already there" in said
    code, forced, said = run(capsys, "embed", "--store", tmp_path, "--model", "hash", "--force")
    assert (code, forced) == (0, made) and "5 units in " in said
    assert len(store.attached(id)) == 1
    store.verify(id)


def test_the_facts_say_what_was_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sealed(tmp_path, KILNS)
    _, out, _ = run(capsys, "embed", "--store", tmp_path, "--model", "hash", "--json")
    said = json.loads(out)
    assert said["made"] is True and said["concepts"] == 5 and said["contract"]["recipe"] == "title-definition"
    assert said["recall"] == {"kind": "exact", "index": 1.0, "at": 10, "questions": 5}


def test_another_generation_than_the_current_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = sealed(tmp_path, KILNS), sealed(tmp_path, OTHERS)
    assert run(capsys, "embed", "previous", "--store", tmp_path, "--model", "hash")[0] == 0
    store = GenerationFolder(tmp_path)
    assert store.attachment(first) is not None and store.attachment(second) is None


def test_a_server_embeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    id = sealed(tmp_path, KILNS)
    with embedding_server() as server:
        code, _, said = run(capsys, "embed", "--store", tmp_path, "--url", server.url, "--model", "m")
        assert code == 0 and f"LOOM_EMBED_URL={server.url}" in said
        assert {body["model"] for body in server.asked} == {"m"}
    attachment = GenerationFolder(tmp_path).attachment(id)
    assert set(attachment.manifest["files"]) - {"calibration.json"} == {"vectors.npy"}
    assert attachment.manifest["facts"]["contract"]["embedder"] == "url"
    assert server.url not in json.dumps(attachment.manifest)


def test_a_server_that_fails_leaves_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    id = sealed(tmp_path, KILNS)
    with embedding_server(lambda entries: (401, b"no such key")) as server:
        code, _, said = run(capsys, "embed", "--store", tmp_path, "--url", server.url, "--model", "m")
    assert code == 2 and "answered 401: no such key" in said and len(said.splitlines()) == 1
    assert GenerationFolder(tmp_path).attached(id) == [] and not list(tmp_path.glob(".draft-*"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--batch", "0", "--model", "hash"], "--batch expects 1 or more"),
        (["--url", "http://127.0.0.1:9/v1"], "--url needs --model"),
        (["zz", "--model", "hash"], "loom generations list"),
        (["previous", "--model", "hash"], "no previous generation"),
        (["--model", "/nowhere/at/all"], "/nowhere/at/all"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    id = sealed(tmp_path, KILNS)
    code, out, err = run(capsys, "embed", *words, "--store", tmp_path)
    assert code == 2 and not out and err.startswith("loom embed: ")
    assert said in err or "pip install 'loom-node[embed]'" in err
    assert GenerationFolder(tmp_path).attached(id) == []


def test_no_generation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "embed", "--store", tmp_path / "none", "--model", "hash")
    assert code == 2 and "loom build SOURCE --out" in err


def test_a_folder_without_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sealed(tmp_path, KILNS)
    (tmp_path / "model").mkdir()
    code, _, err = run(capsys, "embed", "--store", tmp_path, "--model", tmp_path / "model")
    assert code == 2 and "modules.json" in err


def test_the_list_shows_what_is_attached(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    id = sealed(tmp_path, KILNS)
    _, made, _ = run(capsys, "embed", "--store", tmp_path, "--model", "hash")
    assert run(capsys, "generations", "list", "--store", tmp_path)[1].endswith("+ embeddings by hash")
    shown = run(capsys, "generations", "show", "--store", tmp_path)[1]
    assert f"attachment {made[7:19]}: embeddings by hash, " in shown and shown.endswith(", serves")
    assert run(capsys, "generations", "verify", "--store", tmp_path)[0] == 0
    file = tmp_path / id[7:] / "attachments" / made[7:] / "vectors.npy"
    file.chmod(0o644)
    file.write_bytes(b"none")
    code, said, _ = run(capsys, "generations", "verify", "--store", tmp_path)
    assert code == 4 and "vectors.npy of the attachment" in said


def test_a_query_is_asked_with_what_is_attached(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sealed(tmp_path, KILNS)
    _, made, _ = run(capsys, "embed", "--store", tmp_path, "--model", "hash")
    _, out, _ = run(capsys, "query", "What is a kiln?", "--generations", tmp_path, "--json")
    assert json.loads(out)["pin"]["vectors"] == made


@pytest.mark.embed
def test_the_real_model_from_end_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from support import minilm

    minilm.folder()
    code, out, said = run(capsys, "build", ROOT / "fixtures" / "kitchen", "--out", tmp_path, "--embed")
    assert code == 0 and "int8 weights at cosine 0.99" in said and "now current" in said
    code, _, said = run(capsys, "embed", "--store", tmp_path)
    assert code == 0 and "already there" in said
    attachment = GenerationFolder(tmp_path).attachment(out)
    assert set(attachment.manifest["files"]) - {"calibration.json"} == {"model.onnx", "tokenizer.json", "vectors.npy"}
    assert attachment.manifest["files"]["model.onnx"]["bytes"] < 30_000_000
