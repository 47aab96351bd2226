"""The battery of deterministic facts: ten knowledge bases drawn from a seed, what is true of them, and questions that are derived from
that (seed 003 §8)."""

from loom.lab.battery.corpus import Corpus, corpus, write
from loom.lab.battery.question import BatteryQuestion, read
from loom.lab.battery.questions import BATTERY, questions
from loom.lab.battery.scoring import Score, answered, scored
from loom.lab.battery.truth import Truth

__all__ = [
    "BATTERY",
    "BatteryQuestion",
    "Corpus",
    "Score",
    "Truth",
    "answered",
    "corpus",
    "questions",
    "read",
    "scored",
    "write",
]
