"""A clinic: series of laboratory values by day for two cases that nobody is, and notes of visits."""

from random import Random

from loom.core.text import slugify
from loom.lab.battery.corpus_base import Attribute, Entity, File, KnowledgeBase, Metric
from loom.lab.battery.corpus_broadcast import SECTIONS
from loom.lab.battery.corpus_business import series_truth
from loom.lab.battery.corpus_names import Drawn
from loom.lab.battery.corpus_series import Column, Form, Plan, draw, table
from loom.lab.battery.truth import SeriesTruth

DAYS = 120
FORMS = {
    "haemoglobin": (Form(2), 1040, 1280, (1310, 1390), (890, 990)),
    "load": (Form(0, exponent=True), 21_000, 69_000, (72_001, 98_999), (11_001, 19_999)),
}
"""Form, bounds of noise, of the peak, of the minimum. Loads are written with an exponent."""
VISITS = (
    "The walk to the window took four breaths.",
    "Soup was refused, bread was not.",
    "The left sleeve no longer needs help.",
    "Sleep came late and left early.",
    "The stairs were climbed twice for the view.",
    "A cousin brought plums and a radio.",
)


def clinic(names: Drawn, random: Random) -> tuple[KnowledgeBase, tuple[SeriesTruth, ...]]:
    files: list[File] = []
    truths: list[SeriesTruth] = []
    entities = tuple(Entity(slugify(f"Case {plant}"), f"Case {plant}", {"it": (f"Caso {plant}",)}) for plant in names.cases)
    for number, entity in enumerate(entities):
        columns: dict[str, Column] = {}
        path, title = f"labs/{entity.id}.csv", f"{entity.name} laboratory values"
        for metric, (form, low, high, peaks, dips) in FORMS.items():
            peak_at, dip_at = random.sample(range(8, 60), 2)
            plan = Plan(
                1, DAYS, low, high, peak_at, random.randint(*peaks), dip_at, random.randint(*dips),
                tie_at=random.randint(70, 110) if not number else None, holes=random.randint(2, 6),
            )  # fmt: skip
            columns[metric] = Column(draw(plan, frozenset(), random), form, range(1, DAYS + 1))
            unit = "g/dL" if metric == "haemoglobin" else "copies/mL"
            truths.append(series_truth("clinic", path, title, entity.id, metric, unit, columns[metric], DAYS))
        files.append(
            File(path, title, "series", table("day", columns), (entity.id,), "day", "day", {metric: metric for metric in FORMS})
        )
        visits = random.sample(VISITS, 3)
        notes = f"# {entity.name}\n\n" + "\n".join(f"## Visit {at}\n\n{said}\n" for at, said in enumerate(visits, 1))
        files.append(File(f"visits/{entity.id}.md", f"{entity.name} visits", "document", notes, (entity.id,), "section"))
    day = Attribute("day", "days", {"day": 1, "days": 1, "week": 7, "weeks": 7, "giorno": 1, "giorni": 1}, window=3)
    metrics = (
        Metric("haemoglobin", "haemoglobin", "g/dL", {"en": ("hemoglobin",), "it": ("emoglobina",)}),
        Metric("load", "viral load", "copies/mL", {"it": ("carica virale",)}),
    )
    base = KnowledgeBase(
        "clinic", "Fernhill clinic", "en", tuple(files), {"it": ("Clinica Fernhill",)}, (day, SECTIONS), entities, metrics
    )
    return base, tuple(truths)
