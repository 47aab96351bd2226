"""Says what claims and signals an answer was given, and writes down that they were shown."""

import logging
from collections.abc import Mapping
from typing import cast

from loom.answer.plan import Plan
from loom.claims.finder import ClaimFinder
from loom.claims.workspace import Claims
from loom.core.claims.minting import id_of
from loom.core.claims.stored import Notes
from loom.core.errors import LoomError
from loom.core.values import Json, Outcome

log = logging.getLogger(__name__)


class ClaimWatch:
    """The claims of one answer: which version, what was found, and of that what was shown."""

    key = "claims"

    def __init__(self, plan: Plan, claims: Claims) -> None:
        self._plan = plan
        self._claims = claims

    def feed(self, text: str) -> None:
        """Nothing is counted in the answer."""

    def report(self, outcome: Outcome) -> Mapping[str, Json] | None:
        told = next(
            (cast(dict[str, Json], dict(one)) for name, one in self._plan.decision.told if name == ClaimFinder.name), None
        )
        return None if told is None else {**told, "shown": self._shown()}

    async def after(self, outcome: Outcome) -> None:
        shown = [id for id in self._shown() if id.startswith("claim:")]
        if shown:
            try:
                await self._claims.note(Notes(self._claims.at(), shown=shown))
            except LoomError as error:
                log.error("What was shown could not be written down: %s", error.message)

    def _shown(self) -> list[str]:
        """The ids in the block, in its order."""
        found: dict[str, None] = {}
        for served in self._plan.block.served:
            told = served.evidence.stated or ()
            kept = set(served.lines)
            for line, stated in zip(served.evidence.lines, told, strict=False):
                if stated is not None and line in kept and (id := id_of(stated.iri)):
                    found[id] = None
        return list(found)
