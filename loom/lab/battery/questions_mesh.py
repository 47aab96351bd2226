"""Questions over several bases: stated values, status, chains, summaries, routes and acronyms (V1, P1, C1, K1, B1, M1, T1)."""

from collections.abc import Iterator
from decimal import Decimal

from loom.lab.battery.question import BatteryQuestion
from loom.lab.battery.questions_common import ask, called, extremes, share, source, told
from loom.lab.battery.truth import TableTruth, Truth


def mesh(truth: Truth) -> Iterator[BatteryQuestion]:
    yield from _valued(truth)
    yield from _status(truth)
    yield from _chains(truth)
    yield from _broad(truth)
    yield from _acronym(truth)


def invented(table: TableTruth) -> list[str]:
    """Sums of the values, and products of counts and values: what nobody stated."""
    values = [Decimal(row[table.values].replace(",", "")) for row in table.rows]
    counts = [Decimal(row[table.counts]) for row in table.rows]
    stated = set(values) | set(counts)
    made = [sum(values), *(count * value for count, value in zip(counts, values, strict=True)), sum(counts) * sum(values)]
    return [text for number in made if number not in stated for text in written(Decimal(number))]


def written(number: Decimal) -> tuple[str, ...]:
    """The ways to write an amount: grouped or not, with either mark, with and without zeros at its end."""
    shortest = format(number.normalize(), "f")
    plain = format(number, "f")
    forms = {plain, shortest, *(format(Decimal(one), ",f") for one in (plain, shortest))}
    turned = {form.translate(str.maketrans(",.", ".,")) for form in forms}
    return tuple(sorted(forms | turned))


def _valued(truth: Truth) -> Iterator[BatteryQuestion]:
    packages, deck = truth.table("rights"), truth.table("finance")
    rows = [((row[0],), (row[packages.values],)) for row in packages.rows]
    amended = next(one for one in truth.tables if one.base == "rights" and one is not packages)
    rival = amended.rows[0][amended.values]
    asked = {
        "en": "What is the valuation of each package in Rights packages?",
        "it": "Qual è la valutazione di ciascun pacchetto in Pacchetti dei diritti?",
    }
    for language, prompt in asked.items():
        yield ask(
            f"V1-{language}", "rights valuation", language, prompt, aligned=rows, forbidden=(*invented(packages), rival),
            within=("rights",), bases=("rights",), sources=(f"rights/{packages.path}",), more={"committed": True},
            same_as="" if language == "en" else "V1-en", same="" if language == "en" else "facts",
        )  # fmt: skip
    both = next(row[packages.values] for row in packages.rows if row[0] == amended.rows[0][0])
    for language, prompt in (("en", "What is the valuation of {}?"), ("it", "Qual è la valutazione di {}?")):
        yield ask(
            f"V1-rivals-{language}", "stated values that contradict one another", language, prompt.format(amended.rows[0][0]),
            aligned=(((both,), (rival,)),), forbidden=invented(packages), bases=("rights",),
            sources=(f"rights/{packages.path}", f"rights/{amended.path}"),
        )  # fmt: skip
    yield ask(
        "V1-deck", "stated values in a document", "en",
        f"Which packages and values does section 3 of the {deck.title} state?",
        aligned=[((row[0],), (row[deck.values],)) for row in deck.rows], forbidden=invented(deck), within=("finance",),
        bases=("finance",), sources=(f"finance/{deck.path}",), more={"committed": True},
    )  # fmt: skip


def _status(truth: Truth) -> Iterator[BatteryQuestion]:
    for number, one in enumerate(truth.projects[:2], 1):
        others = [other for other in truth.projects if other is not one]
        for language, prompt in (
            ("en", f"What is the status of {one.name}, and what is its progress?"),
            ("it", f"Qual è lo stato di Progetto {one.name.removeprefix('Project ')}, e quale avanzamento ha?"),
        ):
            yield ask(
                f"P1-{number}-{language}", "project status", language, prompt,
                needle=((one.status,),), aligned=(((one.name,), (one.progress,)),),
                unsaid=[other.status for other in others], bases=("projects",),
                sources=("projects/notes.md", "projects/progress.csv"),
            )  # fmt: skip


