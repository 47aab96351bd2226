"""A sequence whose items are decoded when they are looked at: its length costs nothing."""

from collections.abc import Callable, Sequence
from typing import TypeVar, overload

import numpy as np

T_co = TypeVar("T_co", covariant=True)


class Lazily(Sequence[T_co]):
    """Items of some numbers. Each is made anew when it is looked at."""

    __slots__ = ("_make", "_numbers")

    def __init__(self, numbers: Sequence[int] | np.ndarray, make: Callable[[int], T_co]) -> None:
        self._numbers = numbers
        self._make = make

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, at: int) -> T_co: ...
    @overload
    def __getitem__(self, at: slice) -> "Lazily[T_co]": ...
    def __getitem__(self, at: int | slice) -> "T_co | Lazily[T_co]":
        if isinstance(at, slice):
            return Lazily(self._numbers[at], self._make)
        return self._make(int(self._numbers[at]))
