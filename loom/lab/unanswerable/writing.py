"""A conversation written out: scenes that tell its facts in several ways, with small talk, denials and hearsay between them."""

from dataclasses import dataclass
from random import Random

from loom.core.memory.values import Said
from loom.lab.locomo.dataset import Talk
from loom.lab.unanswerable import phrases
from loom.lab.unanswerable.facts import EVENT, FAMILY, Fact, World, named
from loom.lab.unanswerable.material import Act

TOLD, SPLIT, ASKED, PICKED_UP, THIRD, QUOTED, REMINDED = "told", "split", "asked", "picked up", "third", "quoted", "reminded"
WAYS = (TOLD,) * 8 + (SPLIT,) * 4 + (ASKED,) * 2 + (PICKED_UP,) * 2 + (THIRD,) * 2 + (QUOTED,) + (REMINDED,)
"""How a fact comes out, by how often: told by whoever it is of; told, and the detail on being asked; asked for with all but the
detail; asked after, and told with a pronoun; told by another in the third person, as a quote, or to their face."""

Line = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Written:
    """A conversation, the ids of the turns that tell each of its facts, and the (who, act, thing) that are denied in it."""

    world: World
    talk: Talk
    evidence: tuple[tuple[str, ...], ...]
    denied: tuple[tuple[str, str, str], ...]


def written(seed: int, world: World) -> Written:
    random = Random(f"{seed}:writing:{world.number}")
    order = list(range(len(world.facts)))
    random.shuffle(order)
    turns: list[Said] = []
    evidence: dict[int, tuple[str, ...]] = {}
    denied: list[tuple[str, str, str]] = []
    small = _small_talk(random, world)
    for session, day in enumerate(world.sessions):
        lines = _greeting(random, world)
        marked: list[tuple[int, int]] = []
        for fact in (number for number in order if world.facts[number].session == session):
            scene, tells = _scene(random, world, world.facts[fact])
            marked += [(fact, len(lines) + place) for place in tells]
            lines += scene
            lines += _between(random, world, small)
            if random.random() < 0.2:
                lines += _denial(random, world, world.facts[fact], denied)
            if random.random() < 0.15:
                lines += _hearsay(random, world)
        first = len(turns)
        for place, (speaker, text) in enumerate(lines):
            turns.append(Said(speaker, text, day.isoformat(), f"D{session + 1}:{place + 1}"))
        for fact, place in marked:
            evidence[fact] = (*evidence.get(fact, ()), turns[first + place].id)
    talk = Talk(f"{world.theme.name}-{world.number + 1}", world.people, tuple(turns), len(world.sessions))
    return Written(world, talk, tuple(evidence[fact] for fact in range(len(world.facts))), tuple(denied))


def _scene(random: Random, world: World, fact: Fact) -> tuple[list[Line], list[int]]:
    """Lines, and the places of those that tell the fact."""
    other = random.choice([each for each in world.people if each != fact.who])
    if fact.sort != EVENT:
        return _of_state(random, world, fact, other)
    assert fact.act is not None
    known = random.random() < 0.5
    it, rest = named(fact.thing, known=known), f" {fact.detail}{fact.said}"
    if fact.detail.startswith(("because", "since")):
        rest = f"{fact.said} {fact.detail}"
    way = random.choice(WAYS)
    the = named(fact.thing, known=True)
    if way == SPLIT:
        first = _opened(random, other, _did(random, fact.act, "I", it, fact.said))
        answer = _sentence(fact.detail)
        return [(fact.who, first), (other, random.choice(phrases.FOLLOW[fact.kind])), (fact.who, answer)], [0, 2]
    if way == ASKED:
        question = phrases.DIRECT[fact.kind].format(person=fact.who, base=fact.act.base, it=the, when=fact.said)
        return [(other, question), (fact.who, _tailed(random, _sentence(fact.detail)))], [0, 1]
    if way == PICKED_UP:
        question = random.choice(("And what about {the}, {who}?", "{who}, is there anything new with {the}?")).format(
            the=the, who=fact.who
        )
        told = _did(random, fact.act, "I", "them" if fact.thing.endswith("s") else "it", rest)
        return [(other, question), (fact.who, _tailed(random, _sentence(told)))], [0, 1]
    if way in (THIRD, QUOTED, REMINDED):
        person = {THIRD: fact.who, QUOTED: "I", REMINDED: "you"}[way]
        told = _did(random, fact.act, person, it, rest)
        forms = {THIRD: phrases.REPORTS, QUOTED: phrases.QUOTES, REMINDED: phrases.REMINDERS}[way]
        text = _sentence(random.choice(forms).format(person=fact.who, told=told))
        return [(other, text), (fact.who, random.choice(phrases.CONFIRMED))], [0]
    text = _tailed(random, _opened(random, other, _did(random, fact.act, "I", it, rest)))
    return [(fact.who, text), (other, random.choice(phrases.REACTIONS).format(person=fact.who))], [0]


