"""Units without relations: the same units as the live block, of which titles and definitions are left."""

from loom.core.concepts import Concepts, Links
from loom.core.policy.packing import NOTHING
from loom.core.values import Block, Row
from loom.lab.arms.basis import Base, Basis

NO_LINKS = Links((), (), ())


class WithoutLinks(Concepts):
    """The same records, none of which leads anywhere."""

    def __init__(self, behind: Concepts) -> None:
        self.__dict__.update(behind.__dict__)
        self._known_works = {}

    def links(self, row: Row) -> Links:
        return NO_LINKS

    def children(self, row: Row) -> list[Row]:
        return []


def entities(base: Base, view: WithoutLinks, item: Basis) -> Block:
    """What the live renderer makes of such records for the units that the live block shows."""
    found = [served.evidence.found for served in item.live.block.served]
    rows = [(row, each) for each in found if each is not None and (row := view.row(each.iri)) is not None]
    if not rows:
        return NOTHING
    policy = base.ground.chosen
    return policy.pack(policy.mint(view, rows, item.question.prompt, hops=0, prose=False), item.live.decision.budget)
