"""Arms and controls: what a study shows for each question, measured before any model is asked (lab.md, Arms; seed §5.4, §10.7)."""

from loom.lab.arms.arm import ARMS, chosen
from loom.lab.arms.measured import measured
from loom.lab.arms.planned import Planned, plan_arms

__all__ = ["ARMS", "Planned", "chosen", "measured", "plan_arms"]
