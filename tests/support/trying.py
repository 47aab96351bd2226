"""How often what must hold of any context is tried: the first QUICK cases in every run, all CASES in slow ones."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import SearchStrategy

CASES, QUICK = 2000, 300


def every_world(test: Callable[[int, random.Random], None]) -> Callable[[range], None]:
    """The test over worlds by their seeds, each with draws of its own; a failure says which."""

    @pytest.mark.parametrize("seeds", [range(QUICK), pytest.param(range(QUICK, CASES), marks=pytest.mark.slow)], ids=str)
    def over_all(seeds: range) -> None:
        for seed in seeds:
            try:
                test(seed, random.Random(f"{seed}:{test.__name__}"))
            except AssertionError as error:
                error.add_note(f"world {seed}")
                raise

    return _named(over_all, test)


def many(*drawn: SearchStrategy[Any]) -> Callable[[Callable[..., None]], Callable[[int], None]]:
    """The test over examples of these strategies, the same ones each time."""

    def tried(test: Callable[..., None]) -> Callable[[int], None]:
        @pytest.mark.parametrize("cases", [QUICK, pytest.param(CASES, marks=pytest.mark.slow)])
        def over_all(cases: int) -> None:
            settings(max_examples=cases, deadline=None, derandomize=True)(given(*drawn)(test))()

        return _named(over_all, test)

    return tried


def _named(over_all: Callable[..., None], test: Callable[..., None]) -> Callable[..., None]:
    over_all.__name__, over_all.__doc__ = test.__name__, test.__doc__
    return over_all
