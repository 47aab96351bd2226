"""The experiments on a real workspace, as far as labels allow: on copies in memory, with the judges that the workspace has."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from loom.claims.asks import Act
from loom.claims.workspace import Claims
from loom.core.claims.dimensions.rules import DEFAULT
from loom.core.claims.standing import Standing
from loom.core.values import Json
from loom.lab.claims.accepting import acceptance, entailment
from loom.lab.claims.contradiction import contradiction
from loom.lab.claims.discovering import discovery
from loom.lab.claims.escalating import escalating
from loom.lab.claims.labels import Labels
from loom.lab.claims.logged import acted
from loom.lab.claims.people import minutes
from loom.lab.claims.pooling import split
from loom.lab.claims.real.accounts import Log, Measured, account, lacking, log_of
from loom.lab.claims.real.ground import Ground, ground
from loom.lab.claims.real.labelled import accepted, labelled
from loom.lab.claims.real.pricing import Till
from loom.lab.claims.real.reading import ReadArms, read_arms
from loom.lab.claims.real.rendering import Rendered, rendered
from loom.lab.claims.real.replay import RealReplay, Series, replay
from loom.lab.claims.restoring import restoring
from loom.lab.claims.retrieval import left_of, retrieval
from loom.lab.claims.routing import classifier, router
from loom.lab.claims.spending import Misrouted
from loom.lab.claims.study import Study
from loom.lab.claims.verdicts import Found, thesis, verdicts
from loom.lab.claims.workspace import BY, Stores, Workspace
from loom.lab.claims.worlds.planted import Query, World

TARGETS = 300
FEWEST = 40
"""Labelled requests, or signals, of which the smaller part is to learn a baseline from."""
RUNS = 30
"""Requests and reads of a replay under which no break-even is judged."""
STEPS = ("route", "accept", "restore", "contradict", "retrieve", "render", "replay", "account")


@dataclass(frozen=True, slots=True)
class Results:
    """The study; what only a real workspace has beside it, None where labels do not allow it; and pairs of artifacts to be rated."""

    study: Study
    log: Log | None
    arms: ReadArms | None
    rendered: Rendered | None

    def as_json(self) -> dict[str, Json]:
        more = {"log": self.log, "read_arms": self.arms}
        return self.study.as_json() | {name: each.as_json() for name, each in more.items() if each is not None}

    def to_rate(self) -> Iterator[dict[str, Json]]:
        yield from self.rendered.to_rate() if self.rendered else ()


async def measured(
    claims: Claims, stores: Stores, labels: Labels, till: Till, seed: int, *, step: Callable[[str], None] = lambda name: None
) -> Results:
    """What is labelled, measured; minutes of actions that nobody labelled are those of the log. Raises BadInput where labels name what is not there, and Unjudged where a model cannot be asked."""
    base = await ground(claims, stores, till.learn)
    labels = replace(labels, minutes=minutes(await acted(await claims.store())) | labels.minutes)
    workspace = await base.whole()
    held = await workspace.claims()
    world = await labelled(workspace, held, labels)
    found = Found()
    step("route")
    if len(world.requests) >= FEWEST:
        found.router = await router(workspace, world, seed)
    if len(world.filings) >= FEWEST:
        found.classifier = await classifier(workspace, world, seed)
    step("accept")
    if labels.sound:
        found.acceptance = await acceptance(workspace, labels.sound)
    if {each.kind for each in world.boundary} == {"span", "derivation"}:
        found.entailment = await entailment(workspace, world)
    step("restore")
    found.restoring = await restoring(workspace, seed)
    step("contradict")
    true = accepted(held, labels)
    if labels.contradictions:
        made = await workspace.copy()
        await made.do([Act("accept", id, BY) for id in sorted(true) if held[id].standing is Standing.PROPOSED])
        found.contradiction = await contradiction(made, world, seed, TARGETS, till.price)
        await made.aclose()
    step("retrieve")
    if left_of(world, held, seed).held:
        found.retrieval = await retrieval(workspace, world, seed)
        bench = found.retrieval.bench
        if (
            not claims.parts.discovery
            or bench is None
            or not any(len(each.rows) >= DEFAULT.minimum for each in bench.places.values())
        ):
            found.notes["discovery"] = f"the part is off, or no domain has dimensions and {DEFAULT.minimum} claims"
        else:
            found.discovery = await discovery(workspace, bench, found.retrieval.scores, None, None, seed)
        if not claims.parts.hyde or claims.judges.supposing is None:
            found.notes["hyde"] = "the part is off, or nobody supposes passages"
        else:
            found.escalating = await escalating(workspace, split(world.queries, seed)[1], world.grades, seed, base.penalty)
    elif world.queries:
        why = "no held-out query is answered by a signal or claim that there is; grade what `loom claims list` has"
        found.notes.update(dict.fromkeys(("claims", "scope", "dimensions", "penalty", "discovery", "hyde"), why))
    step("render")
    written = await _rendered(workspace, base, labels, till, seed)
    found.artifacts = written.artifacts if written else None
    step("replay")
    replayed, arms = await _replayed(base, labels, world, true, till, seed)
    found.replay = replayed
    if found.replay is not None and min(found.replay.runs, len(found.replay.reads)) < RUNS:
        found.notes["cost"] = (
            f"{found.replay.runs} requests and {len(found.replay.reads)} reads are too few; label {RUNS} of each"
        )
    step("account")
    log = await _accounted(found, workspace, base, labels, till, written, replayed, arms, seed)
    await workspace.aclose()
    judged = verdicts(found)
    return Results(Study(found, judged, thesis(found, judged)), log, arms, written)


async def _rendered(workspace: Workspace, base: Ground, labels: Labels, till: Till, seed: int) -> Rendered | None:
    requests = [each for each in labels.requests if each.label == "author"]
    if not requests:
        return None
    return await rendered(workspace, requests, labels.audiences, labels.preferred, base.penalty, till, seed)


def series(labels: Labels, true: frozenset[str], seed: int) -> Series:
    """What is replayed: requests that ask for reasoning or a text, and held-out reads, both of sessions that nothing was fitted on."""
    validation, reads = split(labels.queries, seed) if labels.queries else ([], [])
    fitted = {each.session for each in validation}
    runs = [each for each in labels.requests if each.label != "retrieve" and each.group not in fitted]
    return Series(runs, _logged(reads, labels), labels.grades, labels.contradictions, true)


def _logged(reads: list[Query], labels: Labels) -> list[Query]:
    own = {each.id for each in reads}
    return [each for each in labels.queries if each.id in own]


async def _replayed(
    base: Ground, labels: Labels, world: World, true: frozenset[str], till: Till, seed: int
) -> tuple[RealReplay | None, ReadArms | None]:
    given = series(labels, true, seed)
    if not given.runs or not given.reads:
        return None, None
    replayed, clean = await replay(base, given, till, seed)
    arms = await read_arms(clean, base, given.reads, world.grades, seed)
    await clean.aclose()
    return replayed, arms


async def _accounted(
    found: Found,
    workspace: Workspace,
    base: Ground,
    labels: Labels,
    till: Till,
    written: Rendered | None,
    replayed: RealReplay | None,
    arms: ReadArms | None,
    seed: int,
) -> Log | None:
    """The log at the prices of the file, and the ledger where nothing lacks; else a note on what does."""
    if replayed is None:
        found.notes["reuse"] = found.notes["signals"] = "label requests (reason or author) and held-out queries of the same log"
    elif not found.replay or not found.replay.probes.n:
        found.notes["signals"] = "no accepted claim of the replay has a labelled contradiction"
    if written is None:
        found.notes["artifacts"] = "label requests that ask for a text (author)"
    if lack := lacking(labels, till):
        found.notes["cost"] = lack
    calls = await workspace.calls()
    till.learn(calls)
    if not till.prices.models:
        return None
    signals = await workspace.store.look(lambda view: int((view.network().entry >= 0).sum()))
    log = log_of(calls, till, signals, sum(labels.writes.values()))
    if lack or replayed is None or arms is None or written is None:
        return log
    automatic = found.acceptance.accepted.n / max(1, found.acceptance.everything.n) if found.acceptance else 0.0
    misrouted = Misrouted(found.router.slowed, found.router.shortened) if found.router and found.router.kept else None
    given = Measured(replayed, arms, written, automatic, misrouted, len(base.source.domains))
    spending = account(log, given, labels, till, seed)
    if till.unknown:
        found.notes["cost"] = (
            f"nobody wrote down the tokens of {len(till.unknown)} requests; ask the models anew, with an empty book"
        )
    else:
        found.spending = spending
    return log
