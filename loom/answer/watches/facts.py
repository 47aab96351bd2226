"""Says where an answer's facts come from: the bases that were routed, and the addresses that were resolved."""

from collections.abc import Mapping

from loom.answer.finders.facts import FactsFinder
from loom.answer.plan import Plan
from loom.answer.route import LISTED, ROUTED
from loom.core.values import Json, Outcome


class FactsWatch:
    """Route and addresses of one plan. Reports nothing where knowledge bases took no part."""

    key = "facts"

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def feed(self, text: str) -> None:
        """Nothing is counted in the answer."""

    def report(self, outcome: Outcome) -> Mapping[str, Json] | None:
        decision = self._plan.decision
        found = decision.of(FactsFinder.name)
        if not decision.engaged or not found:
            return None
        addresses = [{"iri": each.iri, "why": each.why} for each in found if each.why != ROUTED]
        return {
            "route": {
                "bases": [{"iri": each.iri, "score": each.score} for each in found if each.why == ROUTED],
                "committed": decision.only is not None,
            },
            "addresses": addresses[:LISTED],
            **({"addresses_in_all": len(addresses)} if len(addresses) > LISTED else {}),
        }

    async def after(self, outcome: Outcome) -> None:
        """Nothing to write."""
