"""The arms of a study by name, and what each of them shares with others (lab.md, Arms; seed §5.4)."""

from collections.abc import Sequence

from loom.core.errors import BadInput

RAW, SCAFFOLD = "raw", "scaffold"
TRUE, SHUFFLED, MASKED, IRRELEVANT = "true", "shuffled", "masked", "irrelevant"
NOISE, ANSWER_DISJOINT = "fluent-noise", "answer-disjoint"
FLAT_BM25, FLAT_DENSE, FLAT_FUSED = "flat-bm25", "flat-dense", "flat-fused"
GRAPH, ALWAYS, ENTITIES = "graph-query", "always-inject", "entity-only"

ARMS = (
    RAW,
    SCAFFOLD,
    TRUE,
    SHUFFLED,
    MASKED,
    IRRELEVANT,
    NOISE,
    ANSWER_DISJOINT,
    FLAT_BM25,
    FLAT_DENSE,
    FLAT_FUSED,
    GRAPH,
    ALWAYS,
    ENTITIES,
)
"""In the order in which reports list them."""

BARE = frozenset((TRUE, SHUFFLED, MASKED, IRRELEVANT, NOISE, ANSWER_DISJOINT))
"""Shown without the live path's sentence: they are compared with one another, under one envelope. Where there is no true block
there is nothing to perturb. All other arms with a block are compared with the scaffold, and have its wrapper."""

FLAT = frozenset((FLAT_BM25, FLAT_DENSE, FLAT_FUSED))

MATCHED_TO = {NOISE: TRUE, FLAT_BM25: SCAFFOLD, FLAT_DENSE: SCAFFOLD, FLAT_FUSED: SCAFFOLD, GRAPH: SCAFFOLD}
"""Arms whose blocks are cut to the tokens of another arm's."""

TOLERANCE = 0.02
"""How far the tokens of a matched arm may be off, as a share."""


def chosen(names: Sequence[str] | str) -> tuple[str, ...]:
    """The arms that are meant, in the order given; "all" means all. Raises BadInput for one that is unknown or comes twice."""
    wanted = [names] if isinstance(names, str) else list(names)
    if wanted == ["all"]:
        return ARMS
    if not wanted:
        raise BadInput(f"Expected at least one arm of {', '.join(ARMS)}, but got none.", param="arms")
    for at, name in enumerate(wanted):
        if name not in ARMS:
            raise BadInput(f"Expected arms among {', '.join(ARMS)}, or all, but got {name!r}.", param="arms")
        if name in wanted[:at]:
            raise BadInput(f"Expected every arm once, but {name} is given twice.", param="arms")
    return tuple(wanted)
