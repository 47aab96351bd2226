"""Whether a small projector may take over from a large one, and with it whether queries have positions (seed §5.3, §10.5)."""

from dataclasses import dataclass

import numpy as np

from loom.core.claims.dimensions.agreement import agreement
from loom.core.claims.dimensions.rules import DEFAULT, Rules
from loom.core.claims.dimensions.spaces import Scalar, Space, Value
from loom.core.claims.dimensions.validation import Readings
from loom.core.errors import BadInput


@dataclass(frozen=True, slots=True)
class Distilled:
    """How a small projector compares with the large one on `claims` held-out claims: `agreement` on those that both find relevant
    (None where it cannot be told), `ratio` of their prices for one projection."""

    agreement: float | None
    ratio: float
    claims: int
    agrees: bool
    cheap: bool

    @property
    def met(self) -> bool:
        return self.agrees and self.cheap


def distilled(space: Space, small: Readings, large: Readings, prices: tuple[float, float], rules: Rules = DEFAULT) -> Distilled:
    """`prices` are those of one projection, small and large. Raises BadInput for another number of held-out claims than the
    minimum to the size of a sample, or where both did not project the same ones."""
    size = len(small.codes)
    if len(large.codes) != size or not rules.minimum <= size <= rules.sample:
        raise BadInput(
            f"Expected the same {rules.minimum} to {rules.sample} held-out claims of both, but got {size} and {len(large.codes)}.",
            param="readings",
        )
    if prices[0] < 0 or prices[1] <= 0:
        raise BadInput(f"Expected prices of a projection, but got {prices[0]} and {prices[1]}.", param="prices")
    shared = small.relevant(rules) & large.relevant(rules)
    found = None
    if np.count_nonzero(shared) >= rules.overlap:
        found = agreement(space, small.codes[shared], large.codes[shared])
    ratio = prices[0] / prices[1]
    return Distilled(found, ratio, size, found is not None and found >= rules.measurable, ratio <= rules.distilled)


def returned(space: Space, assigned: list[Value], projected: list[Value]) -> float:
    """The share of prototypes that a projector gives their own values, of a scalar to within a tenth of its range: below 1,
    projection is broken (seed §10.5). Raises BadInput where there is none or a value is none of the space."""
    if not assigned or len(assigned) != len(projected):
        raise BadInput(f"Expected a projected value for each prototype, but got {len(projected)}.", param="prototypes")
    near = (space.high - space.low) / 10 if isinstance(space, Scalar) else 0.0
    pairs = zip(assigned, projected, strict=True)
    return sum(abs(space.code(a) - space.code(b)) <= near for a, b in pairs) / len(assigned)
