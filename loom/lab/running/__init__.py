"""Running a study: every request is paid for once, kept, and found again after a run that was broken off."""

from loom.lab.running.answered import answered
from loom.lab.running.asker import BookAsker
from loom.lab.running.tally import Tally

__all__ = ["BookAsker", "Tally", "answered"]
