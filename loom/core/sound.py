"""Whether an opened generation can be served: digests say that its files are those that were sealed, not that they make sense."""

from collections.abc import Sequence

from loom.core.concepts import Concepts
from loom.core.errors import BrokenGeneration
from loom.core.generation import Generation, Part

LOOKED_AT = 32
"""Records that are read, spread evenly from the first to the last."""


def sound(generation: Generation, parts: Sequence[type[Part]]) -> None:
    """Open these parts, and read some records. Raises BrokenGeneration where a part is missing, cannot be opened, or is not
    what its other files say."""
    short = generation.id.removeprefix("sha256:")[:12]
    for kind in parts:
        try:
            part = generation.part(kind)
            fault = "is missing" if part is None else _fault(part) if isinstance(part, Concepts) else None
        except BrokenGeneration:
            raise
        except Exception as error:
            fault = f"cannot be read ({type(error).__name__}: {error})"
        if fault:
            raise BrokenGeneration(f"The part {kind.KIND} of {short} {fault}; build it again with this version.")


def _fault(concepts: Concepts) -> str | None:
    """What is wrong with the records; None for nothing."""
    if len(concepts.quality) != concepts.count:
        return f"states {concepts.count} records in one file and {len(concepts.quality)} in another"
    last = concepts.count - 1
    for place in sorted({last * step // LOOKED_AT for step in range(LOOKED_AT + 1)} if last >= 0 else ()):
        iri = concepts.iri(place)
        if concepts.record(place).get("iri") != iri or concepts.row(iri) != place or not isinstance(concepts.title(place), str):
            return f"does not agree with itself at row {place}"
    return None
