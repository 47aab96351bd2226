"""Exposure: what was shown, what the answer delivered of it, and what it named that nothing had shown."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from loom.core.concepts import Concepts
from loom.core.exposure.names import READERS, DefaultText, Text
from loom.core.matching.lexicon import Lexicon
from loom.core.matching.naming import places_of
from loom.core.matching.spelling import form
from loom.core.text import words
from loom.core.values import Block, Json

LISTED = 12
DISTINCTIVE = 3


@dataclass(frozen=True, slots=True)
class Exposure:
    """Counts over targets: n11 shown and named, n10 shown and not named, n01 named and not shown, n00 neither (None where the
    targets are only what was shown)."""

    targets: int
    delivered: int
    dropped: tuple[str, ...]
    beyond: tuple[str, ...]
    n11: int
    n10: int
    n01: int
    n00: int | None

    def as_json(self) -> dict[str, Json]:
        """The wire form: lists are cut to twelve, counts are whole."""
        return {
            "targets": self.targets,
            "delivered": self.delivered,
            "dropped": list(self.dropped[:LISTED]),
            "beyond": list(self.beyond[:LISTED]),
            "counts": {"n11": self.n11, "n10": self.n10, "n01": self.n01, "n00": self.n00},
        }


def shown_names(block: Block) -> tuple[str, ...]:
    """The exposure targets of a block: every name on a line that is shown, each once."""
    return tuple(dict.fromkeys(chain.from_iterable(served.names for served in block.served)))


def of_block(block: Block, answer: str, beyond: Sequence[str], matcher: str) -> Exposure:
    """Exposure of what the block shows. `beyond` are names outside it that the answer was found to use."""
    said = READERS[matcher](answer)
    targets = shown_names(block)
    dropped = tuple(dict.fromkeys(chain.from_iterable([said.lacks(served.names) for served in block.served])))
    delivered = len(targets) - len(dropped)
    return Exposure(len(targets), delivered, dropped, tuple(beyond), delivered, len(dropped), len(beyond), None)


def of_gold(gold: Sequence[str], shown: str, answer: str, beyond: Sequence[str], matcher: str) -> Exposure:
    """Exposure over stated gold: each item by whether the shown text names it and whether the answer does."""
    there, said = READERS[matcher](shown), READERS[matcher](answer)
    cells = {item: (there.names(item), said.names(item)) for item in dict.fromkeys(gold)}
    dropped = tuple(item for item, cell in cells.items() if cell == (True, False))
    values = list(cells.values())
    n11, n01 = values.count((True, True)), values.count((False, True))
    return Exposure(len(cells), n11 + n01, dropped, tuple(beyond), n11, len(dropped), n01, values.count((False, False)))


def beyond(concepts: Concepts, lexicon: Lexicon, answer: str, known: Iterable[Text]) -> tuple[str, ...]:
    """Corpus titles that the answer names and none of the known texts does.

    Whole titles at word boundaries, of two words or more, or of one word that is rare among titles; the longest name at each place.
    """
    written = words(answer)
    if not written:
        return ()
    found = {
        concepts.title(row): None
        for row, start, n, inner in places_of(lexicon, written)
        if not inner and (n > 1 or _distinctive(lexicon, written[start]))
    }
    if not found:
        return ()
    said, texts = DefaultText(answer), list(known)
    return tuple(sorted(title for title in found if said.holds(title) and not any(text.names(title) for text in texts)))


def _distinctive(lexicon: Lexicon, word: str) -> bool:
    """One word names a concept by itself when few titles hold it and it is not a short everyday word."""
    number = lexicon.numbers.get(form(word), -1)
    return number >= 0 and len(word) >= 5 and lexicon.spread(number) <= DISTINCTIVE
