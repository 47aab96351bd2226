"""What scripted judges say in a world: its truth, with the mistakes that its recipe gives them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from loom.core.claims.judging.asked import WAYS
from loom.core.claims.judging.given import Inferred, Placed, Verdict
from loom.lab.claims.worlds.making import DOMAINS, LATE, example
from loom.lab.claims.worlds.planted import Fact, Injection, World
from loom.lab.claims.worlds.recipe import Recipe
from loom.lab.claims.worlds.words import AXES

GUESSED = 0.5
"""How often the small model infers what the large one does."""


@dataclass(slots=True)
class Tables:
    """By judge: as `FakeJudges` of the adapters takes them."""

    propositions: dict[str, list[str]] = field(default_factory=dict)
    holds: set[tuple[str, str]] = field(default_factory=set)
    opinions: dict[tuple[str, str], Verdict] = field(default_factory=dict)
    inferred: dict[str, list[Inferred]] = field(default_factory=dict)
    values: dict[tuple[str, str], Placed] = field(default_factory=dict)
    filed: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ways: dict[str, str] = field(default_factory=dict)
    passages: dict[str, str] = field(default_factory=dict)
    """What a small model supposes as the answer to a query: its words, leaning as the answer does."""
    guessed: dict[str, list[Inferred]] = field(default_factory=dict)
    """What the small model infers: as often as not something that nothing asks for."""
    seen: dict[tuple[str, str], Verdict] = field(default_factory=dict)
    """What the large model says of pairs of texts: the truth, whatever the small one makes of them."""
    leaning: dict[str, float] = field(default_factory=dict)
    """Where a claim lies on the first axis, from 0 to 1: what an embedder takes from its words without being told of any axis."""


def tables(world: World, recipe: Recipe, seed: int) -> Tables:
    """The same for the same world, recipe and seed."""
    random, found = Random(f"{seed}:judges"), Tables()
    claims = {each.id: each for each in world.claims}

    def take(fact: Fact, domain: str = "") -> None:
        found.propositions[fact.entry.id] = [fact.text]
        home = domain or fact.domain
        right = random.random() < recipe.filed or bool(domain)
        found.filed[fact.text] = (home,) if right else (DOMAINS[1 - DOMAINS.index(fact.domain)],)

    for fact in world.facts:
        found.propositions[fact.entry.id] = [fact.text]
        found.filed[fact.text] = (fact.domain,)
    for fact, claim, _ in world.supporting:
        take(fact)
        found.opinions[fact.text, claims[claim].text] = "supports"
    for each in world.claims:
        found.filed[each.text] = (each.domain,)
        found.inferred[each.request] = [Inferred(each.text, each.antecedents, each.preconditions)]
    _guesses(world, Random(f"{seed}:small"), found)
    _positions(world, recipe, random, found)
    for query in world.queries:
        found.filed[query.text] = (query.domain,)
        passage, levels = f"{query.text}.", dict(AXES)[query.axis]
        found.passages[query.text] = passage
        found.leaning[passage] = levels.index(query.value) / (len(levels) - 1)
        found.values[query.axis, query.text] = Placed(query.value, 1.0)
        best = [claims[id] for id, grade in world.grades[query.id].items() if id in claims and grade > 1]
        found.inferred[query.text] = [
            Inferred(each.text, each.antecedents, each.preconditions) for each in best[: recipe.reach]
        ]
    facts = {each.signal: each for each in world.facts}

    def against(made: Injection) -> None:
        """Whether the judge sees that a sentence contradicts its target, and one of what the target rests on."""
        target = claims[made.target]
        if made.contradicts:
            found.seen[made.fact.text, target.text] = "contradicts"
        if made.contradicts and random.random() < recipe.recalled:
            found.opinions[made.fact.text, target.text] = "contradicts"
        if made.contradicts and random.random() < recipe.facts:
            found.opinions[made.fact.text, facts[target.antecedents[0]].text] = "contradicts"
        if not made.contradicts and random.random() < 0.02:
            found.opinions[made.fact.text, target.text] = "contradicts"

    for pair in world.injected.values():
        for made in pair:
            take(made.fact, made.fact.domain)
            against(made)
    for made in world.late.values():
        take(made.fact, LATE if random.random() < recipe.drifting else made.fact.domain)
        against(made)
    for both in world.opposing.values():
        for one in both:
            target = claims[one.target]
            take(one.fact, one.fact.domain)
            found.inferred[one.request] = [Inferred(one.text, (one.fact.signal,))]
            found.filed[one.text] = (one.fact.domain,)
            for name, levels in AXES:
                lies = target.places[name]
                far = levels[0] if levels.index(lies) >= 2 else levels[-1]
                found.values[name, one.text] = Placed(far if one.contradicts else lies, 1.0)
            if one.contradicts and random.random() < recipe.recalled:
                found.opinions[one.text, target.text] = "contradicts"
                found.opinions[one.fact.text, target.text] = "contradicts"
    for request in world.requests:
        right = random.random() < recipe.routed
        found.ways[request.text] = request.label if right else random.choice([way for way in WAYS if way != request.label])
    for label in world.filings:
        right = random.random() < recipe.filed
        found.filed[label.text] = (label.label if right else DOMAINS[1 - DOMAINS.index(label.label)],)
    for item in world.boundary:
        if item.label is (random.random() < recipe.entailed):
            found.holds.add((item.premise, item.proposition))
    return found


def _guesses(world: World, random: Random, found: Tables) -> None:
    for each in world.claims:
        text = (
            each.text if random.random() < GUESSED else f"{each.text.removesuffix('.')}, as {each.antecedents[0][-6:]} has it."
        )
        found.guessed[each.request] = [Inferred(text, each.antecedents, each.preconditions)]
        found.filed.setdefault(text, (each.domain,))


def _positions(world: World, recipe: Recipe, random: Random, found: Tables) -> None:
    """Where the projector puts the claims: where they lie, or each where another of its domain does; and the examples of each value."""
    for name, levels in AXES:
        found.values.update({(name, example(level)): Placed(level, 1.0) for level in levels})
    for domain in DOMAINS:
        own = [each for each in world.claims if each.domain == domain]
        lies: list[Mapping[str, str]] = [each.places for each in own]
        if not recipe.placed:
            random.shuffle(lies)
        name, levels = AXES[0]
        found.leaning.update({each.text: levels.index(each.places[name]) / (len(levels) - 1) for each in own})
        for each, places in zip(own, lies, strict=True):
            for name, value in places.items():
                found.values[name, each.text] = Placed(value, 1.0)
