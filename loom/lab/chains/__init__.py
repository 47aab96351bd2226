"""Chains of two edges: whether a model composes what two units state, or takes what one of them shows (paper, Appendix C)."""

from loom.lab.chains.arms import ARMS, showings
from loom.lab.chains.chain import Chain, read, write
from loom.lab.chains.contrast import Delta, Rate, Result, contrasted
from loom.lab.chains.mining import Mined, mine
from loom.lab.chains.scoring import ChainScore, score

__all__ = [
    "ARMS",
    "Chain",
    "ChainScore",
    "Delta",
    "Mined",
    "Rate",
    "Result",
    "contrasted",
    "mine",
    "read",
    "score",
    "showings",
    "write",
]
