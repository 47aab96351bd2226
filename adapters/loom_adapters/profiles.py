"""What one kind of upstream needs differently, as rows of a table, and one pure function that applies a row to a request.

A row says only what is known of that server; what it does not name goes upstream as the client sent it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from loom.core.values import Json


@dataclass(frozen=True, slots=True)
class Profile:
    """One kind of upstream.

    Recognised by `hosts` (a host or a domain), `ports`, or `owners` (what its model list says in `owned_by`). `developer` is
    what becomes of that role: keep, or system. `single_system` gathers all system messages in the first one. `limit` is the
    key that a limit on completion tokens must go by ("" leaves the client's), for models whose name `limit_models` finds.
    `insert` is the key used where the node adds a limit. `quiet` holds the fields that turn thinking off. Where
    `usage_in_streams` is false the server refuses `stream_options`, and tells usage in a stream without being asked.
    """

    name: str
    hosts: tuple[str, ...] = ()
    ports: tuple[int, ...] = ()
    owners: tuple[str, ...] = ()
    developer: str = "system"
    single_system: bool = False
    limit: str = ""
    limit_models: str = ""
    insert: str = "max_tokens"
    quiet: tuple[tuple[str, Json], ...] = ()
    usage_in_streams: bool = True


TEMPLATE_QUIET: tuple[tuple[str, Json], ...] = (("chat_template_kwargs", {"enable_thinking": False}),)
OPENAI_THINKERS = r"^(o\d|gpt-[5-9])"

GENERIC = Profile("generic")
PROFILES: Mapping[str, Profile] = {
    profile.name: profile
    for profile in (
        GENERIC,
        Profile(
            "openai",
            hosts=("api.openai.com", "openai.azure.com"),
            owners=("openai", "system", "openai-internal"),
            developer="keep",
            limit="max_completion_tokens",
            limit_models=OPENAI_THINKERS,
            insert="max_completion_tokens",
            quiet=(("reasoning_effort", "minimal"),),
        ),
        Profile("vllm", owners=("vllm",), single_system=True, quiet=TEMPLATE_QUIET),
        Profile("llamacpp", owners=("llamacpp",), single_system=True, limit="max_tokens", quiet=TEMPLATE_QUIET),
        Profile("ollama", ports=(11434,), owners=("library",), limit="max_tokens", quiet=(("reasoning_effort", "none"),)),
        Profile("lmstudio", ports=(1234,), owners=("organization_owner",), single_system=True, limit="max_tokens"),
        Profile("sglang", ports=(30000,), owners=("sglang",), single_system=True, quiet=TEMPLATE_QUIET),
        Profile("tgi", single_system=True, limit="max_tokens", quiet=TEMPLATE_QUIET),
        Profile("mistral", hosts=("api.mistral.ai",), owners=("mistralai",), limit="max_tokens", usage_in_streams=False),
        Profile(
            "deepseek",
            hosts=("api.deepseek.com",),
            owners=("deepseek",),
            limit="max_tokens",
            quiet=(("thinking", {"type": "disabled"}),),
        ),
        Profile("anthropic", hosts=("api.anthropic.com",), owners=("anthropic",), quiet=(("thinking", {"type": "disabled"}),)),
    )
}

REASONING_MODELS = re.compile(
    r"""(?:^|[/:_\-.\ ])(?:
        o[134](?:$|[-:_.]) | gpt-[5-9] | gpt-oss | deepseek-r\d | deepseek-reasoner | r1(?:$|[-:_.]) | qwq | qwen3(?!.*(?:instruct|coder))
        | magistral | phi-4-(?:mini-)?reasoning | glm-(?:4\.[5-9]|z1|[5-9]) | kimi-k\d.*thinking | minimax-m\d | nemotron.*(?:nano|super|ultra)
        | exaone-deep | seed-oss | gemini-(?:2\.5|[3-9]) | grok-(?:3-mini|[4-9]) | cogito | smallthinker | hunyuan-a13b | skywork-or1
    ) | (?:thinking|reasoner|reasoning)(?:$|[-:_.\d])""",
    re.IGNORECASE | re.VERBOSE,
)


def reasons(model: str) -> bool:
    """Whether a model of this name is known to reason before it answers."""
    return REASONING_MODELS.search(model) is not None


def by_url(url: str) -> Profile:
    """The profile that the address alone tells; generic where it tells none."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    for profile in PROFILES.values():
        if any(host == known or host.endswith("." + known) for known in profile.hosts) or parts.port in profile.ports:
            return profile
    return GENERIC


def by_owner(owners: Sequence[str]) -> Profile:
    """The profile that an upstream's list of models tells by who owns them; generic where they tell none, or disagree."""
    found = {profile.name for profile in PROFILES.values() for owner in owners if owner.lower() in profile.owners}
    return PROFILES[found.pop()] if len(found) == 1 else GENERIC


def _text(content: Json) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else ()
    return "\n\n".join(part["text"] for part in parts if isinstance(part, Mapping) and isinstance(part.get("text"), str))


def _messages(messages: Sequence[Json], profile: Profile) -> Sequence[Json]:
    """The messages as the profile's server takes them; the same object where nothing changes."""

    def role(message: Json) -> Json:
        return message.get("role") if isinstance(message, Mapping) else None

    if profile.developer == "system" and any(role(message) == "developer" for message in messages):
        messages = [{**message, "role": "system"} if role(message) == "developer" else message for message in messages]
    if profile.single_system:
        system = [message for message in messages if role(message) == "system"]
        if len(system) > 1 or (system and role(messages[0]) != "system"):
            joined = "\n\n".join(filter(None, (_text(message.get("content")) for message in system)))
            messages = [{**system[0], "content": joined}, *(message for message in messages if role(message) != "system")]
    return messages


def _limit(body: Mapping[str, Json], profile: Profile) -> Mapping[str, Json]:
    other = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}.get(profile.limit)
    if other is None or other not in body or profile.limit in body:
        return body
    if profile.limit_models and not re.search(profile.limit_models, str(body.get("model")), re.IGNORECASE):
        return body
    return {profile.limit if key == other else key: value for key, value in body.items()}


def fitted(body: Mapping[str, Json], profile: Profile, *, quiet: bool = False) -> Mapping[str, Json]:
    """The request as this profile's server takes it; the client's own is never changed. The same object where nothing changes.

    `quiet` turns thinking off, unless the client itself set the field that does so.
    """
    messages = body.get("messages")
    if isinstance(messages, list) and (told := _messages(messages, profile)) is not messages:
        body = {**body, "messages": told}
    body = _limit(body, profile)
    if not profile.usage_in_streams and "stream_options" in body:
        body = {key: value for key, value in body.items() if key != "stream_options"}
    if quiet:
        body = {**{key: value for key, value in profile.quiet if key not in body}, **body}
    return body
