"""What each generated world is there to show. The experiments never see this: it is read when they are done."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from loom.core.values import Json

EXPECTED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "holds": (),
        "restating": ("claims",),
        "shuffled": ("dimensions",),
        "stale": ("signals",),
        "unscoped": ("scope",),
        "unrecalled": ("conflicts",),
        "credulous": ("acceptance",),
        "misrouted": ("router",),
        "unread": ("cost",),
    }
)
"""The parts that are to be dropped, by world."""


def bar(world: str, seed: int, dropped: Sequence[str], holds: bool | None) -> dict[str, Json]:
    """One row: whether exactly the matching part is dropped."""
    expected = EXPECTED[world]
    return {
        "world": world,
        "seed": seed,
        "dropped": list(dropped),
        "expected": list(expected),
        "exact": sorted(dropped) == sorted(expected),
        "thesis": holds,
    }
