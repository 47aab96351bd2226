"""The words of a world. Every aspect has two words, and a synonym of each: texts that mean the same need share none."""

from random import Random

ASPECTS: tuple[tuple[tuple[str, str], tuple[str, str]], ...] = (
    (("cost", "expense"), ("budget", "funds")),
    (("delay", "lag"), ("schedule", "timetable")),
    (("noise", "din"), ("vibration", "tremor")),
    (("supply", "provision"), ("stock", "inventory")),
    (("safety", "protection"), ("hazard", "peril")),
    (("staff", "personnel"), ("rota", "roster")),
    (("training", "schooling"), ("skill", "proficiency")),
    (("transport", "haulage"), ("route", "itinerary")),
    (("energy", "power"), ("heating", "warmth")),
    (("contract", "agreement"), ("clause", "provisos")),
    (("repair", "mending"), ("outage", "blackout")),
    (("audit", "inspection"), ("record", "ledgerbook")),
)
CUES = ("procurement", "operations", "annexation")
"""A word of each domain, in some of the texts that belong to it."""
TELLING = {"retrieve": ("show", "find", "list"), "reason": ("why", "compare", "weigh"), "author": ("write", "draft", "compose")}
"""Words of a request that tell what it wants."""
LEVELS = ("negligible", "minor", "moderate", "serious", "severe")
AXES = (("severity", LEVELS),)
MEANING = {other: word for aspect in ASPECTS for word, other in aspect}
"""The word that a synonym stands for."""
_FIRST = ("Arlen", "Borth", "Calder", "Dunmore", "Elstow", "Farley", "Garrick", "Holme", "Ivybridge", "Jarrow")
_SECOND = ("Mill", "Quay", "Yard", "Works", "Depot", "Wharf", "Tower", "Plant", "House", "Bridge")
_PARTS = (
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "ka",
    "le",
    "mi",
    "no",
    "pu",
    "ra",
    "se",
    "ti",
    "vo",
    "zu",
    "bre",
    "cla",
    "dro",
    "fli",
    "gru",
)


def entity(number: int) -> str:
    """The name of an entity: two words that no other has."""
    turn, place = divmod(number, len(_FIRST))
    return f"{_FIRST[place]}{turn or ''} {_SECOND[place]}{turn or ''}"


class Fillers:
    """Words that mean nothing, each given once."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._given: set[str] = set()

    def __call__(self) -> str:
        while True:
            word = "".join(self._random.choice(_PARTS) for _ in range(4))
            if word not in self._given:
                self._given.add(word)
                return word
