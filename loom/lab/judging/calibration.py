"""Hidden items whose right label is known, mixed among those to be labelled, so that a rater can be told from a dice."""

from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path

from loom.core.exposure import READERS
from loom.lab.judging.fences import digest
from loom.lab.judging.tasks import RELATION, Item, item_of, read_items
from loom.lab.judging.working import drawn

SHARE, LEAST = 0.1, 4


def calibration(items: Sequence[Item], seed: int, path: Path | None = None, n: int | None = None) -> tuple[Item, ...]:
    """The hidden items of a sample: those of a file, else `n` (default a tenth, at least four) that are made of the sample's units:
    their questions and items with answers of which the label is plain. A sample of other tasks has those of a file only.
    Raises BadInput.
    """
    if path is not None:
        return read_items(path, seed, known=True)
    units = [item for item in items if item.task == RELATION]
    wanted = max(LEAST, round(SHARE * len(units))) if n is None else n
    order = sorted(units, key=lambda item: drawn(seed, "calibration", (item.key,)))
    made: list[Item] = []
    kinds = cycle(("correct_relation", "absent", "negated", "name_only"))
    for item in islice(order, min(wanted, len(units))):
        label = next(kinds)
        answer = _answer(item, label, order)
        if answer is not None:
            line = {**item.line, "answer": answer, "id": f"{item.line.get('id')} {digest(answer)}"}
            again = item_of(line, "a calibration item", seed)
            made.append(Item(again.task, again.key, again.shown, line, known=label))
    return tuple(made)


def _answer(item: Item, label: str, others: Sequence[Item]) -> str | None:
    """An answer to which the label plainly belongs; None where there is none."""
    title = str(item.line["title"])
    if label == "correct_relation":
        return f"The answer to this question is {title}. It is {title} that stands in the relation that is asked for."
    if label == "negated":
        return f"It is not {title}: {title} does not stand in the relation that is asked for."
    if label == "name_only":
        return f"{title} is a term that one comes across. What it has to do with this question I cannot say."
    for other in others:
        text = str(other.line["answer"])
        foreign = other.line.get("id") != item.line.get("id") and text.strip()
        if foreign and not any(reader(text).names(title) for reader in READERS.values()) and not _shares(title, text):
            return text
    return None


def _shares(title: str, text: str) -> bool:
    said = set(text.casefold().split())
    return any(len(word) > 3 and word in said for word in title.casefold().split())
