"""A second set of questions without an answer, made by rule from dialogues made here (specs/memory.md §9).

Two people tell each other what they, and a relative of one of them, did with which thing, where and in which month. Every question
that has an answer is the twin of one that has none and differs from it in a single word: the thing was never mentioned, another
person did it, it was another month, or something else was done with it. Evidence of a question without answer is its twin's: the
trap.
"""

from dataclasses import dataclass
from hashlib import sha256
from random import Random

import orjson

from loom.core.memory.values import Said
from loom.core.memory.words import terms
from loom.lab.locomo.dataset import Dataset, Question, Talk
from loom.lab.locomo.scorer import ADVERSARIAL, SINGLE
from loom.lab.locomo.second_words import (
    COUSINS,
    KIN,
    KIN_OPENERS,
    LOOKS,
    OPENERS,
    PAIRS,
    PLACES,
    PROMPTS,
    REPLIES,
    SMALL_TALK,
    THINGS,
    VERBS,
)

KINDS = ("never mentioned", "wrong person", "wrong time", "wrong relation")
MONTHS = "January February March April May June July August September October November December".split()
SEED = 4
EACH = 20
"""Questions of each kind a conversation, and as many twins."""


@dataclass(frozen=True, slots=True)
class Told:
    """What was told in which turn: `who` did with which thing what, where and when."""

    turn: str
    who: str
    verb: str
    look: str
    thing: str
    place: str
    month: str

    def asked(self, *, who: str = "", verb: str = "", thing: str = "", month: str = "") -> str:
        """The question where it was, with one word or another in place of what was told."""
        return (
            f"Where did {who or self.who} {verb or self.verb} the {self.look} {thing or self.thing} in {month or self.month}?"
        )


@dataclass(frozen=True, slots=True)
class Second:
    """`kinds` names the kind of each question of `data`, which come in pairs: a twin, and the question without answer."""

    data: Dataset
    kinds: tuple[str, ...]
    seed: int


def second(seed: int = SEED) -> Second:
    """The set; the same for the same seed."""
    talks, questions, kinds = [], [], []
    for number, pair in enumerate(PAIRS):
        random = Random(f"{seed}:second:{number}")
        talk, told, unused = _talk(number, pair, random)
        talks.append(talk)
        for kind in KINDS:
            for each in random.sample(told, EACH):
                for text, answerable in ((each.asked(), True), (_changed(kind, each, told, pair, unused, random), False)):
                    category, answer = (SINGLE, each.place) if answerable else (ADVERSARIAL, "")
                    questions.append(Question(number, text, category, answer, (each.turn,)))
                    kinds.append(kind)
    digest = sha256(orjson.dumps([[each.text for each in talk.turns] for talk in talks] + [each.text for each in questions]))
    return Second(Dataset(tuple(talks), tuple(questions), digest.hexdigest()), tuple(kinds), seed)


def shared(one: str, other: str) -> float:
    """The share of one question's content stems that another has."""
    mine = set(terms(one))
    return len(mine & set(terms(other))) / len(mine)


def _talk(number: int, pair: tuple[str, str], random: Random) -> tuple[Talk, list[Told], list[str]]:
    """A conversation of ten months, what was told in it, and the things that it never mentions."""
    things = random.sample(THINGS, len(THINGS))
    cousin, kin = COUSINS[number], random.choice(KIN)
    turns: list[Said] = []
    told: list[Told] = []
    months = sorted(random.sample(range(12), 10))
    for session, month in enumerate(months, 1):
        date = f"2024-{month + 1:02}-{random.randint(2, 27):02}"

        def say(speaker: str, text: str, date: str = date, session: int = session) -> str:
            turn = f"D{session}:{sum(each.id.startswith(f'D{session}:') for each in turns) + 1}"
            turns.append(Said(speaker, text, date, turn))
            return turn

        for place in range(5):
            speaker, other = pair if place % 2 == session % 2 else pair[::-1]
            who = cousin if place == 4 and speaker == pair[0] else speaker
            verb, past = random.choice(VERBS)
            look, thing, town = random.choice(LOOKS), things.pop(), random.choice(PLACES)
            words = {"past": past, "look": look, "thing": thing, "place": town, "name": who, "kin": kin}
            say(other, f"{random.choice(SMALL_TALK)} {random.choice(PROMPTS)}")
            text = random.choice(KIN_OPENERS if who == cousin else OPENERS).format(**words)
            turn = say(speaker, f"{text} {random.choice(SMALL_TALK)}")
            say(other, random.choice(REPLIES).format(**{**words, "name": speaker}))
            told.append(Told(turn, who, verb, look, thing, town, MONTHS[month]))
    return Talk(f"second-{number}", pair, tuple(turns), len(months)), told, things


def _changed(kind: str, each: Told, told: list[Told], pair: tuple[str, str], unused: list[str], random: Random) -> str:
    if kind == "never mentioned":
        return each.asked(thing=random.choice(unused))
    if kind == "wrong person":
        return each.asked(who=random.choice([name for name in pair if name != each.who]))
    if kind == "wrong time":
        return each.asked(month=random.choice(sorted({other.month for other in told} - {each.month})))
    return each.asked(verb=random.choice(sorted({other.verb for other in told if other.who == each.who} - {each.verb})))
