"""Which domains something is looked for in: those that it is filed under, and the general one beside them.

Every signal is filed under one domain at least (seed 001 §2). What no description takes is general: it may be about anything, so that
it is compared with everything, and everything with it. Without that, whatever the filing misses would never be contradicted. A read
that is bound to domains stays within them; one that no domain takes looks everywhere.
"""

from collections.abc import Collection

GENERAL = "general"
"""The domain of what no described domain takes: of everything, until one is described."""


def filed(domains: Collection[str]) -> frozenset[str]:
    """The domains of a signal that a judge filed under these, of which there may be none."""
    return frozenset(domains) or frozenset((GENERAL,))


def reach(domains: Collection[str]) -> tuple[str, ...]:
    """The domains in which the counterparts of something are looked for; none, where that is everywhere."""
    return () if not domains or GENERAL in domains else (*sorted(domains), GENERAL)


def meets(one: Collection[str], other: Collection[str]) -> bool:
    """Whether things of these domains are compared, whichever of the two is new."""
    return not one or not other or GENERAL in one or GENERAL in other or not set(one).isdisjoint(other)
