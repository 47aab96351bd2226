"""Token buckets in one small mapped file, so that a caller's limit holds over all workers of a node together.

The file is an open-addressed table of 24-byte rows: hash of the caller, tokens, time of the last look. Rows are changed under
`flock`; the clock is CLOCK_MONOTONIC, which the processes of one machine share.
"""

import fcntl
import hashlib
import mmap
import os
import struct
import tempfile
from pathlib import Path

ROWS = 4096
_ROW = struct.Struct("<Qdd")
_LOOKS = 16


class Buckets:
    """Allows each caller a number of requests a minute, with bursts of up to a minute's worth.

    Without a path the table belongs to this process alone.
    """

    def __init__(self, path: Path | None = None) -> None:
        if path is None:
            with tempfile.TemporaryFile() as file:
                self._fd = os.dup(file.fileno())
        else:
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        os.ftruncate(self._fd, ROWS * _ROW.size)
        self._map = mmap.mmap(self._fd, ROWS * _ROW.size)

    def take(self, caller: str, a_minute: int, now: float) -> float:
        """Take one request. Returns 0.0 when it is allowed, else the seconds until the next one is."""
        mark = int.from_bytes(hashlib.blake2b(caller.encode("utf-8", "replace"), digest_size=8).digest(), "little") or 1
        fcntl.flock(self._fd, fcntl.LOCK_EX)
        try:
            place, tokens, seen = self._find(mark, float(a_minute), now)
            tokens = min(float(a_minute), tokens + max(0.0, now - seen) * a_minute / 60.0)
            allowed = tokens >= 1.0
            _ROW.pack_into(self._map, place, mark, tokens - 1.0 if allowed else tokens, now)
        finally:
            fcntl.flock(self._fd, fcntl.LOCK_UN)
        return 0.0 if allowed else (1.0 - tokens) * 60.0 / a_minute

    def _find(self, mark: int, full: float, now: float) -> tuple[int, float, float]:
        """The row of a caller; for a new one a free row, or the one of its neighbourhood that was silent longest."""
        oldest, oldest_seen = 0, float("inf")
        for step in range(_LOOKS):
            place = (mark + step) % ROWS * _ROW.size
            found, tokens, seen = _ROW.unpack_from(self._map, place)
            if found == mark and seen <= now:
                return place, tokens, seen
            if found in (0, mark):
                return place, full, now
            if seen < oldest_seen:
                oldest, oldest_seen = place, seen
        return oldest, full, now

    def close(self) -> None:
        self._map.close()
        os.close(self._fd)
