"""The standing of a claim: one of five, a function of overrides, support, conflicts and of whether it stands accepted (§2).

It is a status in the system's view of the evidence, not a probability.
"""

from enum import IntEnum


class Standing(IntEnum):
    """What a claim is at present. The numbers are kept in arrays; `NONE` is what a claim comes from when it is written."""

    NONE = 0
    PROPOSED = 1
    ACCEPTED = 2
    CONTESTED = 3
    RETRACTED = 4
    SUPERSEDED = 5

    @property
    def word(self) -> str:
        """The name on the wire."""
        return self.name.lower()


def standing_of(*, rejected: bool, superseded: bool, supported: bool, opposed: bool, settled: bool) -> Standing:
    """The standing that these five facts give, in their order of precedence.

    `supported` is the support of the claim (false under any override); `opposed` says that a conflict partner is supported, which
    is the same as its being neither retracted nor superseded, so that no fixpoint over conflicts is needed; `settled` says that
    the claim was accepted and not retracted since."""
    if rejected:
        return Standing.RETRACTED
    if superseded:
        return Standing.SUPERSEDED
    if not supported:
        return Standing.RETRACTED
    if opposed:
        return Standing.CONTESTED
    return Standing.ACCEPTED if settled else Standing.PROPOSED


def readable(standing: Standing) -> bool:
    """Whether a claim of this standing may be in an index, and so in any result."""
    return standing in (Standing.PROPOSED, Standing.ACCEPTED, Standing.CONTESTED)
