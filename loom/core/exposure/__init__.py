"""Exposure accounting: deterministic, without a model."""

from loom.core.exposure.ceiling import Ceilings, CopyAccount, CopyCeiling, Counts
from loom.core.exposure.count import Exposure, beyond, of_block, of_gold, shown_names
from loom.core.exposure.names import READERS, hit

__all__ = [
    "READERS",
    "Ceilings",
    "CopyAccount",
    "CopyCeiling",
    "Counts",
    "Exposure",
    "beyond",
    "hit",
    "of_block",
    "of_gold",
    "shown_names",
]
