"""The wrapper ablation (§17 iii): the same block under other sentences, and what becomes of the gold that it does not expose."""

from loom.lab.wrapping.outcome import OUTCOMES, outcome
from loom.lab.wrapping.planned import PREFIX, WRAPPERS_ASKED, omitted, plan_wrappers
from loom.lab.wrapping.scored import Scored, score

__all__ = ["OUTCOMES", "PREFIX", "WRAPPERS_ASKED", "Scored", "omitted", "outcome", "plan_wrappers", "score"]
