"""The battery of deterministic facts: ten knowledge bases drawn from a seed, what is true of them, questions that are derived from
that, the contexts that every arm gives them, and what is right and wrong with those (seed 003 §8)."""

from loom.lab.battery.arm import ARMS, Arm
from loom.lab.battery.checking import Checked, checked
from loom.lab.battery.contexts import Bench, Context, Contexts
from loom.lab.battery.corpus import Corpus, corpus, write
from loom.lab.battery.question import BatteryQuestion, read
from loom.lab.battery.questions import BATTERY, questions
from loom.lab.battery.running import Battery
from loom.lab.battery.scoring import Score, answered, scored
from loom.lab.battery.truth import Truth

__all__ = [
    "ARMS",
    "BATTERY",
    "Arm",
    "Battery",
    "BatteryQuestion",
    "Bench",
    "Checked",
    "Context",
    "Contexts",
    "Corpus",
    "Score",
    "Truth",
    "answered",
    "checked",
    "corpus",
    "questions",
    "read",
    "scored",
    "write",
]
