"""The contract of a dimension: seven fields as a frozen value (specs/claims.md §1; the list of seed 001 §5.1 was lost, so that the
fields are reconstructed).

1 definition (name and text) · 2 value space · 3 projection system · 4 metric · 5 normalizer · 6 prototypes · 7 validation record
"""

from dataclasses import dataclass

from loom.core.claims.dimensions.spaces import Space, Value
from loom.core.claims.records import need


@dataclass(frozen=True, slots=True)
class Prototype:
    """A proposition that has this value."""

    value: Value
    text: str

    def __post_init__(self) -> None:
        need(self.text.strip(), "the text of a prototype", "prototypes")


@dataclass(frozen=True, slots=True)
class Procedure:
    """How values are assigned: by which projection system; `words` belong to the system of that name, by value."""

    system: str
    words: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Criterion:
    """One criterion of validation: what was measured (None where it could not be), what it was held against, and in words."""

    name: str
    figure: float | None
    bar: float
    met: bool
    said: str = ""


@dataclass(frozen=True, slots=True)
class Validation:
    """The validation record: the criteria as they came out for `version` of the dimension over `sample` claims."""

    version: int
    sample: int
    criteria: tuple[Criterion, ...]
    projectors: tuple[str, ...] = ()
    at: str = ""

    @property
    def met(self) -> bool:
        return bool(self.criteria) and all(each.met for each in self.criteria)


@dataclass(frozen=True, slots=True)
class Contract:
    """What a dimension is. Its parts are in order by themselves; whether they go together is `matching.mismatches`."""

    name: str
    definition: str
    space: Space
    procedure: Procedure
    metric: str
    normalizer: str
    prototypes: tuple[Prototype, ...] = ()
    validation: Validation | None = None

    def __post_init__(self) -> None:
        need(self.name.strip(), "the name of a dimension", "name")
        need(self.definition.strip(), f"the definition of {self.name}", "definition")
