"""API keys: made, stored as hashes, found, revoked."""

import json
import os
from pathlib import Path

import pytest

from loom.core.errors import BadInput, BadSettings, NotFound
from loom.serve.keys import KeyRing, new_key, read_keys, revoke, write_keys


def made(path: Path, *names: str) -> list[str]:
    texts, keys = [], {}
    for name in names:
        key, text = new_key(name, ("chat", "read"), "2026-01-01T00:00:00+00:00")
        keys[key.id] = key
        texts.append(text)
    write_keys(path, keys)
    return texts


def test_a_key_is_found_by_its_text_alone(tmp_path: Path):
    texts = made(tmp_path / "keys.json", "chat window", "notebook")
    ring = KeyRing(tmp_path / "keys.json")
    names = [key.name for text in texts if (key := ring.find(text))]
    assert names == ["chat window", "notebook"]
    for wrong in (
        "",
        "loom",
        texts[0][:-1],
        texts[0] + "x",
        texts[0].upper(),
        "loom-00000000-x",
        texts[0].replace("loom-", ""),
    ):
        assert ring.find(wrong) is None


def test_the_file_holds_no_secret_and_is_private(tmp_path: Path):
    path = tmp_path / "keys.json"
    (text,) = made(path, "chat window")
    assert text.split("-", 2)[2] not in path.read_text()
    assert path.stat().st_mode & 0o077 == 0
    assert [item.name for item in tmp_path.iterdir()] == ["keys.json"]


def test_equal_secrets_would_have_different_hashes(tmp_path: Path):
    made(tmp_path / "keys.json", "a", "b")
    stored = read_keys(tmp_path / "keys.json").values()
    assert len({key.salt for key in stored}) == 2


def test_revoked_keys_stop_working_without_a_restart(tmp_path: Path):
    path = tmp_path / "keys.json"
    first, second = made(path, "a", "b")
    ring = KeyRing(path)
    revoke(path, "a")
    assert ring.refresh()
    assert ring.find(first) is None and ring.find(second) is not None
    assert not ring.refresh()


def test_a_broken_file_leaves_the_old_keys(tmp_path: Path):
    path = tmp_path / "keys.json"
    (text,) = made(path, "a")
    ring = KeyRing(path)
    path.write_text("{")
    with pytest.raises(BadSettings):
        ring.refresh()
    assert ring.find(text) is not None
    os.unlink(path)
    with pytest.raises(BadSettings):
        ring.refresh()
    assert ring.find(text) is not None


def test_revoking_needs_one_key(tmp_path: Path):
    path = tmp_path / "keys.json"
    made(path, "a", "a")
    with pytest.raises(BadInput, match="by its id"):
        revoke(path, "a")
    with pytest.raises(NotFound, match="loom keys list"):
        revoke(path, "c")


@pytest.mark.parametrize("scopes", [(), ("root",), ("chat", "everything")])
def test_scopes_are_known_ones(scopes: tuple[str, ...]):
    with pytest.raises(BadInput, match="chat, read, write, admin"):
        new_key("a", scopes, "")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 2, "keys": []}', '{"format": 1, "keys": [{"id": "a"}]}', "null"])
def test_a_file_that_is_not_a_key_file(tmp_path: Path, text: str):
    path = tmp_path / "keys.json"
    path.write_text(text)
    with pytest.raises(BadSettings, match=r"keys\.json"):
        KeyRing(path)


def test_admin_covers_every_scope():
    key, _ = new_key("a", ("admin",), "")
    assert all(key.covers(scope) for scope in ("chat", "read", "write", "admin"))
    key, _ = new_key("a", ("read",), "")
    assert key.covers("read") and not key.covers("chat")


def test_stored_form_is_readable_json(tmp_path: Path):
    made(tmp_path / "keys.json", "a")
    stored = json.loads((tmp_path / "keys.json").read_text())
    assert stored["format"] == 1 and stored["keys"][0]["scopes"] == ["chat", "read"]
