"""What of a contract does not go together, one sentence each (specs/claims.md §6)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from loom.core.claims.dimensions.contract import Contract
from loom.core.claims.dimensions.registry import METRICS, NORMALIZERS, SYSTEMS
from loom.core.claims.dimensions.spaces import Ordinal, Scalar, Value
from loom.core.errors import BadInput


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A field that does not fit, and why."""

    field: str
    why: str


def mismatches(contract: Contract, taken: Iterable[str] = ()) -> tuple[Mismatch, ...]:
    """Everything that does not fit; nothing where the contract may be used. `taken` are the names of the domain's other dimensions."""
    found: list[Mismatch] = []
    if _plain(contract.name) in {_plain(each) for each in taken}:
        found.append(Mismatch("name", f"the domain has a dimension that is called {contract.name} already"))
    found += _distances(contract)
    found += _prototypes(contract)
    found += _procedure(contract)
    return tuple(found)


def checked(contract: Contract, taken: Iterable[str] = ()) -> Contract:
    """The contract itself. Raises BadInput with every mismatch where there is one."""
    if found := mismatches(contract, taken):
        said = "; ".join(f"{each.field}: {each.why}" for each in found)
        raise BadInput(f"Expected a contract whose parts go together, but of {contract.name!r} {said}.", param=found[0].field)
    return contract


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())


def _distances(contract: Contract) -> Iterator[Mismatch]:
    space, metric, normalizer = contract.space, METRICS.get(contract.metric), NORMALIZERS.get(contract.normalizer)
    if metric is None:
        yield Mismatch("metric", f"{contract.metric!r} is none of {', '.join(METRICS)}")
    elif space.kind not in metric.kinds:
        yield Mismatch(
            "metric", f"{metric.name} is for {_or(metric.kinds)} values, but these are {space.kind}: {metric.refuses}"
        )
    if normalizer is None:
        yield Mismatch("normalizer", f"{contract.normalizer!r} is none of {', '.join(NORMALIZERS)}")
        return
    divisor = normalizer.divisor(space)
    if divisor is None:
        yield Mismatch("normalizer", f"{normalizer.name} needs {normalizer.asks}, which {space.kind} values do not have")
    elif metric is not None and space.kind in metric.kinds and (largest := metric.farthest(space)) != divisor:
        where = "outside [0, 1]" if largest > divisor else "which is not the 1 of two that are farthest"
        yield Mismatch("normalizer", f"{normalizer.name} puts the two farthest values {largest / divisor:g} apart, {where}")


def _prototypes(contract: Contract) -> Iterator[Mismatch]:
    space = contract.space
    for each in contract.prototypes:
        if not space.has(each.value):
            yield Mismatch("prototypes", f"{each.value!r} is no value of the space")
    shown = {each.value for each in contract.prototypes}
    needs: tuple[Value, ...] = ()
    if isinstance(space, Scalar):
        if contract.procedure.system == "between":
            needs = (space.low, space.high)
    elif isinstance(space, Ordinal) or contract.procedure.system == "nearest":
        needs = space.values
    for value in needs:
        if value not in shown:
            yield Mismatch("prototypes", f"the value {value!r} has no prototype")


def _procedure(contract: Contract) -> Iterator[Mismatch]:
    space, how = contract.space, contract.procedure
    system = SYSTEMS.get(how.system)
    if system is None:
        yield Mismatch("projection", f"{how.system!r} is none of {', '.join(SYSTEMS)}")
    elif space.kind not in system.kinds:
        yield Mismatch("projection", f"{system.name} assigns {_or(system.kinds)} values, but these are {space.kind}")
    elif how.words and system.name != "words":
        yield Mismatch("projection", f"words are read by the system words only, but this is {system.name}")
    elif system.name == "words" and not isinstance(space, Scalar):
        yield from _words(space.values, how.words)


def _words(values: tuple[str, ...], words: tuple[tuple[str, tuple[str, ...]], ...]) -> Iterator[Mismatch]:
    owner: dict[str, str] = {}
    for value, given in words:
        if value not in values:
            yield Mismatch("projection", f"words are given for {value!r}, which is no value of the space")
        for word in given:
            if not _plain(word):
                yield Mismatch("projection", f"a word of {value!r} is empty")
            elif owner.setdefault(_plain(word), value) != value:
                yield Mismatch("projection", f"the word {word!r} is given for both {owner[_plain(word)]!r} and {value!r}")
    having = {value for value, given in words if given}
    for value in values:
        if value not in having:
            yield Mismatch("projection", f"the value {value!r} has no words")


def _or(kinds: tuple[str, ...]) -> str:
    return " or ".join(kinds)
