"""The extractive reader of the seed: an answer in the words of the turns, or that there is none (seed 004 §2.3, specs §3)."""

import re
from collections.abc import Mapping, Sequence
from math import log

from loom.core.facts.dates import MONTHS
from loom.core.memory.asking import Asked
from loom.core.memory.calendar import day_of, moved, spoken
from loom.core.memory.policy import Answers
from loom.core.memory.sentences import Parse, Parsed, sentences_in
from loom.core.memory.values import DECLINED, Recall, Said, View
from loom.core.memory.words import term

_MONTH = re.compile(
    r"(?:(?P<before>\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?)?\b(?P<month>January|February|March|April|May|June|July|August|September"
    r"|October|November|December)\b(?:\s+(?P<after>\d{1,2})(?:st|nd|rd|th)?\b)?(?:,?\s+(?P<year>\d{4})\b)?"
)


def answer(view: View, question: Asked, recall: Recall, answers: Answers, parse: Parse = sentences_in) -> str:
    """A few words of the turns that were found, or a date where the question asks when; `DECLINED` where nothing is to be said."""
    if recall.silent:
        return DECLINED
    best = recall.hits[0].score
    hits = [hit for hit in recall.hits if hit.score >= answers.band * best][: answers.parts]
    said = view.said([hit.turn for hit in hits])
    parsed = {hit.turn: parse(said[hit.turn].whole) for hit in hits}
    weights = _weights(view, question.focus)
    if question.when:
        first = said[hits[0].turn]
        return _date(first, _best(parsed[hits[0].turn], question, weights)) or DECLINED
    asked = {"", *(term(word.form) for word in question.words)}
    parts = [_rarest(view, said[hit.turn].whole, parsed[hit.turn], question, weights, asked, answers.span) for hit in hits]
    return ", ".join(dict.fromkeys(part for part in parts if part)) or DECLINED


def _weights(view: View, terms: Sequence[str]) -> dict[str, float]:
    turns, frequency = view.size().turns, view.frequency(terms)
    return {each: log((turns + 1) / (frequency.get(each, 0) + 1)) for each in terms}


def _best(sentences: Sequence[Parsed], question: Asked, weights: Mapping[str, float]) -> Parsed | None:
    """The sentence that covers most of the question, the first of equals."""
    if not sentences:
        return None
    focus = set(question.focus)
    return max(sentences, key=lambda each: sum(weights[found] for found in {term(word.form) for word in each.words} & focus))


def _rarest(
    view: View,
    text: str,
    parsed: Sequence[Parsed],
    question: Asked,
    weights: Mapping[str, float],
    asked: set[str],
    span: int,
) -> str:
    """The rarest words of the best sentence that asserts something, in the order of the text, without those of the question."""
    best = _best([each for each in parsed if not each.asks], question, weights)
    if best is None:
        return ""
    left = [word for word in best.words if term(word.form) not in asked]
    weight = _weights(view, [term(word.form) for word in left])
    kept = sorted(sorted(range(len(left)), key=lambda at: (-weight[term(left[at].form)], at))[:span])
    return " ".join(text[left[at].start : left[at].end] for at in kept)


def _date(said: Said, sentence: Parsed | None) -> str:
    """The month that a sentence names, with its day, in the year before where it lies ahead of the turn; the day before for
    "yesterday"; else the day of the turn. "" where that is not known."""
    day = day_of(said.date)
    text = said.whole[sentence.start : sentence.end] if sentence else ""
    named = _MONTH.search(text)
    if named and (day or named["year"]):
        month = MONTHS[named["month"].lower()]
        year = int(named["year"]) if named["year"] else int(day[:4]) - (month > int(day[5:7]))
        number = named["before"] or named["after"]
        return spoken(f"{year:04}-{month:02}" + (f"-{int(number):02}" if number else ""))
    if not day:
        return ""
    return spoken(moved(day, -1) if sentence and any(word.form == "yesterday" for word in sentence.words) else day)
