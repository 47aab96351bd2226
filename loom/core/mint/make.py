"""The one place where evidence is constructed."""

from collections.abc import Sequence

from loom.core.values import LEAD, Candidate, Evidence, Iri, Tier, Where

NOWHERE = Where("")


def make(
    *,
    iri: Iri,
    title: str,
    lines: Sequence[tuple[str, Sequence[str]]],
    tier: Tier = Tier.DISCOVERED,
    home: Iri = "",
    must: bool = False,
    weight: float = 1.0,
    lead: int = LEAD,
    spare: int = 0,
    source: Where = NOWHERE,
    found: Candidate | None = None,
) -> Evidence:
    """Evidence from lines, each with the names that it shows. A line never holds a line end."""
    return Evidence(
        iri=iri,
        home=home,
        title=title,
        tier=tier,
        lines=tuple([line for line, _ in lines]),
        names=tuple([tuple(names) for _, names in lines]),
        must=must,
        weight=weight,
        lead=lead,
        spare=spare,
        source=source,
        found=found,
    )
