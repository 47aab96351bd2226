"""The book of verdicts: each is kept as soon as it is given, and a judging that was broken off goes on where it stopped.

While a judging runs, verdicts are appended to its file and forced to the disk; when it ends, the file is written whole in the
order of the material, so that it is the same whether or not it was broken off. All verdicts are held in memory: a verdict is about
half a kilobyte, and nobody judges a million answers.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.files import write_lines
from loom.lab.judging.appended import Appended
from loom.lab.lines import lines

Key = tuple[str, ...]


class Book:
    """Verdicts of one `kind`, by the values of `members`. A verdict counts for the prompt that it was given to only."""

    def __init__(self, path: Path, kind: str, members: tuple[str, ...]) -> None:
        self.path, self.kind, self.members = path, kind, members
        self.rows: dict[Key, dict[str, Json]] = {}
        self.stale = 0
        self._file: Appended

    def key(self, row: Mapping[str, Json]) -> Key:
        return tuple("" if row.get(member) is None else str(row[member]) for member in self.members)

    def has(self, key: Key, prompt: str) -> bool:
        """Whether there is a verdict on this very prompt."""
        return key in self.rows and self.rows[key].get("prompt") == prompt

    def add(self, row: Mapping[str, Json]) -> None:
        """Keep a verdict in the open book: when this returns it is on the disk."""
        key = self.key(row)
        if key in self.rows:
            self.stale += 1
        self.rows[key] = dict(row)
        self._file.add(row)

    def settle(self, order: Iterable[Key]) -> str:
        """Write the file whole, verdicts in an order, others after them; gives its SHA-256."""
        wanted = dict.fromkeys(key for key in order if key in self.rows)
        rest = sorted(key for key in self.rows if key not in wanted)
        return write_lines(self.path, (self.rows[key] for key in [*wanted, *rest]))

    @contextmanager
    def open(self) -> Iterator["Book"]:
        """Read what is there and take the file for oneself. A last line that was cut short is left out. Raises BadInput."""
        busy = BadInput(f"Another command is writing {self.path}; wait for it, or give another --out.", param="out")
        self._file = Appended(self.path, busy)
        try:
            for number, row in lines(self.path, "out"):
                if row.get("kind") != self.kind:
                    raise BadInput(
                        f"Expected verdicts of kind {self.kind} in {self.path}, but line {number} is "
                        f"{row.get('kind') or 'something else'}; give another --out.",
                        param="out",
                    )
                self.rows[self.key(row)] = row
            yield self
        finally:
            self._file.close()
