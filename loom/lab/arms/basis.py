"""What every arm of a question starts from: the live plan, and the true block without what the template brought in."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from loom.answer.plan import Plan
from loom.answer.receipt import decision_json
from loom.core.text import slug_of
from loom.core.values import Block, Iri, Json
from loom.lab.arms.template import TemplateSeed, template_seeds, without
from loom.lab.ground import Ground
from loom.lab.question import LabQuestion


@dataclass(frozen=True, slots=True)
class Basis:
    """One question. `live` is the plan of the serving path as it is; `true` the block of the same path without template seeds
    (the same block where there are none); `seeds` the addresses admitted to that and the subjects that the question declares.

    `targets` are its gold titles without template seeds, or where it has no gold what stands for them (seed §10.7): the titles
    of the seeds; `proxied` says so.
    """

    question: LabQuestion
    live: Plan
    true: Block
    seeds: frozenset[Iri]
    targets: tuple[str, ...]
    proxied: bool = False
    decision: dict[str, Json] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """What random draws for this question are keyed by."""
        return f"{self.question.set}/{self.question.id}"

    @property
    def engaged(self) -> bool:
        return self.live.decision.engaged

    @property
    def gold(self) -> tuple[str, ...]:
        """All names that a block without the answer must not expose: gold with template seeds, or what stands for it."""
        return self.targets if self.proxied else self.question.titles


@dataclass(frozen=True, slots=True)
class Base:
    """All questions of a study, and what was taken out of them."""

    ground: Ground
    items: tuple[Basis, ...]
    template: tuple[TemplateSeed, ...]

    @property
    def removed(self) -> frozenset[Iri]:
        return frozenset(seed.iri for seed in self.template)

    def called(self, iri: Iri) -> str:
        """The title of a concept, "" where the generation has none of this address."""
        row = self.ground.concepts.row(iri)
        return "" if row is None else self.ground.concepts.title(row)


def admitted(plan: Plan) -> frozenset[Iri]:
    """The addresses that the gate let pass, and those shown."""
    found = {candidate.iri for _, candidates in plan.decision.admitted for candidate in candidates}
    return frozenset(found | {served.evidence.iri for served in plan.block.served})


async def base(ground: Ground, questions: Sequence[LabQuestion], done: Callable[[], object]) -> Base:
    """The plans of all questions; `done` is called after each."""
    live = []
    for question in questions:
        live.append(await ground.plan(question.prompt))
        done()
    template = template_seeds(ground, questions, [admitted(plan) for plan in live])
    removed = {seed.iri: seed.title for seed in template}
    plain = ground.without(frozenset(removed))
    subjects = _subjects(ground, questions)
    items = []
    for question, plan, declared in zip(questions, live, subjects, strict=True):
        true = await plain.plan(question.prompt) if not admitted(plan).isdisjoint(removed) else plan
        seeds = (admitted(true) | declared) - removed.keys()
        targets = without(question, removed)
        proxied = not question.gold
        if proxied:
            targets = tuple(sorted({_title(ground, iri) for iri in seeds}))
        items.append(Basis(question, plan, true.block, seeds, targets, proxied, decision_json(plan.decision)))
    return Base(ground, tuple(items), template)


def _title(ground: Ground, iri: Iri) -> str:
    row = ground.concepts.row(iri)
    return slug_of(iri) if row is None else ground.concepts.title(row)


def _subjects(ground: Ground, questions: Sequence[LabQuestion]) -> list[frozenset[Iri]]:
    """The concepts that each question declares itself to be about, by their slugs."""
    wanted = {slug for question in questions for slug in question.class_slugs}
    known: dict[str, list[Iri]] = {}
    if wanted:
        concepts = ground.concepts
        for row in range(concepts.count):
            iri = concepts.iri(row)
            if (slug := slug_of(iri)) in wanted:
                known.setdefault(slug, []).append(iri)
    return [frozenset(iri for slug in question.class_slugs for iri in known.get(slug, ())) for question in questions]
