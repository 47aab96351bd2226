"""Questions about values: peaks, minima, comparisons, values at positions, and the same asked otherwise (S1 to S3, S6, R1q, X1 to X4)."""

from collections.abc import Iterator

from loom.lab.battery.question import BatteryQuestion
from loom.lab.battery.questions_common import ask, beside, called, difference, extremes, share, shows, source, told
from loom.lab.battery.truth import Subject, Truth

PEAK = {
    "it": "Qual è stato il massimo della quota di ascolto di {a}, e a che secondo?",
    "en": "What was the peak audience share of {a}, and at which second?",
}
PEAK_OTHERWISE = {
    "it": "A che secondo la quota di ascolto di {a} ha toccato il picco, e quanto valeva?",
    "en": "When did the audience share of {a} reach its highest value, and how high was it?",
}
LEAST = {
    "it": "Qual è stato il minimo della quota di ascolto di {a}, e quando?",
    "en": "What was the lowest audience share of {a}, and when?",
}
LEAST_OTHERWISE = {
    "it": "Quando la quota di ascolto di {a} è stata più bassa, e di quanto?",
    "en": "At which second did {a} have its minimum audience share, and how much was it?",
}
COMPARED = {
    "it": "Confronta il massimo della quota di ascolto di {a} e di {b}: quale è più alto, e di quanto?",
    "en": "Compare the peak audience share of {a} and {b}: which is higher, and by how much?",
}
COMPARED_OTHERWISE = {
    "it": "Tra {a} e {b}, chi ha avuto il picco più alto della quota di ascolto, e con quale differenza?",
    "en": "Between {a} and {b}, whose maximum audience share was higher, and what is the difference?",
}
AT = {
    "it": "Qual era la quota di ascolto di {a} al secondo {p}?",
    "en": "What was the audience share of {a} at second {p}?",
}
AT_CLOCK = {
    "it": "Che quota di ascolto aveva {a} a [{p}]?",
    "en": "What audience share did {a} have at [{p}]?",
}
EVERYTHING = {
    "it": "Riporta tutto ciò che si sa degli ascolti in {base}: quota di ascolto e spettatori.",
    "en": "Report everything that is known about ratings in {base}: audience share and viewers.",
}


def values(truth: Truth) -> Iterator[BatteryQuestion]:
    programmes = shows(truth)
    for number, one in enumerate(programmes, 1):
        yield from _one(truth, one, str(number))
    yield from _elsewhere(truth)
    yield from _compared(truth, programmes)
    for base in ("broadcast-it", "broadcast-uk"):
        yield from _everything(truth, base)
    yield from _otherwise(truth, programmes)


def language_of(one: Subject) -> str:
    return next(iter(one.names))


def _peak(
    truth: Truth, one: Subject, id: str, kind: str, language: str, form: dict[str, str], same_as: str = ""
) -> BatteryQuestion:
    series = share(truth, one)
    return ask(
        id, kind, language, form[language].format(a=one.name(language)),
        aligned=(told(series.max),),
        forbidden=(*extremes(truth, but=[one]), *beside(truth, series.max.at, but=[one])),
        unsaid=(one.said, one.rumoured, series.near),
        above=((series.max.value, one.said),),
        bases=(one.base,), sources=(source(series),), same_as=same_as, same="facts" if same_as else "",
    )  # fmt: skip


def _least(
    truth: Truth, one: Subject, id: str, kind: str, language: str, form: dict[str, str], same_as: str = ""
) -> BatteryQuestion:
    series = share(truth, one)
    return ask(
        id, kind, language, form[language].format(a=one.name(language)),
        aligned=(told(series.min),), forbidden=extremes(truth, but=[one]),
        bases=(one.base,), sources=(source(series),), same_as=same_as, same="facts" if same_as else "",
    )  # fmt: skip


def _at(
    truth: Truth, one: Subject, id: str, kind: str, language: str, form: dict[str, str], same_as: str = ""
) -> BatteryQuestion:
    series = share(truth, one)
    point = series.asked
    assert point is not None, "a row of every programme is asked for"
    place = next(text for text in point.positions if ":" in text) if form is AT_CLOCK else point.at
    return ask(
        id, kind, language, form[language].format(a=one.name(language), p=place),
        aligned=(told(point),), forbidden=beside(truth, point.at, but=[one]), unsaid=series.beside,
        bases=(one.base,), sources=(source(series),), same_as=same_as, same="facts" if same_as else "",
    )  # fmt: skip


