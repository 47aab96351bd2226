"""Scoring: what was shown, what answers name of it, and the counts and figures that follow; no model is asked."""

from loom.lab.scoring.decomposition import Decomposition, decomposed, of_counts
from loom.lab.scoring.library import ceiling, decompose
from loom.lab.scoring.scored import Scored, Scorer, score
from loom.lab.scoring.scores import Scores, scored_file
from loom.lab.scoring.shards import scored_rows

__all__ = [
    "Decomposition",
    "Scored",
    "Scorer",
    "Scores",
    "ceiling",
    "decompose",
    "decomposed",
    "of_counts",
    "score",
    "scored_file",
    "scored_rows",
]
