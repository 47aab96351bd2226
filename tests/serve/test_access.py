"""Keys, scopes, limits and origins over a real server."""

from pathlib import Path

import httpx
import pytest
from support.nodes import kiln_server

from loom.serve.keys import new_key, write_keys
from loom_adapters.scripted_model import FakeModel

CHAT = "/v1/chat/completions"
ASK = {"model": "echo", "messages": [{"role": "user", "content": "What is a kiln?"}]}


def key_file(path: Path, **scopes: str) -> dict[str, str]:
    texts, keys = {}, {}
    for name, listed in scopes.items():
        key, texts[name] = new_key(name, listed.split(","), "2026-01-01T00:00:00+00:00")
        keys[key.id] = key
    write_keys(path, keys)
    return {name: f"Bearer {text}" for name, text in texts.items()}


async def test_each_scope_opens_its_routes(tmp_path: Path):
    keys = key_file(tmp_path / "keys.json", chatter="chat", reader="read", boss="admin", both="chat,read")
    file = str(tmp_path / "keys.json")
    routes = {
        "chat": [("POST", CHAT, ASK), ("GET", "/v1/models", None), ("POST", "/chat/completions", ASK)],
        "read": [("POST", "/loom/scaffold", {"prompt": "kiln"}), ("GET", "/loom/generation", None), ("GET", "/metrics", None)],
        "admin": [("POST", "/loom/admin/generation", {"rollback": True})],
    }
    may = {"chatter": {"chat"}, "reader": {"read"}, "both": {"chat", "read"}, "boss": {"chat", "read", "admin"}}
    async with kiln_server(tmp_path, FakeModel(), LOOM_API_KEYS_FILE=file) as url, httpx.AsyncClient(base_url=url) as client:
        for name, scopes in may.items():
            for scope, asked in routes.items():
                for method, path, body in asked:
                    reply = await client.request(method, path, json=body, headers={"authorization": keys[name]})
                    assert (reply.status_code != 403) is (scope in scopes), (name, path, reply.status_code)
        for path in ("/", "/health", "/health/live", "/health/ready", "/openapi.json"):
            assert (await client.get(path)).status_code == 200


@pytest.mark.parametrize("sent", ["", "Bearer", "Bearer loom-00000000-wrong", "Basic dXNlcjpwdw==", "loom"])
async def test_without_a_key_the_refusal_says_what_to_send(tmp_path: Path, sent: str):
    key_file(tmp_path / "keys.json", chatter="chat")
    file = str(tmp_path / "keys.json")
    async with kiln_server(tmp_path, FakeModel(), LOOM_API_KEYS_FILE=file) as url, httpx.AsyncClient(base_url=url) as client:
        headers = {"authorization": sent} if sent else {}
        chat = await client.post(CHAT, json=ASK, headers=headers)
        own = await client.post("/loom/scaffold", json={"prompt": "kiln"}, headers=headers)
    assert chat.status_code == own.status_code == 401
    assert chat.json()["error"]["code"] == own.json()["error"] == "invalid_api_key"
    assert chat.headers["www-authenticate"] == "Bearer" and chat.headers["x-should-retry"] == "false"


async def test_other_headers_carry_a_key_too(tmp_path: Path):
    keys = key_file(tmp_path / "keys.json", chatter="chat")
    text = keys["chatter"].removeprefix("Bearer ")
    file = str(tmp_path / "keys.json")
    async with kiln_server(tmp_path, FakeModel(), LOOM_API_KEYS_FILE=file) as url, httpx.AsyncClient(base_url=url) as client:
        for name in ("x-api-key", "api-key"):
            assert (await client.post(CHAT, json=ASK, headers={name: text})).status_code == 200
        assert (await client.post(CHAT, json=ASK, headers={"authorization": f"bearer {text}"})).status_code == 200


async def test_a_caller_over_the_limit_is_told_when_to_come_back(tmp_path: Path):
    async with kiln_server(tmp_path, FakeModel(), LOOM_RATE_LIMIT="3") as url, httpx.AsyncClient(base_url=url) as client:
        replies = [await client.post(CHAT, json=ASK) for _ in range(4)]
        health = [await client.get("/health/live") for _ in range(5)]
    assert [reply.status_code for reply in replies] == [200, 200, 200, 429]
    assert all(reply.status_code == 200 for reply in health)
    refused = replies[-1]
    assert refused.json()["error"]["type"] == "rate_limit_error" and refused.headers["x-should-retry"] == "true"
    assert 1 <= int(refused.headers["retry-after"]) <= 20


async def test_keys_have_limits_of_their_own(tmp_path: Path):
    slow, slow_text = new_key("slow", ("chat",), "", rate_limit=1)
    free, free_text = new_key("free", ("chat",), "", rate_limit=0)
    write_keys(tmp_path / "keys.json", {key.id: key for key in (slow, free)})
    variables = {"LOOM_API_KEYS_FILE": str(tmp_path / "keys.json"), "LOOM_RATE_LIMIT": "2"}
    async with kiln_server(tmp_path, FakeModel(), **variables) as url, httpx.AsyncClient(base_url=url) as client:

        async def statuses(text: str) -> list[int]:
            headers = {"authorization": f"Bearer {text}"}
            return [(await client.get("/v1/models", headers=headers)).status_code for _ in range(4)]

        assert await statuses(slow_text) == [200, 429, 429, 429]
        assert await statuses(free_text) == [200] * 4


async def test_browsers_of_named_origins_may_call(tmp_path: Path):
    origin = {"origin": "https://chat.example"}
    preflight = {
        **origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,x-stainless-os",
    }
    async with (
        kiln_server(tmp_path, FakeModel(), LOOM_CORS_ORIGINS="https://chat.example") as url,
        httpx.AsyncClient(base_url=url) as client,
    ):
        asked = await client.options(CHAT, headers=preflight)
        answered = await client.post(CHAT, json=ASK, headers=origin)
        refused = await client.post(CHAT, json={}, headers=origin)
        stranger = await client.post(CHAT, json=ASK, headers={"origin": "https://other.example"})
    assert asked.status_code == 204
    assert asked.headers["access-control-allow-headers"] == "authorization,x-stainless-os"
    assert "POST" in asked.headers["access-control-allow-methods"]
    for reply in (asked, answered, refused):
        assert reply.headers["access-control-allow-origin"] == "https://chat.example"
        assert reply.headers["vary"] == "origin"
    assert "x-loom-decision" in answered.headers["access-control-expose-headers"]
    assert "access-control-allow-origin" not in stranger.headers


async def test_without_origins_no_browser_of_another_site_may(tmp_path: Path):
    async with kiln_server(tmp_path, FakeModel()) as url, httpx.AsyncClient(base_url=url) as client:
        reply = await client.options(CHAT, headers={"origin": "https://chat.example", "access-control-request-method": "POST"})
    assert reply.status_code == 204 and "access-control-allow-origin" not in reply.headers
