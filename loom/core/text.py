"""Small pure functions on text: slugs, words, cuts."""

import re
import unicodedata
from functools import cache, lru_cache

import numpy as np

_RUN = re.compile(r"[^a-z0-9]+")
_ASCII_WORD = re.compile(r"[a-z0-9]+")
_LAST_MARK = 0x1E94A
_SLUG = re.compile(r"[a-z0-9-]+")

# A word is a run of letters, digits and marks; scripts that are written without spaces give one word a character.
_UNSPACED = (
    "぀-ヿ㐀-䶿一-鿿豈-﫿가-힣\U00020000-\U0003ffff"
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u1049\u1050-\u109f\u1780-\u17d3"
)
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+(?:['’](?=[^\W_])[^\W_{_UNSPACED}]+)?")

# Vowel signs of the Indic scripts are marks, and part of the word.
_INDIC = "\u0900-\u0963\u0966-\u0df3"
_HAS_INDIC = re.compile(f"[{_INDIC}]")
_INDIC_WORD = re.compile(rf"[{_UNSPACED}]|(?:[^\W_{_UNSPACED}]|[{_INDIC}])+")


def slugify(text: str) -> str:
    """Lower-case; every run outside `[a-z0-9]` becomes one hyphen; hyphens at the ends go (reference §1.1)."""
    return _RUN.sub("-", text.lower()).strip("-")


def slug_of(iri: str) -> str:
    """The local name of an IRI: after the last `:` of a URN, after the last `/` or `#` of anything else."""
    if iri.startswith(("http:", "https:")):
        return re.split(r"[/#]", iri.rstrip("/#"))[-1]
    return iri.rsplit(":", 1)[-1]


@lru_cache(maxsize=4096)
def home_of(iri: str) -> str:
    """The namespace of an IRI."""
    return iri[: len(iri) - len(slug_of(iri))]


def ref_to_slug(ref: str) -> str:
    """The slug that a reference of a v1 index means: its local name, slugified unless it is one already."""
    local = ref.rsplit(":", 1)[-1]
    return local if _SLUG.fullmatch(local) else slugify(local)


def ascii_words(text: str) -> list[str]:
    """The words of the reference matcher: ASCII runs of the lower-cased text, in order, repeats kept."""
    return _ASCII_WORD.findall(text.lower())


@cache
def _marks() -> np.ndarray:
    """By code point, whether it is a combining mark; the last entry stands for all beyond."""
    return np.array([unicodedata.combining(chr(code)) > 0 for code in range(_LAST_MARK + 2)])


def fold(text: str) -> str:
    """NFKC, case-folded, accents off: the form in which the default matcher compares words."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    codes = np.frombuffer(decomposed.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    marks = _marks().take(codes, mode="clip")
    if marks.any():
        decomposed = codes[~marks].tobytes().decode("utf-32-le", "surrogatepass")
    return unicodedata.normalize("NFKC", decomposed)


def words(text: str) -> list[str]:
    """The words of the default matcher: Unicode words of the folded text; a possessive ending is dropped."""
    if text.isascii() and "'" not in text:
        return _ASCII_WORD.findall(text.lower())
    found = (_INDIC_WORD if _HAS_INDIC.search(text) else _WORD).findall(fold(text))
    if "'" in text or "’" in text:
        return [word.replace("’", "'").removesuffix("'s").replace("'", "") for word in found]
    return found


def words_as_written(text: str) -> list[str]:
    """The words of a text before they are folded: one for each of `words`, unless folding parts or joins characters."""
    return (_INDIC_WORD if _HAS_INDIC.search(text) else _WORD).findall(text)


def truncate(text: str, limit: int) -> str:
    """Cut to `limit` code points at a sentence end, else at a space, else hard, with an ellipsis unless at a sentence (reference §5.3)."""
    if len(text) <= limit:
        return text
    cut = text[:limit]
    stop = cut.rfind(". ")
    if stop >= limit // 2:
        return cut[: stop + 1]
    space = cut.rfind(" ")
    if space >= limit // 2:
        cut = cut[:space]
    return cut.rstrip() + "…"
