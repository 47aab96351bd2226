"""A model of a study: what is asked, how it is reached, what it costs and how fast it may be asked."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.study.table import Table

KINDS = ("reader", "url", "script")
ALLOWANCE, REASONING_ALLOWANCE = 1024, 4096
"""Completion tokens of a first try: of models that answer at once, and of those that think before (seed 000, §13)."""
AGAIN = 2
"""A second try of an empty answer has this many times the allowance of the first."""
OURS = frozenset({"model", "messages", "stream", "stream_options", "temperature", "n"})


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars, or whatever the bill is in, per million tokens."""

    prompt: float
    completion: float

    def of(self, prompt: int | None, completion: int | None) -> float | None:
        """The price of so many tokens; None where either count is not known, unless nothing costs anything."""
        if not self.prompt and not self.completion:
            return 0.0
        if prompt is None or completion is None:
            return None
        return (prompt * self.prompt + completion * self.completion) / 1_000_000


@dataclass(frozen=True, slots=True)
class Member:
    """One model. `name` is what the study calls it, `model` what its server does; `extra` are further parameters of a request.

    `temperature` is None for a model that takes none. `timeout` is seconds until an answer begins. Two members are never the
    same model, even where their servers use one name: a server may be given other weights under it.
    """

    name: str
    kind: str = "reader"
    model: str = ""
    url: str = ""
    key_env: str = ""
    profile: str = "auto"
    script: str = ""
    family: str = ""
    reasoning: bool = False
    allowance: int = ALLOWANCE
    temperature: float | None = 0.0
    extra: Mapping[str, Json] = field(default_factory=dict)
    concurrency: int | None = None
    requests_per_minute: float = 0.0
    tokens_per_minute: float = 0.0
    timeout: float = 600.0
    price: Price | None = None

    @property
    def request(self) -> dict[str, Json]:
        """The parameters of its requests, beside model and messages."""
        stated: dict[str, Json] = {} if self.temperature is None else {"temperature": self.temperature}
        return {**stated, **self.extra}

    def as_json(self) -> dict[str, Json]:
        """What identifies it in results: nothing of where it runs."""
        return {
            "name": self.name,
            "kind": self.kind,
            "model": self.model,
            "script": self.script or None,
            "family": self.family or None,
            "reasoning": self.reasoning,
            "allowance": [self.allowance, self.allowance * AGAIN],
            "request": self.request,
            "price": None if self.price is None else {"prompt": self.price.prompt, "completion": self.price.completion},
        }


READER = Member("reader", model="loom-reader", price=Price(0.0, 0.0))
"""The built-in reader."""


def check_url(url: str, where: str) -> None:
    """Raises BadInput for what is no address of an API."""
    if not re.match(r"https?://[^/\s]", url):
        raise BadInput(
            f"Expected url to be the base of an OpenAI-compatible API, such as http://127.0.0.1:8081/v1, in {where}, but got {url!r}.",
            param="url",
        )


def member_of(
    table: Table, *, allowance: int, reasoning_allowance: int, reasons: Callable[[str], bool], taken: Mapping[str, str]
) -> Member:
    """A member from its table. `reasons` tells by its name whether a model thinks; `taken` says where each earlier name stands.
    Raises BadInput."""
    name = table.needed("name")
    if name in taken:
        raise table.wrong("name", f"a name of its own, since {taken[name]} has it", name)
    kind = table.text("kind", "url" if table.has("url") else "script" if table.has("script") else "reader", among=KINDS)
    url, script = table.text("url"), table.text("script")
    if kind == "url":
        check_url(url, table.where)
    if kind == "script" and not script:
        raise table.wrong("script", "the name of a scripted model", script)
    for name_of, value, of in (("url", url, "url"), ("script", script, "script")):
        if value and kind != of:
            raise table.wrong("kind", f"{of} where {name_of} is given", kind)
    model = table.text("model", name)
    reasoning = table.flag("reasoning", None)
    if reasoning is None:
        reasoning = kind == "url" and (reasons(model) or reasons(name))
    stated = table.whole("allowance", None)
    member = Member(
        name=name,
        kind=kind,
        model=model if kind == "url" else "loom-reader" if kind == "reader" else script,
        url=url,
        key_env=table.text("key_env"),
        profile=table.text("profile", "auto"),
        script=script,
        family=table.text("family") or script.partition("?")[0],
        reasoning=reasoning,
        allowance=stated or (reasoning_allowance if reasoning else allowance),
        temperature=_temperature(table),
        extra=_extra(table),
        concurrency=table.whole("concurrency", None),
        requests_per_minute=table.number("requests_per_minute", 0.0),
        tokens_per_minute=table.number("tokens_per_minute", 0.0),
        timeout=table.number("timeout", 600.0, least=0.01),
        price=_price(table, free=kind != "url"),
    )
    table.end()
    return member


def _temperature(table: Table) -> float | None:
    if table.take("temperature") == "none":
        return None
    return table.number("temperature", 0.0, most=2.0)


def _extra(table: Table) -> Mapping[str, Json]:
    extra = table.take("extra") or {}
    if not isinstance(extra, Mapping):
        raise table.wrong("extra", "a table of further parameters of a request", extra)
    if clash := sorted(OURS & set(extra)):
        raise BadInput(f"Expected no {clash[0]} in extra of {table.where}: the study sets it itself.", param="extra")
    return dict(extra)


def _price(table: Table, *, free: bool) -> Price | None:
    if not table.has("price"):
        table.take("price")
        return Price(0.0, 0.0) if free else None
    inner = table.table("price")
    for name in ("prompt", "completion"):
        if not inner.has(name):
            raise BadInput(f"Expected {name} in price of {table.where}, per million tokens; there is none.", param="price")
    price = Price(inner.number("prompt", 0.0), inner.number("completion", 0.0))
    inner.end()
    return price
