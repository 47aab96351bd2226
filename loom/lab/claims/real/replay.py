"""Replay on a real workspace (seed 001 §10.4): the requests of its log that ask for reasoning or a text are run again from its signals
alone, in their order, with the same reads at five checkpoints; and again with what contradicts its claims taken in at each."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from loom.claims.asks import Act, Derive, TakeIn
from loom.claims.drafting import row
from loom.claims.fast import SETTLED
from loom.core.claims.judging.asked import Pair, Stated
from loom.core.claims.standing import Standing, readable
from loom.core.claims.stored import CallRow
from loom.core.claims.view import ClaimView
from loom.core.values import Json
from loom.lab.claims.labels import Contradicted
from loom.lab.claims.real.ground import Ground
from loom.lab.claims.real.pricing import Till
from loom.lab.claims.replaying import FACTS, FEWEST, Checkpoint, Pace, Replay, falls, line_of, parts_of
from loom.lab.claims.tested import above, gain, share
from loom.lab.claims.workspace import BY, Workspace
from loom.lab.claims.worlds.making import fact
from loom.lab.claims.worlds.planted import Labelled, Query
from loom.lab.statistics import ndcg

MOST = 100
"""Contradictions that one checkpoint takes in at most."""
AT_ONCE = 24
TOP = 10


@dataclass(frozen=True, slots=True)
class RealReplay(Replay):
    """`ungraded`: (query, id) of claims among the best ten of a checkpoint that nobody graded; they count as of no use until somebody does.
    `waiting` claims are proposed and `disputed` ones contested when the clean series has ended: what it leaves to people."""

    ungraded: tuple[tuple[str, str], ...]
    waiting: int
    disputed: int

    def as_json(self) -> dict[str, Json]:
        more: list[Json] = [{"query": query, "claim": claim} for query, claim in self.ungraded]
        return Replay.as_json(self) | {"ungraded": more, "left_proposed": self.waiting, "left_contested": self.disputed}


@dataclass(frozen=True, slots=True)
class Series:
    """What a replay is given. `runs` and `reads` are in the order of the log; `accepted` are the claims that people hold for true."""

    runs: Sequence[Labelled]
    reads: Sequence[Query]
    grades: Mapping[str, Mapping[str, int]]
    contradictions: Mapping[str, Contradicted]
    accepted: Collection[str]


async def replay(ground: Ground, series: Series, till: Till, seed: int) -> tuple[RealReplay, Workspace]:
    """Both series and the control; and the workspace that the clean series left."""
    quality: dict[float, list[float]] = {}
    pace: dict[float, Pace] = {}
    paid: list[Sequence[CallRow]] = []
    ungraded: dict[tuple[str, str], None] = {}
    clean = await ground.fresh()
    before = len(await clean.calls())
    for at, part in parts_of(series.runs):
        await _derive(clean, part)
        quality[at], paid, new = await _read(clean, ground, series, pace.setdefault(at, Pace()))
        ungraded.update(dict.fromkeys(new))
    log = (await clean.calls())[before:]
    left = [each.standing for each in (await clean.claims()).values()]
    leak = await ground.fresh()
    await leak.do([Derive(each.text, each.text) for each in series.reads], at_once=AT_ONCE)
    leaked, _, _ = await _read(leak, ground, series, Pace())
    await leak.aclose()
    found = await _injected(ground, series, till)
    stale = share(sum(found.probed), len(found.probed), 0.10, 0.05)
    temporal = share(sum(found.facts), len(found.facts), 0.10, 0.05)
    made = RealReplay(
        quality,
        pace,
        gain(quality[1.0], quality[0.0], seed=seed),
        falls(quality, seed),
        gain(leaked, quality[0.0], seed=seed),
        found.points,
        stale,
        temporal,
        above(temporal.hits, temporal.n, stale.hits, stale.n),
        found.ingest,
        found.graph,
        found.gone,
        len(series.runs),
        log,
        paid,
        tuple(ungraded),
        left.count(Standing.PROPOSED),
        left.count(Standing.CONTESTED),
    )
    return made, clean


async def _derive(workspace: Workspace, runs: Sequence[Labelled]) -> None:
    await workspace.do([Derive(each.text, each.text) for each in runs], at_once=AT_ONCE)


async def _read(
    workspace: Workspace, ground: Ground, series: Series, pace: Pace
) -> tuple[list[float], list[Sequence[CallRow]], list[tuple[str, str]]]:
    found: list[float] = []
    costs: list[Sequence[CallRow]] = []
    new: list[tuple[str, str]] = []
    for each in series.reads:
        reading = await pace.timed(workspace.read(each.text, TOP, penalty=ground.penalty))
        grades = series.grades[each.id]
        found.append(ndcg([hit.id for hit in reading.hits], grades, TOP))
        costs.append(reading.calls)
        new += [(each.id, hit.id) for hit in reading.hits if hit.claim is not None and hit.id not in grades]
    return found, costs, new


@dataclass(slots=True)
class _Injected:
    points: list[Checkpoint]
    probed: list[bool]
    facts: list[bool]
    ingest: float = 0.0
    graph: float = 0.0
    gone: int = 0


async def _injected(ground: Ground, series: Series, till: Till) -> _Injected:
    workspace = await ground.fresh()
    found = _Injected([], [], [])
    graph = Temporal(workspace)
    done: dict[str, str] = {}
    ingest: list[CallRow] = []
    for at, part in parts_of(series.runs):
        await _derive(workspace, part)
        claims = await workspace.claims()
        held = [id for id, each in claims.items() if id in series.accepted and each.standing is Standing.PROPOSED]
        await workspace.do([Act("accept", id, BY) for id in held])
        claims = await workspace.claims()
        settled = [id for id, each in claims.items() if each.standing is Standing.ACCEPTED]
        targets = [id for id in settled if id in series.contradictions and id not in done][:MOST]
        facts = [fact(f"late-{id}", series.contradictions[id].against, "", 0, 0) for id in targets]
        before = len(await workspace.calls())
        await workspace.do([TakeIn(each.entry) for each in facts])
        ingest += [each for each in (await workspace.calls())[before:] if line_of(each) == "ingest"]
        for id in targets:
            await graph.take(series.contradictions[id].against)
            done[id] = claims[id].claim.proposition
        await workspace.do([])  # an interval goes by
        found.probed = []
        for id, text in done.items():
            reading = await workspace.read(text, TOP, penalty=ground.penalty)
            found.probed.append(any(hit.id == id and hit.standing in SETTLED for hit in reading.hits))
            found.gone += sum(hit.claim is not None and not readable(hit.standing) for hit in reading.hits)
        shown = [hit for each in series.reads for hit in (await workspace.read(each.text, TOP, penalty=ground.penalty)).hits]
        results = sum(hit.id in done and hit.standing in SETTLED for hit in shown) / max(1, len(shown))
        found.points.append(
            Checkpoint(at, len(claims), len(targets), len(done), sum(found.probed), results, len(settled) >= FEWEST)
        )
    known = {id: series.contradictions[id].facts for id in done if series.contradictions[id].facts}
    found.facts = [await graph.stale(done[id], facts) for id, facts in known.items()]
    found.ingest = till.cost(ingest) / max(1, len(done))
    found.graph = till.cost(graph.calls) / max(1, len(done))
    await workspace.aclose()
    return found


class Temporal:
    """A temporal graph of facts over the signals of a workspace: what comes later takes out of force whatever near it it contradicts."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._gone: set[str] = set()
        self.calls: list[CallRow] = []

    async def take(self, text: str) -> None:
        near = [(id, said) for id, said in await self._near(text) if said != text][:FACTS]
        judged = await self._workspace.heard.judge.verdicts([Pair(Stated(text), Stated(said)) for _, said in near])
        self.calls += [row(call, "ingest", "graph", "") for call in judged.calls]
        self._gone |= {id for (id, _), said in zip(near, judged.value, strict=True) if said.verdict == "contradicts"}

    async def stale(self, text: str, facts: Collection[str]) -> bool:
        """Whether the best ten facts for a text hold one of these that is still in force."""
        return any(id in facts for id in [id for id, _ in await self._near(text) if id not in self._gone][:TOP])

    async def _near(self, text: str) -> list[tuple[str, str]]:
        vector = (await self._workspace.judges.vectors([text]))[0]

        def look(view: ClaimView) -> list[tuple[str, str]]:
            ids = [each.id for each in view.near("signal", vector, 3 * FACTS)]
            held = view.signals(ids)
            return [(id, held[id].signal.proposition) for id in ids if id in held]

        return await self._workspace.store.look(look)
