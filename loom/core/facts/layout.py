"""How the files of a knowledge base are read: what a manifest says of them beside what the query plane needs."""

from dataclasses import dataclass

from loom.core.facts.values import NOWHERE, Base
from loom.core.values import Iri, Where


@dataclass(frozen=True, slots=True)
class Layout:
    """How one file is read. `path` is relative to the folder of the manifest, with slashes.

    Tables (kinds series and table): `position` is the column of positions ("" has none), `values` are (metric IRI, column),
    `entity_column` the column whose cells name the entity of each row ("" where the whole file is about one). `header` is the
    line of the column names, from 1; lines above it are no data. `decimal` and `delimiter` are one character each. `where` is
    the entry in the manifest.
    """

    source: Iri
    path: str
    kind: str
    position: str = ""
    values: tuple[tuple[Iri, str], ...] = ()
    entity_column: str = ""
    decimal: str = "."
    delimiter: str = ","
    encoding: str = "utf-8"
    header: int = 1
    where: Where = NOWHERE


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest as it was read: the base, and a layout for each of its sources, in the same order."""

    base: Base
    layouts: tuple[Layout, ...] = ()
