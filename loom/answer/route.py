"""Where a plan answers from: what was routed, and the addresses that were admitted, as their finders give them."""

from loom.answer.plan import Plan
from loom.core.values import Candidate, Json

ROUTED = "routed"
"""Why a candidate that is no address is proposed: its home is one of those that the question is answered from."""
LISTED = 200
"""Addresses that are listed; all are counted."""


def route_json(plan: Plan) -> dict[str, Json]:
    """`route`: the bases with their scores, and whether an address bound the answer to them; `addresses`, and of many, how many."""
    found = _admitted(plan)
    addresses = [each for each in found if each.why != ROUTED]
    listed: list[dict[str, Json]] = [
        {"iri": each.iri, "why": each.why, "retriever": each.retriever, "score": each.score} for each in addresses[:LISTED]
    ]
    return {
        "route": {
            "bases": [{"iri": each.iri, "score": each.score} for each in found if each.why == ROUTED],
            "committed": plan.decision.only is not None,
        },
        "addresses": listed,
        **({"addresses_in_all": len(addresses)} if len(addresses) > LISTED else {}),
    }


def _admitted(plan: Plan) -> list[Candidate]:
    return [candidate for _, candidates in plan.decision.admitted for candidate in candidates]
