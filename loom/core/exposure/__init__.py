"""Exposure accounting: deterministic, without a model."""

from loom.core.exposure.count import Exposure, beyond, of_block, of_gold, shown_names
from loom.core.exposure.names import READERS, hit

__all__ = ["READERS", "Exposure", "beyond", "hit", "of_block", "of_gold", "shown_names"]
