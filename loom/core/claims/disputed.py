"""Whether there is a conflict for a person to end, as everything is written when they do."""

from loom.core.claims.propagation import stands
from loom.core.claims.standing import standing_of
from loom.core.claims.state import State


def undisputed(state: State, claim: int, other: int | None, name: str, of: str) -> tuple[str, str] | None:
    """One of `writes.REASONS` and why no conflict of a claim, or none with `other`, is to be ended; None where one is."""

    def holds(node: int) -> bool:
        return stands(state.graph, state.sources, state.disputes, node)

    partners = state.disputes.partners(claim)
    if other is not None and other not in partners:
        return "unknown", f"{name} and {of} do not conflict; resolve ends a conflict, reject retracts a claim."
    against = partners if other is None else [other]
    if holds(claim) and any(holds(each) for each in against):
        return None
    now = standing_of(
        rejected=False,
        superseded=state.disputes.superseded(claim),
        supported=holds(claim),
        opposed=any(holds(each) for each in partners),
        settled=bool(state.labels.settled[claim]),
    ).word
    what = f"{name} is {now}, not contested" if other is None else f"{name} is {now}, and no conflict with {of} is open"
    return "standing", f"{what}: resolve ends a conflict, reject retracts a claim."
