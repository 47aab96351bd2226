"""Two broadcasters and a sports channel: programmes of one evening, each with its audience by second and its transcript."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from loom.core.text import slugify
from loom.lab.battery.corpus_base import Attribute, Entity, File, KnowledgeBase, Metric
from loom.lab.battery.corpus_names import Drawn
from loom.lab.battery.corpus_series import Column, Form, Plan, Planted, draw, table
from loom.lab.battery.corpus_slots import Slot
from loom.lab.battery.corpus_talk import Talk, closed, subtitles, transcript, written
from loom.lab.battery.truth import SERIES_LENGTH, SeriesTruth, Subject, TranscriptTruth

SECONDS = Attribute(
    "second",
    "s",
    {"second": 1, "seconds": 1, "minute": 60, "minutes": 60, "secondo": 1, "secondi": 1, "minuto": 60, "minuti": 60},
    clock=True,
)
SECTIONS = Attribute("section", words={"section": 1, "sections": 1, "sezione": 1, "sezioni": 1}, window=1)
SHARE = {"en": ("share", "audience share"), "it": ("quota", "quota di ascolto")}
VIEWERS = {"en": ("viewers",), "it": ("spettatori", "telespettatori")}


@dataclass(frozen=True, slots=True)
class Made:
    base: KnowledgeBase
    subjects: tuple[Subject, ...]
    series: tuple[SeriesTruth, ...]
    transcripts: tuple[TranscriptTruth, ...]


@dataclass(frozen=True, slots=True)
class _House:
    """How one broadcaster keeps its files."""

    id: str
    title: str
    other: tuple[str, str]
    """The language of its second name, and that."""
    language: str
    folders: tuple[str, str, str]
    titles: tuple[str, str, str]
    column: str
    columns: Mapping[str, str]
    mark: str


ITALIAN = _House(
    "broadcast-it",
    "Ascolti della Rete Zenzero",
    ("en", "Zenzero network audience"),
    "it",
    ("ascolti", "copioni", "schede"),
    ("Ascolti di {}", "Copione di {}", "Scheda di {}"),
    "secondo",
    {"share": "quota", "viewers": "spettatori"},
    ",",
)
BRITISH = _House(
    "broadcast-uk",
    "Marigold Channel audience",
    ("it", "Ascolti del canale Marigold"),
    "en",
    ("ratings", "scripts", "sheets"),
    ("{} ratings", "{} script", "{} sheet"),
    "time",
    {"share": "share_pct", "viewers": "viewers"},
    ".",
)
SPORTS = _House(
    "sports",
    "Saltire Sport evening",
    ("it", "Serata sportiva Saltire"),
    "en",
    ("audience", "commentary", ""),
    ("{} audience", "{} commentary", ""),
    "second",
    {"share": "share_pct"},
    ".",
)
SHEETS = {
    "it": (
        "# Scheda di {name}\n\n## Interpreti\n\n{cast}\n\n## Produzione\n\nUna nota di lavorazione scrive che {name} toccò il {said} % "
        "nella sua sera migliore; chi l'ha scritta citava a memoria.\n"
    ),
    "en": (
        "# {name} sheet\n\n## Cast\n\n{cast}\n\n## Production\n\nA note from the floor says that {name} touched {said} % on its best "
        "night; whoever wrote it did so from memory.\n"
    ),
}
ROLES = {
    "it": ("custode del faro", "giornalista del porto", "barista della stazione", "apprendista"),
    "en": ("the lock keeper", "the piano tuner", "the district nurse", "the night porter"),
}


def broadcasts(names: Drawn, slots: Mapping[str, Slot], random: Random) -> tuple[Made, Made, Made]:
    """Italian, British and sports; the first and the second have a person of one name each."""
    talk = {key: Talk(key, random) for key in ("it", "en", "commentary")}
    italian = [
        (name, {"it": name, "en": other}, _people(names.shared, names.italians, at))
        for at, (name, other) in enumerate(names.italian)
    ]
    british = [
        (
            name,
            {"en": name, "it": other} if at == 0 else {"en": name},
            _people(names.shared, names.britons, at),
        )
        for at, (name, other) in enumerate(names.british)
    ]
    sports = [(name, {"en": name}, names.players) for name in names.matches]
    return (
        _made(ITALIAN, italian, slots, talk["it"], random),
        _made(BRITISH, british, slots, talk["en"], random),
        _made(SPORTS, sports, slots, talk["commentary"], random),
    )


def _people(shared: str, others: Sequence[str], at: int) -> tuple[str, ...]:
    """Three people, none of them in another show of the same language; the first show has the person that both broadcasters have."""
    return (shared, *others[:2]) if at == 0 else tuple(others[2:5])


def _made(
    house: _House,
    programmes: Sequence[tuple[str, dict[str, str], tuple[str, ...]]],
    slots: Mapping[str, Slot],
    talk: Talk,
    random: Random,
) -> Made:
    files: list[File] = []
    subjects: list[Subject] = []
    series: list[SeriesTruth] = []
    tapes: list[TranscriptTruth] = []
    form = Form(1, house.mark)
    for number, (name, called, people) in enumerate(programmes):
        slot, slug = slots[name], slugify(name)
        subject = Subject(slug, house.id, called, people, form.value(slot.said), Form(1, ".").value(slot.rumoured))
        subjects.append(subject)
        rows, text = _rows(house, subject, slot, number, slots, random)
        series += rows
        title = rows[0].title
        ratings = _aliases(house, called, "{} ratings" if house.language == "it" else "Ascolti di {}")
        files.append(
            File(
                rows[0].path, title, "series", text, (slug,), "second", _position(house, number), house.columns,
                decimal=house.mark, aliases=ratings,
            )
        )  # fmt: skip
        cues = house is SPORTS
        path = f"{house.folders[1]}/{slug}.{'vtt' if cues else 'txt'}"
        tape = transcript(house.id, path, house.titles[1].format(name), slug, talk, people, slot.events, slot.gap, random)
        tape = closed(tape) if cues else tape
        tapes.append(tape)
        files.append(File(path, tape.title, "transcript", subtitles(tape) if cues else written(tape), (slug,), "second"))
        if house.folders[2]:
            cast = "\n".join(f"- {who}: {role}" for who, role in zip(people, ROLES[house.language], strict=False))
            sheet = SHEETS[house.language].format(name=name, cast=cast, said=subject.said)
            files.append(
                File(f"{house.folders[2]}/{slug}.md", house.titles[2].format(name), "document", sheet, (slug,), "section")
            )
    entities = tuple(
        Entity(one.id, one.name(house.language), {tag: (name,) for tag, name in one.names.items() if tag != house.language})
        for one in subjects
    )
    metrics = [Metric("share", SHARE[house.language][1], "%", SHARE, derived=("difference", "percent_change"))]
    if "viewers" in house.columns:
        metrics.append(Metric("viewers", VIEWERS[house.language][0], "", VIEWERS))
    base = KnowledgeBase(
        house.id,
        house.title,
        house.language,
        tuple(files),
        {house.other[0]: (house.other[1],)},
        (SECONDS, SECTIONS) if house.folders[2] else (SECONDS,),
        entities,
        tuple(metrics),
    )
    return Made(base, tuple(subjects), tuple(series), tuple(tapes))


def _aliases(house: _House, called: Mapping[str, str], pattern: str) -> dict[str, tuple[str, ...]]:
    return {tag: (pattern.format(name),) for tag, name in called.items() if tag != house.language}


def _position(house: _House, number: int) -> str:
    """The second British programme counts its rows in plain seconds, the first by the clock."""
    return "second" if house is BRITISH and number else house.column


def _rows(
    house: _House, subject: Subject, slot: Slot, number: int, slots: Mapping[str, Slot], random: Random
) -> tuple[list[SeriesTruth], str]:
    """The truth of a programme's series, and its file. Rows of each second programme stand in another order than that of time."""
    order = list(range(SERIES_LENGTH))
    if number:
        cut = random.randint(200, 400)
        order = order[cut:] + order[:cut]
    clocked = house is BRITISH and not number
    share = Column(slot.drawn, Form(1, house.mark), order, clocked)
    columns = {house.columns["share"]: share}
    if "viewers" in house.columns:
        columns[house.columns["viewers"]] = Column(
            _viewers(slot, random), Form(0, house.mark, house.mark == ","), order, clocked
        )
    path = f"{house.folders[0]}/{subject.id}.csv"
    title = house.titles[0].format(subject.name(house.language))
    truths = []
    for metric, name in house.columns.items():
        column = columns[name]
        plan = column.drawn.plan
        peak = column.point(plan.peak_at, 1 if plan.tie_at is not None else 0)
        asked = metric == "share"
        others = {key: one for key, one in slots.items() if one is not slot} if asked else {}
        seconds = sorted({second for one in others.values() for second in (one.events[0], one.asked)})
        truths.append(
            SeriesTruth(
                house.id, path, title, subject.id, metric, "%" if asked else "",
                peak, column.point(plan.dip_at), column.point(0), column.point(SERIES_LENGTH - 1),
                column.drawn.count, SERIES_LENGTH - column.drawn.count,
                column.point(slot.asked) if asked else None,
                tuple(column.cell(slot.asked + off) for off in (-1, 1)) if asked else (),
                column.form.value(plan.peak - 1) if asked else "",
                tuple(str(second) for second, value in column.drawn.values.items() if value is None),
                {str(second): column.cell(second) for second in seconds},
            )
        )  # fmt: skip
    return truths, table(_position(house, number), columns, ";" if house.mark == "," else ",")


def _viewers(slot: Slot, random: Random) -> Planted:
    """Viewers in thousands peak and sink at other seconds than the share does."""
    held = set(slot.events) | {0, SERIES_LENGTH - 1}
    peak_at, dip_at = random.sample([second for second in range(SERIES_LENGTH) if second not in held], 2)
    plan = Plan(0, SERIES_LENGTH, 3000, 6400, peak_at, random.randint(7000, 9400), dip_at, random.randint(1200, 2600))
    return draw(plan, frozenset(), random)
