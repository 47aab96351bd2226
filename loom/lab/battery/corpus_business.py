"""Finance, rights and projects: a quarterly deck with a table of values, a table of packages, and status notes."""

from collections.abc import Mapping, Sequence
from random import Random

from loom.core.text import slugify
from loom.lab.battery.corpus_base import Attribute, Entity, File, KnowledgeBase, Metric
from loom.lab.battery.corpus_broadcast import SECTIONS
from loom.lab.battery.corpus_names import Drawn
from loom.lab.battery.corpus_series import Column, Form, Plan, draw, table
from loom.lab.battery.truth import ProjectTruth, SeriesTruth, TableTruth

QUARTERS = 16
HOURS = ("Dawn", "Noon", "Dusk", "Midnight")
STATUSES = (
    "is amber: the colour masters wait for a second signature",
    "is green: every reel was checked and the captions are in",
    "is red: the archive flooded and two boxes are drying",
    "is amber: the music licence is agreed but not yet signed",
    "is green: delivery was accepted by the night desk",
    "is red: the scanner lens cracked and the spare is on a ship",
)


def finance(names: Drawn, random: Random) -> tuple[KnowledgeBase, tuple[SeriesTruth, ...], TableTruth]:
    slug = slugify(names.company)
    columns: dict[str, Column] = {}
    truths = []
    title = f"{names.company} quarterly figures"
    for metric, low, high in (("revenue", 12_000, 15_000), ("costs", 9_000, 11_000)):
        peak_at, dip_at = random.sample(range(2, QUARTERS), 2)
        plan = Plan(1, QUARTERS, low, high, peak_at, high + random.randint(11, 99), dip_at, low - random.randint(11, 99))
        column = Column(draw(plan, frozenset(), random), Form(2), range(1, QUARTERS + 1))
        columns[f"{metric}_m"] = column
        truths.append(series_truth("finance", "figures.csv", title, slug, metric, "M€", column, QUARTERS))
    values = tuple(Form(1, ".", grouped=True).value(value) for value in random.sample(range(11_001, 29_999, 7), 4))
    counts = tuple(str(count) for count in random.sample(range(12, 60), 4))
    rows = tuple((f"{hour} package", count, value) for hour, count, value in zip(HOURS, counts, values, strict=True))
    stated = TableTruth(
        "finance", "deck.md", f"{names.company} quarterly deck", ("Advertising package", "Slots", "Value in k€"), rows, 2, 1
    )
    deck = _deck(names.company, stated)
    files = (
        File(
            "figures.csv", title, "series", table("quarter", columns), (slug,), "quarter", "quarter",
            {"revenue": "revenue_m", "costs": "costs_m"},
        ),
        File("deck.md", stated.title, "document", deck, (slug,), "section", aliases={"it": ("Presentazione trimestrale",)}),
        File(
            "tv-advertising.txt", "TV advertising note", "text",
            "Sponsors ask for shorter breaks.\n\nThe TV desk answers that breaks pay for the weather report.\n", (slug,),
        ),
    )  # fmt: skip
    quarter = Attribute("quarter", "quarters", {"quarter": 1, "quarters": 1, "trimestre": 1, "trimestri": 1}, window=1)
    metrics = (
        Metric("revenue", "revenue", "M€", {"en": ("turnover",), "it": ("ricavi", "fatturato")}, derived=("difference", "percent_change")),
        Metric("costs", "operating costs", "M€", {"en": ("costs",), "it": ("costi",)}),
    )  # fmt: skip
    base = KnowledgeBase(
        "finance", f"{names.company} finance", "en", files, {"it": (f"Finanza di {names.company}",)}, (quarter, SECTIONS),
        (Entity(slug, names.company),), metrics,
    )  # fmt: skip
    return base, tuple(truths), stated


def _deck(company: str, stated: TableTruth) -> str:
    lines = [stated.header, tuple("---" for _ in stated.header), *stated.rows]
    rows = "\n".join("| " + " | ".join(row) + " |" for row in lines)
    return (
        f"# {company} quarterly deck\n\n## 1. Summary\n\nThe board met twice and changed the carpets once.\n\n"
        "## 2. Revenue\n\nTurnover followed the weather: wet weeks kept people in front of their screens.\n\n"
        f"## 3. Advertising packages\n\nEach package is sold as a whole; its value stands in the table.\n\n{rows}\n\n"
        "## 4. Outlook\n\nNo forecast is made before the new mast stands.\n"
    )


