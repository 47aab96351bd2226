"""The lab: instruments that find out what an uplift is made of.

They read the serving path by import and never re-implement it: blocks come from `answer.pipeline.prepare`, names are matched by
`core.exposure`. Nothing here names a concrete model, store or generation; the command line hands them in.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from loom.lab.scoring.library import ceiling, decompose
    from loom.lab.statistics.library import paired

__all__ = ["ceiling", "decompose", "paired"]

_DOORS = {
    "ceiling": "loom.lab.scoring.library",
    "decompose": "loom.lab.scoring.library",
    "paired": "loom.lab.statistics.library",
}
"""What people who have their own retrieval import from here, and the module of each: loaded when it is first asked for."""


def __getattr__(name: str) -> object:
    if name not in _DOORS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_DOORS[name]), name)
