"""The table of upstreams: how each is recognised, and what a request to it becomes."""

import copy
from pathlib import Path
from typing import Any

import pytest

from loom_adapters.profiles import GENERIC, PROFILES, by_owner, by_url, fitted, reasons

SYSTEM, DEVELOPER, USER = ({"role": role, "content": role} for role in ("system", "developer", "user"))


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://api.openai.com/v1", "openai"),
        ("https://mine.openai.azure.com/openai/v1", "openai"),
        ("http://127.0.0.1:11434/v1", "ollama"),
        ("http://localhost:1234/v1", "lmstudio"),
        ("http://gpu:30000/v1", "sglang"),
        ("https://api.mistral.ai/v1", "mistral"),
        ("https://api.deepseek.com", "deepseek"),
        ("https://api.anthropic.com/v1", "anthropic"),
        ("http://127.0.0.1:8000/v1", "generic"),
        ("https://notapi.openai.com.example.org/v1", "generic"),
    ],
)
def test_by_url(url: str, name: str) -> None:
    assert by_url(url).name == name


@pytest.mark.parametrize(
    ("owners", "name"),
    [
        (["vllm"], "vllm"),
        (["llamacpp"], "llamacpp"),
        (["library", "me"], "ollama"),
        (["vllm", "library"], "generic"),
        ([], "generic"),
    ],
)
def test_by_owner(owners: list[str], name: str) -> None:
    assert by_owner(owners).name == name


def test_every_profile_is_complete_enough_to_be_used() -> None:
    assert set(PROFILES) == {
        "generic", "openai", "vllm", "llamacpp", "ollama", "lmstudio", "sglang", "tgi", "mistral", "deepseek", "anthropic",
    }  # fmt: skip
    for profile in PROFILES.values():
        assert profile.developer in ("keep", "system")
        assert profile.limit in ("", "max_tokens", "max_completion_tokens")
        assert profile.insert == profile.limit or not profile.limit


def test_the_documentation_lists_every_profile_as_it_is() -> None:
    page = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
    rows = {cells[1].strip(" `"): cells for cells in (line.split("|") for line in page.splitlines()) if len(cells) == 7}
    for profile in PROFILES.values():
        _, _, told, role, system, limit, _ = rows[profile.name]
        assert all(str(port) in told for port in profile.ports) and ("host" in told) == bool(profile.hosts)
        assert ("system" in role) == (profile.developer == "system")
        assert ("gathered" in system) == profile.single_system
        assert (profile.limit or "as sent") in limit


def test_a_request_that_fits_is_passed_on_as_it_is() -> None:
    body = {"model": "m", "messages": [SYSTEM, USER], "max_tokens": 5, "top_k": 3}
    assert fitted(body, PROFILES["vllm"]) is body


@pytest.mark.parametrize(
    ("profile", "before", "after"),
    [
        ("openai", [DEVELOPER, USER], [DEVELOPER, USER]),
        ("generic", [DEVELOPER, USER], [{"role": "system", "content": "developer"}, USER]),
        ("vllm", [SYSTEM, DEVELOPER, USER], [{"role": "system", "content": "system\n\ndeveloper"}, USER]),
        ("vllm", [USER, SYSTEM], [SYSTEM, USER]),
        ("generic", [USER, SYSTEM], [USER, SYSTEM]),
        (
            "llamacpp",
            [{"role": "system", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, SYSTEM, USER],
            [{"role": "system", "content": "a\n\nb\n\nsystem"}, USER],
        ),
    ],
)
def test_roles(profile: str, before: list[Any], after: list[Any]) -> None:
    assert fitted({"messages": before}, PROFILES[profile])["messages"] == after


@pytest.mark.parametrize(
    ("profile", "before", "after"),
    [
        ("ollama", {"max_completion_tokens": 9}, {"max_tokens": 9}),
        ("ollama", {"max_completion_tokens": 9, "max_tokens": 8}, {"max_completion_tokens": 9, "max_tokens": 8}),
        ("openai", {"model": "gpt-5-mini", "max_tokens": 9}, {"model": "gpt-5-mini", "max_completion_tokens": 9}),
        ("openai", {"model": "gpt-4o", "max_tokens": 9}, {"model": "gpt-4o", "max_tokens": 9}),
        ("generic", {"max_completion_tokens": 9}, {"max_completion_tokens": 9}),
    ],
)
def test_limits_are_translated_only_by_rule(profile: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    assert fitted(before, PROFILES[profile]) == after


def test_stream_options_are_left_out_only_where_they_are_refused() -> None:
    body = {"model": "m", "stream_options": {"include_usage": True}}
    assert fitted(body, PROFILES["mistral"]) == {"model": "m"}
    assert fitted(body, PROFILES["openai"]) is body


def test_thinking_is_turned_off_only_when_asked_and_never_over_the_client() -> None:
    profile = PROFILES["vllm"]
    assert fitted({}, profile) == {}
    assert fitted({}, profile, quiet=True) == {"chat_template_kwargs": {"enable_thinking": False}}
    own = {"chat_template_kwargs": {"enable_thinking": True}}
    assert fitted(own, profile, quiet=True) == own


def test_the_clients_request_is_never_changed() -> None:
    body = {"model": "o3", "messages": [DEVELOPER, SYSTEM, USER], "max_completion_tokens": 5}
    before = copy.deepcopy(body)
    for profile in PROFILES.values():
        fitted(body, profile, quiet=True)
    assert body == before


@pytest.mark.parametrize("messages", [None, "text", [3, None], [{"content": "no role"}], []])
def test_odd_messages_are_let_pass(messages: Any) -> None:
    assert fitted({"messages": messages}, PROFILES["vllm"]) == {"messages": messages}


def test_odd_messages_beside_system_ones_survive() -> None:
    assert fitted({"messages": [3, SYSTEM]}, PROFILES["vllm"])["messages"] == [SYSTEM, 3]
    assert fitted({"messages": [SYSTEM]}, GENERIC)["messages"] == [SYSTEM]


@pytest.mark.parametrize(
    "name",
    [
        "o3", "o4-mini", "gpt-5-mini", "gpt-oss-20b", "openai/gpt-oss-120b", "deepseek-r1:8b", "deepseek-reasoner", "qwq:32b", "Qwen/Qwen3-8B",
        "magistral-small", "Phi-4-reasoning-plus", "glm-4.6", "Kimi-K2-Thinking", "Qwen3-4B-Thinking-2507",
    ],
)  # fmt: skip
def test_names_that_reason(name: str) -> None:
    assert reasons(name)


@pytest.mark.parametrize(
    "name",
    [
        "gpt-4o", "gpt-4.1-nano", "llama3.1:8b", "mistral-small", "Qwen2.5-7B-Instruct", "Qwen3-30B-A3B-Instruct-2507", "qwen3-coder", "phi-4",
        "claude-3-haiku", "gemma-3", "echo", "", "words?words=8", "solo1", "foo3-mini",
    ],
)  # fmt: skip
def test_names_that_are_not_known_to(name: str) -> None:
    assert not reasons(name)