def _of_state(random: Random, world: World, fact: Fact, other: str) -> tuple[list[Line], list[int]]:
    third = random.random() < 0.2
    my = f"{fact.who}'s" if third else "my"
    if fact.sort == FAMILY:
        assert fact.act is not None
        text = random.choice(fact.act.told).format(my=my, kin=fact.thing, rest=fact.detail)
    else:
        verb = "is" if fact.word == "favourite" else "was"
        text = random.choice(phrases.TASTE_TOLD).format(my=my, taste=fact.word, thing=fact.thing, verb=verb, answer=fact.detail)
    if third:
        return [(other, _sentence(text)), (fact.who, random.choice(phrases.CONFIRMED))], [0]
    return [
        (fact.who, _tailed(random, _opened(random, other, text))),
        (other, random.choice(phrases.REACTIONS).format(person=fact.who)),
    ], [0]


def _did(random: Random, act: Act, who: str, it: str, rest: str) -> str:
    return random.choice(act.told).format(I=who, it=it, rest=rest)


def _greeting(random: Random, world: World) -> list[Line]:
    one, other = random.sample(world.people, 2)
    return [
        (one, random.choice(phrases.GREETINGS).format(other=other)),
        (other, f"{random.choice(phrases.ANSWERS).format(other=one)} {random.choice(world.theme.talk)}"),
    ]


def _small_talk(random: Random, world: World) -> list[str]:
    """What is said beside the matter, the theme's and any, each once before any comes again."""
    found = [*world.theme.talk, *phrases.SMALL]
    random.shuffle(found)
    return found


def _between(random: Random, world: World, small: list[str]) -> list[Line]:
    """None to three turns that tell nothing that is asked for."""
    lines = []
    for _ in range(random.choice((0, 1, 1, 2, 3))):
        small.insert(0, small.pop())
        lines.append((random.choice(world.people), small[0]))
    return lines


def _denial(random: Random, world: World, fact: Fact, denied: list[tuple[str, str, str]]) -> list[Line]:
    """Whoever a fact is of denies another act on the same thing, which nobody did."""
    done = {(each.who, each.word, each.thing) for each in world.facts}
    if fact.sort != EVENT or fact.act is None:
        return []
    free = [
        act
        for act in world.theme.acts
        if act.family != fact.act.family and not any((who, act.base, fact.thing) in done for who in world.people)
    ]
    if not free:
        return []
    act = random.choice(free)
    denied.append((fact.who, act.base, fact.thing))
    text = random.choice(phrases.DENIALS).format(base=act.base, past=act.past, it=named(fact.thing, known=True))
    other = random.choice([each for each in world.people if each != fact.who])
    return [(other, f"And somebody told me you {act.past} {named(fact.thing, known=True)}?"), (fact.who, text)]


def _hearsay(random: Random, world: World) -> list[Line]:
    """Somebody tells what one who takes no part did to a thing of the conversation."""
    things = sorted({fact.thing for fact in world.facts if fact.sort == EVENT})
    act, thing = random.choice(world.theme.acts), random.choice(things)
    text = random.choice(phrases.HEARSAY).format(
        name=random.choice(world.outsiders),
        past=act.past,
        it=named(thing, known=False),
        detail=random.choice(world.theme.places),
    )
    return [(random.choice(world.people), text)]


def _opened(random: Random, other: str, told: str) -> str:
    opener = random.choice(phrases.OPENERS).format(other=other)
    if opener.endswith((". ", "! ")) or not opener:
        told = told[0].upper() + told[1:]
    return _sentence(opener + told)


def _tailed(random: Random, text: str) -> str:
    return f"{text} {random.choice(phrases.TAILS)}".strip()


def _sentence(text: str) -> str:
    text = text[0].upper() + text[1:]
    return text if text.endswith((".", "!", "?", '"')) else f"{text}."
