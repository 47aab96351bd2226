"""Replay (seed 001 §10.4): requests of held-out sessions run in their order, with the same reads at 0, ¼, ½, ¾ and all of them.

The clean series measures whether what was written serves other reads. The injected one contradicts accepted claims at each checkpoint
and, one interval later, asks for each target by its own words: a probe is stale where its target comes back as if nothing had been said.
"""

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from time import perf_counter
from typing import TypeVar

import numpy as np

from loom.claims.asks import Act, Derive, TakeIn
from loom.claims.fast import SETTLED, Reading
from loom.core.claims.dimensions.fitted import Fitted
from loom.core.claims.judging.asked import Pair, Stated
from loom.core.claims.parts import Parts
from loom.core.claims.standing import Standing, readable
from loom.core.claims.stored import CallRow
from loom.core.values import Json
from loom.lab.claims.contradiction import accepted
from loom.lab.claims.escalating import supposed
from loom.lab.claims.tested import Gain, Share, above, gain, share
from loom.lab.claims.workspace import BY, Judging, Stores, Workspace, founded
from loom.lab.claims.worlds.planted import Meant, Query, World
from loom.lab.claims.worlds.tables import Tables
from loom.lab.statistics import ndcg

T = TypeVar("T")

CHECKPOINTS = (0.0, 0.25, 0.5, 0.75, 1.0)
FEWEST = 20
"""Accepted claims under which staleness cannot be measured at a checkpoint."""
FACTS = 20
"""Facts that the temporal graph holds a new one against."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What one checkpoint of the injected series came to. `probes` counts all targets so far, `stale` those of them that came back as
    though nothing had been said, `results` the share of such among the best ten of reads."""

    at: float
    claims: int
    targets: int
    probes: int
    stale: int
    results: float
    measurable: bool

    def as_json(self) -> dict[str, Json]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(slots=True)
class Pace:
    """What the reads of one checkpoint took: `seconds` of each, and for how many of them a passage was `supposed` (HyDE). A call of a
    model that was made before is answered out of the book, and takes nothing."""

    seconds: list[float] = field(default_factory=list)
    supposed: int = 0

    async def timed(self, read: Awaitable[Reading]) -> Reading:
        began = perf_counter()
        reading = await read
        self.seconds.append(perf_counter() - began)
        self.supposed += supposed(reading)
        return reading

    def as_json(self) -> dict[str, Json]:
        if not self.seconds:
            return {"p50_ms": None, "p95_ms": None, "supposed": None}
        half, most = (float(np.quantile(self.seconds, at)) * 1000 for at in (0.5, 0.95))
        return {"p50_ms": round(half, 3), "p95_ms": round(most, 3), "supposed": self.supposed / len(self.seconds)}


@dataclass(frozen=True, slots=True)
class Replay:
    """`quality`: nDCG@10 by checkpoint and read, `pace` what those reads took; `compounding`: of all requests over none; `falls`: checkpoints significantly below the
    one before. `temporal`: probes of a temporal graph of facts that show one which was contradicted; `p` of the layer being less stale.
    `ingest`, `graph_ingest`: dollars for each injected signal, here and there. `leak`: gain of the control that runs the reads' own
    requests first. `clean` is the log of the clean series, `reads` the calls of each read when it was first asked."""

    quality: Mapping[float, Sequence[float]]
    pace: Mapping[float, "Pace"]
    compounding: Gain
    falls: tuple[float, ...]
    leak: Gain
    injected: Sequence[Checkpoint]
    probes: Share
    temporal: Share
    p: float
    ingest: float
    graph_ingest: float
    gone: int
    runs: int
    clean: Sequence[CallRow]
    reads: Sequence[Sequence[CallRow]]

    def as_json(self) -> dict[str, Json]:
        return {
            "ndcg@10": {f"{at:g}": float(np.mean(each)) for at, each in self.quality.items()},
            "read": {f"{at:g}": each.as_json() for at, each in self.pace.items()},
            "compounding": self.compounding.as_json(),
            "significantly_below_the_one_before": list(self.falls),
            "leak_control": self.leak.as_json(),
            "injected": [each.as_json() for each in self.injected],
            "probe_staleness": self.probes.as_json(),
            "temporal_graph": self.temporal.as_json(),
            "less_stale_than_it_p": self.p,
            "ingest_a_signal": self.ingest,
            "temporal_graph_ingest_a_signal": self.graph_ingest,
            "retracted_or_superseded_in_results": self.gone,
            "runs": self.runs,
            "reads": len(self.reads),
        }


@dataclass(frozen=True, slots=True)
class Ground:
    """What a series starts from; `fits` were made once, on validation queries, and serve at every checkpoint."""

    world: World
    stores: Stores
    judging: Judging
    tables: Tables
    parts: Parts
    fits: Sequence[Fitted]

    async def fresh(self) -> Workspace:
        made = await founded(self.world, self.stores, self.judging, self.tables, self.parts)
        await made.settle(self.fits)
        return made


