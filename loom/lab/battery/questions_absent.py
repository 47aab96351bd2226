"""Questions about what is not there: nobody's programmes, metrics, relations and positions (S4, N1 to N4)."""

from collections.abc import Iterator

from loom.lab.battery.question import BatteryQuestion, Needle
from loom.lab.battery.questions_common import ask, called, extremes, share, shows
from loom.lab.battery.questions_values import AT, PEAK
from loom.lab.battery.truth import Truth

NO_SOURCE: Needle = ("No source named",)
NO_VALUE: Needle = ("has no value of",)
NO_CONTENT: Needle = ("has no content",)
NO_RELATION: Needle = ("Nothing is recorded that relates",)
ARTICLES = ("Il", "La", "I", "The")
CAST = {"it": "Chi recita nel programma “{a}”?", "en": "Who plays in the programme “{a}”?"}
UNTRANSLATED = "Qual è stato il massimo della quota di ascolto del programma {a}?"
AT_SECOND = {"it": "Che cosa succede al secondo {p} di {a}?", "en": "What happens at second {p} of {a}?"}


def absent(truth: Truth) -> Iterator[BatteryQuestion]:
    every = extremes(truth)
    for language, name in truth.names.absent.items():
        note = ((NO_SOURCE, unowned(name)),)
        yield ask(f"S4-{language}", "absent programme", language, PEAK[language].format(a=name), aligned=note, forbidden=every)
        yield ask(f"N1-{language}", "absent entity", language, CAST[language].format(a=name), aligned=note, forbidden=every)
    name = truth.names.untranslated
    yield ask(
        "N1-untranslated", "name in a language without an alias", "it", UNTRANSLATED.format(a=name),
        aligned=((NO_SOURCE, unowned(name)),), forbidden=every,
    )  # fmt: skip
    yield from _metric(truth)
    yield from _position(truth)


def unowned(name: str) -> Needle:
    """A name with and without the article that it begins with, which a sentence may take for its own."""
    first, _, rest = name.partition(" ")
    return (name, rest) if first in ARTICLES else (name,)


def _metric(truth: Truth) -> Iterator[BatteryQuestion]:
    one = shows(truth)[2]
    loads = [point.value for series in truth.series if series.metric == "load" for point in (series.max, series.min)]
    shares = [point.value for point in share(truth, one).points]
    name = one.name("en")
    yield ask(
        "N2-elsewhere", "metric of another base", "en", f"What was the highest viral load of {name}?",
        aligned=((NO_VALUE, called(one), ("viral load",)),), forbidden=loads, unsaid=shares,
    )  # fmt: skip
    yield ask(
        "N2-nowhere", "metric of no base", "en", f"What was the highest {truth.names.absent_metric} of {name}?",
        forbidden=extremes(truth, but=[one]), unsaid=shares,
    )  # fmt: skip
    case = next(series for series in truth.series if series.base == "clinic").title.removesuffix(" laboratory values")
    yield ask(
        "N3", "relation that nobody recorded", "en",
        f"Is there a correlation between the audience share of {name} and the haemoglobin of {case}?",
        aligned=((NO_RELATION, called(one), (case,)),), forbidden=extremes(truth, but=[one]),
    )  # fmt: skip


def _position(truth: Truth) -> Iterator[BatteryQuestion]:
    for number, one in enumerate(shows(truth), 1):
        language = next(iter(one.names))
        name = one.name(language)
        tape, series = truth.tape(one.base, one.id), share(truth, one)
        assert tape.gap is not None, "every transcript has a gap"
        begins, ends = tape.gap
        second = (begins + ends) // 2
        others = [other.at(second) for other in truth.transcripts if other is not tape]
        around = [unit.text for unit in tape.units if unit.end == begins or unit.start == ends]
        yield ask(
            f"N4-{number}", "position in a gap", language, AT_SECOND[language].format(p=second, a=name),
            aligned=((NO_CONTENT, called(one), (str(second),)),), forbidden=[unit.text for unit in others if unit],
            unsaid=around, bases=(one.base,), sources=(f"{tape.base}/{tape.path}",),
        )  # fmt: skip
        hole = series.holes[0]
        yield ask(
            f"N4-{number}-row", "row without a number", language, AT[language].format(p=hole, a=name),
            aligned=((NO_VALUE, called(one), (hole,)),), unsaid=[point.value for point in series.points],
            bases=(one.base,), sources=(f"{series.base}/{series.path}",),
        )  # fmt: skip
