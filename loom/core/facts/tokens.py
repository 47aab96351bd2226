"""The words of a question and of names, with their places: NFKC, case-folded; accents stay, since nothing is guessed at (R4)."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_UNSPACED = "぀-ヿ㐀-䶿一-鿿豈-﫿가-힣\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u1049\u1050-\u109f\u1780-\u17d3"
_MARKS = "\u0300-\u036f\u0900-\u0963\u0966-\u0df3"
_TOKEN = re.compile(rf"[{_UNSPACED}]|(?:[^\W_{_UNSPACED}]|[{_MARKS}])+")
_ONE_UNSPACED = re.compile(rf"[{_UNSPACED}]")
_GAP = re.compile(r"[^\S\n\r]*(?:[-‐‑'’_/&\\]|\.(?=\Z))?[^\S\n\r]*")


@dataclass(frozen=True, slots=True)
class Token:
    """A word at [start, end) of the normalised text. `parted` says that more than a space, hyphen or apostrophe stands before it;
    `opens` that a sentence begins with it; `as_name` that it is written as names are: with a capital, where the text has any;
    `owned` that only a possessive ending and a space stand before it."""

    folded: str
    raw: str
    start: int
    end: int
    parted: bool = False
    opens: bool = False
    as_name: bool = True
    owned: bool = False

    @property
    def capital(self) -> bool:
        return self.raw[0].isupper()


def normal(text: str) -> str:
    """The text whose places tokens give; lone surrogates become question marks."""
    return unicodedata.normalize("NFKC", text.encode("utf-8", "replace").decode("utf-8"))


def tokens_of(text: str) -> tuple[Token, ...]:
    """The words of a normalised text. A possessive ending is left out and parts what follows from what it ends."""
    found: list[Token] = []
    last, possessive = 0, False
    cased = any(map(str.isupper, text))
    for match in _TOKEN.finditer(text):
        raw, gap = match.group(), text[last : match.start()]
        if raw in "sS" and found and gap in ("'", "’"):
            last, possessive = match.end(), True
            continue
        first = not found
        parted = first or possessive or _GAP.fullmatch(gap) is None
        opens = first or any(mark in gap for mark in "?!\n;:¿¡") or (gap.startswith(".") and len(gap) > 1)
        as_name, owned = not cased or not raw[0].islower(), possessive and gap.isspace()
        found.append(Token(raw.casefold(), raw, match.start(), match.end(), parted, opens, as_name, owned))
        last, possessive = match.end(), False
    return tuple(found)


@lru_cache(maxsize=8192)
def folded(text: str) -> tuple[str, ...]:
    """The words of a name as they are compared."""
    return tuple(token.folded for token in tokens_of(normal(text)))


def unspaced(word: str) -> bool:
    """Whether a word is one character of a script that is written without spaces."""
    return len(word) == 1 and _ONE_UNSPACED.match(word) is not None
