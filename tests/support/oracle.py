"""The reference matcher as its description reads: plain loops over a list of classes, nothing shared with the node's own."""

import string
from dataclasses import dataclass

STOPWORDS = (
    "a about an and are be been between can could describe did do does explain for give how i in is it its me mine my of on or our "
    "please should show tell that the these this those to use using versus vs was we were what when where which who whom why will "
    "with would you your"
).split()
LETTERS = string.ascii_lowercase + string.digits


@dataclass(frozen=True)
class Class:
    slug: str
    title: str
    quality: float | None = None


def words_of(text: str) -> list[str]:
    found, word = [], ""
    for letter in [*text.lower(), " "]:
        if letter in LETTERS:
            word += letter
        elif word:
            found.append(word)
            word = ""
    return found


def scores(classes: list[Class], text: str) -> dict[str, float]:
    """The score of every class that is given anything, in the order of the description: names, overlaps, substrings."""
    words = words_of(text)
    slugs = {each.slug for each in classes}
    by_title: dict[str, str] = {}
    for each in classes:
        by_title.setdefault("-".join(words_of(each.title)), each.slug)
    found: dict[str, float] = {}

    def give(slug: str, worth: float) -> None:
        found[slug] = found.get(slug, 0.0) + worth

    for n in range(min(4, len(words)), 0, -1):
        for start in range(len(words) - n + 1):
            run = words[start : start + n]
            if n == 1 and (run[0] in STOPWORDS or len(run[0]) == 1):
                continue
            gram = "-".join(run)
            if gram in by_title:
                give(by_title[gram], 8.0 * n)
            elif gram in slugs:
                give(gram, 8.0 * n)
    terms = []
    for word in words:
        if word not in STOPWORDS and len(word) >= 2 and word not in terms:
            terms.append(word)
    for term in terms:
        for each in classes:
            title = words_of(each.title)
            if term in title:
                give(each.slug, 2.0 / max(1, len(title)))
    for term in terms:
        if len(term) >= 5:
            for each in classes:
                if term in each.slug:
                    give(each.slug, 0.75)
    return found


def seeds(classes: list[Class], text: str, limit: int) -> list[tuple[str, float]]:
    """The best classes with at least 2.0: by score, then quality, then slug."""
    quality = {each.slug: each.quality or 0.0 for each in classes}
    kept = [(slug, score) for slug, score in scores(classes, text).items() if score >= 2.0]
    return sorted(kept, key=lambda item: (-item[1], -quality[item[0]], item[0]))[:limit]
