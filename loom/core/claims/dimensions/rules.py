"""Every threshold of the dimension layer, as one value. Those that seed 001 states are so marked; the others are ours."""

from dataclasses import dataclass, fields

from loom.core.errors import BadInput


@dataclass(frozen=True, slots=True)
class Rules:
    """Shares, agreements and relevances are from 0 to 1. Raises BadInput where a member is out of its range."""

    relevance: float = 0.5
    """τ: from here on an object concerns an axis; the single cut of that kind (seed §5.3; its value was lost)."""
    opposed: float = 0.5
    """θ: two claims this far apart are candidates of a contradiction (value lost)."""
    active: int = 8
    """m: active dimensions of a domain, and projections of a claim (value reconstructed, §13)."""
    gate: float = 30.0
    """Percentile of the cosines in a domain under which nothing is projected (seed §5.5)."""
    measurable: float = 0.7
    discriminating: float = 0.9
    """Largest share of relevant claims that one value may have."""
    stable: float = 0.8
    redundant: float = 0.8
    relevant: float = 0.1
    sample: int = 200
    minimum: int = 30
    """Claims under which nothing is validated (seed §5.4)."""
    overlap: int = 10
    """Claims on which two sets of positions must both be, so that their agreement says something."""
    queries: int = 30
    """Validation queries under which a domain is unfit (seed §6)."""
    folds: int = 5
    majority: int = 3
    failures: int = 2
    """Cycles in a row without passing the screen after which a dimension is parked (seed §5.4)."""
    sparsity: float = 0.01
    """α: what a unit of weight costs in the fit, in units of the mean loss."""
    cycle_days: int = 7
    distilled: float = 0.1
    """Largest share of the large projector's cost that a small one may have (seed §10.5)."""

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name == "sparsity":
                least, most = 0.0, float("inf")
            elif each.name == "gate":
                least, most = 0.0, 100.0
            elif isinstance(each.default, int):
                least, most = 1, float("inf")
            else:
                least, most = 0.0, 1.0
            number = isinstance(value, int if isinstance(each.default, int) else int | float) and not isinstance(value, bool)
            if not number or not least <= value <= most:
                raise BadInput(f"Expected {each.name} from {least:g} to {most:g}, but got {value!r}.", param=each.name)
        if self.majority > self.folds or self.folds < 2:
            raise BadInput(
                f"Expected at least two folds and a majority of them, but got {self.folds} and {self.majority}.", param="folds"
            )


DEFAULT = Rules()
