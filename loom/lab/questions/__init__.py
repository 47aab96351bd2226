"""Question sets that a generation states the answers to: T-REL, T-TAX and T-COMMON (paper §9, Study 1; reference §10)."""

from loom.lab.questions.check import Checked, checked
from loom.lab.questions.generate import TEMPLATES, Generated, generate

__all__ = ["TEMPLATES", "Checked", "Generated", "checked", "generate"]
