"""A model that thinks before it answers: under the defaults its answers do not come back empty, and what is lost is classed.

The scripted model thinks n tokens, n uniform from 0 to 6,000, and then says eight words, within whatever limit it is given.
"""

import json
import random
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from support.installed import Node
from support.node_process import serving
from support.upstream_process import Scripted
from support.wire import CHAT, CLASSES, Wire, ask

MOST = 6000
STYLES = ("reasoning_content", "reasoning", "tag", "hidden", "billed")
LIMITS: tuple[dict[str, int], ...] = (
    {},
    {"max_tokens": 200},
    {"max_tokens": 1536},
    {"max_completion_tokens": 1536},
    {"max_tokens": 2000},
    {"max_completion_tokens": 2000},
    {"max_tokens": 8000},
    {"max_completion_tokens": 8000},
)
OWN_LIMITS = (0, 1024, 4096)
"""What the upstream takes where nobody states a limit; 0 is none."""


@dataclass(frozen=True)
class Lived:
    """What became of one request."""

    mode: tuple[str, bool]
    limit: int | None
    empty: bool
    completion: str
    attempts: int


def asked(number: int, modes: list[tuple[str, bool]], dice: random.Random) -> tuple[tuple[str, bool], dict[str, Any]]:
    """The request of this number. Every other one goes to a model that has never been heard of."""
    style, stream = mode = modes[number % len(modes)]
    script = f"think?tokens={dice.randint(0, MOST)}&style={style}&words=8&limit={dice.choice(OWN_LIMITS)}"
    model = f"mill-{style}" if number // len(modes) % 2 else f"mill-{number}"
    more: dict[str, Any] = {"stream_options": {"include_usage": True}} if stream and dice.random() < 0.5 else {}
    return mode, ask(model, stream=stream, script=script, **dice.choice(LIMITS), **more)


def lived(client: httpx.Client, mode: tuple[str, bool], body: dict[str, Any]) -> Lived:
    reply = client.post(CHAT, json=body)
    assert reply.status_code == 200, reply.text
    if body["stream"]:
        data = [line[6:] for line in reply.text.split("\n") if line.startswith("data: ")]
        assert data.pop() == "[DONE]"
        chunks = [json.loads(each) for each in data]
        text = "".join(choice["delta"].get("content") or "" for chunk in chunks for choice in chunk["choices"])
        assert not any("error" in chunk for chunk in chunks) and len({chunk["id"] for chunk in chunks}) == 1
    else:
        chunks = [reply.json()]
        text = chunks[0]["choices"][0]["message"]["content"] or ""
    said = text.partition("</think>")[2] if "<think>" in text else text
    completion = chunks[-1]["loom"]["completion"]
    limit = body.get("max_tokens") or body.get("max_completion_tokens")
    return Lived(mode, limit, not said.strip(), completion["class"], completion["attempts"])


def trial(node: Node, requests: int, seed: int, modes: list[tuple[str, bool]]) -> list[Lived]:
    dice = random.Random(seed)
    jobs = [asked(number, modes, dice) for number in range(requests)]
    with httpx.Client(base_url=node.base, timeout=30, trust_env=False) as client, ThreadPoolExecutor(4) as pool:
        return list(pool.map(lambda job: lived(client, *job), jobs))


def table(results: list[Lived]) -> str:
    lines = ["style             stream  requests  empty  second tries  classes"]
    for mode in sorted({each.mode for each in results}):
        own = [each for each in results if each.mode == mode]
        classes = ", ".join(f"{name} {count}" for name, count in sorted(Counter(each.completion for each in own).items()))
        empty, again = sum(each.empty for each in own), sum(each.attempts > 1 for each in own)
        lines.append(f"{mode[0]:<17} {mode[1]!s:<6} {len(own):9} {empty:6} {again:13}  {classes}")
    return "\n".join(lines)


def held(results: list[Lived]) -> None:
    """The bar, for all together and for each mode; and that a loss is never called an answer."""
    print(table(results))
    for mode in {each.mode for each in results}:
        own = [each for each in results if each.mode == mode]
        assert sum(each.empty for each in own) <= 0.01 * len(own), table(results)
    for each in results:
        assert each.completion in CLASSES and each.empty == (each.completion not in ("answered", "truncated")), each


