"""Which of the names found in a text stand on their own, and which only inside longer ones."""

from collections.abc import Sequence

import numpy as np

from loom.core.matching.held import SHORT


def covered(start: np.ndarray, words: np.ndarray, length: int) -> np.ndarray:
    """Which names have every word inside longer names, or inside those and names of the same length that start earlier."""
    if length <= SHORT:
        return np.array(covered_short(start.tolist(), words.tolist(), length), dtype=bool)
    inner = np.zeros(len(start), dtype=bool)
    inside = np.zeros(length + 1, dtype=np.int64)
    longest = True
    for n in sorted(set(words.tolist()), reverse=True):
        here = (words == n).nonzero()[0]
        begin = start[here]
        if n == 1:
            inner[here] = inside[begin]
            break
        if not longest:
            open_from = begin.copy()
            np.maximum(begin[1:], begin[:-1] + n, out=open_from[1:])
            before = np.cumsum(inside) - inside
            inner[here] = before[begin + n] - before[open_from] == begin + n - open_from
        longest = False
        for place in range(n):
            inside[begin + place] = 1
    return inner


def covered_short(start: Sequence[int], words: Sequence[int], length: int) -> list[bool]:
    """As `covered`, name by name."""
    inner = [False] * len(start)
    inside = bytearray(length)
    for n in sorted(set(words), reverse=True):
        here = [at for at, each in enumerate(words) if each == n]
        end = 0
        for at in here:
            begin = max(start[at], end)
            end = start[at] + n
            inner[at] = not inside.count(0, begin, end)
        for at in here:
            inside[start[at] : start[at] + n] = b"\1" * n
    return inner
