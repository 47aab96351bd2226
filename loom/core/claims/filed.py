"""Which homes have a domain. Homes are as many as claims where everything touches everything, so they are kept by domain, as numbers."""

from array import array
from collections.abc import Collection, Iterable

import numpy as np
from numpy.typing import NDArray

from loom.core.claims.graph import column, seen
from loom.core.claims.reach import filed
from loom.core.claims.spreading import Ints


class Filed:
    """Homes in the order of their numbers, from 0. One thread adds at a time; others may ask meanwhile."""

    def __init__(self) -> None:
        self._held: dict[str, Ints] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def grow(self, homes: Iterable[Iterable[str]]) -> None:
        """The next homes, each by its domains; what has none is general."""
        fresh: dict[str, array[int]] = {}
        count = self._count
        for home in homes:
            for name in filed(tuple(home)):
                if name not in fresh:
                    fresh[name] = column()
                fresh[name].append(count)
            count += 1
        for name, numbers in fresh.items():
            self._held[name] = np.concatenate([self._held.get(name, seen(column())), seen(numbers)])
        self._count = count

    def meets(self, domains: Collection[str]) -> NDArray[np.bool_]:
        """By home, whether it has any of these domains."""
        held = [self._held[name] for name in sorted(set(domains)) if name in self._held]
        made = np.zeros(max([self._count, *(int(each[-1]) + 1 for each in held)]), np.bool_)
        for each in held:
            made[each] = True
        return made