def series_truth(
    base: str, path: str, title: str, entity: str, metric: str, unit: str, column: Column, length: int
) -> SeriesTruth:
    drawn = column.drawn
    plan = drawn.plan
    return SeriesTruth(
        base, path, title, entity, metric, unit,
        column.point(plan.peak_at, 1 if plan.tie_at is not None else 0),
        column.point(plan.dip_at),
        column.point(plan.start),
        column.point(plan.start + length - 1),
        drawn.count,
        length - drawn.count,
    )  # fmt: skip


def rights(held: Mapping[str, str], random: Random) -> tuple[KnowledgeBase, TableTruth, TableTruth]:
    """`held` is the programme of each package. The last table states another value of the last package than the first does."""
    values = [Form(2).value(value) for value in random.sample(range(81_013, 399_999, 13), len(held))]
    counts = [str(count) for count in random.sample(range(6, 40), len(held))]
    header = ("package", "programme", "episodes", "value_keur")
    rows = tuple((package, held[package], count, value) for package, count, value in zip(held, counts, values, strict=True))
    stated = TableTruth("rights", "packages.csv", "Rights packages", header, rows, 3, 2)
    text = "".join(",".join(row) + "\n" for row in (header, *rows))
    last = rows[-1]
    other = Form(2).value(random.randrange(400_013, 499_999, 13))
    amended = TableTruth("rights", "amendments.csv", "Amended values", ("package", "value_keur"), ((last[0], other),), 1, 1)
    note = "".join(",".join(row) + "\n" for row in (amended.header, *amended.rows))
    terms = "# Terms\n\n" + "\n".join(
        f"## {package}\n\n{package} is licensed as a whole, episodes are not sold one by one.\n" for package in held
    )
    entities = tuple(
        Entity(slugify(package), package, {"it": (f"Pacchetto {package.removeprefix('Package ')}",)}) for package in held
    )
    ids = tuple(entity.id for entity in entities)
    files = (
        File(
            "packages.csv", stated.title, "table", text, ids, values={"value": "value_keur", "episodes": "episodes"},
            entity_column="package", aliases={"it": ("Pacchetti dei diritti",)},
        ),
        File("terms.md", "Licence terms", "document", terms, ids, "section"),
        File(amended.path, amended.title, "table", note, ids, values={"value": "value_keur"}, entity_column="package"),
    )  # fmt: skip
    metrics = (
        Metric("value", "package value", "k€", {"en": ("value", "valuation"), "it": ("valore", "valutazione")}, ("min", "max")),
        Metric("episodes", "episodes", "", {"it": ("puntate", "episodi")}, ("min", "max")),
    )
    base = KnowledgeBase(
        "rights", "Rights and licences", "en", files, {"it": ("Diritti e licenze",)}, (SECTIONS,), entities, metrics
    )
    return base, stated, amended


def projects(names: Drawn, held: Mapping[str, str], random: Random) -> tuple[KnowledgeBase, tuple[ProjectTruth, ...]]:
    """A section of notes for each project; each of the first delivers a package."""
    statuses = random.sample(STATUSES, len(names.projects))
    progress = [str(one) for one in random.sample(range(11, 97), len(names.projects))]
    packages: Sequence[str] = [*held, *("" for _ in names.projects)][: len(names.projects)]
    truths = tuple(
        ProjectTruth(slugify(f"Project {bird}"), f"Project {bird}", f"Project {bird} {status}.", done, package)
        for bird, status, done, package in zip(names.projects, statuses, progress, packages, strict=True)
    )
    notes = "# Status notes\n\n" + "\n".join(
        f"## {one.name}\n\n{one.status} "
        + (
            f"It delivers {one.package}, which holds {held[one.package]}.\n"
            if one.package
            else "It serves the archive alone.\n"
        )
        for one in truths
    )
    rows = "project,progress_pct\n" + "".join(f"{one.name},{one.progress}\n" for one in truths)
    entities = tuple(Entity(one.id, one.name, {"it": (f"Progetto {one.name.removeprefix('Project ')}",)}) for one in truths)
    ids = tuple(entity.id for entity in entities)
    files = (
        File("notes.md", "Project status notes", "document", notes, ids, "section", aliases={"it": ("Note di stato",)}),
        File(
            "progress.csv", "Project progress", "table", rows, ids, values={"progress": "progress_pct"},
            entity_column="project",
        ),
    )  # fmt: skip
    metrics = (Metric("progress", "progress", "%", {"it": ("avanzamento",)}, ("min", "max")),)
    base = KnowledgeBase(
        "projects", "Restoration projects", "en", files, {"it": ("Progetti di restauro",)}, (SECTIONS,), entities, metrics
    )
    return base, truths
