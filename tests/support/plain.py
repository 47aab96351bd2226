"""The default matcher as its description reads: plain loops over titles and further names, nothing shared but how words are cut."""

import math
from collections.abc import Sequence

from loom.core.matching.default import ASKING
from loom.core.matching.spelling import form
from loom.core.text import words

Titled = Sequence[tuple[str, Sequence[str]]]


def _cut(text: str) -> list[str]:
    return [form(word) for word in words(text)]


def _names(concepts: Titled) -> dict[tuple[str, ...], dict[int, str]]:
    """Rows by name, each with the words of the name as it first names that row."""
    found: dict[tuple[str, ...], dict[int, str]] = {}
    for row, (title, further) in enumerate(concepts):
        for name in (title, *further):
            key = tuple(_cut(name))
            if not key or len(key) > 8 or all(word in ASKING for word in key):
                continue
            if len(key) == 1 and len(key[0]) == 1 and key[0].isascii():
                continue
            found.setdefault(key, {}).setdefault(row, " ".join(words(name)))
    return found


def named(concepts: Titled, text: str) -> dict[int, float]:
    """What each row that the text names is given for that."""
    written, cut = words(text), _cut(text)
    names = _names(concepts)
    worth: dict[int, float] = {}
    covered: set[int] = set()
    for n in range(8, 0, -1):
        for start in range(len(cut) - n + 1):
            rows = names.get(tuple(cut[start : start + n]))
            if not rows:
                continue
            places = set(range(start, start + n))
            value = 2.0 if places <= covered else 8.0 * min(n, 4)
            covered |= places
            form = " ".join(written[start : start + n])
            for row in [row for row, name in rows.items() if name == form] or list(rows):
                worth[row] = max(worth.get(row, 0.0), value)
    return worth


def seeds(concepts: Titled, quality: Sequence[float], text: str, limit: int) -> list[tuple[int, float, bool]]:
    """The best rows: (row, score, whether it is named by a name that stands on its own)."""
    titles = [list(dict.fromkeys(_cut(title))) for title, _ in concepts]

    def weight(word: str) -> float:
        holders = sum(word in title for title in titles)
        return round(math.log((len(titles) + 1) / (holders + 1)) + 1, 6)

    scores = dict(named(concepts, text))
    names = dict(scores)
    for word in dict.fromkeys(_cut(text)):
        for row, title in enumerate(titles):
            if word in title and word not in ASKING:
                whole = round(math.fsum(weight(each) for each in title), 6) or 1.0
                scores[row] = scores.get(row, 0.0) + 6.0 * weight(word) / whole
    kept = sorted((-score, -quality[row], row) for row, score in scores.items() if score >= 3.0)
    return [(row, -score, names.get(row, 0.0) >= 8.0) for score, _, row in kept[:limit]]
