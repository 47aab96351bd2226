"""Exposure of any answer against any block: what the block shows, what the answer delivers of it. No model is asked.

With `gold`, the counts are over that gold and all four cells are numbers: n11 shown and named, n10 shown and left out, n01
named though not shown, n00 neither. The copy ceiling is the share of gold that the block shows, recall the share that the
answer names, gain recall less ceiling: what the answer adds to copying. An item counts once however many others are asked for.

Without gold the targets are the names that the block shows (`targets` as `POST /loom/scaffold` states them, else corpus titles
found in the block); n00 is unknown, n01 counts corpus titles that the answer names and neither block nor question does, and
there is neither ceiling nor gain.
"""

from collections.abc import Sequence

from loom.answer.plan import Pin
from loom.core.concepts import Concepts
from loom.core.errors import BadInput
from loom.core.exposure import READERS, Exposure, beyond, of_gold
from loom.core.matching.default import DefaultLexicon
from loom.core.values import Json

TEXT_MOST = 250_000
NAMES_MOST = 1_000


def score(
    pin: Pin,
    answer: str,
    block: str,
    *,
    question: str = "",
    gold: Sequence[str] | None = None,
    targets: Sequence[str] | None = None,
    matcher: str = "default",
) -> dict[str, Json]:
    """The exposure object, with `matcher`, `ceiling`, `recall` and `gain`. Raises BadInput for what cannot be scored."""
    _check(answer, block, question, gold, targets, matcher)
    outside = _titles(pin, answer, (block, question))
    if gold is not None:
        counted = of_gold(gold, block, answer, outside, matcher)
        ceiling = _share(counted.n11 + counted.n10, counted.targets)
        gain = _share(counted.n01 - counted.n10, counted.targets)
    else:
        names = targets if targets is not None else _titles(pin, block, ())
        counted = _of_names(names, answer, outside, matcher)
        ceiling = gain = None
    recall = _share(counted.delivered, counted.targets)
    return {**counted.as_json(), "matcher": matcher, "ceiling": ceiling, "recall": recall, "gain": gain}


def _of_names(names: Sequence[str], answer: str, outside: tuple[str, ...], matcher: str) -> Exposure:
    said = READERS[matcher](answer)
    shown = tuple(dict.fromkeys(names))
    dropped = tuple(name for name in shown if not said.names(name))
    delivered = len(shown) - len(dropped)
    return Exposure(len(shown), delivered, dropped, outside, delivered, len(dropped), len(outside), None)


def _titles(pin: Pin, text: str, known: Sequence[str]) -> tuple[str, ...]:
    """Corpus titles that a text names and none of the known texts does."""
    concepts, lexicon = pin.generation.part(Concepts), pin.generation.part(DefaultLexicon)
    if concepts is None or lexicon is None:
        return ()
    return beyond(concepts, lexicon, text, [READERS["default"](other) for other in known if other])


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None


def _check(
    answer: str, block: str, question: str, gold: Sequence[str] | None, targets: Sequence[str] | None, matcher: str
) -> None:
    for name, text in (("answer", answer), ("block", block), ("question", question)):
        if len(text) > TEXT_MOST:
            raise BadInput(f"{name} may have {TEXT_MOST:,} characters, not {len(text):,}; score it in parts.", param=name)
    for name, items in (("gold", gold), ("targets", targets)):
        if items is not None and len(items) > NAMES_MOST:
            raise BadInput(f"{name} may have {NAMES_MOST:,} names, not {len(items):,}; score them in parts.", param=name)
        if items is not None and not all(item.strip() for item in items):
            raise BadInput(f"Every name in {name} needs at least one character.", param=name)
    if gold is not None and targets is not None:
        raise BadInput("Expected gold or targets, not both: gold is what a right answer names, targets what the block shows.")
    if matcher not in READERS:
        raise BadInput(f"Expected one of {', '.join(READERS)} as matcher, not {matcher[:40]!r}.", param="matcher")
