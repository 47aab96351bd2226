"""A question set from what a generation states, drawn by domain; the same for the same generation and settings."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from loom.core.concepts import Concepts
from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.question import LabQuestion
from loom.lab.questions.relations import asked_relations
from loom.lab.questions.subjects import Subject, subjects
from loom.lab.questions.templates import Making, by_pair, by_parent, by_relation

TEMPLATES = ("T-REL", "T-TAX", "T-COMMON")
PER_DOMAIN, MIN_DOMAIN, MIN_QUALITY = 12, 8, 0.6
PER_SUBJECT, FEWEST, MOST = 2, 1, 5
PAIRS = 4
"""A domain has one T-COMMON for so many of its sampled concepts."""


@dataclass(frozen=True, slots=True)
class Generated:
    """A set, and what was left out of it by reason: of concepts, of targets, of relations. `settings` is what it was made with."""

    questions: tuple[LabQuestion, ...]
    left_out: Mapping[str, int]
    relations: tuple[str, ...]
    settings: Mapping[str, Json]

    def count(self, template: str = "", domain: str = "") -> int:
        return sum(
            (not template or each.template == template) and (not domain or each.domain == domain) for each in self.questions
        )

    @property
    def domains(self) -> list[str]:
        return sorted({each.domain for each in self.questions})

    def as_json(self) -> dict[str, Json]:
        templates = [name for name in TEMPLATES if name in self.settings["templates"]]
        return {
            "questions": len(self.questions),
            "gold": sum(len(each.gold) for each in self.questions),
            "templates": {name: self.count(name) for name in templates},
            "domains": {
                domain: {name: self.count(name, domain) for name in templates} | {"all": self.count(domain=domain)}
                for domain in self.domains
            },
            "relations": list(self.relations),
            "left_out": dict(sorted(self.left_out.items())),
            "settings": dict(self.settings),
        }


def generate(
    concepts: Concepts,
    *,
    seed: int = 42,
    per_domain: int = PER_DOMAIN,
    min_domain: int = MIN_DOMAIN,
    min_quality: float = MIN_QUALITY,
    min_definition: int = 0,
    per_subject: int = PER_SUBJECT,
    fewest: int = FEWEST,
    most: int = MOST,
    templates: Sequence[str] = TEMPLATES,
    relations: Sequence[str] | None = None,
    set: str = "lab",
) -> Generated:
    """Questions about up to `per_domain` concepts of each domain of `min_domain` and more eligible ones.

    A concept is drawn by a number of its own, so that a larger sample holds the smaller one, and a concept more or less in the
    corpus leaves the others where they are. `min_definition` counts code points; `fewest` and `most` bound the targets of a
    T-REL question, `per_subject` how many of these one concept has. Raises BadInput.
    """
    _check(per_domain, min_domain, per_subject, fewest, most, templates)
    if not 0 <= min_quality <= 1:
        raise BadInput(f"Expected min_quality to be between 0 and 1, but got {min_quality}.", param="min_quality")
    left: Counter[str] = Counter()
    by_domain = subjects(concepts, min_quality=min_quality, min_definition=min_definition, min_domain=min_domain, left=left)
    asked = asked_relations(concepts, (each for found in by_domain.values() for each in found), relations)
    making = Making(concepts, asked, set, per_subject, fewest, most, left)
    questions: list[LabQuestion] = []
    for domain, found in by_domain.items():
        able = [each for each in found if _has_something(each, asked)]
        left["states nothing to ask for"] += len(found) - len(able)
        sample = _sample(able, per_domain, seed)
        left["not drawn"] += len(able) - len(sample)
        for subject in sample:
            questions += by_relation(making, subject) if "T-REL" in templates else ()
            questions += by_parent(making, subject) if "T-TAX" in templates else ()
        if "T-COMMON" in templates:
            take = per_domain // PAIRS
            questions += by_pair(making, sample, take, lambda pair, domain=domain: _number(seed, f"{domain}\n{pair}"))  # type: ignore[misc]
    settings: dict[str, Json] = {
        "seed": seed,
        "per_domain": per_domain,
        "min_domain": min_domain,
        "min_quality": min_quality,
        "min_definition": min_definition,
        "per_subject": per_subject,
        "fewest": fewest,
        "most": most,
        "templates": [name for name in TEMPLATES if name in templates],
    }
    return Generated(tuple(questions), +left, tuple(dict.fromkeys(asked.values())), settings)


def _number(seed: int, what: str) -> float:
    return Random(f"{seed}:questions:{what}").random()


def _sample(found: Sequence[Subject], most: int, seed: int) -> list[Subject]:
    """The `most` with the smallest numbers, in order of their IRIs."""
    return sorted(sorted(found, key=lambda each: (_number(seed, each.iri), each.iri))[:most], key=lambda each: each.iri)


def _has_something(subject: Subject, asked: Mapping[int, str]) -> bool:
    """Whichever templates are wanted, so that a set of one template is a part of the set of all."""
    return bool(subject.links.parents) or any(number in asked for number, _ in subject.links.relations)


def _check(per_domain: int, min_domain: int, per_subject: int, fewest: int, most: int, templates: Sequence[str]) -> None:
    for name, value in (
        ("per_domain", per_domain),
        ("min_domain", min_domain),
        ("per_subject", per_subject),
        ("fewest", fewest),
    ):
        if value < 1:
            raise BadInput(f"Expected {name} to be 1 or more, but got {value}.", param=name)
    if most < fewest:
        raise BadInput(f"Expected most to be no less than fewest ({fewest}), but got {most}.", param="most")
    strange = [name for name in templates if name not in TEMPLATES]
    if strange or not templates:
        raise BadInput(f"Expected templates among {', '.join(TEMPLATES)}, but got {strange[:1] or 'none'}.", param="template")
