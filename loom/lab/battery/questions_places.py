"""Questions about content: scenes word for word, what happens at a position, people of two shows (S5, R5q, U3)."""

from collections.abc import Iterator, Sequence

from loom.lab.battery.question import BatteryQuestion
from loom.lab.battery.questions_common import ask, share, shows
from loom.lab.battery.truth import Subject, TranscriptTruth, Truth, UnitTruth

SCENE = {
    "it": "Che cosa si dicono, parola per parola, {x} e {y} nella scena in {place} di {a}?",
    "en": "What do {x} and {y} say to each other, word for word, in the {place} scene of {a}?",
}
HAPPENED = {"it": "Che cosa succede al secondo {p} di {a}?", "en": "What happens at second {p} of {a}?"}
HAPPENED_CLOCK = {"it": "Che cosa accade in {a} a [{p}]?", "en": "What is going on in {a} at [{p}]?"}
AROUND = {"it": "Che cosa succede intorno al secondo {p} di {a}?", "en": "What happens around second {p} of {a}?"}
AT_PEAK = {
    "it": "Che cosa stava succedendo in {a} quando la quota di ascolto ha toccato il massimo?",
    "en": "What was happening in {a} when its audience share peaked?",
}
PERSON = {"it": "Che cosa dice {x} in {a}?", "en": "What does {x} say in {a}?"}
WINDOW = 30


def places(truth: Truth) -> Iterator[BatteryQuestion]:
    for number, one in enumerate(shows(truth), 1):
        yield from _of(truth, one, str(number))
    shared = [one for one in shows(truth) if truth.names.shared in one.people]
    for one in shared:
        yield _person(truth, one, next(other for other in shared if other is not one))


def spoken(tape: TranscriptTruth, who: str) -> list[str]:
    return [unit.text for unit in tape.units if unit.text.startswith(who.upper())]


def _of(truth: Truth, one: Subject, number: str) -> Iterator[BatteryQuestion]:
    language = next(iter(one.names))
    name = one.name(language)
    tape = truth.tape(one.base, one.id)
    path = (f"{tape.base}/{tape.path}",)
    others = [other for other in truth.transcripts if other is not tape]
    quotes = [quote for other in others if other.scene for quote in other.scene.quotes]
    scene = tape.scene
    assert scene is not None, "every programme has a scene"
    yield ask(
        f"S5-{number}", "verbatim scene", language,
        SCENE[language].format(x=scene.people[0], y=scene.people[1], place=scene.place, a=name),
        needle=[(quote,) for quote in scene.quotes], forbidden=quotes, bases=(one.base,), sources=path,
        more={"hydrate": path[0], "between": _stretch(tape, scene.quotes)},
    )  # fmt: skip
    series = share(truth, one)
    asked = series.asked
    assert asked is not None, "a row of every programme is asked for"
    for tail, form, second in (("", HAPPENED, int(asked.at)), ("-clock", HAPPENED_CLOCK, int(series.min.at))):
        place = f"{second // 60:02d}:{second % 60:02d}" if form is HAPPENED_CLOCK else str(second)
        yield ask(
            f"R5q-{number}{tail}", "content at a position", language, form[language].format(p=place, a=name),
            aligned=(_unit(tape, second),), forbidden=_elsewhere(others, second), bases=(one.base,), sources=path,
        )  # fmt: skip
    peak = int(series.max.at)
    yield ask(
        f"R5q-{number}-peak", "content at a peak", language, AT_PEAK[language].format(a=name),
        aligned=(_unit(tape, peak),), forbidden=_elsewhere(others, peak), bases=(one.base,), sources=(*path, f"{series.base}/{series.path}"),
    )  # fmt: skip
    near = [unit for unit in tape.units if unit.start < peak + WINDOW and (unit.end is None or unit.end > peak - WINDOW)]
    yield ask(
        f"R5q-{number}-around", "content around a position", language, AROUND[language].format(p=peak, a=name),
        needle=[(unit.text,) for unit in near], forbidden=_elsewhere(others, peak), bases=(one.base,), sources=path,
    )  # fmt: skip


def _stretch(tape: TranscriptTruth, quotes: Sequence[str]) -> list[int | None]:
    """From where to where the quotes are said."""
    units = [unit for unit in tape.units if any(quote in unit.text for quote in quotes)]
    return [units[0].start, units[-1].end]


def _unit(tape: TranscriptTruth, second: int) -> tuple[tuple[str, ...], ...]:
    unit = tape.at(second)
    assert unit is not None, "something happens at every second that is asked for"
    return (unit.text,), _label(unit)


def _label(unit: UnitTruth) -> tuple[str, ...]:
    return unit.label.strip("[]"), str(unit.start)


def _elsewhere(others: list[TranscriptTruth], second: int) -> list[str]:
    """What is said elsewhere at the same second."""
    return [unit.text for other in others if (unit := other.at(second)) is not None]


def _person(truth: Truth, one: Subject, other: Subject) -> BatteryQuestion:
    language = next(iter(one.names))
    who = truth.names.shared
    tape = truth.tape(one.base, one.id)
    return ask(
        f"U3-{language}", "person of two shows", language, PERSON[language].format(x=who, a=one.name(language)),
        needle=(tuple(spoken(tape, who)),), forbidden=spoken(truth.tape(other.base, other.id), who),
        bases=(one.base,), sources=(f"{tape.base}/{tape.path}",),
    )  # fmt: skip
