"""Conversations: a follow-up that points back, and one that stands by itself (A1)."""

from collections.abc import Iterator

from loom.lab.battery.question import BatteryQuestion
from loom.lab.battery.questions_common import ask, extremes, share, shows, source, told
from loom.lab.battery.questions_values import LEAST, PEAK
from loom.lab.battery.truth import Subject, Truth

CITED = "[source: {}]"
"""How lines of evidence, and answers after them, cite a file by its name in the inventory."""
SAID = {"it": "Il massimo è stato {value} al secondo {at}.", "en": "The peak was {value} at second {at}."}
BACK = {"it": "E il suo minimo, quando è stato?", "en": "And its minimum, when was that?"}


def turns(truth: Truth) -> Iterator[BatteryQuestion]:
    one, two, three, four = shows(truth)
    for language, first, other in (("it", one, two), ("en", three, four)):
        series = share(truth, first)
        said = SAID[language].format(value=series.max.value, at=series.max.at)
        before = (
            ("user", PEAK[language].format(a=first.name(language))),
            ("assistant", f"{said} {CITED.format(series.path)}"),
        )
        yield ask(
            f"A1-{language}-back", "follow-up that points back", language, BACK[language], before=before,
            aligned=(told(series.min),), forbidden=extremes(truth, but=[first]), bases=(first.base,), sources=(source(series),),
        )  # fmt: skip
        twin = f"A1-{language}-twin"
        yield _alone(truth, other, language, twin, "the same without history")
        yield _alone(truth, other, language, f"A1-{language}-alone", "follow-up that stands by itself", before, twin)


def _alone(
    truth: Truth,
    one: Subject,
    language: str,
    id: str,
    kind: str,
    before: tuple[tuple[str, str], ...] = (),
    same_as: str = "",
) -> BatteryQuestion:
    series = share(truth, one)
    return ask(
        id, kind, language, LEAST[language].format(a=one.name(language)), before=before, aligned=(told(series.min),),
        forbidden=extremes(truth, but=[one]), bases=(one.base,), sources=(source(series),),
        same_as=same_as, same="context" if same_as else "",
    )  # fmt: skip
