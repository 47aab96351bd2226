"""Lines in the order of their bytes, each once, in bounded memory: runs that are sorted one by one, then merged."""

import heapq
import tempfile
import weakref
from collections.abc import Iterable, Iterator
from typing import IO

from loom.core.errors import Unwritable

RUN = 32 << 20
"""Bytes of lines that are in memory at once."""
PIECE = 1 << 20


class SortedLines:
    """Takes lines in any order and gives them as the pieces of a sorted file. What does not fit is in files without a name, which are
    gone with this."""

    def __init__(self, run: int = RUN) -> None:
        self._run = run
        self._held: set[bytes] = set()
        self._size = 0
        self._files: list[IO[bytes]] = []
        self._many = 0
        weakref.finalize(self, _close, self._files)

    def add(self, line: str) -> None:
        """Take one line, without its end. Half a surrogate pair becomes a question mark."""
        data = line.encode("utf-8", "replace") + b"\n"
        if data not in self._held:
            self._held.add(data)
            self._size += len(data)
            if self._size >= self._run:
                self._spill()

    def settle(self) -> None:
        """Bring what was taken into order, so that it can be counted and given."""
        if self._held:
            self._spill()
        if len(self._files) > 1:
            merged = _written(heapq.merge(*(_rewound(each) for each in self._files)))
            _close(self._files)
            self._files[:], self._many = [merged[0]], merged[1]

    def __len__(self) -> int:
        """Lines that were settled."""
        return self._many

    def __iter__(self) -> Iterator[bytes]:
        self.settle()
        for each in self._files:
            each.seek(0)
            while piece := each.read(PIECE):
                yield piece

    def _spill(self) -> None:
        file, many = _written(sorted(self._held))
        self._files.append(file)
        self._held, self._size = set(), 0
        if len(self._files) == 1:
            self._many = many


def _close(files: list[IO[bytes]]) -> None:
    for each in files:
        each.close()


def _rewound(file: IO[bytes]) -> IO[bytes]:
    file.seek(0)
    return file


def _written(lines: Iterable[bytes]) -> tuple[IO[bytes], int]:
    """A new file with these lines, each once, and how many they are. Raises Unwritable."""
    last, many = b"", 0
    try:
        file = tempfile.TemporaryFile(buffering=PIECE)  # noqa: SIM115  it outlives this function
        try:
            for line in lines:
                if line != last:
                    file.write(line)
                    last, many = line, many + 1
            file.flush()
        except BaseException:
            file.close()
            raise
    except OSError as error:
        raise Unwritable(
            f"Expected room for sorted statements in {tempfile.gettempdir()}, but there was none ({error.strerror or error}); make "
            "some, or name another folder in TMPDIR."
        ) from error
    return file, many
