"""Artifacts on a real workspace (seed 001 §10.2): the same requests through every arm, citations and preconditions checked, and the pairs
that people rate, blind to which is which. Their preferences come back as labels."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from loom.claims.drafting import row
from loom.core.claims.judging.asked import Brief
from loom.core.claims.judging.rendering import missing
from loom.core.claims.stored import CallRow
from loom.core.values import Json
from loom.lab.claims.artifacts import Artifacts, Preference, faithful, sources
from loom.lab.claims.real.pricing import Till
from loom.lab.claims.tested import gain
from loom.lab.claims.workspace import Workspace
from loom.lab.claims.worlds.planted import Labelled, Query

ARMS = ("full", "signals", "reasoned", "nothing")
PAIRS = {"reasoned": ("full", "reasoned"), "signals": ("full", "signals"), "nothing": ("signals", "nothing")}
"""What is rated, by the arm that a label names: kept claims beside either baseline, and the control, signals beside no evidence."""
BASELINES = ("reasoned", "signals")


@dataclass(frozen=True, slots=True)
class Rendered:
    """`artifacts` as the verdicts read them; `texts` by request and arm, `calls` by arm and request."""

    artifacts: Artifacts
    requests: Sequence[Labelled]
    texts: Mapping[str, Mapping[str, str]]
    calls: Mapping[str, Sequence[Sequence[CallRow]]]

    def to_rate(self) -> Iterator[dict[str, Json]]:
        """The pairs for raters, without the list of what is cited. Which of the two is which, `firstly` says."""
        for each in self.requests:
            for arm, pair in PAIRS.items():
                mine, other = (self.texts[each.id][one].partition("\n\nSources\n")[0] for one in pair)
                one, two = (mine, other) if firstly(each.id, arm) else (other, mine)
                yield {"request": each.id, "text": each.text, "against": arm, "first": one, "second": two}


def firstly(request: str, arm: str) -> bool:
    """Whether the text of the arm that is tested stands first in a pair: it follows from the pair alone."""
    return sha256(f"{request}\n{arm}".encode()).digest()[0] % 2 == 0


async def rendered(
    workspace: Workspace,
    requests: Sequence[Labelled],
    audiences: Mapping[str, str],
    preferred: Mapping[tuple[str, str], str],
    penalty: float,
    till: Till,
    seed: int,
) -> Rendered:
    """On a copy that nothing is written to. Fidelity is judged by the workspace's judge of entailment."""
    texts: dict[str, dict[str, str]] = {each.id: {} for each in requests}
    calls: dict[str, list[Sequence[CallRow]]] = {arm: [] for arm in ARMS}
    faith: dict[str, list[tuple[float, float]]] = {arm: [] for arm in ARMS}
    printed = had = 0
    for each in requests:
        query = Query(each.id, each.text, each.group, "", 0, "", "")
        for arm in ARMS:
            cites, asked = await sources(workspace, query, arm, penalty)
            brief = Brief(each.text, audiences.get(each.id, ""), cites)
            judged = await workspace.judges.rendering.render(brief)
            texts[each.id][arm] = judged.value.text
            calls[arm].append([*asked, *(row(call, "once", "artifact", "") for call in judged.calls)])
            faith[arm].append(await faithful(workspace, judged.value, cites))
            if arm == "full":
                lacking = {number for number, _ in missing(judged.value.text, brief)}
                marks = [
                    number for number, one in enumerate(cites, 1) if one.preconditions and one.id in judged.value.citations
                ]
                had += len(marks)
                printed += sum(number not in lacking for number in marks)
    fidelity = {arm: [(a + b) / 2 for a, b in faith[arm]] for arm in ARMS}
    best = max(BASELINES, key=lambda arm: sum(fidelity[arm]))
    found = Artifacts(
        len(requests),
        {arm: _preference(requests, arm, preferred) for arm in BASELINES},
        _preference(requests, "nothing", preferred),
        {arm: _mean([a for a, _ in faith[arm]]) for arm in ARMS},
        {arm: _mean([b for _, b in faith[arm]]) for arm in ARMS},
        gain(fidelity["full"], fidelity[best], seed=seed),
        printed / had if had else 1.0,
        had,
        {arm: sum(till.cost(each) for each in calls[arm]) / max(1, len(requests)) for arm in ARMS},
    )
    return Rendered(found, requests, texts, calls)


def _preference(requests: Sequence[Labelled], arm: str, preferred: Mapping[tuple[str, str], str]) -> Preference:
    wins = losses = ties = 0
    for each in requests:
        said = preferred.get((each.id, arm))
        if said == "tie":
            ties += 1
        elif said is not None:
            won = (said == "first") == firstly(each.id, arm)
            wins, losses = wins + won, losses + (not won)
    return Preference(wins, losses, ties)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
