"""Which components of retrieval are at work: all of them when serving; a measurement takes one away and sees what it was worth."""

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Switches:
    """One field a component. A component that is off takes no part in finding, judging or packing, and nothing replaces it,
    except that without `calibrated` the confidence is judged by fixed bounds."""

    surface: bool = True
    """Spelling, joined and spaced forms, abbreviations, typos: names in other forms than the corpus writes."""
    text: bool = True
    """Retrieval over the whole text of units."""
    semantic: bool = True
    """Retrieval by embeddings."""
    fusion: bool = True
    """The lists of the retrievers become one, and exact names stay ahead; without it the first list that has anything stands."""
    calibrated: bool = True
    """Confidence is a probability learned when the generation was built."""
    asked: bool = True
    """The asked relation is packed before others."""
    breadth: bool = True
    """A question that describes rather than names may have more units."""
    conversation: bool = True
    """Earlier turns are read for what a follow-up is about."""


ALL = Switches()

COMPONENTS = tuple(field.name for field in fields(Switches))
"""The components by name, in the order in which reports list them."""
