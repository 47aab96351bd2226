"""Conversations read by a model's spans, as the published recall finds them: the arms `model-span` and `model-graph`."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from loom.core.memory.asking import asked
from loom.core.memory.calendar import dates_of
from loom.core.memory.memory_view import MemoryView
from loom.core.memory.people import Names, key_of
from loom.core.memory.policy import PUBLISHED
from loom.core.memory.reading import parsed
from loom.core.memory.recall import ranked
from loom.core.memory.subjects import FIRST_PERSON, SECOND_PERSON
from loom.core.memory.values import NOBODY, Person, Piece, Reading, Said, Sentence
from loom.core.memory.words import any_term, words_in
from loom.lab.locomo.arms import ARMS, Arm
from loom.lab.locomo.bench import UNBOUNDED, Bench
from loom.lab.locomo.dataset import Dataset, Talk
from loom.lab.locomo.model_spans import Extracted, Told
from loom.lab.locomo.views import Read, cosine, parse, people_of

MODEL_SPAN = replace(ARMS["span"], name="model-span")
MODEL_GRAPH = replace(ARMS["graph"], name="model-graph")
MODEL_ARMS = (MODEL_SPAN, MODEL_GRAPH)
"""The claim spans of a model, unfiltered and filtered by the subject of the question."""

_ARTICLE = re.compile(r"\A(?:the|a|an|his|her|their|its)\s+(?=\w)", re.IGNORECASE)


def views(data: Dataset, extracted: Extracted) -> list[Read]:
    """All conversations as the model files them."""
    return [_read(talk, told) for talk, told in zip(data.talks, extracted.told, strict=True)]


def _read(talk: Talk, told: Sequence[Told]) -> Read:
    known = people_of(talk)
    filing = _Filing(talk, known)
    filed = [filing.keys(said, each) for said, each in zip(talk.turns, told, strict=True)]
    people = (*known, *filing.new.values())
    view = MemoryView()
    for number, said in enumerate(talk.turns):
        view.add(said, Reading(number, _pieces(number, said, filed[number]), people if not number else ()))
    # A question asks about whom the published arms know, and whoever the model calls by a name; "the garden" is nobody to ask about.
    asked_about = [person for person in people if person in known or person.name[:1].isupper()]
    return Read(talk, view, Names(asked_about, shortened=False))


class _Filing:
    """Persons by what a model calls them: one that is known, or one that is new from then on."""

    def __init__(self, talk: Talk, known: Sequence[Person]) -> None:
        self._names = Names(known)
        self._speakers = tuple(person.key for person in known if person.speaks)
        self.new: dict[str, Person] = {}

    def keys(self, said: Said, told: Told) -> dict[int, tuple[str, ...]]:
        """The keys of the subjects of each sentence, by its place."""
        found: dict[int, dict[str, None]] = {}
        for subject, place in told.spans:
            found.setdefault(place, {})[self._key(subject, key_of(said.speaker))] = None
        return {place: tuple(keys) for place, keys in found.items()}

    def _key(self, subject: str, speaker: str) -> str:
        name = _ARTICLE.sub("", subject, count=1)
        words = tuple(word.form for word in words_in(name))
        if words[0] in FIRST_PERSON and len(words) == 1:
            return speaker
        others = [key for key in self._speakers if key != speaker]
        if words[0] in SECOND_PERSON and len(words) == 1 and len(others) == 1:
            return others[0]
        if key := self._names.meant(words) or (self._names.short(words[0]) if len(words) == 1 else ""):
            return key
        key = key_of(name)
        self.new.setdefault(key, Person(key, name))
        return key


def _pieces(number: int, said: Said, subjects: dict[int, tuple[str, ...]]) -> tuple[Piece, ...]:
    """The pieces of a turn; what the model files under nobody still counts where terms are counted."""
    parsing = parsed(said, PUBLISHED.reads, parse)
    held: dict[str, list[Sentence]] = {}
    counted: dict[str, Counter[str]] = {}
    for place, sentence in enumerate(parsing.sentences):
        dates = dates_of(parsing.text[sentence.start : sentence.end], said.date)
        made = Sentence(sentence.start, sentence.end, sentence.negated, "", dates)
        own = Counter(found for word in sentence.words if (found := any_term(word.form)))
        for subject in subjects.get(place) or (NOBODY,):
            held.setdefault(subject, []).append(made)
            counted.setdefault(subject, Counter()).update(own)
    return tuple(Piece(number, subject, tuple(held[subject]), counted[subject]) for subject in sorted(held))


def rank_model(bench: Bench, arm: Arm, talks: Sequence[Read]) -> None:
    """Rank an arm's pieces as the published arms are ranked; the bench then runs it as any other."""
    recalls = replace(arm.policy.recalls, floor=0.0, contrast=0.0, k=0, most=UNBOUNDED)
    rankers = [cosine(talk) for talk in talks]
    made = []
    for question in bench.data.questions:
        talk = talks[question.talk]
        read = asked(question.text, talk.names, named=recalls.named, several=recalls.several, timed=recalls.timed)
        made.append(ranked(talk.view, read, recalls, rankers[question.talk]))
    bench.hand(arm, made)
