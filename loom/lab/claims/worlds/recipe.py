"""How large a world is, and how often each thing in it goes well. One world has everything in order; eight have one thing that is not."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Recipe:
    """Chances are from 0 to 1. `past` and `held` are claims of each entity and aspect whose requests lie in sessions before the
    queries, and in sessions that are held out."""

    entities: int = 4
    past: int = 3
    held: int = 2
    queries: int = 192
    requests: int = 320
    filings: int = 200
    boundary: int = 150
    """Derivations and spans each whose entailment is labelled."""
    probes: int = 96
    targets: int = 60
    reads: float = 60.0
    """Read queries that the log has for each slow-path request."""
    interpreting: bool = True
    """Claims answer what signals do not. Off: they restate signals, which answer better."""
    placed: bool = True
    """The projector puts claims where they lie. Off: it puts each where another one of its domain lies."""
    scoped: bool = True
    """What answers a query is in its domain. Off: more of it is in the other one."""
    recalled: float = 0.995
    """Contradictions that the judge of verdicts sees."""
    drifting: float = 0.0
    """Late signals that are filed under a domain that came later, where no older claim is at home."""
    corroborated: float = 0.97
    """Claims with evidence from another source that are sound."""
    sound: float = 0.60
    """All other claims that are."""
    routed: float = 0.97
    filed: float = 0.98
    entailed: float = 0.97
    supports: float = 0.97
    reach: int = 1
    """Interpretations that reasoning for one request comes to, as every request of the log did."""
    facts: float = 0.35
    """Contradictions of a claim that also contradict one of its antecedents by itself."""


HOLDS = Recipe()
WORLDS: Mapping[str, Recipe] = MappingProxyType(
    {
        "holds": HOLDS,
        "restating": replace(HOLDS, interpreting=False),
        "shuffled": replace(HOLDS, placed=False),
        "stale": replace(HOLDS, drifting=0.6, facts=0.95),
        "unscoped": replace(HOLDS, scoped=False),
        "unrecalled": replace(HOLDS, recalled=0.3),
        "credulous": replace(HOLDS, corroborated=0.60),
        "misrouted": replace(HOLDS, routed=0.72),
        "unread": replace(HOLDS, reads=1.0),
    }
)
"""The world where the thesis holds, and those with one planted failure each. Nothing but the making of a world reads a recipe."""
