"""Hypothetical documents (seed 001 §10.1): reads as they are served, with the part `hyde` and without, on the held-out queries where it fires."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum

from loom.claims.fast import Reading
from loom.core.values import Json
from loom.lab.claims.tested import Gain, gain
from loom.lab.claims.workspace import Workspace
from loom.lab.claims.worlds.planted import Query
from loom.lab.statistics import ndcg

FIRING = 56
"""Queries that it has to fire on (seed 001: about so many have the power)."""
TOP = 10


@dataclass(frozen=True, slots=True)
class Escalating:
    """`fired` of `queries`; nDCG@10 with a passage and without on those; dollars that a firing read takes more. `gain` is None where it fired on
    none."""

    queries: int
    fired: int
    gain: Gain | None
    dollars: float

    def as_json(self) -> dict[str, Json]:
        return {
            "queries": self.queries,
            "fired": self.fired,
            "gain": self.gain.as_json() if self.gain else None,
            "dollars_a_firing_read": self.dollars,
        }


def supposed(reading: Reading) -> bool:
    """Whether a passage was supposed for it."""
    return any(isinstance(told, dict) and told.get("supposed") for told in reading.escalated)


async def escalating(
    workspace: Workspace, queries: Sequence[Query], grades: Mapping[str, Mapping[str, int]], seed: int, penalty: float = 0.0
) -> Escalating:
    """Over a workspace with its coefficients. Nothing is written."""
    on, off = (replace(workspace.parts, hyde=switch) for switch in (True, False))
    pairs: list[tuple[float, float]] = []
    paid: list[float] = []
    for each in queries:
        reading = await workspace.read(each.text, TOP, parts=on, penalty=penalty)
        if not supposed(reading):
            continue
        plain = await workspace.read(each.text, TOP, parts=off, penalty=penalty)
        mine = grades[each.id]
        pairs.append((ndcg([hit.id for hit in reading.hits], mine, TOP), ndcg([hit.id for hit in plain.hits], mine, TOP)))
        paid.append(fsum(call.price for call in reading.calls if isinstance(call.of, dict) and call.of.get("line") == "hyde"))
    made = gain([one for one, _ in pairs], [other for _, other in pairs], seed=seed) if pairs else None
    return Escalating(len(queries), len(pairs), made, fsum(paid) / max(1, len(paid)))
