"""What one request may ask of the node under its `loom` key, or beside its question on the node's own routes."""

import difflib
from collections.abc import Collection, Mapping
from typing import Any

from loom.core.errors import BadInput
from loom.core.values import CONTEXTS, READOUTS, Options
from loom.serve.body import kind_of, whole
from loom.serve.remembering import memory_of

GOLD_MOST = 1000
NAMES = ("budget", "policy", "wrapper", "gold", "off", "verbatim", "max_units", "hops", "prose", "context", "readout", "memory")
_RANGES = {"budget": (1, 100_000), "max_units": (1, 64), "hops": (0, 1)}
_WORDS = {"context": CONTEXTS, "readout": READOUTS}
_SWITCHES = ("off", "verbatim", "prose")
NONE = Options()


def options_of(given: Any, policies: Collection[str], wrappers: Collection[str], prefix: str = "loom.") -> Options:
    """The options of one request; null means the node's setting. Raises BadInput that names what is wrong."""
    if given is None:
        return NONE
    if not isinstance(given, dict):
        raise BadInput(f"Expected an object as loom, not {kind_of(given)}.", param="loom")
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in NAMES:
            near = difflib.get_close_matches(name, NAMES, n=1)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(NAMES)}."
            raise BadInput(f"Unknown option {prefix}{name[:80]}; {hint}", param=f"{prefix}{name[:80]}")
        if value is not None:
            values[name] = _checked(name, value, {"policy": policies, "wrapper": wrappers, **_WORDS}, prefix)
    if values.get("off") is False:
        del values["off"]
    return Options(**values)


def _checked(name: str, value: Any, named: Mapping[str, Collection[str]], prefix: str) -> Any:
    if name == "memory":
        return memory_of(value, f"{prefix}memory")
    if name in _SWITCHES:
        fits, expected = isinstance(value, bool), "true or false"
    elif name in named:
        fits, expected = isinstance(value, str) and value in named[name], f"one of {', '.join(named[name])}"
    elif name == "gold":
        fits = isinstance(value, list) and len(value) <= GOLD_MOST and all(isinstance(g, str) and g.strip() for g in value)
        expected = f"a list of at most {GOLD_MOST} names"
        value = tuple(value) if fits else value
    else:
        low, high = _RANGES[name]
        number = whole(value)
        fits = number is not None and low <= number <= high
        expected = f"a whole number from {low} to {high}"
        value = number if fits else value
    if not fits:
        came = repr(value) if isinstance(value, int | float | bool) else kind_of(value)
        came = f"{value[:40]!r}" if isinstance(value, str) else came
        raise BadInput(f"Expected {expected} as {prefix}{name}, not {came}.", param=f"{prefix}{name}")
    return value
