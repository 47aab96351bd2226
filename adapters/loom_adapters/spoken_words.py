"""How common words are in everyday speech, by the word counts of film and television subtitles that pyspellchecker carries."""

import gzip
import json
import math
from collections.abc import Mapping, Sequence
from importlib.resources import files

COMMONEST = 60_000


def spoken(languages: Sequence[str], commonest: int = COMMONEST) -> Mapping[str, float]:
    """Zipf values (log10 of occurrences in 10⁹ words, rounded to 2 digits) of the commonest words of each language.

    Languages are tags (en, de-CH); one without a list adds nothing. A word of several languages has its greatest value.
    """
    values: dict[str, float] = {}
    for language in sorted({tag.partition("-")[0].lower() for tag in languages} - {""}):
        counts = _counts(language)
        every = sum(counts.values())
        for word in sorted(counts, key=lambda word: (-counts[word], word))[:commonest]:
            zipf = round(math.log10(counts[word] * 1e9 / every), 2)
            values[word] = max(zipf, values.get(word, 0.0))
    return values


def _counts(language: str) -> Mapping[str, int]:
    """The occurrences of each word; empty where there is no list of the language."""
    if not (language.isascii() and language.isalpha()):
        return {}
    lists = files("spellchecker").joinpath("resources", f"{language}.json.gz")
    if not lists.is_file():
        return {}
    counts: dict[str, int] = json.loads(gzip.decompress(lists.read_bytes()))
    return counts
