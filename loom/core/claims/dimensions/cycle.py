"""The end of an evaluation cycle in one domain: who becomes active, who makes room, who is parked (seed §5.4, §5.5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from loom.core.claims.dimensions.dimension import Dimension, State
from loom.core.claims.dimensions.rules import DEFAULT, Rules
from loom.core.claims.dimensions.screen import Screened
from loom.core.claims.dimensions.states import evicted
from loom.core.errors import BadInput


@dataclass(frozen=True, slots=True)
class Shift:
    """A dimension whose state changed, and why."""

    dimension: str
    before: State
    after: State
    why: str


@dataclass(frozen=True, slots=True)
class Closed:
    """The dimensions after the cycle, in the order in which they were given, and what changed; it takes effect at a commit."""

    dimensions: tuple[Dimension, ...]
    shifts: tuple[Shift, ...]


def closed(
    dimensions: Sequence[Dimension], screened: Mapping[str, Screened] | None, cycle: int, rules: Rules = DEFAULT
) -> Closed:
    """One domain's dimensions after a cycle; `screened` has the outcome of each validated and active one, None where the domain has
    too few queries to be fitted: then nothing is active but what is pinned, and nobody has failed.

    Raises BadInput where an outcome is missing."""
    now = {each.id: each for each in dimensions}
    if screened is None:
        for each in dimensions:
            if each.active and not each.pinned:
                now[each.id] = replace(each, state="validated", weight=0.0)
        return _closed(dimensions, now, {})
    why: dict[str, str] = {}
    newcomers = []
    for each in dimensions:
        if each.state not in ("validated", "active"):
            continue
        outcome = screened.get(each.id)
        if outcome is None:
            raise BadInput(f"Expected the outcome of a screen for {each.id}, but there is none.", param="screened")
        failures = 0 if outcome.useful else each.failures + 1
        now[each.id] = replace(each, weight=outcome.weight, failures=failures)
        if failures >= rules.failures and not each.pinned:
            now[each.id] = replace(now[each.id], state="parked")
            why[each.id] = f"did not pass the screen in {failures} cycles"
        elif outcome.useful and each.state == "validated":
            newcomers.append(now[each.id])
    # The least useful comes first, so that where several come it makes room for the others, and not an older one for each.
    for each in sorted(newcomers, key=lambda one: (one.weight, one.id)):
        now[each.id] = replace(each, state="active", activated=cycle)
        why[each.id] = "passed the screen"
        others = [one for one in now.values() if one.active and one.id != each.id]
        if len(others) < rules.active:
            continue
        leaves = evicted(others)
        if leaves is None:
            now[each.id] = each
        elif any(leaves.id == one.id for one in newcomers):
            now[leaves.id] = replace(leaves, state="validated", activated=0)
        else:
            now[leaves.id] = replace(leaves, state="parked", failures=0)
            why[leaves.id] = f"made room for {each.id}"
    return _closed(dimensions, now, why)


def _closed(before: Sequence[Dimension], now: Mapping[str, Dimension], why: Mapping[str, str]) -> Closed:
    after = tuple(now[each.id] for each in before)
    shifts = tuple(
        Shift(old.id, old.state, new.state, why.get(old.id, "too few queries to be fitted"))
        for old, new in zip(before, after, strict=True)
        if old.state != new.state
    )
    return Closed(after, shifts)
