"""Answers read off the claim that fits best, not off the turn (the seed's graph+edge)."""

from collections.abc import Sequence

from loom.core.memory.answering import answer
from loom.core.memory.asking import Asked
from loom.core.memory.claims import claim_of
from loom.core.memory.people import key_of
from loom.core.memory.policy import Answers
from loom.core.memory.subjects import Present
from loom.core.memory.values import DECLINED, Hit, Recall
from loom.core.memory.words import Word, term
from loom.lab.locomo.views import Read, parse


def edge(talk: Read, question: Asked, recall: Recall, answers: Answers) -> str:
    """The things of the claims that share most with the question; the date of the turn where it asks when."""
    if recall.silent:
        return DECLINED
    if question.when:
        return answer(talk.view, question, recall, answers, parse)
    best = recall.hits[0].score
    hits = [hit for hit in recall.hits if hit.score >= answers.band * best][: answers.parts]
    parts = [_thing(talk, question, hit) for hit in hits]
    return ", ".join(dict.fromkeys(part for part in parts if part)) or DECLINED


def _thing(talk: Read, question: Asked, hit: Hit) -> str:
    """The thing of a piece's claims that shares most with the question; of equals that of the sentence which does, then the first."""
    said = talk.view.said([hit.turn])[hit.turn]
    piece = talk.view.pieces([(hit.turn, hit.subject)])[hit.turn, hit.subject]
    speaker = key_of(said.speaker)
    others = [key for key in talk.names.speakers if key != speaker]
    present = Present(speaker, others[0] if len(others) == 1 else "")
    focus = set(question.focus)
    best, most = "", (-1, -1)
    for sentence in piece.sentences:
        for parsed in parse(said.whole, sentence.start, sentence.end):
            around = len(_terms(parsed.words) & focus)
            for thing in claim_of(parsed, talk.names, present).things:
                shared = (len(_terms(thing) & focus), around)
                if shared > most:
                    best, most = said.whole[thing[0].start : thing[-1].end], shared
    return best


def _terms(words: Sequence[Word]) -> set[str]:
    return {term(word.form) for word in words}
