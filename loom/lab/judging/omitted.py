"""Items that the grounded arm was not shown: what each arm's answers recover of them by the matcher, and what of that an adjudicator
confirms (seed 000 §10.4). All hits are audited; as the misses are not, no interval is put on a rate over the frame."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.exposure import READERS
from loom.core.values import Json
from loom.lab.judging.audit_result import CORRECT, confusion, labelled, quotes, shared
from loom.lab.judging.units import Unit, counted, unit_of
from loom.lab.judging.verdicts import OMITTED, READINGS, RULES, Verdict
from loom.lab.row import read_rows
from loom.lab.showing import visible

Slot = tuple[str, str, str]


@dataclass(slots=True)
class Omitted:
    """The items that the grounded arm's visible input does not name, by question and model; and the hits on them, by arm.

    `items` counts slots (an item under each model) that both arms answered; hits are held whole, since they are few.
    """

    grounded: str
    bare: str
    items: int = 0
    by_model: dict[str, int] = field(default_factory=dict)
    unpaired: int = 0
    hits: list[Unit] = field(default_factory=list)

    def lexical(self, arm: str) -> int:
        return sum(unit.arm == arm for unit in self.hits)

    def as_json(self) -> dict[str, Json]:
        return {
            "grounded": self.grounded,
            "bare": self.bare,
            "items": self.items,
            "by_model": self.by_model,
            "unpaired": self.unpaired,
            "lexical": {arm: self.lexical(arm) for arm in (self.bare, self.grounded)},
        }


def omitted_of(rows: Path, grounded: str, bare: str, matcher: str) -> Omitted:
    """Find the omitted items of a file and the hits on them. Raises BadInput where an arm is not there."""
    unexposed: dict[Slot, tuple[int, ...]] = {}
    arms, answered = set(), set()
    for row in read_rows(rows):
        arms.add(row.arm)
        slot = (row.question.set, row.question.id, row.model)
        if row.arm == grounded and counted(row):
            shown = READERS[matcher](visible(row.messages))
            items = tuple(at for at, title in enumerate(row.question.titles) if not shown.names(title))
            if items:
                unexposed[slot] = items
        elif row.arm == bare and counted(row):
            answered.add(slot)
    for arm in (grounded, bare):
        if arm not in arms:
            raise BadInput(
                f"Expected answers of arm {arm!r} in {rows}, but its arms are {', '.join(sorted(arms)) or 'none'}.", param="arm"
            )
    found = Omitted(grounded, bare)
    for (_, _, model), items in sorted((slot, items) for slot, items in unexposed.items() if slot in answered):
        found.items += len(items)
        found.by_model[model] = found.by_model.get(model, 0) + len(items)
    found.unpaired = sum(len(items) for slot, items in unexposed.items() if slot not in answered)
    for row in read_rows(rows):
        slot = (row.question.set, row.question.id, row.model)
        if row.arm in (grounded, bare) and slot in unexposed and slot in answered and counted(row):
            said = READERS[matcher](row.answer)
            found.hits += [unit_of(row, at, OMITTED) for at in unexposed[slot] if said.names(row.question.titles[at])]
    return found


def omitted_result(found: Omitted, verdicts: Sequence[Verdict]) -> dict[str, Json]:
    """Validated counts beside lexical ones, for both arms. Precision is of hits, all of which were put to the judge."""
    return {**found.as_json(), "arms": {arm: _arm(found, arm, verdicts) for arm in (found.bare, found.grounded)}}


def _arm(found: Omitted, arm: str, verdicts: Sequence[Verdict]) -> dict[str, Json]:
    own = [verdict for verdict in verdicts if verdict.arm == arm]
    precision = {rule: {reading: shared(own, rule, reading, labelled(CORRECT)) for reading in READINGS} for rule in RULES}
    validated = precision["as_run"]["at_its_word"]["k"]
    return {
        "lexical": found.lexical(arm),
        "judged": len(own),
        "validated": {rule: {reading: part["k"] for reading, part in parts.items()} for rule, parts in precision.items()},
        "lexical_rate": found.lexical(arm) / found.items if found.items else None,
        "validated_rate": validated / found.items if found.items else None,
        "precision_of_hits": precision,
        "labels": confusion(own),
        "quotes": quotes(own),
        "by_model": {
            model: {
                "items": items,
                "lexical": sum(unit.arm == arm and unit.model == model for unit in found.hits),
                "validated": sum(
                    verdict.model == model and verdict.read("as_run", "at_its_word") == CORRECT for verdict in own
                ),
            }
            for model, items in found.by_model.items()
        },
    }
