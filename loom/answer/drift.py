"""What changed for questions between two generations: decisions, units, exposure."""

from collections.abc import Sequence
from dataclasses import dataclass

from loom.answer.replay import Asked, Given, key_of
from loom.core.values import Json

MOVED = 0.1
"""A confidence that moved by more than this counts as changed."""


@dataclass(frozen=True, slots=True)
class Drift:
    """One question before and after. Units are compared by their addresses, names as blocks show them."""

    asked: Asked
    before: Given
    after: Given

    @property
    def fell_silent(self) -> bool:
        return self.before.engaged and not self.after.engaged

    @property
    def spoke_up(self) -> bool:
        return self.after.engaged and not self.before.engaged

    @property
    def reason(self) -> bool:
        """The node speaks, or is silent, for another reason or by another path."""
        return (self.before.reason, self.before.path) != (self.after.reason, self.after.path)

    @property
    def confidence(self) -> bool:
        before, after = self.before.confidence or 0.0, self.after.confidence or 0.0
        return round(abs(after - before), 6) > MOVED

    @property
    def added(self) -> tuple[str, ...]:
        return tuple(unit for unit in self.after.units if unit not in self.before.units)

    @property
    def removed(self) -> tuple[str, ...]:
        return tuple(unit for unit in self.before.units if unit not in self.after.units)

    @property
    def order(self) -> bool:
        """Units that stayed stand in another order."""
        stayed = [unit for unit in self.before.units if unit in self.after.units]
        return stayed != [unit for unit in self.after.units if unit in self.before.units]

    @property
    def hidden(self) -> tuple[str, ...]:
        """Names that were shown and are no longer."""
        shown = set(self.after.names)
        return tuple(name for name in self.before.names if name not in shown)

    @property
    def revealed(self) -> tuple[str, ...]:
        shown = set(self.before.names)
        return tuple(name for name in self.after.names if name not in shown)

    @property
    def lost(self) -> bool:
        """Exposure went: less of the gold is shown; without gold, a name that was shown is not."""
        if self.before.ceiling is not None and self.after.ceiling is not None:
            return self.after.ceiling < self.before.ceiling
        return bool(self.hidden)

    @property
    def gained(self) -> bool:
        if self.before.ceiling is not None and self.after.ceiling is not None:
            return self.after.ceiling > self.before.ceiling
        return bool(self.revealed)

    @property
    def worse(self) -> bool:
        return self.lost or self.fell_silent

    @property
    def changed(self) -> bool:
        decided = self.fell_silent or self.spoke_up or self.reason or self.confidence
        served = self.added or self.removed or self.order
        return bool(decided or served or self.hidden or self.revealed or self.lost or self.gained)

    def sentence(self) -> str:
        """What changed, in one line."""
        said: list[str] = []
        before, after = self.before, self.after
        if self.fell_silent or self.spoke_up:
            said.append(f"{_state(before)} → {_state(after)}")
        elif self.reason:
            said.append(f"{_why(before)} → {_why(after)}")
        if self.confidence:
            said.append(f"confidence {before.confidence or 0.0:.2f} → {after.confidence or 0.0:.2f}")
        if self.added or self.removed:
            said.append(
                "units " + " ".join([f"+{key_of(unit)}" for unit in self.added] + [f"-{key_of(unit)}" for unit in self.removed])
            )
        if self.order:
            said.append(f"order {' '.join(after.keys)}")
        if before.ceiling is not None and after.ceiling is not None and before.ceiling != after.ceiling:
            said.append(f"ceiling {before.ceiling:.2f} → {after.ceiling:.2f}")
        if self.hidden or self.revealed:
            said.append(f"names +{len(self.revealed)} -{len(self.hidden)}")
        text = " ".join(self.asked.text.split())
        return f"{'-' if self.worse else '~'} {self.asked.id}  {text[:70]}{'…' if len(text) > 70 else ''}  {'; '.join(said)}"

    def as_json(self) -> dict[str, Json]:
        return {
            "id": self.asked.id,
            "before": self.before.as_json(),
            "after": self.after.as_json(),
            "added": list(self.added),
            "removed": list(self.removed),
            "reordered": self.order,
            "names_hidden": list(self.hidden),
            "names_revealed": list(self.revealed),
            "lost": self.lost,
            "gained": self.gained,
        }


def summary(drifts: Sequence[Drift]) -> dict[str, int]:
    """How many questions changed, and in what way; `worse` are those that lost exposure or fell silent."""
    ways = {
        "changed": [drift.changed for drift in drifts],
        "fell_silent": [drift.fell_silent for drift in drifts],
        "spoke_up": [drift.spoke_up for drift in drifts],
        "reason": [drift.reason for drift in drifts],
        "confidence": [drift.confidence for drift in drifts],
        "units": [bool(drift.added or drift.removed or drift.order) for drift in drifts],
        "lost": [drift.lost for drift in drifts],
        "gained": [drift.gained for drift in drifts],
        "worse": [drift.worse for drift in drifts],
    }
    return {"questions": len(drifts), **{name: sum(each) for name, each in ways.items()}}


def _state(given: Given) -> str:
    return f"engaged ({_why(given)})" if given.engaged else f"silent ({_why(given)})"


def _why(given: Given) -> str:
    return f"{given.reason}, {given.path}" if given.path else given.reason
