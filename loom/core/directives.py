"""Replies that ask for content instead of answering: lines that begin with a prefix, and nothing else (seed 003 §6; R26, R29).

A line is a directive where the prefix stands at its beginning, in any case, behind white space, invisible characters, quotes,
bullets, emphasis or a number, and at most WIDEST characters follow. Blank lines, marks alone and lines that open or close fenced
code may stand between directives. Every function is total and takes the time of one walk over the text.
"""

import re
import unicodedata
from enum import Enum
from functools import lru_cache

LONGEST = 4_000
"""Characters up to which a reply may still become one of directives alone: who waits for that waits no longer."""
WIDEST = 400
"""Characters of what is asked for in one line."""
_MARKS = frozenset("\"'`´«»‹›“”„‟‘’‚*_~>-–—•·‣◦+#|[](){}<")
_INFO = re.compile(r"[\w.+#-]{0,20}\s*")
_FENCES = ("```", "~~~")


class _Kind(Enum):
    EMPTY, DIRECTIVE, PARTIAL, OTHER = range(4)


def pending(text: str, prefix: str) -> bool:
    """Whether a reply so far may still become one of directives alone. False at the first character that rules it out, and once it is
    longer than LONGEST: then `alone` tells whether it was nothing else so far."""
    if len(text) > LONGEST:
        return False
    *finished, last = _lines(text)
    return not any(_read(line, prefix)[0] in (_Kind.OTHER, _Kind.PARTIAL) for line in finished) and (
        _read(last, prefix)[0] is not _Kind.OTHER
    )


def alone(text: str, prefix: str) -> bool:
    """Whether a reply consists of directives, one at least, and of nothing else; however long it is."""
    found = False
    for line in _lines(text):
        kind = _read(line, prefix)[0]
        if kind in (_Kind.OTHER, _Kind.PARTIAL):
            return False
        found = found or kind is _Kind.DIRECTIVE
    return found


def begun(text: str, prefix: str) -> bool:
    """Whether a reply that was cut off is the beginning of one of directives alone: the last line breaks off in one, behind others or
    after two letters of the prefix as it is written."""
    *finished, last = _lines(text)
    kinds = [_read(line, prefix)[0] for line in finished]
    if not all(kind in (_Kind.EMPTY, _Kind.DIRECTIVE) for kind in kinds):
        return False
    rest = last[_lead(last, 0) :].rstrip()
    wanted = "".join(prefix.split())
    return wanted.startswith(rest) and (len(rest) > 1 or _Kind.DIRECTIVE in kinds)


def asked(text: str, prefix: str) -> tuple[str, ...]:
    """What the directives of a text ask for, as it is written, in order; a line may hold several."""
    again = _again(prefix)
    read = ((line, *_read(line, prefix)) for line in _lines(text))
    return tuple(one for line, kind, at in read if kind is _Kind.DIRECTIVE for one in again.split(line[at:]))


def _lines(text: str) -> list[str]:
    """The lines of a text; the last is the one that more text would be added to."""
    lines = text.splitlines(keepends=True) or [""]
    whole = [line.rstrip("\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029") for line in lines]
    return whole if whole[-1] == lines[-1] else [*whole, ""]


def _read(line: str, prefix: str) -> tuple[_Kind, int]:
    """What an unfinished line is or may become, and where what it asks for begins. PARTIAL is a beginning of a directive or of a
    number before one: nothing, where the line ends there."""
    at = _lead(line, 0)
    fenced = any(mark in line[:at] for mark in _FENCES)
    if not fenced:
        digits = at
        while digits < len(line) and digits - at < 2 and line[digits].isdecimal():
            digits += 1
        if digits == len(line) > at:
            return _Kind.PARTIAL, at
        if digits > at and line[digits] in ".)":
            at = _lead(line, digits + 1)
            if at == len(line):
                return _Kind.PARTIAL, at
    if at == len(line) or (fenced and _INFO.fullmatch(line, at)):
        return _Kind.EMPTY, at
    for wanted in _wanted(prefix):
        if not wanted.isalnum():
            at = _lead(line, at, stop=wanted)
        if at == len(line):
            return _Kind.PARTIAL, at
        if _folded(line[at]) != wanted:
            return _Kind.OTHER, at
        at += 1
    return (_Kind.DIRECTIVE, at) if len(line) - at <= WIDEST else (_Kind.OTHER, at)


def _lead(line: str, at: int, stop: str = "") -> int:
    """Where marks, white space and what cannot be seen end."""
    while at < len(line) and (_folded(line[at]) != stop) and (line[at] in _MARKS or unicodedata.category(line[at])[0] in "ZC"):
        at += 1
    return at


@lru_cache(maxsize=1024)
def _folded(letter: str) -> str:
    return unicodedata.normalize("NFKC", letter).casefold()


@lru_cache(maxsize=16)
def _wanted(prefix: str) -> tuple[str, ...]:
    return tuple(_folded(letter) for letter in prefix if not letter.isspace())


@lru_cache(maxsize=16)
def _again(prefix: str) -> re.Pattern[str]:
    """The prefix behind a space inside of a line."""
    parts = (
        rf"\s*{re.escape(letter)}" if not letter.isalnum() else re.escape(letter) for letter in prefix if not letter.isspace()
    )
    return re.compile(rf"(?<=\s){''.join(parts)}", re.IGNORECASE)
