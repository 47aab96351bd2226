"""What goes to a model, and the digest under which its answer is kept."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

import orjson

from loom.core.allowance import LIMIT_KEYS, limit_of
from loom.core.policy.merge import merge
from loom.core.values import Json, Prompt, tokens_of
from loom.lab.showing import Asking
from loom.lab.study.member import AGAIN, Member

COSMETIC = frozenset(
    {"user", "metadata", "store", "stream", "stream_options", "service_tier", "safety_identifier", "prompt_cache_key"}
)
"""Fields of a request that are for the bill or the wire and change nothing of what is said."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request of one member. `allowances` are the completion tokens of each try; `size` the prompt's tokens as we count them."""

    member: Member
    prompt: Prompt
    allowances: tuple[int, ...]
    key: str
    size: int


def request_of(member: Member, asking: Asking, more: Mapping[str, Json] | None = None, salt: str = "") -> Request:
    """The request of a member. What `more` states wins over the member's own parameters, but a model that takes no temperature
    is sent none; a limit stated there is the first allowance."""
    stated = {**member.request, **(more or {})}
    if member.temperature is None:
        stated.pop("temperature", None)
    first = limit_of(stated) or member.allowance
    fields = {
        name: first if name in LIMIT_KEYS else value
        for name, value in stated.items()
        if name not in ("stream", "stream_options")
    }
    prompt = merge(asking.question({"model": member.model, **fields}), asking.block, asking.wrapper)
    allowances = (first, first * AGAIN)
    key = sha256(
        orjson.dumps(
            {
                "kind": member.kind,
                "model": [member.name, member.model],
                "body": {name: value for name, value in prompt.body.items() if name not in COSMETIC},
                "salt": salt,
                "allowances": allowances,
                "reads": None if member.kind == "url" else _read(prompt),
            },
            option=orjson.OPT_SORT_KEYS,
        )
    ).hexdigest()
    return Request(member, prompt, allowances, key, sum(map(_size, prompt.body.get("messages") or ())))


def _read(prompt: Prompt) -> Json:
    """What a model in this process sees beside the messages: the question, and the lines and names that are served."""
    return [prompt.question.text, [[each.evidence.iri, each.lines, each.names] for each in prompt.block.served]]


def _size(message: Mapping[str, Json]) -> int:
    content = message.get("content")
    return tokens_of(content if isinstance(content, str) else orjson.dumps(content).decode())
