"""Where a proposition lies on an axis, by a rubric: words that tell a value, else the nearest prototype (specs/claims.md §11)."""

import re
from collections.abc import Sequence

from loom.core.claims.judging.asked import Axis, Placing, Stated, Value
from loom.core.claims.judging.given import Placed
from loom.core.claims.judging.likeness import near, terms_of
from loom.core.claims.judging.statement import Statement, read
from loom.core.errors import BadInput

LEAST = 0.2
"""How near a prototype or the definition has to be, for a proposition without a cue to concern the axis."""


def project(asked: Placing, nearness: Sequence[float] | None = None) -> Placed:
    """The value whose cues are most in the proposition, the first of several; without cues that of the nearest prototype.

    `nearness` are cosines of the proposition's vector with those of the definition and then of each prototype, where an embedder is
    at hand; terms are compared otherwise. A scalar axis takes a number that its cue "unit" counts. Raises BadInput for an axis
    whose prototype is no value of it.
    """
    axis, statement = asked.axis, read(Stated(asked.proposition))
    _check(axis)
    if axis.space == "scalar" and (number := _number(axis, statement)) is not None:
        return Placed(number, 1.0)
    binary = axis.space == "binary"
    hits = [
        (value, sum(_cued(cue, asked.proposition, statement, binary) for cue in axis.cues.get(value, ())))
        for value in axis.names
    ]
    best = max((count for _, count in hits), default=0)
    if best:
        return Placed(_of(axis, next(value for value, count in hits if count == best), statement), 1.0)
    own = frozenset(statement.order)
    alike = nearness or [near(own, terms_of(text)) for text in (axis.definition, *(text for _, text in axis.prototypes))]
    relevance = max((0.0, *alike))
    if relevance < LEAST or not axis.prototypes:
        return Placed(None, round(min(relevance, 1.0), 6))
    prototypes = list(alike[1:])
    value, _ = axis.prototypes[prototypes.index(max(prototypes))]
    return Placed(_of(axis, value), round(min(relevance, 1.0), 6))


def _check(axis: Axis) -> None:
    for value, _ in axis.prototypes:
        try:
            fits = axis.low <= float(value) <= axis.high if axis.space == "scalar" else value in axis.names
        except ValueError:
            fits = False
        if not fits:
            raise BadInput(f"Expected prototypes of {axis.name} at values of it, but one is at {value!r}.", param="prototypes")


def _of(axis: Axis, value: str, statement: Statement | None = None) -> Value:
    """A named value in the axis' own type; a denial turns a binary one round."""
    if axis.space == "binary":
        return (value == "true") != bool(statement and statement.denials % 2)
    return float(value) if axis.space == "scalar" else value


def _cued(cue: str, text: str, statement: Statement, binary: bool) -> bool:
    """Whether a cue is in a proposition. Words are there where all of them are, and where both deny or neither does; on a binary axis a
    denial turns the value round instead, unless the cue itself denies."""
    if len(cue) > 2 and cue.startswith("/") and cue.endswith("/"):
        return re.search(cue[1:-1], text, re.IGNORECASE) is not None
    own = read(Stated(cue))
    same = own.denials % 2 == statement.denials % 2
    return bool(own.order) and own.terms <= statement.terms and (same or (binary and not own.denials))


def _number(axis: Axis, statement: Statement) -> float | None:
    units = {term for cue in axis.cues.get("unit", ()) for term in (terms_of(cue) or {cue})}
    for each in statement.quantities:
        value = each.low if each.low is not None else each.high
        if value is not None and each.unit in units:
            return min(max(float(value), float(axis.low)), float(axis.high))
    return None
