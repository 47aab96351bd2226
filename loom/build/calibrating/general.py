"""General questions by group (`loom/build/general/*.txt`), and which of the groups a corpus is about."""

from functools import cache
from importlib.resources import files
from statistics import median

from loom.core.retrieval.look import content
from loom.core.retrieval.text import TextIndex

APART = 4.0
"""How many median deviations above the median the lean of a group is that a corpus is about."""


@cache
def groups() -> dict[str, tuple[str, ...]]:
    """The questions of each group, in the order of its file."""
    folder = files("loom.build").joinpath("general")
    texts = sorted((each for each in folder.iterdir() if each.name.endswith(".txt")), key=lambda each: each.name)
    return {each.name.removesuffix(".txt"): tuple(each.read_text(encoding="utf-8").splitlines()) for each in texts}


def apart_from(index: TextIndex) -> dict[str, tuple[str, ...]]:
    """The groups that a corpus is not about: those whose words it does not use far more than it uses those of the other groups."""
    leans = {name: _lean(index, questions) for name, questions in groups().items()}
    middle = median(leans.values())
    spread = median(abs(lean - middle) for lean in leans.values())
    return {name: questions for name, questions in groups().items() if leans[name] <= middle + APART * spread}


def _lean(index: TextIndex, questions: tuple[str, ...]) -> float:
    said = [word for question in questions for word in content(index, question) if not word.word.isdigit()]
    return sum(word.lean * word.rarity for word in said) / max(1, len(said))
