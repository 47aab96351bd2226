"""Which of many rows are kept: the first and the last, or those around one of them."""

from collections.abc import Sequence


def kept(count: int, most: int, near: int | None = None) -> Sequence[int]:
    """Numbers of at most `most` of `count` rows, in order: as many from either end, or, with `near`, those next to that number."""
    if count <= most:
        return range(count)
    if near is not None:
        begin = max(0, min(near - most // 2, count - most))
        return range(begin, begin + most)
    head = (most + 1) // 2
    return (*range(head), *range(count - most + head, count))
