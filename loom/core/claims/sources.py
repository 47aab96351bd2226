"""Whether a signal counts: its entry is not withdrawn, and no later signal of the same source stands in its place (§2, §13)."""

from collections.abc import Iterator, Sequence

import numpy as np

from loom.core.claims.graph import END, column, column_of
from loom.core.claims.spreading import Flags, Ints, ordered


class Sources:
    """Entries by number, which signals each gave, and which signals replaced which."""

    __slots__ = ("_last", "_next", "_over", "earlier", "entries", "entry", "later", "observed", "source", "withdrawn")

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
        self._over: dict[int, int] = {}
        """How many of the signals that replaced one are in force (kept up, so that a long line of replacements costs no more than its end)."""
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

    def withdraw(self, entry: int, to: bool) -> set[int]:
        """Set whether an entry is withdrawn; the signals whose support that changed."""
        if self.withdrawn[entry] == to:
            return set()
        self.withdrawn[entry] = to
        # Those that nothing stood in the place of, told before any is followed: they may have replaced each other.
        moved = {signal for signal in self.signals(entry) if not self._over.get(signal)}
        for signal in sorted(moved):
            for old in self.earlier.get(signal, ()):
                self._count(old, -1 if to else 1, moved)
        return moved

    def replace(self, new: int, old: int) -> set[int]:
        """Write that a signal stands in the place of another, which does not stand in its; the signals whose support that changed."""
        later = self.later.setdefault(old, set())
        moved: set[int] = set()
        if new not in later:
            later.add(new)
            self.earlier.setdefault(new, set()).add(old)
            if self._in_force(new):
                self._count(old, 1, moved)
        return moved

    def replaced_by(self, signal: int, other: int) -> bool:
        """Whether `other` stands in the place of a signal, directly or along others."""
        met: set[int] = set()
        waiting = [signal]
        while waiting:
            for each in self.later.get(waiting.pop(), ()):
                if each == other:
                    return True
                if each not in met:
                    met.add(each)
                    waiting.append(each)
        return False

    def supports(self, signal: int) -> bool:
        """What replaced a replacement replaced the first, too, even while the one between is withdrawn."""
        return not self.withdrawn[self.entry[signal]] and not self._over.get(signal)

    def _in_force(self, signal: int) -> bool:
        """Whether a signal counts, or something that stands in its place does: then what it replaced does not."""
        return not self.withdrawn[self.entry[signal]] or bool(self._over.get(signal))

    def _count(self, old: int, by: int, moved: set[int]) -> None:
        """One signal more, or less, in force in the place of another; `moved` gains the signals whose support that changed."""
        waiting = [old]
        while waiting:
            each = waiting.pop()
            was = self._over.get(each, 0)
            self._over[each] = was + by
            if bool(was) == bool(was + by):
                continue
            if self.withdrawn[self.entry[each]]:
                waiting += self.earlier.get(each, ())  # nothing else was in force there
            else:
                moved.add(each)
