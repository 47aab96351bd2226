"""Choice tasks: a baseline without a judge beside a judge's accuracy, tuned to its true optimum and read by population (§15)."""

from loom.lab.choice.compared import Compared, compare
from loom.lab.choice.ranking import Ranked, rank
from loom.lab.choice.task import Choice, Option, read
from loom.lab.choice.threshold import Tuned, tune

__all__ = ["Choice", "Compared", "Option", "Ranked", "Tuned", "compare", "rank", "read", "tune"]
