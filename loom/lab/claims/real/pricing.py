"""What calls cost at the prices of a file, whether their answers were kept already or not (seed 001 §10, cost accounting).

```toml
wage = 60.0                                          # an hour of the people who look after claims
[models."qwen3-4b"]                                  # as the log names it; a million tokens
prompt = 0.05
completion = 0.20
tier = "small"                                       # or large; where the log does not say it
```

A replay asks much that was asked before, and gets it from the book of answers for nothing. Here it costs what it took at first.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import fsum
from pathlib import Path
from typing import Any

from loom.claims.drafting import row
from loom.core.claims.judging.calls import Call
from loom.core.claims.stored import CallRow
from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.text_files import text_of

Tokens = tuple[int, int]
"""In and out."""
LARGE = "large"


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars a million tokens."""

    prompt: float
    completion: float
    tier: str = ""

    def of(self, tokens: Tokens) -> float:
        return (tokens[0] * self.prompt + tokens[1] * self.completion) / 1e6


@dataclass(frozen=True, slots=True)
class Prices:
    """By model, and an hour of people's."""

    models: Mapping[str, Price]
    wage: float | None = None


def read_prices(path: Path) -> Prices:
    """Raises BadInput with the member that is wrong."""
    try:
        given = tomllib.loads(text_of(path, "prices"))
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"Expected {path} as TOML, but {error}.", param="prices") from error
    _known(given, ("wage", "models"), str(path))
    models = given.get("models", {})
    if not isinstance(models, Mapping):
        raise BadInput(
            f"{path}: expected [models] as tables of prices, but got {models!r:.40}; write each as [models.NAME].",
            param="models",
        )
    wage = _amount(given, "wage", str(path)) if "wage" in given else None
    return Prices({name: _price(each, f"{path} [models.{name}]") for name, each in models.items()}, wage)


def _price(given: Any, where: str) -> Price:
    if not isinstance(given, Mapping):
        raise BadInput(
            f"{where}: expected a table of prices, but got {given!r:.40}; write prompt and completion under it.", param="models"
        )
    _known(given, ("prompt", "completion", "tier"), where)
    tier = given.get("tier", "")
    if tier not in ("", "small", LARGE):
        raise BadInput(f"{where}: expected tier as small or {LARGE}, but got {tier!r:.40}; write one of these.", param="tier")
    return Price(_amount(given, "prompt", where), _amount(given, "completion", where), tier)


def _known(given: Mapping[str, Any], names: tuple[str, ...], where: str) -> None:
    if unknown := sorted(set(given) - set(names)):
        raise BadInput(
            f"{where}: expected only {', '.join(names)}, but got {unknown[0]!r}; write one of these, or take it out.",
            param=unknown[0],
        )


def _amount(given: Mapping[str, Any], name: str, where: str) -> float:
    value = given.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        came = "it is missing; add it" if value is None else f"got {value!r:.40}; correct it"
        raise BadInput(f"{where}: expected {name} as a number of at least 0, but {came}.", param=name)
    return float(value)


@dataclass(slots=True)
class Till:
    """Charges calls. `kept` are the tokens of each attempt of a request by its key, from the book of answers and from all that it
    learned; `unknown` are keys of which nobody wrote them down."""

    prices: Prices
    kept: dict[str, list[Tokens]] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)

    def learn(self, calls: Iterable[Call | CallRow]) -> None:
        """From a log, or as they are made: what was paid for them. A key that is known already is left as it is."""
        new: dict[str, list[Tokens]] = {}
        for each in calls:
            if not each.cached and each.key and each.key not in self.kept:
                new.setdefault(each.key, []).append((each.tokens_in, each.tokens_out))
        self.kept.update(new)

    def cost(self, calls: Sequence[CallRow]) -> float:
        """In dollars, as if nothing had been asked before; what was paid, where no model has a price."""
        return fsum(each.price for each in (self.charged(calls) if self.prices.models else calls))

    def price(self, calls: Sequence[Call]) -> float:
        """The same of calls that no log has."""
        return self.cost([row(each, "", "lab", "") for each in calls])

    def charged(self, calls: Sequence[CallRow]) -> list[CallRow]:
        """The calls as if nothing had been asked before the first of them: each attempt of a request is paid for once. Raises BadInput for a
        model that has no price."""
        seen: dict[str, int] = {}
        made = []
        for each in calls:
            price = self.prices.models.get(each.model)
            if price is None:
                raise BadInput(
                    f"Expected a price of the model {each.model}, which the log names; add [models.{each.model!r}] to the prices.",
                    param="prices",
                )
            turn = seen.get(each.key, 0)
            seen[each.key] = turn + 1
            attempts = self.kept.get(each.key)
            if attempts is None:
                self.unknown.add(each.key)
            tokens = attempts[turn] if attempts is not None and turn < len(attempts) else (0, 0)
            again = attempts is not None and turn >= len(attempts)
            tier = price.tier or each.tier
            made.append(
                replace(each, tokens_in=tokens[0], tokens_out=tokens[1], price=price.of(tokens), cached=again, tier=tier)
            )
        return made


def told(calls: Sequence[CallRow]) -> dict[str, Json]:
    """Calls, tokens and dollars of a log by its lines."""
    found: dict[str, dict[str, float]] = {}
    for each in calls:
        line = str(each.of.get("line", "")) if isinstance(each.of, dict) else ""
        row = found.setdefault(line, {"calls": 0, "tokens_in": 0, "tokens_out": 0, "dollars": 0.0})
        row["calls"] += not each.cached
        row["tokens_in"] += each.tokens_in
        row["tokens_out"] += each.tokens_out
        row["dollars"] += each.price
    return {line: dict(found[line]) for line in sorted(found)}
