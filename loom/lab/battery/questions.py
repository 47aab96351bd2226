"""The questions of the battery, derived from what is true of a corpus: nothing in them is written down twice."""

from dataclasses import replace

from loom.lab.battery.directives import replies
from loom.lab.battery.question import BatteryQuestion
from loom.lab.battery.questions_absent import absent
from loom.lab.battery.questions_common import ask
from loom.lab.battery.questions_mesh import mesh
from loom.lab.battery.questions_places import places
from loom.lab.battery.questions_turns import turns
from loom.lab.battery.questions_values import values
from loom.lab.battery.truth import Truth

BATTERY = (
    "S1", "S2", "S3", "S4", "S5", "S6", "R1q", "R5q", "U3", "X1", "X2", "X3", "X4", "N1", "N2", "N3", "N4", "A1", "M1", "T1", "V1",
    "P1", "C1", "K1", "B1", "L1", "H1",
)  # fmt: skip
"""The ids of the battery, in the order in which they are reported (specs: seed 003 §8)."""
CONCURRENT = 64
LOADED = ("S1-1", "S2-1", "S4-en", "S5-1", "S6-it", "R5q-3-peak", "N4-1", "V1-en", "M1-en", "B1-en")
"""Questions that are asked at once, which have to be given what they are given alone."""


def questions(truth: Truth) -> tuple[BatteryQuestion, ...]:
    """All questions of a corpus, by the battery's order."""
    made = [*values(truth), *places(truth), *absent(truth), *turns(truth), *mesh(truth)]
    known = {one.id: one for one in made}
    asked = {"replies": [one.as_json() for one in replies(truth)]}
    made.append(
        replace(
            known["S1-1"],
            id="L1",
            battery="L1",
            kind="concurrent load",
            same_as="S1-1",
            same="context",
            more={"concurrent": CONCURRENT, "of": list(LOADED)},
        )
    )
    made.append(ask("H1", "malformed directives", "en", known["S5-3"].prompt, more=asked))
    return tuple(sorted(made, key=lambda one: BATTERY.index(one.battery)))
