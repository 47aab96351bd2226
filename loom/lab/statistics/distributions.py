"""scipy's distributions, loaded when the first of them is needed: that takes most of a second."""

from importlib import import_module
from types import ModuleType


def scipy_stats() -> ModuleType:
    return import_module("scipy.stats")
