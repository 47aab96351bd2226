"""The running text of an entry: marks of layout are blanked out, so that every place stays where it is in the entry.

Headings, tables, code and quoted lines hold no sentence of the author's. A line that was only wrapped goes on in the next one.
"""

import re
from itertools import pairwise

SPOKEN = frozenset({"transcript", "conversation", "chat", "meeting"})
"""Kinds of entries in which a line may begin with who speaks."""

_FENCE = re.compile(r"^[ \t]*(?:```|~~~)")
_BLANKED = re.compile(r"^[ \t]*(?:#{1,6}[ \t]|\||>|[-=*_]{3,}[ \t]*$|<!--)")
_MARK = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)]|[A-Za-z]\))[ \t]+(?:\[[ xX]\][ \t]+)?")
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_SPEAKER = re.compile(
    r"^[ \t]*(?:\[[\d:.,]+\][ \t]*)?([A-Z][\w.'’-]*(?:[ \t]+[A-Z][\w.'’-]*){0,3})(?:[ \t]*\([^()\n]{1,60}\))?:[ \t]+(?=\S)"
)
_NOBODY = frozenset("note notes action actions decision decisions todo agenda date time summary subject topic re ps".split())
"""What stands before a colon and speaks not."""
_CLOCK = re.compile(r"^[ \t]*\[[\d:.,\- ]+\][ \t]*")
_SHORT = re.compile(
    r"\b(?:Dr|Mr|Mrs|Ms|Prof|St|vs|e\.g|i\.e|etc|Inc|Ltd|Co|Corp|approx|Fig|No|Nr|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|[A-Z])\."
    r"(?=\s+[\w(])"
)
_ALWAYS = frozenset("Dr Mr Mrs Ms Prof St vs e.g i.e approx Fig No Nr".split())
WRAPPED = 50
"""Characters from which a line that ends in no stop may be a wrapped one."""


def running(text: str, kind: str = "") -> tuple[str, tuple[tuple[int, int, str], ...]]:
    """The text with its layout blanked, of the same length, and who speaks where: (start, end, name) of each stretch whose line
    begins with a name, in entries of a kind that is SPOKEN."""
    lines: list[str] = []
    said: list[tuple[int, int, str]] = []
    fenced, at = False, 0
    for line in text.split("\n"):
        fence = bool(_FENCE.match(line))
        blank = fenced or fence or bool(_BLANKED.match(line))
        fenced ^= fence
        found = _SPEAKER.match(line) if kind in SPOKEN and not blank else None
        if found and found[1].casefold() in _NOBODY:
            found = None
        if found:
            if said:
                said[-1] = (said[-1][0], at, said[-1][2])
            said.append((at, len(text), found[1]))
        lines.append(" " * len(line) if blank else _bare(line, found))
        at += len(line) + 1
    return _joined(lines), tuple(said)


def _bare(line: str, speaker: re.Match[str] | None) -> str:
    for mark in (speaker, _CLOCK.match(line), _MARK.match(line)):
        if mark:
            line = " " * mark.end() + line[mark.end() :]
    line = _LINK.sub(
        lambda link: link[0].replace(link[1], "\0").translate(_BLANK).replace("\0", link[1]) if link[1] else " " * len(link[0]),
        line,
    )
    return _SHORT.sub(_unstopped, line)


class _Blank(dict[int, int]):
    def __missing__(self, code: int) -> int:
        return code if code == 0 else 32


_BLANK = _Blank()


def _unstopped(found: re.Match[str]) -> str:
    """An abbreviation without its stop; one that may end a sentence ("Inc.", "etc.") keeps it where a capital follows."""
    word = found[0][:-1]
    follows = found.string[found.end() :].lstrip()[:1]
    return f"{word}_" if word in _ALWAYS or len(word) == 1 or not follows.isupper() else found[0]


def _joined(lines: list[str]) -> str:
    """The lines, those that were only wrapped joined by a space."""
    made = lines[:1]
    for before, line in pairwise(lines):
        made.append((" " if _goes_on(before, line) else "\n") + line)
    return "".join(made)


def _goes_on(before: str, line: str) -> bool:
    end, begin = before.rstrip()[-1:], line.lstrip()[:1]
    if not end or not begin or end in ".!?:;" or line[:1] == " ":
        return False
    return begin.islower() or len(before.rstrip()) >= WRAPPED


def plain(text: str) -> str:
    """A stretch of an entry as one line, without marks of links and emphasis."""
    text = _LINK.sub(r"\1", text)
    text = re.sub(r"(?<!\w)[*_`~]+(?=\S)|(?<=\S)[*_`~]+(?!\w)", "", text)
    return " ".join(text.split())
