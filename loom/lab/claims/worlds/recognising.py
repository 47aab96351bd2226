"""What the scripted projector of a world says of an axis that it has never seen: it looks at the prototypes of both ends, and takes the axis
for that of its own on which they lie farthest apart."""

from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256

from loom.core.claims.dimensions.contract import Contract
from loom.core.claims.judging.given import Placed
from loom.lab.claims.worlds.planted import World
from loom.lab.claims.worlds.tables import Tables
from loom.lab.claims.worlds.words import AXES

APART = 0.5
"""How far the prototypes of both ends lie apart, as a share of an axis, so that it is taken for that axis at all."""
NEAR = 0.3
BLUR = 0.05
"""By how much a place on a scale without steps is off at most."""


def recognise(tables: Tables, contract: Contract, texts: Iterable[str], alike: Mapping[str, str]) -> None:
    """Writes down where each text lies on an axis from 0 to 1. `alike` are texts that say the same as another. On an axis that is none of
    its own it places nothing."""
    known: dict[str, dict[str, float]] = {}
    for name, levels in AXES:
        steps = len(levels) - 1
        places = {text: each.value for (axis, text), each in tables.values.items() if axis == name}
        known[name] = {text: levels.index(value) / steps for text, value in places.items() if value in levels}
    best, apart = "", 0.0
    for name, lies in known.items():
        ends = [[lies[one.text] for one in contract.prototypes if one.value == end and one.text in lies] for end in (0.0, 1.0)]
        if all(ends):
            found = sum(ends[1]) / len(ends[1]) - sum(ends[0]) / len(ends[0])
            best, apart = (name, found) if abs(found) > abs(apart) else (best, apart)
    if abs(apart) < APART:
        return
    for text in texts:
        same = alike.get(text, text)
        place = known[best].get(same)
        if place is not None:
            off = BLUR * (sha256(f"{contract.name}\n{same}".encode()).digest()[0] / 127.5 - 1.0)
            placed = min(1.0, max(0.0, (place if apart > 0 else 1.0 - place) + off))
            tables.values[contract.name, text] = Placed(round(placed, 6), 1.0)
    # Shown its examples, a projector gives each the value that it is an example of.
    for one in contract.prototypes:
        tables.values[contract.name, one.text] = Placed(float(one.value), 1.0)


def would_compare(world: World) -> Callable[[str, str, float, float], bool]:
    """Raters who know where claims lie: they would use an axis on which two are about as far apart as on one of their own."""
    lies = {each.text: [levels.index(each.places[name]) / (len(levels) - 1) for name, levels in AXES] for each in world.claims}

    def rate(one: str, other: str, here: float, there: float) -> bool:
        known = zip(lies.get(one, ()), lies.get(other, ()), strict=True)
        return any(abs(abs(a - b) - abs(here - there)) <= NEAR for a, b in known)

    return rate
