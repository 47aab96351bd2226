"""Questions of four kinds that nothing said answers, each with an answerable twin, made by rule from what is true.

Each pair differs in one thing: the topic, the person, the time or the relation. A pair whose question does not share `SHARED` of its
content stems with its twin is not made, nor is one that the conversation might answer after all.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from random import Random

from loom.core.memory.words import terms
from loom.lab.unanswerable import phrases, times
from loom.lab.unanswerable.facts import EVENT, FAMILY, Fact, named
from loom.lab.unanswerable.material import KIN, KIN_ACTS, TASTED, TASTES, Act
from loom.lab.unanswerable.writing import Written

TOPIC, PERSON, TIME, RELATION = "never mentioned", "wrong person", "wrong time", "wrong relation"
KINDS = (TOPIC, PERSON, TIME, RELATION)
SHARED = 0.6
DATED = 0.3
"""The share of pairs, other than those of a wrong time, whose questions name the time of an event."""
DENIED = 0.25
"""How often a wrong relation is one that was denied, where one was."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A question of conversation number `talk` that has no answer, and its twin, whose answer is in the turns `evidence`."""

    talk: int
    kind: str
    question: str
    twin: str
    answer: str
    evidence: tuple[str, ...]

    @property
    def shared(self) -> float:
        """The share of the question's content stems, repeats counted, that its twin has."""
        mine, others = Counter(terms(self.question)), Counter(terms(self.twin))
        return (mine & others).total() / mine.total()


def pairs(seed: int, talks: Sequence[Written]) -> list[Pair]:
    """All pairs, by conversation, fact and kind."""
    return [pair for number, talk in enumerate(talks) for pair in _pairs(seed, number, talk)]


def _pairs(seed: int, number: int, talk: Written) -> Iterator[Pair]:
    spoken = {each for said in talk.talk.turns for each in terms(said.text)}
    for place, fact in enumerate(talk.world.facts):
        for kind in KINDS:
            random = Random(f"{seed}:{kind}:{number}:{place}")
            made = _MADE[kind](random, talk, fact, spoken)
            if made is None:
                continue
            pair = Pair(number, kind, *made, fact.detail, talk.evidence[place])
            if pair.shared >= SHARED:
                yield pair


def _topic(random: Random, talk: Written, fact: Fact, spoken: set[str]) -> tuple[str, str] | None:
    """Another thing, none of whose stems is anywhere in the conversation."""
    others = {EVENT: talk.world.unused, FAMILY: KIN}.get(fact.sort, tuple(sorted(TASTED)))
    free = [each for each in others if not spoken & set(terms(each))]
    if not free:
        return None
    form, when = _form(random, fact), _when(random, fact)
    thing = random.choice(free)
    return _asked(fact, form, when, thing=thing), _asked(fact, form, when)


def _person(random: Random, talk: Written, fact: Fact, spoken: set[str]) -> tuple[str, str] | None:
    """Another who takes part, of whom it is not true: one of whom something else is told on the same thing, where there is one."""
    facts = talk.world.facts
    free = [who for who in talk.world.people if who != fact.who and not _did(facts, who, fact)]
    near = [who for who in free if any(each.who == who and each.thing == fact.thing for each in facts)]
    if not free:
        return None
    form, when = _form(random, fact), _when(random, fact)
    who = random.choice(near or free)
    return _asked(fact, form, when, who=who), _asked(fact, form, when)


def _time(random: Random, talk: Written, fact: Fact, spoken: set[str]) -> tuple[str, str] | None:
    """When the same person did something else, where that is far enough off, else when somebody else did."""
    if fact.when is None:
        return None
    form = random.choice(times.forms(fact.when))
    events = [
        each
        for each in talk.world.facts
        if each.when and form in times.forms(each.when) and not (each.thing == fact.thing and _did([each], fact.who, fact))
    ]
    free = [each for each in events if each.when and times.apart(form, fact.when.at, each.when.at)]
    own = [each for each in free if each.who == fact.who]
    days: list[date] = [each.when.at for each in own or free if each.when]
    if form == "year" and not days:
        days = [date(fact.when.at.year + random.choice((-4, -3, -2, 2)), 6, 15)]
    if not days:
        return None
    words = _form(random, fact)
    wrong = times.asked(form, random.choice(days))
    return _asked(fact, words, wrong), _asked(fact, words, times.asked(form, fact.when.at))


def _relation(random: Random, talk: Written, fact: Fact, spoken: set[str]) -> tuple[str, str] | None:
    """Another act of the same person on the same thing, of another family, which nobody told of; at times one that was denied."""
    form, when = _form(random, fact), _when(random, fact)
    if fact.sort == EVENT or fact.sort == FAMILY:
        assert fact.act is not None
        own = [each.act for each in talk.world.facts if each.act and each.who == fact.who and each.thing == fact.thing]
        families = {act.family for act in own}
        acts = talk.world.theme.acts if fact.sort == EVENT else KIN_ACTS
        free = [act for act in acts if act.family not in families and fact.kind in act.details]
        denied = [act for act in free if (fact.who, act.base, fact.thing) in talk.denied]
        if not free:
            return None
        act = random.choice(denied if denied and random.random() < DENIED else free)
        return _asked(fact, form, when, act=act), _asked(fact, form, when)
    word = random.choice([each for each in TASTES if each != fact.word])
    return _asked(fact, form, when, word=word), _asked(fact, form, when)


_MADE = {TOPIC: _topic, PERSON: _person, TIME: _time, RELATION: _relation}


def _did(facts: Sequence[Fact], who: str, fact: Fact) -> bool:
    """Whether it might be true of another, too: told of an act of the same family on the same thing."""
    family = fact.act.family if fact.act else fact.word
    return any(
        each.who == who and each.thing == fact.thing and (each.act.family if each.act else each.word) == family
        for each in facts
    )


def _form(random: Random, fact: Fact) -> str:
    forms = phrases.ASKS[fact.kind] if fact.sort == EVENT else phrases.KIN_ASKS if fact.sort == FAMILY else phrases.TASTE_ASKS
    return random.choice(forms)


def _when(random: Random, fact: Fact) -> str:
    """The time of an event, as a part of the questions name it; "" for all others."""
    if fact.when is None or random.random() >= DATED:
        return ""
    return times.asked(random.choice(times.forms(fact.when)), fact.when.at)


def _asked(fact: Fact, form: str, when: str, *, who: str = "", thing: str = "", act: Act | None = None, word: str = "") -> str:
    """The question for a fact's detail, with what is given in the place of its own."""
    who, thing, act = who or fact.who, thing or fact.thing, act or fact.act
    if fact.sort == EVENT:
        assert act is not None
        it = named(thing, known=True)
        return form.format(person=who, base=act.base, past=act.past, it=it, when=when)
    if fact.sort == FAMILY:
        assert act is not None
        return form.format(person=who, kin=thing, base=act.base, past=act.past)
    word = word or fact.word
    return form.format(person=who, taste=word, thing=thing, verb="is" if word == "favourite" else "was")
