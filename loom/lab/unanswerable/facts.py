"""What is true in a conversation: who did what, where or why, and when; whose kin does what; what was whose favourite."""

from dataclasses import dataclass
from datetime import date
from random import Random

from loom.lab.unanswerable.material import (
    COMPANY,
    KIN,
    KIN_ACTS,
    KIN_PLACES,
    OUTSIDERS,
    PRICE,
    PRICES,
    SPEAKERS,
    TASTED,
    TASTES,
    THEMES,
    WHERE,
    WHO,
    Act,
    Theme,
)
from loom.lab.unanswerable.times import Time, told

EVENT, FAMILY, TASTE = "event", "family", "taste"
EVENTS, KINS, TASTINGS = 19, 4, 3
"""Facts of each sort in a conversation."""
THINGS = 8
"""Things that a conversation speaks of; each is acted on by two or three."""
PLURAL = frozenset("dumplings pickles pumpkins gooseberries catacombs".split())
MASS = frozenset("compost lavender rhubarb".split())


@dataclass(frozen=True, slots=True)
class Fact:
    """`who` speaks in the conversation. `word` is the base of an act (or what something is to somebody: "favourite"); `detail` is of
    `kind`, and is what a question asks for; `session` is the number of the session that tells it. Of an event `when` is known, and
    `said` are the words that tell it, in its session."""

    sort: str
    who: str
    act: Act | None
    word: str
    thing: str
    kind: str
    detail: str
    session: int
    when: Time | None = None
    said: str = ""


@dataclass(frozen=True, slots=True)
class World:
    """A conversation before it is written. `unused` are things of its theme that nothing is to be said of."""

    number: int
    theme: Theme
    people: tuple[str, ...]
    outsiders: tuple[str, ...]
    sessions: tuple[date, ...]
    facts: tuple[Fact, ...]
    unused: tuple[str, ...]


def worlds(seed: int, many: int) -> list[World]:
    """So many conversations, each theme in turn, none with a speaker of another."""
    names = list(SPEAKERS)
    Random(f"{seed}:names").shuffle(names)
    made, at = [], 0
    for number in range(many):
        size = (2, 3, 2, 4, 3, 5, 2)[(number * 3 + number // 7) % 7]
        made.append(_world(Random(f"{seed}:world:{number}"), number, [names[(at + each) % len(names)] for each in range(size)]))
        at += size
    return made


def _world(random: Random, number: int, people: list[str]) -> World:
    theme = THEMES[number % len(THEMES)]
    sessions = _sessions(random)
    things = random.sample(theme.things, THINGS)
    facts: list[Fact] = []
    taken: set[tuple[str, str]] = set()
    for at in range(EVENTS):
        thing = things[at % THINGS]
        who = people[(at + at // THINGS) % len(people)]
        used = {act for act, other in taken if other == thing}
        act = random.choice([each for each in theme.acts if each.base not in used])
        taken.add((act.base, thing))
        session = random.randrange(len(sessions))
        time, said = told(random, sessions[session])
        kind = random.choice(act.details)
        facts.append(Fact(EVENT, who, act, act.base, thing, kind, _detail(random, theme, kind), session, time, said))
    facts += _others(random, people, len(sessions))
    return World(
        number,
        theme,
        tuple(people),
        tuple(random.sample(OUTSIDERS, 3)),
        sessions,
        tuple(facts),
        tuple(each for each in theme.things if each not in things),
    )


def _others(random: Random, people: list[str], sessions: int) -> list[Fact]:
    """Facts of kin, one act each, and of taste, the same thing of two people at most."""
    facts = []
    kin, places = random.sample(KIN, KINS), random.sample(KIN_PLACES, KINS)
    acts = random.sample(KIN_ACTS, KINS)
    for at in range(KINS):
        who = people[at % len(people)]
        facts.append(Fact(FAMILY, who, acts[at], acts[at].base, kin[at], WHERE, places[at], random.randrange(sessions)))
    for at, thing in enumerate(random.sample(sorted(TASTED), TASTINGS)):
        who = people[(at + 1) % len(people)]
        facts.append(
            Fact(
                TASTE, who, None, random.choice(TASTES), thing, TASTE, random.choice(TASTED[thing]), random.randrange(sessions)
            )
        )
    return facts


def _sessions(random: Random) -> tuple[date, ...]:
    """Five to seven days, between the 12th and the 27th, one to three months apart."""
    month = (2021 + random.randrange(3)) * 12 + random.randrange(12)
    found = []
    for _ in range(random.choice((5, 6, 7))):
        found.append(date(month // 12, month % 12 + 1, random.randrange(12, 28)))
        month += random.choice((1, 2, 2, 3))
    return tuple(found)


def _detail(random: Random, theme: Theme, kind: str) -> str:
    if kind == WHERE:
        return random.choice(theme.places)
    if kind == WHO:
        return "with " + random.choice(COMPANY).format(name=random.choice(OUTSIDERS))
    return random.choice(PRICES if kind == PRICE else theme.reasons)


def named(thing: str, *, known: bool) -> str:
    """A thing with its article."""
    if known:
        return f"the {thing}"
    if thing in PLURAL or thing in MASS:
        return f"some {thing}"
    return f"an {thing}" if thing[0] in "aeio" else f"a {thing}"
