"""What people are asked: the items of a sample as they are shown, blind, and the labels of each kind of task."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.judging.fences import digest
from loom.lab.judging.pairs import Pair, pair_of
from loom.lab.judging.relation import LABELS
from loom.lab.judging.units import unit_from
from loom.lab.lines import lines

RELATION, QUALITY, INTEGRATION = "relation", "quality", "integration"

Choice = tuple[str, str]
"""A label and what it says to the one who chooses it."""

CHOICES: dict[str, tuple[Choice, ...]] = {
    RELATION: (
        ("correct_relation", "says that the item stands in the relation asked for"),
        ("name_only", "names the item, says no relation of it to the subject"),
        ("wrong_relation", "says another relation than the one asked for"),
        ("reversed", "says the relation the other way round"),
        ("negated", "denies that the item stands in the relation"),
        ("absent", "does not mention the item in any words"),
    ),
    QUALITY: (
        ("5", "fully correct and complete against the reference"),
        ("4", "correct, with a minor omission"),
        ("3", "partly correct, without a serious error"),
        ("2", "mostly wrong or missing, with a right point"),
        ("1", "on the topic, nothing in it correct"),
        ("0", "wrong, beside the question, or invented"),
    ),
    INTEGRATION: (
        ("2", "the second is clearly better"),
        ("1", "the second is somewhat better"),
        ("0", "neither is better"),
        ("-1", "the second is somewhat worse"),
        ("-2", "the second is clearly worse"),
    ),
}
ASKED = {
    RELATION: "Does the answer say that the item stands in the relation that the question asks for? Where several labels fit, take the first.",
    QUALITY: "How good is the answer against the reference? Judge what is said, not how.",
    INTEGRATION: "How does the second version of this page stand to the first?",
}
ORDER: dict[str, tuple[str, ...] | None] = {
    RELATION: None,
    QUALITY: ("0", "1", "2", "3", "4", "5"),
    INTEGRATION: ("-2", "-1", "0", "1", "2"),
}
"""The scale of a task whose labels have an order."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to label. `key` tells it apart; `shown` are the only texts that leave the node, as (name, text); `line` is what the
    sample says of it, `known` the right label where it is there to calibrate, `verdict` what a model judge said of it."""

    task: str
    key: str
    shown: tuple[tuple[str, str], ...]
    line: Mapping[str, Json]
    known: str | None = None
    verdict: str | None = None


def read_items(path: Path, seed: int, *, known: bool = False) -> tuple[Item, ...]:
    """The items of a sample: units of an audit, answers to grade, pairs of pages. With `known` each states its right label.
    Raises BadInput."""
    found = tuple(_items(path, seed, known))
    if not found:
        raise BadInput(f"Expected items to label in {path}, but it has none.", param="sample")
    seen: set[str] = set()
    for item in found:
        if item.key in seen:
            raise BadInput(f"Expected every item of {path} once, but one comes twice: {item.key}.", param="sample")
        seen.add(item.key)
    return found


def _items(path: Path, seed: int, known: bool) -> Iterator[Item]:
    for number, line in lines(path, "sample"):
        if "frame" in line and "label" not in line and "answer" not in line:
            continue
        where = f"line {number} of {path}"
        item = item_of(line, where, seed)
        right = line.get("known")
        if known and right not in [label for label, _ in CHOICES[item.task]]:
            raise BadInput(
                f"Expected known to be one of {', '.join(label for label, _ in CHOICES[item.task])} in {where}, but got {right!r}.",
                param="calibration",
            )
        yield Item(item.task, item.key, item.shown, item.line, str(right) if known else None, item.verdict)


def item_of(line: Mapping[str, Json], where: str, seed: int) -> Item:
    """An item from a line, by what the line has: before and after, an item and its cell, or an answer and its reference."""
    if "before" in line and "after" in line:
        pair: Pair = pair_of(line, where)
        first, second = pair.shown(seed)
        return Item(INTEGRATION, digest(INTEGRATION, *pair.key), (("First version", first), ("Second version", second)), line)
    if "title" in line:
        unit = unit_from(line, where)
        need = "any one of these is enough" if unit.gold_type == "any" else "all of these are asked for"
        verdict = line.get("label")
        return Item(
            RELATION,
            digest(RELATION, *unit.key),
            (
                ("Question", unit.question),
                ("Relation", unit.edge),
                ("Item", unit.title),
                ("Accepted items", "\n".join(unit.gold) + f"\n({need})"),
                ("Answer", unit.answer),
            ),
            line,
            verdict=str(verdict) if verdict in LABELS else None,
        )
    texts = {name: line.get(name) for name in ("question", "reference", "answer")}
    if any(not isinstance(text, str) or not text.strip() for text in texts.values()):
        raise BadInput(
            f"Expected a unit of an audit, a question with reference and answer, or a page before and after in {where}, but it is "
            "none of these.",
            param="sample",
        )
    key = digest(QUALITY, *(str(line.get(name) or "") for name in ("set", "id", "arm", "model")), *map(str, texts.values()))
    score = line.get("score")
    return Item(
        QUALITY,
        key,
        tuple((name.capitalize(), str(text)) for name, text in texts.items()),
        line,
        verdict=str(score) if score in range(6) and not isinstance(score, bool) else None,
    )
