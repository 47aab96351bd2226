"""The bars of the battery: what has to be so, what is, and whether that is enough."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from loom.core.values import Json


@dataclass(frozen=True, slots=True)
class Verdict:
    bar: str
    found: str
    met: bool

    def __str__(self) -> str:
        return f"{'met' if self.met else 'MISSED'}: {self.bar}: {self.found}"

    def as_json(self) -> dict[str, Json]:
        return {"bar": self.bar, "found": self.found, "met": self.met}


def of_contexts(arms: Mapping[str, Mapping[str, Json]]) -> Iterator[Verdict]:
    """Every arm that is held passes all that it has to, and nothing forbidden is in any of them."""
    for name, arm in arms.items():
        if arm["held"]:
            spared = f", but {', '.join(arm['spared'])}" if arm["spared"] else ""
            wanted = sum(counts[1] for id, counts in arm["ids"].items() if id not in arm["spared"])
            yield Verdict(f"{name}: every needle{spared}", of(wanted - arm["unmet"], wanted), not arm["unmet"])
            yield Verdict(f"{name}: nothing forbidden", f"{arm['forbidden']} found", not arm["forbidden"])


def of_starving(arms: Mapping[str, Mapping[str, Json]], by_score: Iterable[str]) -> Iterator[Verdict]:
    """Outlines that are shared out by score leave no base of the best score without a line."""
    for name in by_score:
        if name in arms:
            yield Verdict(
                f"{name}: no base of the best score without a line",
                f"{arms[name]['starved']} starved",
                not arms[name]["starved"],
            )


def of(count: int, total: int) -> str:
    return f"{count:,} of {total:,}" + (f" ({100 * count / total:.1f} %)" if total else "")
