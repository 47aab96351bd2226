"""Artifacts (seed 001 §10.2): what is rendered from kept claims, beside signals alone, reasoning for each request, and no evidence.

On a generated world preference is told from truth: the text that states more of what helps to answer the request, by grade, is preferred.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from loom.claims.drafting import row
from loom.claims.workspace import cited
from loom.core.claims.judging.asked import Brief, Cited, Inference, Inquiry, Known
from loom.core.claims.judging.given import Artifact
from loom.core.claims.judging.rendering import missing
from loom.core.claims.stored import CallRow
from loom.core.values import Json
from loom.lab.claims.tested import ALPHA, Gain, gain
from loom.lab.claims.workspace import Workspace
from loom.lab.claims.worlds.planted import Query, World
from loom.lab.statistics.bars import bar

HITS = 8
EVIDENCE = 24
HELPS = 2
"""The grade from which something helps to answer; 1 is on the topic and does not (seed 001 §10)."""
ON_TOPIC = 0.01
"""What such a source adds: it decides where nothing else does."""
MARGIN = 0.05
"""By how much citations may be less faithful than the best baseline's (the paper's number is lost)."""
ARMS = ("full", "signals", "reasoned", "nothing")
_MARKED = re.compile(r"\s*\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Preference:
    """Pairs that one side wins, without ties, held against chance."""

    wins: int
    losses: int
    ties: int

    @property
    def enough(self) -> bool:
        """Whether so many are decided that winning all of them would show it."""
        decided = self.wins + self.losses
        return bool(decided) and bar(0.50, 0.60, decided, ALPHA).successes is not None

    @property
    def significant(self) -> bool:
        decided = self.wins + self.losses
        found = bar(0.50, 0.60, decided, ALPHA).successes if decided else None
        return found is not None and self.wins >= found

    def as_json(self) -> dict[str, Json]:
        return {"wins": self.wins, "losses": self.losses, "ties": self.ties, "significant": self.significant}


@dataclass(frozen=True, slots=True)
class Artifacts:
    """`preconditions`: the share of cited claims with preconditions that print them all, which has to be 1."""

    requests: int
    preferred: Mapping[str, Preference]
    control: Preference
    precision: Mapping[str, float]
    recall: Mapping[str, float]
    guard: Gain
    preconditions: float
    with_preconditions: int
    price: Mapping[str, float]
    worth: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """By arm and request, where it was told from truth."""

    @property
    def kept(self) -> bool:
        faithful = self.guard.low > -MARGIN and self.preconditions == 1.0
        return all(each.significant for each in self.preferred.values()) and faithful and self.control.significant

    def as_json(self) -> dict[str, Json]:
        return {
            "requests": self.requests,
            "preferred": {name: each.as_json() for name, each in self.preferred.items()},
            "signals_over_nothing": self.control.as_json(),
            "citation_precision": dict(self.precision),
            "citation_recall": dict(self.recall),
            "fidelity_against_the_best_baseline": self.guard.as_json(),
            "preconditions_printed": self.preconditions,
            "claims_with_preconditions_cited": self.with_preconditions,
            "dollars_an_artifact": dict(self.price),
        }


async def artifacts(workspace: Workspace, world: World, requests: Sequence[Query]) -> Artifacts:
    """Each request through every arm. Nothing is tuned here, and nothing is written."""
    made = await workspace.copy()
    worth: dict[str, list[float]] = {arm: [] for arm in ARMS}
    faith: dict[str, list[tuple[float, float]]] = {arm: [] for arm in ARMS}
    price = dict.fromkeys(ARMS, 0.0)
    printed = had = 0
    texts = {each.text: each.id for each in world.claims}
    for request in requests:
        for arm in ARMS:
            cites, asked = await sources(made, request, arm)
            brief = Brief(request.text, "engineering", cites)
            judged = await made.judges.rendering.render(brief)
            price[arm] += sum(call.price for call in asked) + sum(call.price for call in judged.calls)
            worth[arm].append(worth_of(judged.value.text, cites, world.grades[request.id], texts))
            faith[arm].append(await faithful(made, judged.value, cites))
            if arm == "full":
                lacking = {number for number, _ in missing(judged.value.text, brief)}
                marks = [number for number, each in enumerate(cites, 1) if each.preconditions]
                had += len(marks)
                printed += sum(number not in lacking for number in marks)
    await made.aclose()
    fidelity = {arm: [(a + b) / 2 for a, b in faith[arm]] for arm in ARMS}
    best = max(("signals", "reasoned"), key=lambda arm: sum(fidelity[arm]))
    return Artifacts(
        len(requests),
        {arm: preferred(worth["full"], worth[arm]) for arm in ("reasoned", "signals")},
        preferred(worth["signals"], worth["nothing"]),
        {arm: _mean([a for a, _ in faith[arm]]) for arm in ARMS},
        {arm: _mean([b for _, b in faith[arm]]) for arm in ARMS},
        gain(fidelity["full"], fidelity[best]),
        printed / had if had else 1.0,
        had,
        {arm: each / max(1, len(requests)) for arm, each in price.items()},
        worth,
    )


def worth_of(text: str, cites: Sequence[Cited], grades: Mapping[str, int], claims: Mapping[str, str]) -> float:
    """What a text says that helps, by grade, and a little for what is on the topic. `claims` are ids by text."""
    said = [claims.get(each.text, each.id) for each in cites if each.text.removesuffix(".") in text]
    told = [grades.get(id, 0) for id in said]
    return sum(grade for grade in told if grade >= HELPS) + ON_TOPIC * sum(0 < grade < HELPS for grade in told)


async def sources(
    workspace: Workspace, request: Query, arm: str, penalty: float = 0.0
) -> tuple[tuple[Cited, ...], Sequence[CallRow]]:
    """What an arm may cite, and the calls that finding it took."""
    if arm == "nothing":
        return (), ()
    reading = await workspace.read(request.text, HITS, penalty=penalty, signals_only=arm != "full")
    if arm != "reasoned":
        return tuple(cited(each) for each in reading.hits), reading.calls
    more = await workspace.read(request.text, EVIDENCE, signals_only=True)
    judged = await workspace.judges.derivation.derive(
        Inquiry(request.text, tuple(Known(each.id, each.text) for each in more.hits))
    )
    derived = [Cited(f"derived:{at}", each.proposition, "proposed", each.preconditions) for at, each in enumerate(judged.value)]
    rest = [cited(each) for each in reading.hits]
    reasoned = [row(call, "once", "artifact", "") for call in judged.calls]
    return tuple([*derived, *rest][:HITS]), (*reading.calls, *more.calls, *reasoned)


async def faithful(workspace: Workspace, artifact: Artifact, sources: Sequence[Cited]) -> tuple[float, float]:
    """Citation precision and recall as ALCE has them: citations that their source entails, and statements that some citation does."""
    lines = [line for line in artifact.text.split("Sources\n")[0].splitlines() if _MARKED.search(line)]
    asked, owner = [], []
    for at, line in enumerate(lines):
        statement = _MARKED.sub("", line).lstrip("-*• ").strip()
        for mark in _MARKED.findall(line):
            if 0 < int(mark) <= len(sources):
                asked.append(Inference(sources[int(mark) - 1].text, statement))
                owner.append(at)
    if not asked:
        return 1.0, 1.0
    judged = await workspace.judges.entailment.entailed(asked)
    covered = {at for at, yes in zip(owner, judged.value, strict=True) if yes}
    return sum(judged.value) / len(asked), len(covered) / len(lines)


def preferred(one: Sequence[float], other: Sequence[float]) -> Preference:
    pairs = list(zip(one, other, strict=True))
    return Preference(sum(a > b for a, b in pairs), sum(a < b for a, b in pairs), sum(a == b for a, b in pairs))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