def _one(truth: Truth, one: Subject, number: str) -> Iterator[BatteryQuestion]:
    language = language_of(one)
    yield _peak(truth, one, f"S1-{number}", "peak", language, PEAK)
    yield _least(truth, one, f"S3-{number}", "minimum", language, LEAST)
    yield _at(truth, one, f"R1q-{number}", "value at a position", language, AT)
    title = share(truth, one).title
    named = {
        "it": "Secondo {t}, quanto è stato il massimo della quota di ascolto?",
        "en": "According to {t}, how high was the peak audience share?",
    }
    yield ask(
        f"S1-{number}-file", "peak, by the file", language, named[language].format(t=title),
        aligned=(told(share(truth, one).max),), forbidden=extremes(truth, but=[one]), within=(one.base,),
        bases=(one.base,), sources=(source(share(truth, one)),), more={"committed": True},
    )  # fmt: skip
    viewers = truth.line(one.base, one.id, "viewers")
    asked = {
        "it": "Quanti spettatori al massimo ha avuto {a}, e a che secondo?",
        "en": "What was the maximum of viewers of {a}, and at which second?",
    }
    yield ask(
        f"S1-{number}-viewers", "peak, other metric", language, asked[language].format(a=one.name(language)),
        aligned=(told(viewers.max),), forbidden=extremes(truth, but=[one]), bases=(one.base,), sources=(source(viewers),),
    )  # fmt: skip


def _elsewhere(truth: Truth) -> Iterator[BatteryQuestion]:
    """Peaks and minima on other axes, with exponents and ties."""
    for base, metric, prompt in (
        ("clinic", "load", "What was the highest viral load of {a}, and on which day?"),
        ("clinic", "haemoglobin", "What was the maximum haemoglobin of {a}, and on which day?"),
        ("finance", "revenue", "What was the highest revenue in {a}, and in which quarter?"),
    ):
        series = next(one for one in truth.series if (one.base, one.metric) == (base, metric))
        others = [one for one in truth.series if (one.base, one.metric) == (base, metric) and one is not series]
        about = series.title if base == "finance" else series.title.removesuffix(" laboratory values")
        yield ask(
            f"S1-{metric}", "peak, other axis", "en", prompt.format(a=about), aligned=(((series.max.value,), (series.max.position,)),),
            forbidden=[point.value for one in others for point in (one.max, one.min)], bases=(base,), sources=(source(series),),
        )  # fmt: skip


def _compare(
    truth: Truth, one: Subject, other: Subject, id: str, kind: str, language: str, form: dict[str, str], same_as: str = ""
) -> BatteryQuestion:
    a, b = share(truth, one), share(truth, other)
    together = ((a.max.value,), (b.max.value,), difference(a.max, b.max))
    return ask(
        id, kind, language, form[language].format(a=one.name(language), b=other.name(language)),
        needle=(called(one), called(other)), aligned=(told(a.max), told(b.max), together),
        forbidden=extremes(truth, but=[one, other]), unsaid=(one.said, other.said, one.rumoured, other.rumoured),
        above=((a.max.value, one.said), (b.max.value, other.said)),
        bases=(one.base, other.base), sources=(source(a), source(b)), same_as=same_as, same="facts" if same_as else "",
    )  # fmt: skip


def _compared(truth: Truth, programmes: list[Subject]) -> Iterator[BatteryQuestion]:
    one, two, three, four = programmes
    yield _compare(truth, one, two, "S2-1", "comparison", "it", COMPARED)
    yield _compare(truth, three, four, "S2-2", "comparison", "en", COMPARED)
    yield _compare(truth, one, three, "S2-3", "comparison across bases", "en", COMPARED)


def _everything(truth: Truth, base: str) -> Iterator[BatteryQuestion]:
    both = truth.of(base)
    language = language_of(both[0])
    series = [truth.line(base, one.id, metric) for one in both for metric in ("share", "viewers")]
    foreign = [point.value for one in truth.series if one.base == "clinic" for point in (one.max, one.min)]
    yield ask(
        f"S6-{base.removeprefix('broadcast-')}", "open question", language,
        EVERYTHING[language].format(base=truth.titles[base][language]),
        needle=[called(one) for one in both], aligned=[told(one.max) for one in series],
        forbidden=(*extremes(truth, but=both), *foreign), bases=(base,), sources=[source(one) for one in series],
    )  # fmt: skip


def _otherwise(truth: Truth, programmes: list[Subject]) -> Iterator[BatteryQuestion]:
    """The same questions in other words and in the other language; the second British programme has no other."""
    one, two, three, _ = programmes
    for number, programme in ((1, one), (2, two), (3, three)):
        for language in ("it", "en"):
            tail = f"{number}-{language}"
            yield _peak(truth, programme, f"X1-{tail}", "paraphrase", language, PEAK_OTHERWISE, f"S1-{number}")
            yield _least(truth, programme, f"X3-{tail}", "paraphrase", language, LEAST_OTHERWISE, f"S3-{number}")
            yield _at(truth, programme, f"X4-{tail}", "paraphrase", language, AT_CLOCK, f"R1q-{number}")
    for language in ("it", "en"):
        yield _compare(truth, one, two, f"X2-1-{language}", "paraphrase", language, COMPARED_OTHERWISE, "S2-1")