def _chains(truth: Truth) -> Iterator[BatteryQuestion]:
    packages = truth.table("rights")
    row, project = packages.rows[0], truth.projects[0]
    show = next(one for one in truth.subjects if one.name(next(iter(one.names))) == truth.held[row[0]])
    series, name = share(truth, show), show.name("en")
    tape = truth.tape(show.base, show.id)
    unit = tape.at(int(series.max.at))
    assert unit is not None, "something happens at every peak"
    valued = ((row[0],), (row[packages.values],))
    yield ask(
        "C1", "two bases", "en",
        f"How does the peak audience share of {name} stand beside the value of {row[0]}, which holds it?",
        aligned=(told(series.max), valued), forbidden=(*extremes(truth, but=[show]), *invented(packages)),
        bases=(show.base, "rights"), sources=(source(series), f"rights/{packages.path}"),
    )  # fmt: skip
    yield ask(
        "K1", "chain, both ends named", "en",
        f"{project.name} delivers {row[0]}: what is its status, what is the value of the package, and what was happening in {name} "
        "when its audience share peaked?",
        needle=((project.status,), (unit.text,)), aligned=(valued,), forbidden=extremes(truth, but=[show]),
        bases=("projects", "rights", show.base), sources=("projects/notes.md", f"rights/{packages.path}", f"{tape.base}/{tape.path}"),
    )  # fmt: skip
    yield ask(
        "K1-hop", "chain, one end named", "en", f"Which package does {project.name} deliver, and what is the value of that package?",
        needle=((project.package,),), aligned=(valued,), forbidden=invented(packages), bases=("projects", "rights"),
        sources=("projects/notes.md", f"rights/{packages.path}"), more={"named": 1},
    )  # fmt: skip


def _broad(truth: Truth) -> Iterator[BatteryQuestion]:
    shows = truth.of("broadcast-it")
    for language, prompt in (("en", "Give a broad summary of {}."), ("it", "Fai un riassunto ampio di {}.")):
        yield ask(
            f"B1-{language}", "broad summary", language, prompt.format(truth.titles["broadcast-it"][language]),
            needle=[called(one) for one in shows], aligned=[told(share(truth, one).max) for one in shows],
            forbidden=extremes(truth, but=shows), bases=("broadcast-it",),
        )  # fmt: skip
    yield ask(
        "M1-en", "no address", "en", "Where do audience share, package values and project progress stand this season?",
        bases=("broadcast-it", "broadcast-uk", "rights", "projects"), more={"committed": False, "starved": 0},
    )  # fmt: skip
    yield ask(
        "M1-it", "no address", "it", "Come vanno quota di ascolto, valore dei pacchetti e avanzamento dei progetti?",
        bases=("broadcast-it", "broadcast-uk", "rights", "projects"), more={"committed": False, "starved": 0},
    )  # fmt: skip


def _acronym(truth: Truth) -> Iterator[BatteryQuestion]:
    (base, path, line), *others = truth.segments
    wrong = [text for *_, text in others]
    yield ask(
        "T1-segment", "acronym with a second word", "en", f"How does the AI {truth.names.segment} segment end?",
        needle=((line,),), forbidden=wrong, within=(base,), bases=(base,), sources=(f"{base}/{path}",), more={"committed": True},
    )  # fmt: skip
    yield ask(
        "T1-alone", "acronym alone", "en", "What is new in AI?", more={"committed": False},
    )  # fmt: skip
    yield ask(
        "T1-beside", "acronym beside a name", "en",
        f"Setting AI aside, what was the peak audience share of {truth.of('broadcast-uk')[0].name('en')}?",
        aligned=(told(share(truth, truth.of("broadcast-uk")[0]).max),), forbidden=wrong, bases=("broadcast-uk",),
    )  # fmt: skip
