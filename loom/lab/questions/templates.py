"""The three templates: what each asks of a concept, or of a pair."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import combinations

from loom.core.concepts import Concepts
from loom.lab.question import LabQuestion
from loom.lab.questions.gold import targets
from loom.lab.questions.subjects import Subject
from loom.lab.questions.wording import common_question, parent_question, relation_question

EXTRA, SHARED = 5, 3
"""Ancestors that are extra gold at most; shared ancestors of which each is an answer."""


@dataclass(slots=True)
class Making:
    """What the templates draw on, and the count of what they leave out."""

    concepts: Concepts
    relations: Mapping[int, str]
    set: str
    per_subject: int
    fewest: int
    most: int
    left: Counter[str] = field(default_factory=Counter)

    def question(
        self, key: str, iris: Sequence[str], template: str, domain: str, about: Sequence[Subject], prompt: str, **more: object
    ) -> LabQuestion:
        """A question with an id that follows from what it asks of whom, whatever else is in the set."""
        id = "q" + sha256("\n".join([template, *iris]).encode("utf-8", "replace")).hexdigest()[:12]
        return LabQuestion(
            id,
            prompt,
            set=self.set,
            key=key,
            template=template,
            domain=domain,
            class_slugs=tuple(subject.slug for subject in about),
            **more,  # type: ignore[arg-type]
        )


def by_relation(making: Making, subject: Subject) -> Iterator[LabQuestion]:
    """T-REL: what a concept points at by a relation; of those with the fewest to the most targets, the ones with most."""
    found = []
    for number, rows in subject.links.relations:
        name = making.relations.get(number)
        if name is None:
            continue
        prompt = relation_question(name, subject.title)
        gold = targets(making.concepts, rows, prompt, [subject.row], making.left)
        if not making.fewest <= len(gold) <= making.most:
            making.left["relation with too few targets" if len(gold) < making.fewest else "relation with too many targets"] += 1
            continue
        found.append((-len(gold), name, number, prompt, gold))
    found.sort(key=lambda each: each[:3])
    making.left["relation beyond those asked of a subject"] += max(0, len(found) - making.per_subject)
    for _, name, number, prompt, gold in found[: making.per_subject]:
        yield making.question(
            f"rel:{subject.slug}:{name}",
            [subject.iri, making.concepts.predicates[number]],
            "T-REL",
            subject.domain,
            [subject],
            prompt,
            gold=gold,
        )


def by_parent(making: Making, subject: Subject) -> Iterator[LabQuestion]:
    """T-TAX: the immediate parents; up to five ancestors are extra gold, which no headline counts."""
    if not subject.links.parents:
        return
    prompt = parent_question(subject.title)
    gold = targets(making.concepts, subject.links.parents, prompt, [subject.row], making.left)
    if not gold:
        making.left["no parent that may be asked for"] += 1
        return
    above = [row for row in subject.links.ancestors if row not in subject.links.parents]
    extra = targets(making.concepts, above, prompt, [subject.row], Counter(), apart=False)
    asked = {target.title for target in gold}
    yield making.question(
        f"tax:{subject.slug}",
        [subject.iri],
        "T-TAX",
        subject.domain,
        [subject],
        prompt,
        gold=gold,
        gold_extra=tuple(each for each in extra if each.title not in asked)[:EXTRA],
    )


def by_pair(making: Making, sample: Sequence[Subject], take: int, rank: Callable[[str], float]) -> Iterator[LabQuestion]:
    """T-COMMON: what two concepts of a sample both stand under; any of the three nearest will do, others are extra gold."""
    above = {subject.row: (*subject.links.parents, *subject.links.ancestors) for subject in sample}
    pairs = [
        (a, b, shared)
        for a, b in combinations(sample, 2)
        if a.row not in above[b.row] and b.row not in above[a.row] and (shared := _shared(above[a.row], above[b.row]))
    ]
    taken = 0
    for a, b, shared in sorted(pairs, key=lambda pair: rank(f"{pair[0].iri}\n{pair[1].iri}")):
        if taken == take:
            return
        prompt = common_question(a.title, b.title)
        gold = targets(making.concepts, shared, prompt, [a.row, b.row], making.left, apart=False)
        if not gold:
            making.left["no shared ancestor that may be asked for"] += 1
            continue
        taken += 1
        yield making.question(
            f"common:{a.slug}+{b.slug}",
            [a.iri, b.iri],
            "T-COMMON",
            a.domain,
            [a, b],
            prompt,
            gold=gold[:SHARED],
            gold_type="any",
            gold_extra=gold[SHARED : SHARED + EXTRA],
        )


def _shared(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """What both hold, nearest first: by the sum of its places in the two, then by row."""
    place, beside = ({row: at for at, row in reversed(list(enumerate(each)))} for each in (one, other))
    return sorted(place.keys() & beside.keys(), key=lambda row: (place[row] + beside[row], row))
