"""Rows of a wrapper ablation, scored: outcomes by model and wrapper, and wrappers against one another on the same items."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.row import ANSWERED, EMPTY, ERROR, Row
from loom.lab.wrapping.outcome import OUTCOMES, outcome
from loom.lab.wrapping.planned import PREFIX, RAW, WRAPPERS_ASKED


@dataclass(frozen=True, slots=True)
class Item:
    """One omitted target of one row. `lexical` is whether the matcher finds it in the answer at all; `judged` a judge's outcome,
    None where there is none; `alternative` says that another target of an `any` question was shown."""

    set: str
    id: str
    target: str
    model: str
    wrapper: str
    outcome: str
    lexical: bool
    alternative: bool = False
    judged: str | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        return self.set, self.id, self.target

    def as_json(self) -> dict[str, Json]:
        return {
            "set": self.set,
            "id": self.id,
            "target": self.target,
            "model": self.model,
            "wrapper": self.wrapper,
            "outcome": self.outcome,
            "lexical": self.lexical,
            "alternative": self.alternative,
            "judged": self.judged,
        }


@dataclass(frozen=True, slots=True)
class Scored:
    """The items in the order of the rows; `unanswered` counts empty answers and errors by (model, wrapper, status)."""

    items: tuple[Item, ...]
    unanswered: Mapping[tuple[str, str, str], int]

    def with_judged(self, verdicts: Mapping[tuple[str, str, str, str, str], str | None]) -> "Scored":
        """The same with a judge's outcomes by (model, wrapper, set, id, target)."""
        return replace(
            self, items=tuple(replace(item, judged=verdicts.get((item.model, item.wrapper, *item.key))) for item in self.items)
        )

    @property
    def models(self) -> list[str]:
        return sorted({item.model for item in self.items} | {model for model, _, _ in self.unanswered})

    @property
    def wrappers(self) -> list[str]:
        order = {name: at for at, name in enumerate((*WRAPPERS_ASKED, RAW))}
        found = {item.wrapper for item in self.items} | {wrapper for _, wrapper, _ in self.unanswered}
        return sorted(found, key=lambda name: (order.get(name, len(order)), name))

    def as_json(self) -> dict[str, Json]:
        judged = any(item.judged for item in self.items)
        found: dict[str, Json] = {
            "items": len({item.key for item in self.items}),
            "alternatives": len({item.key for item in self.items if item.alternative}),
            "outcomes": self.outcomes("outcome"),
            "contrasts": self.contrasts("outcome"),
        }
        if judged:
            found |= {
                "judged": self.outcomes("judged"),
                "judged_contrasts": self.contrasts("judged"),
                "agreement": self.agreement(),
            }
        return found

    def outcomes(self, reading: str) -> list[dict[str, Json]]:
        """By model and wrapper: each outcome's count, share and Wilson interval, and what was not answered."""
        from loom.lab.statistics import wilson

        rows = []
        for model in self.models:
            for wrapper in self.wrappers:
                here = [item for item in self.items if (item.model, item.wrapper) == (model, wrapper)]
                counts = Counter(said for item in here if (said := getattr(item, reading)))
                n = sum(counts.values())
                rows.append(
                    {
                        "model": model,
                        "wrapper": wrapper,
                        "n": n,
                        "lexical": sum(item.lexical for item in here),
                        "unread": len(here) - n,
                        "empty": self.unanswered.get((model, wrapper, EMPTY), 0),
                        "errors": self.unanswered.get((model, wrapper, ERROR), 0),
                        **{
                            name: {"count": counts[name], "share": counts[name] / n, "ci95": list(wilson(counts[name], n))}
                            if n
                            else {"count": 0, "share": None, "ci95": None}
                            for name in OUTCOMES
                        },
                    }
                )
        return rows

    def contrasts(self, reading: str) -> list[dict[str, Json]]:
        """Every two wrappers on the items that both answered: exact McNemar for each outcome, corrected by Holm over the pairs of
        wrappers within a model and an outcome."""
        from loom.lab.statistics import holm, mcnemar

        rows: list[dict[str, Json]] = []
        for model in self.models:
            said = {
                (item.wrapper, item.key): getattr(item, reading)
                for item in self.items
                if item.model == model and getattr(item, reading)
            }
            for name in OUTCOMES:
                family: list[dict[str, Json]] = []
                for a, b in combinations(self.wrappers, 2):
                    both = [key for wrapper, key in said if wrapper == a and (b, key) in said]
                    pairs = Counter((said[a, key] == name, said[b, key] == name) for key in both)
                    if both:
                        test = mcnemar(pairs[True, False], pairs[False, True])
                        family.append({"model": model, "outcome": name, "a": a, "b": b, "n": len(both), **test.as_json()})
                for row, p in zip(family, holm([row["p_exact"] for row in family]) if family else [], strict=True):
                    row["p_holm"] = p
                rows += family
        return rows

    def agreement(self) -> dict[str, Json]:
        """How often the rules and the judge say the same."""
        both = [item for item in self.items if item.judged]
        same = sum(item.outcome == item.judged for item in both)
        table = Counter((item.outcome, item.judged) for item in both)
        return {
            "n": len(both),
            "same": same,
            "share": same / len(both) if both else None,
            "table": [
                {"rule": a, "judge": b, "count": n} for (a, b), n in sorted(table.items(), key=lambda each: str(each[0]))
            ],
        }


def score(rows: Iterable[Row], matcher: str | None = None) -> Scored:
    """Score rows of a wrapper ablation, one at a time; rows of other arms are passed over. `matcher` is the one that the targets
    were found by, where None. Raises BadInput where there is nothing to score."""
    items: list[Item] = []
    unanswered: Counter[tuple[str, str, str]] = Counter()
    for row in rows:
        targets = targets_of(row)
        if not targets:
            continue
        wrapper = row.arm.removeprefix(PREFIX)
        if row.status != ANSWERED:
            unanswered[row.model, wrapper, row.status] += 1
            continue
        notes = row.showing.get("notes") or {}
        reader = matcher or str(notes.get("matcher") or "default")
        items += [_item(row, wrapper, target, reader, bool(notes.get("alternatives"))) for target in targets]
    if not items and not unanswered:
        raise BadInput(
            f"Expected rows of arms that begin with {PREFIX}, with the omitted targets that `loom lab wrapper plan` notes; there "
            "are none.",
            param="rows",
        )
    return Scored(tuple(items), dict(sorted(unanswered.items())))


def targets_of(row: Row) -> Sequence[str]:
    """The omitted targets that a row was made for; none where it is a row of another arm."""
    if not row.arm.startswith(PREFIX) and row.arm != RAW:
        return ()
    notes = row.showing.get("notes")
    found = notes.get("omitted") if isinstance(notes, Mapping) else None
    return [str(each) for each in found] if isinstance(found, list) else ()


def _item(row: Row, wrapper: str, target: str, matcher: str, alternative: bool) -> Item:
    from loom.core.exposure import hit

    return Item(
        row.question.set,
        row.question.id,
        target,
        row.model,
        wrapper,
        outcome(target, row.answer, matcher),
        hit(target, row.answer, matcher),
        alternative,
    )
