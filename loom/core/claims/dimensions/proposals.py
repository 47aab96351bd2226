"""Candidates that a model composed, read and checked one by one (seed §5.4)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from loom.core.claims.dimensions.contract import Contract
from loom.core.claims.dimensions.discovery import Residual
from loom.core.claims.dimensions.matching import checked
from loom.core.claims.dimensions.reading import read_proposal
from loom.core.errors import BadInput


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a generator is given: the domain's name and description, the definitions of its active dimensions (name, text), and pairs
    of propositions that they leave unexplained, with how close and how far apart they are."""

    domain: str
    description: str
    active: tuple[tuple[str, str], ...]
    pairs: tuple[tuple[str, str, Residual], ...]


@dataclass(frozen=True, slots=True)
class Declined:
    """A proposal that cannot be used: its place in the answer, and why."""

    place: int
    why: str


@dataclass(frozen=True, slots=True)
class Proposed:
    contracts: tuple[Contract, ...]
    declined: tuple[Declined, ...]


def proposed(answers: Sequence[object], taken: Iterable[str] = ()) -> Proposed:
    """The contracts among what was answered, in that order; `taken` are the names of the domain's dimensions.

    One that has another shape, does not go together, gives a pattern (between slashes) for a word, or takes a name that is taken is
    declined; the others stay."""
    names = list(taken)
    contracts, declined = [], []
    for place, answer in enumerate(answers):
        try:
            contract = checked(plain(read_proposal(answer)), names)
        except BadInput as error:
            declined.append(Declined(place, error.message))
        else:
            names.append(contract.name)
            contracts.append(contract)
    return Proposed(tuple(contracts), tuple(declined))


def plain(contract: Contract) -> Contract:
    """Patterns are code: a person may write them into a contract, a model may not."""
    for _, words in contract.procedure.words:
        for each in words:
            if each.startswith("/") and each.endswith("/"):
                raise BadInput(f"Expected words, but {each!r} is a pattern, which only a person writes.", param="projection")
    return contract
