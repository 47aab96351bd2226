"""Whether a signal counts: its entry is not withdrawn, and no later signal of the same source stands in its place (§2, §13)."""

from collections.abc import Iterator, Sequence

import numpy as np

from loom.core.claims.graph import END, column, column_of
from loom.core.claims.spreading import Flags, Ints, ordered


class Sources:
    """Entries by number, which signals each gave, and which signals replaced which."""

    __slots__ = ("_last", "_next", "earlier", "entries", "entry", "later", "observed", "source", "withdrawn")

    def __init__(self) -> None:
        self.entries: dict[str, int] = {}
        self.source: list[str] = []
        """The source of each entry."""
        self.withdrawn = bytearray()
        self.entry = column()
        """The entry of each node; END for claims."""
        self.observed: dict[int, str] = {}
        self.later: dict[int, set[int]] = {}
        """Signals that replaced one."""
        self.earlier: dict[int, set[int]] = {}
        self._last = column()
        self._next = column()

    @classmethod
    def of(cls, entries: Sequence[str], source: Sequence[str], withdrawn: Flags, entry: Ints) -> "Sources":
        """Entries and nodes from their columns, whole, as if they had been added one by one."""
        made = cls()
        made.entries = dict(zip(entries, range(len(entries)), strict=True))
        made.source = list(source)
        made.withdrawn = bytearray(np.asarray(withdrawn, np.uint8).tobytes())
        made.entry = column_of(entry)
        signals = np.flatnonzero(entry != END)
        order = signals[ordered(entry[signals])]
        of = entry[order]
        again = of[1:] == of[:-1]
        last, before = np.full(len(entries), END, np.int32), np.full(len(entry), END, np.int32)
        before[order[1:][again]] = order[:-1][again]
        ends = np.append(~again, True)[: len(order)]
        last[of[ends]] = order[ends]
        made._last, made._next = column_of(last), column_of(before)
        return made

    def add_entry(self, name: str, source: str, *, withdrawn: bool = False) -> int:
        self.entries[name] = len(self.source)
        self.source.append(source)
        self.withdrawn.append(withdrawn)
        self._last.append(END)
        return len(self.source) - 1

    def add_node(self, entry: int = END) -> None:
        """The entry of the next node."""
        self.entry.append(entry)
        self._next.append(END if entry == END else self._last[entry])
        if entry != END:
            self._last[entry] = len(self.entry) - 1

    def signals(self, entry: int) -> Iterator[int]:
        node = self._last[entry]
        while node != END:
            yield node
            node = self._next[node]

    def replace(self, new: int, old: int) -> None:
        self.later.setdefault(old, set()).add(new)
        self.earlier.setdefault(new, set()).add(old)

    def replaced_by(self, signal: int, other: int) -> bool:
        """Whether `other` stands in the place of a signal, directly or along others."""
        return other in _closure(signal, self.later)

    def supports(self, signal: int) -> bool:
        """What replaced a replacement replaced the first, too, even while the one between is withdrawn."""
        if self.withdrawn[self.entry[signal]]:
            return False
        if signal not in self.later:
            return True
        return all(self.withdrawn[self.entry[each]] for each in _closure(signal, self.later))

    def moved_by(self, entry: int) -> set[int]:
        """The signals whose support an entry's withdrawal or restoration can change: its own, and those they replaced."""
        found = set(self.signals(entry))
        for signal in tuple(found):
            found |= _closure(signal, self.earlier)
        return found


def _closure(signal: int, along: dict[int, set[int]]) -> set[int]:
    met: set[int] = set()
    waiting = [signal]
    while waiting:
        for each in along.get(waiting.pop(), ()):
            if each not in met:
                met.add(each)
                waiting.append(each)
    return met