async def replay(ground: Ground, reads: Sequence[Query], seed: int) -> Replay:
    """Both series and the control, each from a fresh workspace that holds signals alone."""
    runs = [each for each in ground.world.claims if each.held]
    quality: dict[float, list[float]] = {}
    pace: dict[float, Pace] = {}
    clean = await ground.fresh()
    first: list[Sequence[CallRow]] = []
    for at, part in parts_of(runs):
        await _derive(clean, part)
        quality[at], paid = await _read(clean, ground, reads, pace.setdefault(at, Pace()))
        first = first or paid  # what is asked again later is answered from what was kept
    log = await clean.calls()
    await clean.aclose()
    leak = await ground.fresh()
    await leak.do([Derive(each.text, each.text) for each in reads], at_once=24)
    leaked, _ = await _read(leak, ground, reads, Pace())
    await leak.aclose()
    points, probed, facts, costs, gone = await _injected(ground, runs, reads, seed)
    stale = share(sum(probed), len(probed), 0.10, 0.05)
    temporal = share(sum(facts), len(facts), 0.10, 0.05)
    return Replay(
        quality,
        pace,
        gain(quality[1.0], quality[0.0], seed=seed),
        falls(quality, seed),
        gain(leaked, quality[0.0], seed=seed),
        points,
        stale,
        temporal,
        above(temporal.hits, temporal.n, stale.hits, stale.n),
        costs[0],
        costs[1],
        gone,
        len(runs),
        log,
        first,
    )


def falls(quality: Mapping[float, Sequence[float]], seed: int) -> tuple[float, ...]:
    """Checkpoints that are significantly below the one before."""
    return tuple(two for one, two in pairwise(quality) if gain(quality[one], quality[two], seed=seed).significant)


def parts_of(runs: Sequence[T]) -> list[tuple[float, Sequence[T]]]:
    """The runs that each checkpoint adds."""
    ends = [round(at * len(runs)) for at in CHECKPOINTS]
    return [(at, runs[start:end]) for at, start, end in zip(CHECKPOINTS, [0, *ends], ends, strict=False)]


async def _derive(workspace: Workspace, runs: Sequence[Meant]) -> None:
    await workspace.do([Derive(each.request, each.request, domains=(each.domain,)) for each in runs], at_once=24)


async def _read(
    workspace: Workspace, ground: Ground, reads: Sequence[Query], pace: Pace
) -> tuple[list[float], list[Sequence[CallRow]]]:
    found: list[float] = []
    costs: list[Sequence[CallRow]] = []
    for each in reads:
        reading = await pace.timed(workspace.read(each.text))
        found.append(ndcg([hit.id for hit in reading.hits], ground.world.grades[each.id], 10))
        costs.append(reading.calls)
    return found, costs


async def _injected(
    ground: Ground, runs: Sequence[Meant], reads: Sequence[Query], seed: int
) -> tuple[list[Checkpoint], list[bool], list[bool], tuple[float, float], int]:
    workspace, world = await ground.fresh(), ground.world
    graph = _Facts(ground.world, workspace)
    texts = {each.id: each.text for each in world.claims}
    done: list[str] = []
    points: list[Checkpoint] = []
    probed: list[bool] = []
    gone, paid = 0, 0.0
    for at, part in parts_of(runs):
        await _derive(workspace, part)
        await workspace.do([Act("accept", each.id, BY) for each in part])
        claims = await workspace.claims()
        free = [id for id in accepted(claims, world, seed, len(claims)) if id not in set(done)]
        targets = free[: round(len(runs) / (len(CHECKPOINTS) - 1))]
        before = len(await workspace.calls())
        await workspace.do([TakeIn(world.late[id].fact.entry) for id in targets])
        paid += sum(each.price for each in (await workspace.calls())[before:] if line_of(each) == "ingest")
        for id in targets:
            await graph.take(world.late[id].fact.text, world.late[id].fact.entity)
        done += targets
        await workspace.do([])  # an interval goes by
        probed = []
        for id in done:
            reading = await workspace.read(texts[id])
            probed.append(any(hit.id == id and hit.standing in SETTLED for hit in reading.hits))
            gone += sum(hit.claim is not None and not readable(hit.standing) for hit in reading.hits)
        shown = [hit for each in reads[::4] for hit in (await workspace.read(each.text)).hits]
        results = sum(hit.id in set(done) and hit.standing in SETTLED for hit in shown) / max(1, len(shown))
        settled = sum(each.standing is Standing.ACCEPTED for each in claims.values())
        points.append(Checkpoint(at, len(claims), len(targets), len(done), sum(probed), results, settled >= FEWEST))
    facts = [await graph.stale(id, texts[id]) for id in done]
    await workspace.aclose()
    return points, probed, facts, (paid / max(1, len(done)), graph.paid / max(1, len(done))), gone


class _Facts:
    """A temporal graph of facts over the same signals: a new one takes those of its entity out of force that it contradicts."""

    def __init__(self, world: World, workspace: Workspace) -> None:
        self._facts = {each.signal: each for each in world.facts}
        self._antecedents = {each.id: each.antecedents for each in world.claims}
        self._workspace = workspace
        self._judge = workspace.heard.judge
        self._gone: set[str] = set()
        self.paid = 0.0

    async def take(self, text: str, entity: int) -> None:
        near = await self._near(text)
        mine = [each for each in near if self._facts[each].entity == entity][:FACTS]
        judged = await self._judge.verdicts([Pair(Stated(text), Stated(self._facts[each].text)) for each in mine])
        self.paid += sum(call.price for call in judged.calls)
        self._gone |= {each for each, said in zip(mine, judged.value, strict=True) if said.verdict == "contradicts"}

    async def stale(self, claim: str, text: str) -> bool:
        """Whether the best ten facts for a target's words hold one that was contradicted and is still in force."""
        found = [each for each in await self._near(text) if each not in self._gone][:10]
        return self._antecedents[claim][0] in found

    async def _near(self, text: str) -> list[str]:
        vector = (await self._workspace.judges.vectors([text]))[0]
        found = await self._workspace.store.look(lambda view: view.near("signal", vector, 60))
        return [each.id for each in found if each.id in self._facts]


def line_of(call: CallRow) -> str:
    return str(call.of.get("line", "")) if isinstance(call.of, dict) else ""
