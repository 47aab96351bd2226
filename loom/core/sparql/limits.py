"""What one query, and all of them together, may use."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """`seconds` of running, and as many of waiting before it; most `rows` and `bytes` of a result, beyond which it is truncated;
    bytes of `memory` beside the data; `running` at once; `waiting` behind them."""

    seconds: float = 10.0
    rows: int = 10_000
    bytes: int = 16 * 1024 * 1024
    memory: int = 512 * 1024 * 1024
    running: int = 1
    waiting: int = 32

    def shown(self) -> str:
        return f"seconds={self.seconds:g}, rows={self.rows}, bytes={self.bytes}"
