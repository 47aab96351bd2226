"""The removable parts of the claims layer, each a switch (seed 001 §10; specs/claims.md §13): where a part's drop condition is met, it
is removed in the form stated here, and nothing else changes."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, get_args, get_origin

from loom.core.errors import BadInput
from loom.core.values import Json


@dataclass(frozen=True, slots=True)
class Parts:
    """Raises BadInput for a value that a part does not have."""

    claims: bool = True
    """Claims among the results of a read. Off: signals alone are found; claims are kept for whoever lists them."""
    dimensions: bool = True
    """Positions in the score of a read. Off: the term is 0."""
    penalty: bool = True
    """What an unsettled standing costs in the score. Off: contested claims rank as others do, and are still shown as contested."""
    scope: bool = True
    """Domains as a hard filter of reads. Off: they are searched everywhere."""
    hyde: bool = False
    """One small generation where what a read found is weak: the passage that would answer it is searched by, too. Off: no read generates."""
    positions: bool = True
    """Positions choose the candidates of a new claim's check. Off: likeness alone does."""
    signals: bool = True
    """A new signal is compared with claims, and lifted where it contradicts one. Off: signals are never compared."""
    supports: Literal["write", "log"] = "write"
    """What becomes of the verdict that something supports a claim."""
    conflicts: Literal["write", "log"] = "write"
    """What becomes of the verdicts that move a standing by themselves, a contradiction and a replacement. Logged ones wait for a person."""
    acceptance: Literal["off", "corroborated", "everything"] = "off"
    """Which claims are accepted without a person."""
    entailment: bool = True
    """Signals are held against their span, derived claims against each antecedent. Off: signals are marked as unchecked."""
    router: Literal["model", "embedding", "rules", "user"] = "rules"
    """Who says what a request wants: a judge, a regression over the vectors of labelled requests, rules over its words, or only the request
    itself (retrieve where it says nothing)."""
    discovery: bool = False
    """Dimensions are proposed each cycle. Nothing reads it yet: people write them."""

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            allowed = _allowed(each.type)
            if not any(value is one or (isinstance(value, str) and value == one) for one in allowed):
                raise BadInput(
                    f"Expected the part {each.name} to be {' or '.join(_word(one) for one in allowed)}, but got {_word(value)}; "
                    "write one of these.",
                    param=each.name,
                )

    def as_json(self) -> dict[str, Json]:
        return asdict(self)


def read_parts(given: Mapping[str, Any], parts: Parts | None = None) -> Parts:
    """Parts from what a file or a setting says of some of them. Raises BadInput for a part that there is not."""
    known = {each.name for each in fields(Parts)}
    if unknown := sorted(set(given) - known):
        raise BadInput(
            f"Expected parts among {', '.join(sorted(known))}, but got {unknown[0]!r}; write one of these, or take it out.",
            param="parts",
        )
    return replace(parts or Parts(), **given)


def _allowed(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) is Literal else (True, False)


def _word(value: object) -> str:
    """A value as TOML writes it."""
    return str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else f"{value!r:.60}"