def test_whole_and_streamed(node: Node, wire: Wire) -> None:
    before = {name: wire.metric(f'loom_completions_total{{class="{name}"}}') for name in CLASSES}
    retries = wire.metric("loom_allowance_retries_total")
    results = trial(node, 600, 20, [(style, stream) for stream in (False, True) for style in STYLES])
    held(results)
    counted = Counter(each.completion for each in results)
    assert {name: wire.metric(f'loom_completions_total{{class="{name}"}}') - before[name] for name in CLASSES} == {
        name: counted.get(name, 0) for name in CLASSES
    }
    assert wire.metric("loom_allowance_retries_total") - retries == sum(each.attempts > 1 for each in results) > 20


@pytest.mark.parametrize("style", STYLES)
def test_each_way_of_thinking(node: Node, style: str) -> None:
    for stream in (False, True):
        held(trial(node, 320, len(style) + stream, [(style, stream)]))


@pytest.fixture(scope="module")
def careless(generations: Path, scripted_model: Scripted) -> Iterator[Node]:
    with serving(generations, LOOM_MODEL_URL=scripted_model.url, LOOM_REASONING="off") as started:
        yield started


def test_without_the_allowance_answers_are_lost_and_classed(careless: Node) -> None:
    """What the bar is worth: with the allowance off, the same model behind the same requests comes back empty again and again."""
    results = trial(careless, 200, 21, [(style, stream) for stream in (False, True) for style in STYLES])
    assert sum(each.empty for each in results) > 0.2 * len(results), table(results)
    assert {each.completion for each in results if each.empty} == {"budget_exhausted"}
    assert {each.attempts for each in results} == {1}


@pytest.mark.parametrize("stream", [False, True])
def test_what_is_sent_upstream(wire: Wire, upstream: Scripted, stream: bool) -> None:
    """Never lower than the client's, never two keys, none added in a first try, floor and second try as documented."""

    def sent(model: str, **limit: Any) -> list[dict[str, Any]]:
        upstream.forget()
        wire.chat(ask(model, stream=stream, script="think?tokens=5000&limit=3000", **limit))
        keys = ("max_tokens", "max_completion_tokens")
        return [{key: each["body"][key] for key in keys if key in each["body"]} for each in upstream.requests()]

    assert sent(f"new-{stream}", max_tokens=200) == [{"max_tokens": 200}, {"max_tokens": 8192}]
    for known in (f"new-{stream}", "qwq-32b", "deepseek-r1"):
        assert sent(known, max_tokens=200) == [{"max_tokens": 4096}, {"max_tokens": 8192}]
        assert sent(known, max_completion_tokens=6000) == [{"max_completion_tokens": 6000}]
        assert sent(known, max_tokens=100_000) == [{"max_tokens": 100_000}]
        assert sent(known, max_tokens=10, max_completion_tokens=20)[0] == {"max_tokens": 4096, "max_completion_tokens": 4096}
        assert sent(known) == [{}, {"max_tokens": 8192}]
    plain = ask(f"plain-{stream}", stream=stream, script="words?words=30", max_tokens=5)
    for _ in range(2):
        upstream.forget()
        assert wire.chat(plain).completion == "truncated" and upstream.asked()["body"]["max_tokens"] == 5


@pytest.mark.parametrize(
    ("script", "completion"),
    [
        ("empty", "empty_stop"),
        ("think?tokens=50&words=0&say= ", "reasoning_only"),
        ("think?tokens=50000&limit=20000", "budget_exhausted"),
        ("words?words=30&limit=5", "truncated"),
        ("tools", "tool_calls"),
        ("refusal", "refused"),
        ("words", "answered"),
    ],
)
@pytest.mark.parametrize("stream", [False, True])
def test_every_class(wire: Wire, script: str, completion: str, stream: bool) -> None:
    before = wire.metric(f'loom_completions_total{{class="{completion}"}}')
    assert wire.chat(ask(f"class-{completion}", script=script, stream=stream)).completion == completion
    assert wire.metric(f'loom_completions_total{{class="{completion}"}}') == before + 1
