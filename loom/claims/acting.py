"""What people do: to claims, to domains, to dimensions. Only people accept, reject and take edges back (§2)."""

from collections.abc import Sequence

from loom.claims.asks import Act, Describe, Shape
from loom.claims.axes import dimensions_of, row_of
from loom.claims.drafting import Draft
from loom.core.claims import writes as w
from loom.core.claims.dimensions.dimension import Dimension, revised
from loom.core.claims.dimensions.matching import checked
from loom.core.claims.dimensions.reading import read_proposal
from loom.core.claims.dimensions.states import pin, reconsider, retire, unpin
from loom.core.claims.reach import GENERAL
from loom.core.claims.records import Agent, Domain
from loom.core.claims.stored import DimensionRow
from loom.core.errors import NotFound


def act(draft: Draft, number: int, wish: Act) -> None:
    """Adds what a person does to a claim; the network refuses what may not be."""
    by = Agent("person", wish.by)
    match wish.act:
        case "accept":
            draft.write(w.Accept(wish.claim, by), number)
        case "reject":
            draft.write(w.Reject(wish.claim, by), number)
        case "yield":
            draft.write(w.Reject(wish.claim, by, of=wish.other), number)
        case "readmit":
            draft.write(w.Readmit(wish.claim, by), number)
        case "supersede":
            draft.write(w.Supersede(wish.other, wish.claim, by), number)
        case "unsupersede":
            draft.write(w.DropSupersede(wish.other, wish.claim, by), number)
        case "spurious":
            draft.write(w.DropConflict(wish.claim, wish.other, by), number)
        case "conflict":
            draft.write(w.Contradict(wish.other, wish.claim, by=by), number)
    draft.say(number, act=wish.act, claim=wish.claim)


def describe(draft: Draft, number: int, wish: Describe, domains: Sequence[Domain]) -> bool:
    """Adds a domain, or its next version; says whether signals are to be filed anew."""
    held = {**{each.id: each for each in domains}, **draft.domains}.get(wish.domain)
    if held is not None and (held.name, held.description) == (wish.name, wish.description):
        draft.say(number, domain=wish.domain, known=True)
        return False
    version = held.version + 1 if held else 1
    draft.domains[wish.domain] = Domain(wish.domain, wish.name, wish.description, version, wish.derived_from, wish.by)
    draft.say(number, domain=wish.domain, version=version)
    return True


def shape(draft: Draft, number: int, wish: Shape, rows: Sequence[DimensionRow], domains: Sequence[Domain]) -> None:
    """Adds a dimension, its next version, or the state that a person gives it. Raises BadInput and NotFound."""
    held = {each.id: each for each in (*dimensions_of(rows), *dimensions_of(draft.dimensions.values()))}
    mine, by = held.get(wish.dimension), Agent("person", wish.by)
    if wish.contract is None:
        if mine is None:
            raise NotFound(
                f"There is no dimension {wish.dimension}; propose it with a contract first, or give the id of one that there is.",
                param="dimension",
            )
        others = [each for each in held.values() if each.domain == mine.domain and each.id != mine.id]
        made = _moved(mine, wish.state, others, by, draft.after + 1)
    else:
        if wish.domain != GENERAL and all(each.id != wish.domain for each in domains):
            raise NotFound(f"There is no domain {wish.domain}; describe it first.", param="domain")
        contract = read_proposal(wish.contract)
        taken = [each.contract.name for each in held.values() if each.domain == wish.domain and each.id != wish.dimension]
        if mine is None:
            made = (Dimension(wish.dimension, wish.domain, checked(contract, taken), proposed_by=wish.by),)
        else:
            made = (revised(mine, contract, taken),)
    for each in made:
        draft.dimensions[each.id] = row_of(each)
    first = made[0]
    draft.say(number, dimension=first.id, version=first.version, state=first.state, pinned=first.pinned)
    if len(made) > 1:
        draft.say(number, parked=made[1].id)


def _moved(mine: Dimension, state: str, others: Sequence[Dimension], by: Agent, cycle: int) -> tuple[Dimension, ...]:
    match state:
        case "pin":
            return pin(mine, others, by, cycle)
        case "unpin":
            return (unpin(mine, by),)
        case "retire":
            return (retire(mine, by),)
        case _:
            return (reconsider(mine, by),)
