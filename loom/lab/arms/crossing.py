"""Names that two neighbouring sentences make together: a matcher reads on past the end of a sentence.

What a text names otherwise does not depend on the order of its sentences, so these are all that a shuffle can gain or lose.
"""

from collections.abc import Iterable, Iterator

from loom.core.concepts import Concepts
from loom.core.matching.default import plain_words
from loom.core.text import ascii_words, words
from loom.core.values import Row

EVERY = 200_000
"""Concepts of a generation all of whose titles are looked for; in a larger one, only the names that a block and its gold state."""

WORDS, LETTERS = 10, 80
"""How far into a sentence a name is looked for on either side."""


class Crossing:
    """Names that are looked for across the ends of sentences, as either matcher reads them."""

    def __init__(self, names: Iterable[str]) -> None:
        self._joined: dict[str, list[str]] = {}
        self._parted: dict[str, list[tuple[str, str]]] = {}
        for name in dict.fromkeys(names):
            for joined in sorted({"".join(plain_words(name)), "".join(words(name))} - {""}):
                self._joined.setdefault(joined, []).append(name)
            written = ascii_words(name)
            for at in range(1, len(written)):
                self._parted.setdefault(" ".join(written[:at]), []).append((" ".join(written[at:]), name))

    def names(self, before: str, after: str) -> Iterator[str]:
        """Names that begin in one text and end in the one after it; some may come twice."""
        for read in (plain_words, words):
            left, right = read(before[-4 * LETTERS :])[-WORDS:], read(after[: 4 * LETTERS])[:WORDS]
            head = ""
            for word in reversed(left):
                head = word + head
                tail = ""
                for other in right:
                    tail += other
                    yield from self._joined.get(head + tail, ())
        ends, begins = " ".join(ascii_words(before))[-LETTERS:], " ".join(ascii_words(after))[:LETTERS]
        for at in range(len(ends)):
            for rest, name in self._parted.get(ends[at:], ()):
                if begins.startswith(rest):
                    yield name


def of_titles(concepts: Concepts, row: Row = 0) -> Crossing:
    """Every title of a generation; meant to be remembered by it."""
    return Crossing(map(concepts.title, range(concepts.count if concepts.count <= EVERY else 0)))
