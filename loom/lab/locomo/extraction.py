"""What a model's spans decide: was the scoped index blind to the traps because of its scope, or because its extractor was weak?

Seed 004, "What would settle it", 4. The rule-based extractor loses reach on both halves against the flat index, with all hits taken. A
model's spans win back a share of each loss. If they win back the answerable half alone, scope costs nothing; if they win back the
adversarial half, too, the blindness was the extractor's.
"""

from collections.abc import Mapping

from loom.core.values import Json
from loom.lab.locomo.arms import ARMS
from loom.lab.locomo.bench import UNBOUNDED, Bench, Outcome
from loom.lab.locomo.figures import mean
from loom.lab.locomo.intervals import halves_of
from loom.lab.locomo.model_spans import PROMPT, READ, Extracted
from loom.lab.locomo.model_views import MODEL_GRAPH

WON = 0.5
"""The share of a loss from which on it counts as won back."""
UNREAD = 0.05
"""Where more of the turns are without a reply that can be read, nothing is decided: missing spans look like blindness."""

FREE = "Subject scope costs nothing: a model's spans win back the answerable reach and stay blind to the traps."
ACCIDENT = "The blindness was the extractor's: a model's spans reach the traps as well, and the published result is an accident of weak rules."
SCOPE = "The loss of reach is the scope's: a model's spans win back neither half, so better extraction does not mend it."
WORSE = "Against the scope: a model's spans reach the traps, and win back no answerable reach."
UNDECIDED = "Nothing is decided: "


def extraction(bench: Bench, extracted: Extracted) -> dict[str, Json]:
    """How the extraction went, reach by half at the arms' hits and with all, and the verdict. The model's arms are ranked already."""
    reach: dict[str, Json] = {}
    gaps: dict[str, Json] = {}
    for name, changes in (("k", {}), ("all", {"k": UNBOUNDED, "floor": 0.0})):
        rules, model = (bench.outcome(arm, **changes) for arm in (ARMS["graph"], MODEL_GRAPH))
        reach[name] = {
            "vector": _reach(bench, bench.outcome(ARMS["vector"], **changes)),
            "graph": _reach(bench, rules),
            "model-graph": _reach(bench, model),
        }
        gaps[name] = halves_of(bench, model.reach - rules.reach)
    won = {half: won_back(reach["all"], half) for half in ("answerable", "adversarial")}
    return {
        "model": extracted.model,
        "prompt": PROMPT,
        **extracted.counts,
        "reach": reach,
        "model-graph − graph": gaps,
        "won back": won,
        "verdict": verdict(extracted.counts, won),
    }


def _reach(bench: Bench, outcome: Outcome) -> dict[str, float | None]:
    yes = bench.answerable
    return {"answerable": mean(outcome.reach, yes), "adversarial": mean(outcome.reach, ~yes)}


def won_back(reach: Mapping[str, Mapping[str, float | None]], half: str) -> float | None:
    """The share of what the rules lose against the flat index that the model's spans win back; below 0 where they lose more. None where
    the half has no question, or the rules lose nothing there."""
    flat, rules, model = (reach[arm][half] for arm in ("vector", "graph", "model-graph"))
    if flat is None or rules is None or model is None or flat - rules <= 1e-9:
        return None
    return (model - rules) / (flat - rules)


def verdict(counts: Mapping[str, int], won: Mapping[str, float | None]) -> str:
    """The sentence that the reach decides."""
    asked = counts["turns"] - counts["no sentence"]
    unread = asked - counts[READ]
    if unread > UNREAD * asked:
        return f"{UNDECIDED}{unread:,} of {asked:,} turns are without spans, since no reply to them could be read."
    answerable, adversarial = won["answerable"], won["adversarial"]
    if answerable is None or adversarial is None:
        return f"{UNDECIDED}on one half the rules lose no reach that could be won back."
    if adversarial >= WON:
        return ACCIDENT if answerable >= WON else WORSE
    return FREE if answerable >= WON else SCOPE
