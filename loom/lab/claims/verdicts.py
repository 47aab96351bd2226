"""Verdicts (seed 001 §§10.1–10.7): each removable part with its drop condition, evaluated on what was measured and on nothing else.

Drops bind. What fails is removed in the form that is stated here; what rests on something that was removed is not judged, since its
figures say nothing by themselves. The thesis is judged on the rest.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from loom.core.claims.dimensions.rules import DEFAULT
from loom.core.values import Json
from loom.lab.claims.accepting import Acceptance, Entailment
from loom.lab.claims.artifacts import Artifacts
from loom.lab.claims.beside import Beside
from loom.lab.claims.contradiction import Contradiction
from loom.lab.claims.discovering import MARGIN, Discovery
from loom.lab.claims.escalating import FIRING, Escalating
from loom.lab.claims.replaying import Replay
from loom.lab.claims.restoring import Restoring
from loom.lab.claims.retrieval import Retrieval
from loom.lab.claims.routing import Classifier, Router
from loom.lab.claims.spending import Spending
from loom.lab.claims.tested import ALPHA, Share

Outcome = Literal["kept", "dropped", "not judged"]
Judged = tuple[bool, str] | str | None
"""Whether a part stays and why; a sentence on why that cannot be told; None where it was not measured."""
FEWEST = 30
"""Held-out queries under which no gain is judged."""


@dataclass(slots=True)
class Found:
    """What the experiments came to; None for one that was not run."""

    router: Router | None = None
    classifier: Classifier | None = None
    acceptance: Acceptance | None = None
    entailment: Entailment | None = None
    restoring: Restoring | None = None
    contradiction: Contradiction | None = None
    retrieval: Retrieval | None = None
    discovery: Discovery | None = None
    escalating: Escalating | None = None
    artifacts: Artifacts | None = None
    beside: Beside | None = None
    replay: Replay | None = None
    spending: Spending | None = None
    notes: dict[str, str] = field(default_factory=dict)
    """By part, why what it needs was not measured."""

    def as_json(self) -> dict[str, Json]:
        made = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "notes"}
        return {name: each.as_json() for name, each in made.items() if each is not None}


@dataclass(frozen=True, slots=True)
class Verdict:
    """`settings` are parts as they are to be set where it is dropped."""

    part: str
    outcome: Outcome
    why: str
    settings: Mapping[str, Json] = field(default_factory=dict)

    def as_json(self) -> dict[str, Json]:
        return {"part": self.part, "outcome": self.outcome, "why": self.why, "settings": dict(self.settings)}


@dataclass(frozen=True, slots=True)
class Thesis:
    """`quality` and `cost` are None where they were not measured; `weaker`: the structure goes stale faster than it is kept."""

    quality: bool | None
    cost: bool | None
    weaker: bool
    defects: tuple[str, ...]

    @property
    def holds(self) -> bool | None:
        if False in (self.quality, self.cost) or self.weaker or self.defects:
            return False
        return None if None in (self.quality, self.cost) else True

    def as_json(self) -> dict[str, Json]:
        return {
            "holds": self.holds,
            "quality": self.quality,
            "cost": self.cost,
            "fails_in_the_weaker_sense": self.weaker,
            "defects": list(self.defects),
        }


@dataclass(frozen=True, slots=True)
class Rule:
    """The drop condition of a part: `met` says whether it stays, and why in figures; None where nothing of it was measured. `rests` are
    the parts without which its figures say nothing."""

    part: str
    settings: Mapping[str, Json]
    met: Callable[[Found], "Judged"]
    rests: tuple[str, ...] = ()


def verdicts(found: Found) -> list[Verdict]:
    """In the order in which parts rest on one another."""
    made: dict[str, Verdict] = {}
    for rule in RULES:
        gone = [part for part in rule.rests if made[part].outcome == "dropped"]
        gone += [part for part in rule.rests if made[part].outcome == "not judged" and "rests on" in made[part].why]
        judged = rule.met(found)
        if gone:
            made[rule.part] = Verdict(rule.part, "not judged", f"rests on {gone[0]}, which is not kept")
        elif judged is None:
            made[rule.part] = Verdict(rule.part, "not judged", found.notes.get(rule.part, "was not measured"))
        elif isinstance(judged, str):
            made[rule.part] = Verdict(rule.part, "not judged", judged)
        else:
            kept, why = judged
            settings = dict(rule.settings)
            if rule.part == "router" and not kept and found.router is not None and not found.router.baseline.met:
                settings = {"router": "user"}
            made[rule.part] = Verdict(rule.part, "kept" if kept else "dropped", why, {} if kept else settings)
    return list(made.values())


def thesis(found: Found, made: Sequence[Verdict]) -> Thesis:
    """§10.7: quality fails where the system is no better than signals alone, or its artifacts are not preferred; cost where the break-even
    is above the reads that a workspace performs."""
    outcome = {each.part: each.outcome for each in made}
    quality: bool | None = None
    if "dropped" in (outcome["claims"], outcome["artifacts"]):
        quality = False
    elif outcome["claims"] == outcome["artifacts"] == "kept":
        quality = True
    cost: bool | None = None
    if "dropped" in (outcome["claims"], outcome["reuse"], outcome["cost"]):
        cost = False
    elif outcome["cost"] == "kept":
        cost = True
    weaker = (
        found.replay is not None
        and found.replay.probes.enough
        and not found.replay.probes.met
        and outcome["conflicts"] != "dropped"
    )
    return Thesis(quality, cost, weaker, tuple(_defects(found)))


def _defects(found: Found) -> list[str]:
    """What is no verdict on a part, but broken: to be repaired before any other figure is read."""
    made = []
    if found.restoring is not None and not found.restoring.exact:
        made.append("minimal change and restoration are not exact")
    for name, each in (("contradiction", found.contradiction), ("replay", found.replay)):
        if each is not None and each.gone:
            made.append(f"{each.gone} retracted or superseded claims in results ({name})")
    if found.retrieval is not None and found.retrieval.oracle is not None and found.retrieval.oracle <= 0:
        made.append("an axis that knows the labels does not win: fitting or scoring is broken")
    if found.discovery is not None and found.discovery.returned < 1:
        made.append("a prototype does not come back where it is: projection is broken")
    if found.discovery is not None and not found.discovery.unmoved:
        made.append("discovery reads standings")
    if found.artifacts is not None and found.artifacts.preconditions < 1:
        made.append("a cited claim does not print its preconditions")
    if found.spending is not None and abs(found.spending.log - found.spending.ledger) > 1e-9 * max(1.0, found.spending.log):
        made.append("the ledger is not the sum of the log")
    return made


def _router(found: Found) -> Judged:
    each = found.router
    if each is None:
        return None
    return each.kept, (
        f"accuracy {each.accuracy.share:.3f} ({_bar(each.accuracy.met)} 0.85), p {each.p:.2g} against the regression "
        f"({each.baseline.share:.3f}), shallow misroutes {each.shallow.share:.3f} ({_bar(each.shallow.met)} 0.10)"
    )


def _scope(found: Found) -> Judged:
    filed, ranked = found.classifier, found.retrieval
    if filed is None and ranked is None:
        return None
    if ranked is not None and ranked.held < FEWEST:
        return _queries(ranked)
    told, kept = [], True
    if filed is not None:
        kept = filed.kept
        told.append(
            f"macro-F1 {filed.macro:.3f}, from {filed.low:.3f}; {filed.gain.mean:+.3f} on the stronger baseline (p {filed.gain.p:.2g})"
        )
    if ranked is not None:
        gain, p = ranked.contrasts["scoping"], ranked.holm["scoping"]
        kept = kept and gain.mean > 0 and p is not None and p <= ALPHA
        told.append(_gained(gain.mean, p))
    return kept, "; ".join(told)


def _conflicts(found: Found) -> Judged:
    each = found.contradiction
    if each is None:
        return None
    if not each.floorless.enough:
        return _few(each.floorless)
    return (
        each.floorless.met,
        f"recall without floor {each.floorless.share:.3f} of {each.floorless.n} ({_bar(each.floorless.met)} 0.50)",
    )


def _supports(found: Found) -> Judged:
    each = found.contradiction
    if each is None:
        return None
    if not each.supports.enough:
        return _few(each.supports)
    return each.supports.met, f"{each.supports.share:.3f} of {each.supports.n} support ({_bar(each.supports.met)} 0.70)"


def _entailment(found: Found) -> Judged:
    each = found.entailment
    if each is None:
        return None
    if any(not one.enough for one in each.accuracy.values()):
        return _few(min(each.accuracy.values(), key=lambda one: one.n))
    return each.kept, ", ".join(f"{name} {one.share:.3f} ({_bar(one.met)} 0.80)" for name, one in each.accuracy.items())


def _acceptance(found: Found) -> Judged:
    each = found.acceptance
    if each is None:
        return None
    if not each.accepted.enough:
        return _few(each.accepted)
    return each.kept, (
        f"{each.accepted.share:.3f} of {each.accepted.n} accepted are sound ({_bar(each.accepted.met)} 0.70), "
        f"{each.everything.share:.3f} of all (p {each.p:.2g})"
    )


def _claims(found: Found) -> Judged:
    if found.retrieval is None:
        return None
    if found.retrieval.held < FEWEST:
        return _queries(found.retrieval)
    gain, p = found.retrieval.contrasts["system"], found.retrieval.holm["system"]
    return gain.mean > 0 and p is not None and p <= ALPHA, f"the system over signals alone: {_gained(gain.mean, p)}"


def _dimensions(found: Found) -> Judged:
    each = found.retrieval
    if each is None:
        return None
    if each.held < FEWEST:
        return _queries(each)
    if each.oracle is None:
        return "no domain has enough validation queries"
    gain, beyond = each.contrasts["dimensions"], each.contrasts["positions"]
    decided = gain.significant if each.looks is None else each.looks.passed
    kept = decided and beyond.significant and each.kept <= gain.mean / 2
    return (
        kept,
        f"{_gained(gain.mean, gain.p)}, of which shuffled positions keep {each.kept:+.3f} (p {beyond.p:.2g} of their keeping less)",
    )


def _penalty(found: Found) -> Judged:
    if found.retrieval is None:
        return None
    if found.retrieval.held < FEWEST:
        return _queries(found.retrieval)
    gain, p = found.retrieval.contrasts["standing"], found.retrieval.holm["standing"]
    return gain.mean > 0 and p is not None and p <= ALPHA, _gained(gain.mean, p)


def _positions(found: Found) -> Judged:
    each = found.contradiction
    if each is None or each.narrowed is None:
        return None
    if not each.claim.candidates.enough:
        return _few(each.claim.candidates)
    kept = each.claim.candidates.met and each.narrowed.significant
    return kept, (
        f"candidate recall {each.claim.candidates.share:.3f} ({_bar(each.claim.candidates.met)} 0.80), candidate precision "
        f"{each.narrowed.mean:+.3f} where positions chose (p {each.narrowed.p:.2g})"
    )


def _signals(found: Found) -> Judged:
    each = found.replay
    if each is None:
        return None
    if not each.probes.enough:
        return _few(each.probes)
    beaten = each.temporal.n > 0 and each.p > ALPHA and each.ingest >= each.graph_ingest
    graph = f"{each.temporal.share:.3f} (p {each.p:.2g})" if each.temporal.n else "was not measured"
    return each.probes.met and not beaten, (
        f"probe staleness {each.probes.share:.3f} ({_bar(each.probes.met)} 0.10), a temporal graph {graph}; "
        f"${each.ingest:.4f} a signal, ${each.graph_ingest:.4f} there"
    )


def _hyde(found: Found) -> Judged:
    each = found.escalating
    if each is None:
        return None
    if each.gain is None or each.fired < FIRING:
        return f"passages were supposed for {each.fired} of {each.queries} held-out queries, and {FIRING} are needed"
    return each.gain.significant, f"{_gained(each.gain.mean, each.gain.p)} on {each.fired} queries; ${each.dollars:.4f} each"


def _discovery(found: Found) -> Judged:
    each = found.discovery
    if each is None:
        return None
    if each.sampled < DEFAULT.minimum:
        return f"{each.sampled} claims of a domain are too few to find axes in; {DEFAULT.minimum} are needed"
    if each.gain.n < FEWEST:
        return f"{each.gain.n} held-out queries are too few; label at least {FEWEST}"
    if not each.authored.significant:
        return f"authored dimensions do not help themselves: {_gained(each.authored.mean, each.authored.p)}"
    named = sum(len(names) for names in each.promoted.values())
    rated = _bar(each.meaningful.met) + " 0.60" if each.meaningful.enough else "too few for that bar"
    return each.kept, (
        f"{named} of {each.proposed} promoted; {each.gain.mean:+.3f} nDCG@10 on authored axes, from {each.gain.low:+.3f} (margin "
        f"{MARGIN:g}), {each.retained:.2f} of their gain; {each.meaningful.hits} of {each.meaningful.n} meaningful ({rated})"
    )


def _artifacts(found: Found) -> Judged:
    each = found.artifacts
    if each is None:
        return None
    if not all(one.enough for one in (*each.preferred.values(), each.control)):
        return f"too few pairs of artifacts were rated, of {each.requests} requests"
    told = [f"{one.wins} : {one.losses} against {name}" for name, one in each.preferred.items()]
    return each.kept, f"preferred {', '.join(told)}; preconditions printed {each.preconditions:.2f}"


def _reuse(found: Found) -> Judged:
    each = found.replay
    if each is None:
        return None
    if each.compounding.n < FEWEST:
        return f"{each.compounding.n} reads are too few; label at least {FEWEST} held-out queries"
    return each.compounding.significant, f"from no request to all: {_gained(each.compounding.mean, each.compounding.p)}"


def _cost(found: Found) -> Judged:
    if found.spending is None or "cost" in found.notes:
        return found.notes.get("cost")
    each = max(found.spending.ledgers, key=lambda one: one.bound.upper if one.bound.upper is not None else float("inf"))
    upper = "none" if each.bound.upper is None else f"{each.bound.upper:.1f}"
    pays = all(one.within for one in found.spending.ledgers)
    return pays, f"break-even at most {upper} reads a request, {each.observed:.1f} observed ({each.name})"


def _few(each: Share) -> str:
    return f"{each.n} are too few for any count to clear {each.bound:g}"


def _queries(each: Retrieval) -> str:
    return f"{each.held} held-out queries are too few; label at least {FEWEST}"


def _bar(met: bool) -> str:
    return "clears" if met else "misses"


def _gained(mean: float, p: float | None) -> str:
    return f"{mean:+.3f} nDCG@10 (p {1.0 if p is None else p:.2g})"


RULES: tuple[Rule, ...] = (
    Rule("router", {"router": "embedding"}, _router),
    Rule("scope", {"scope": False}, _scope),
    Rule("conflicts", {"conflicts": "log"}, _conflicts),
    Rule("supports", {"supports": "log"}, _supports),
    Rule("entailment", {"entailment": False}, _entailment),
    Rule("acceptance", {"acceptance": "off"}, _acceptance),
    Rule("claims", {"claims": False}, _claims),
    Rule("dimensions", {"dimensions": False}, _dimensions, ("claims",)),
    Rule("penalty", {"penalty": False}, _penalty, ("claims",)),
    Rule("positions", {"positions": False}, _positions, ("dimensions",)),
    Rule("signals", {"signals": False}, _signals, ("conflicts",)),
    Rule("artifacts", {}, _artifacts, ("claims",)),
    Rule("reuse", {"claims": False}, _reuse, ("claims",)),
    Rule("cost", {"claims": False}, _cost, ("claims", "reuse")),
    Rule("hyde", {"hyde": False}, _hyde, ("claims",)),
    Rule("discovery", {"discovery": False}, _discovery, ("dimensions",)),
)
"""Of §10, in order: what everything is routed and filed by; what keeps standings; what reads them; what it costs."""
