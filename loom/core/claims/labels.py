"""What the network says of each node at present: one byte a fact, by node number."""

from dataclasses import dataclass, field

from loom.core.claims.standing import Standing


@dataclass(slots=True)
class Labels:
    """`supported` is decided by the graph; `settled` (accepted and not retracted since) and `fallen` (ever retracted) are what a
    claim's history comes to; `standing` follows from these and the disputes. Signals have the standing NONE."""

    supported: bytearray = field(default_factory=bytearray)
    standing: bytearray = field(default_factory=bytearray)
    settled: bytearray = field(default_factory=bytearray)
    fallen: bytearray = field(default_factory=bytearray)

    def grow(self) -> None:
        for each in (self.supported, self.standing, self.settled, self.fallen):
            each.append(0)

    def move(self, claim: int, to: Standing) -> Standing:
        """Set a standing, with what it means for the history; the standing before."""
        before = Standing(self.standing[claim])
        self.standing[claim] = to
        if to is Standing.ACCEPTED:
            self.settled[claim] = 1
        elif to is Standing.RETRACTED:
            self.settled[claim] = 0
            self.fallen[claim] = 1
        return before
