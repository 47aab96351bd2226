"""Quoted speech: "Anna said 'I love it'" is Anna's claim, not its teller's."""

import re
from dataclasses import dataclass

from loom.core.memory.words import words_in

_QUOTE = re.compile(
    r"[\"“](?P<double>[^\"“”]+)[\"”]|„(?P<low>[^„“”\"]+)[“”\"]|«(?P<angled>[^«»]+)»|「(?P<cornered>[^「」]+)」"
    r"|(?<![\w'’])['‘](?P<single>[^\"“”\n]+?)['’](?!\w)"
)
SAYING = frozenset(
    """
    say says said saying tell tells told telling ask asks asked asking reply replies replied answer answered write writes wrote
    text texted shout shouted whisper whispered think thinks thought yell yelled admit admitted insist insists insisted claim
    claims claimed joke jokes joked add added explain explained mention mentioned remark remarked
    """.split()
)
_NEAR, _REACH = 4, 160
"""Words within which a word of saying is looked for, and the characters that are read for them: a turn may be all quotation marks."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text at [start, end): speech that is quoted, or what stands around it. `told` is where the words
    are that say who spoke, as a range of the text; None for what is no quote."""

    start: int
    end: int
    told: tuple[int, int] | None = None


def parts_of(text: str) -> list[Part]:
    """The text in parts, in order. Quotation marks without a word of saying near them (titles, irony) part nothing."""
    if not any(mark in text for mark in "\"“„«「'‘"):
        return [Part(0, len(text))]
    found, at = [], 0
    for match in _QUOTE.finditer(text):
        start, end = match.span(match.lastgroup or 0)
        told = _told(text, at, match.start(), match.end())
        if told is None:
            continue
        found += [Part(at, match.start()), Part(start, end, told)]
        at = match.end()
    return [*found, Part(at, len(text))]


def _told(text: str, since: int, start: int, end: int) -> tuple[int, int] | None:
    """Where the clause of saying stands: before the quote in its sentence, or right after it; None where there is none."""
    before = max(since, *(text.rfind(stop, since, start) + 1 for stop in ".!?\n"))
    words = words_in(text, max(before, start - _REACH), start)
    if any(word.form in SAYING for word in words[-_NEAR:]) and not re.search(r"[.!?]\s*\Z", text[before:start]):
        return before, start
    words = words_in(text, end, end + _REACH)[:_NEAR]
    stop = re.search(r"[.!?\n]", text[end : end + _REACH])
    limit = end + stop.start() if stop else len(text)
    words = [word for word in words if word.end <= limit]
    if any(word.form in SAYING for word in words[:3]):
        return end, words[-1].end
    return None
