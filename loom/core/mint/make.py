"""The one place where evidence is constructed."""

from collections.abc import Sequence

from loom.core.values import LEAD, Candidate, Evidence, Iri, Stated, Tier, Where

NOWHERE = Where("")

Line = tuple[str, Sequence[str]] | tuple[str, Sequence[str], Stated | None]
"""A line of text, the names that it shows, and, where its kind says so, what it states."""


def make(
    *,
    iri: Iri,
    title: str,
    lines: Sequence[Line],
    tier: Tier = Tier.DISCOVERED,
    home: Iri = "",
    must: bool = False,
    weight: float = 1.0,
    lead: int = LEAD,
    spare: int = 0,
    source: Where = NOWHERE,
    found: Candidate | None = None,
    reply: str = "",
) -> Evidence:
    """Evidence from lines, each with the names that it shows. A line never holds a line end."""
    stated = tuple([line[2] if len(line) == 3 else None for line in lines])
    return Evidence(
        iri=iri,
        home=home,
        title=title,
        tier=tier,
        lines=tuple([line[0] for line in lines]),
        names=tuple([tuple(line[1]) for line in lines]),
        must=must,
        weight=weight,
        lead=lead,
        spare=spare,
        source=source,
        found=found,
        stated=stated if any(stated) else (),
        reply=reply,
    )
