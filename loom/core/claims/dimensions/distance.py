"""How far apart two positions are: δ(a, b) = n(d(v(a), v(b))), 0 where they are the same, 1 where they are farthest (seed §5.2)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from loom.core.claims.dimensions.contract import Contract
from loom.core.claims.dimensions.matching import checked
from loom.core.claims.dimensions.registry import METRICS, NORMALIZERS, Floats
from loom.core.claims.dimensions.spaces import Value


@dataclass(frozen=True, slots=True)
class Axes:
    """Several contracts side by side, ready for arrays whose last axis runs over them."""

    metrics: tuple[str, ...]
    divisors: Floats

    @classmethod
    def of(cls, contracts: Sequence[Contract]) -> "Axes":
        """Raises BadInput where a contract does not go together."""
        for each in contracts:
            checked(each)
        divisors = [NORMALIZERS[each.normalizer].divisor(each.space) or 1.0 for each in contracts]
        return cls(tuple(each.metric for each in contracts), np.array(divisors, np.float64))

    def __len__(self) -> int:
        return len(self.metrics)

    def delta(self, a: Floats, b: Floats) -> Floats:
        """Distances of codes, f64 (…, axes), broadcast; not a number where one of the two has no position."""
        names = set(self.metrics)
        if len(names) == 1:
            (name,) = names
            return np.asarray(METRICS[name].between(a, b) / self.divisors)
        shape = np.broadcast_shapes(a.shape, b.shape)
        a, b = np.broadcast_to(a, shape), np.broadcast_to(b, shape)
        found = np.empty(shape)
        for name in sorted(names):
            columns = np.array([each == name for each in self.metrics])
            found[..., columns] = METRICS[name].between(a[..., columns], b[..., columns])
        return np.asarray(found / self.divisors)


def delta(contract: Contract, a: Value, b: Value) -> float:
    """The distance of two values on one axis. Raises BadInput where one is no value of its space."""
    codes = np.array([[contract.space.code(a)], [contract.space.code(b)]])
    return float(Axes.of((contract,)).delta(codes[0], codes[1])[0])
