"""How a world is drawn from a seed. The domain of a text follows from its entity and its aspect together, from neither alone."""

from dataclasses import replace
from random import Random
from typing import Any

from loom.claims.deriving import claim_id
from loom.core.claims.intake.ids import entry, signal_id
from loom.core.claims.records import Domain
from loom.lab.claims.worlds.grading import graded
from loom.lab.claims.worlds.labelling import boundary, filings, requests, usage
from loom.lab.claims.worlds.planted import Fact, Injection, Meant, Opposing, Query, World
from loom.lab.claims.worlds.recipe import Recipe
from loom.lab.claims.worlds.words import ASPECTS, AXES, CUES, Fillers, entity

DOMAINS = ("d-procurement", "d-operations")
LATE = "d-annex"
"""Described from the start; only what comes late in a drifting world is filed under it."""
TIMES = 2
"""Queries that ask for the same in other words."""
SESSION = 4
"""Requests of a session."""


def made(recipe: Recipe, seed: int) -> World:
    """The world of a recipe and a seed: the same for the same."""
    random = Random(f"{seed}:world")
    world, fill = World(), Fillers(Random(f"{seed}:fillers"))
    world.domains = [Domain(id, id[2:].capitalize(), f"{cue} matters") for id, cue in zip((*DOMAINS, LATE), CUES, strict=True)]
    for domain in DOMAINS:
        for name, levels in AXES:
            world.dimensions[f"{domain}:{name}"] = domain, _contract(name, levels)
    _claims(world, recipe, random, fill)
    _disputes(world, random)
    _supporting(world, recipe, random, fill)
    _queries(world, recipe, random, fill)
    for each in world.claims:
        world.injected[each.id] = _injection(each, True, "inject", fill), _injection(each, False, "inject", fill)
        world.late[each.id] = _injection(each, True, "late", fill)
        world.opposing[each.id] = _opposing(each, True, fill), _opposing(each, False, fill)
    world.requests = requests(recipe, Random(f"{seed}:requests"), fill)
    world.filings = filings(recipe, Random(f"{seed}:filings"), fill)
    world.boundary = boundary(recipe, Random(f"{seed}:boundary"), fill)
    world.reads, world.writes, world.minutes = usage(recipe, Random(f"{seed}:usage"))
    graded(world, recipe)
    return world


def domain_of(number: int, aspect: int) -> str:
    return DOMAINS[(number + aspect) % 2]


def sentence(number: int, *words: str) -> str:
    return f"{entity(number)} {' '.join(words)}."


def fact(source: str, text: str, domain: str, aspect: int, number: int, at: str = "2026-01-05") -> Fact:
    """One sentence of one source, under the id that its signal will have."""
    held = entry(source, text, observed_at=at)
    return Fact(held, signal_id(held.id, 0, len(text), text), text, domain, aspect, number)


def example(level: str) -> str:
    """The prototype of a value."""
    return f"A matter that is {level}."


def _contract(name: str, levels: tuple[str, ...]) -> dict[str, Any]:
    return {
        "name": name,
        "definition": f"How {name} a matter is",
        "values": {"kind": "ordinal", "values": list(levels)},
        "projection": {"system": "judged"},
        "metric": "rank",
        "normalizer": "steps",
        "prototypes": [{"value": level, "text": example(level)} for level in levels],
    }


def _claims(world: World, recipe: Recipe, random: Random, fill: Fillers) -> None:
    for place in range(recipe.past + recipe.held):
        held = place >= recipe.past
        order = [(number, aspect) for number in range(recipe.entities) for aspect in range(len(ASPECTS))]
        random.shuffle(order)
        for turn, (number, aspect) in enumerate(order):
            (one, _), (other, _) = ASPECTS[aspect]
            domain, tails = domain_of(number, aspect), (fill(), fill())
            facts = []
            for word, tail in zip((one, other), tails, strict=True):
                cue = [CUES[DOMAINS.index(domain)]] if random.random() < 0.5 else []
                facts.append(
                    fact(f"memo-{place}-{number}-{aspect}-{word}", sentence(number, word, tail, *cue), domain, aspect, number)
                )
            world.facts += facts
            text = sentence(number, one, other, fill(), fill())
            world.claims.append(
                Meant(
                    claim_id(text),
                    text,
                    domain,
                    number,
                    aspect,
                    tuple(each.signal for each in facts),
                    f"What follows for {entity(number)} from {one} {tails[0]} and {other} {tails[1]}?",
                    f"{'held' if held else 'past'}-{place}-{turn // SESSION}",
                    held,
                    {name: random.choice(levels) for name, levels in AXES},
                    random.random() < recipe.sound,
                    preconditions=(f"The {fill()} of {entity(number)} holds.",) if random.random() < 0.2 else (),
                )
            )


def _disputes(world: World, random: Random) -> None:
    """In each domain and aspect, people see a conflict between two claims of the past."""
    groups: dict[tuple[str, int], list[int]] = {}
    for at, each in enumerate(world.claims):
        if not each.held:
            groups.setdefault((each.domain, each.aspect), []).append(at)
    for key in sorted(key for key, group in groups.items() if len(group) > 1):
        one, other = random.sample(groups[key], 2)
        for mine, theirs in ((one, other), (other, one)):
            world.claims[mine] = replace(world.claims[mine], disputed=world.claims[theirs].id)


def _supporting(world: World, recipe: Recipe, random: Random, fill: Fillers) -> None:
    """For half of the claims of the past, undisputed and without preconditions, a sentence of another source."""
    for at, each in enumerate(world.claims):
        if each.held or each.disputed or each.preconditions or random.random() < 0.4:
            continue
        words = [other for _, other in ASPECTS[each.aspect]]
        held = fact(f"letter-{at}", sentence(each.entity, *words, fill()), each.domain, each.aspect, each.entity, "2026-02-02")
        world.supporting.append((held, each.id, random.random() < recipe.supports))
        world.claims[at] = replace(each, supported=True, sound=random.random() < recipe.corroborated)


def _queries(world: World, recipe: Recipe, random: Random, fill: Fillers) -> None:
    wanted = [
        (domain, aspect, axis, value)
        for domain in DOMAINS
        for aspect in range(len(ASPECTS))
        for axis, levels in AXES
        for value in levels
        for _ in range(TIMES)
    ]
    random.shuffle(wanted)
    for at, (domain, aspect, axis, value) in enumerate(wanted[: recipe.queries]):
        (one, _), (_, other) = random.sample(ASPECTS[aspect], 2)
        text = f"{value} {one} {other} {fill()} {fill()}"
        world.queries.append(Query(f"q{at}", text, f"reads-{at // SESSION}", domain, aspect, axis, value))


def _injection(each: Meant, contradicts: bool, kind: str, fill: Fillers) -> Injection:
    if contradicts:
        words = [other for _, other in ASPECTS[each.aspect]]
    else:
        words = [word for word, _ in ASPECTS[(each.aspect + 2) % len(ASPECTS)]]
    text = sentence(each.entity, *words, fill(), fill(), fill())
    source = f"{kind}-{'against' if contradicts else 'beside'}-{each.id}"
    return Injection(fact(source, text, each.domain, each.aspect, each.entity, "2026-03-03"), each.id, contradicts)


def _opposing(each: Meant, contradicts: bool, fill: Fillers) -> Opposing:
    made = _injection(each, contradicts, "opposing", fill).fact
    tail = (fill(), fill())
    words = [other for _, other in ASPECTS[each.aspect]] if contradicts else [fill(), fill()]
    text = sentence(each.entity, *words, *tail)
    return Opposing(made, f"What does this mean: {made.text}", text, each.id, contradicts)
