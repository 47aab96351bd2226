"""The tables of a store of claims, as the newest migration leaves them.

Signals and claims share one sequence of numbers, in which the network counts them. `version` of a row is the version of the store
that last changed it; `lease`, `shown`, `stale`, `escalations`, `calls` and `queue` belong to no version. What the fast path counts up
has keys that count by themselves.
"""

from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, Double, Index, Integer, LargeBinary, MetaData, Table, Text
from sqlalchemy.types import TypeEngine

HEAD = "0001"
"""The newest migration."""
FORMAT = "format"
"""The table in which Alembic notes the migration that a store is at."""

METADATA = MetaData()

COUNTED = BigInteger().with_variant(Integer(), "sqlite")
"""Only INTEGER counts by itself in SQLite."""

Type = TypeEngine[Any] | type[TypeEngine[Any]]


def _table(name: str, key: str, columns: str, *indexes: str, unique: str = "", counted: bool = False) -> None:
    """A table of columns said as "name:type", of texts where no type is said."""
    keys = key.split()
    made = []
    for each in columns.split():
        column, _, kind = each.partition(":")
        number = COUNTED if counted and column in keys else TYPES[kind or "text"]
        made.append(
            Column(column, number, primary_key=column in keys, nullable=False, autoincrement=counted and column in keys)
        )
    parts = [Index(f"{name}_by_{index.replace(' ', '_')}", *index.split()) for index in indexes]
    if unique:
        parts.append(Index(f"{name}_by_{unique}", unique, unique=True))
    Table(name, METADATA, *made, *parts, sqlite_autoincrement=counted)


TYPES: dict[str, Type] = {"text": Text, "int": Integer, "bool": Boolean, "float": Double, "bytes": LargeBinary}

_table("versions", "version", "version:int batch:int at")
_table("lease", "id", "id:int number:int holder until:float")
_table(
    "entries",
    "number",
    "number:int id source kind author body observed_at ingested_at withdrawn:bool withdrawn_at version:int",
    "version",
    "source",
    unique="id",
)
_table(
    "nodes",
    "number",
    "number:int id entry:int lifted:int since:int standing:int supported:bool settled:bool fallen:bool home:int version:int",
    "version",
    "entry",
    "standing number",
    unique="id",
)
_table("signals", "number", "number:int body folded begins:int ends:int observed_at extractor checked:bool")
_table("claims", "number", "number:int body folded at")
_table("homes", "number", "number:int digest names", unique="digest")
_table("justifications", "number", "number:int claim:int verdict:bool kind agent by at request run", "claim")
_table("antecedents", "number", "number:int justification:int node:int", "justification", "node")
_table("preconditions", "claim place", "claim:int place:int id body open:bool")
_table("migrations", "justification place", "justification:int place:int precondition node run at")
_table("conflicts", "one other", "one:int other:int branches live:bool agent by at", "other")
_table("supersedes", "old new", "old:int new:int agent by at", "new")
_table("overrides", "claim", "claim:int agent by at")
_table("replacements", "old new", "old:int new:int", "new")
_table(
    "moves", "number", "number:int claim:int version:int batch:int at former:int standing:int cause", "claim number", "version"
)
_table("domains", "id revision", "id revision:int name body derived_from created_by version:int", "version")
_table("dimensions", "id revision", "id revision:int domain state pinned:bool body version:int", "version")
_table(
    "projections",
    "claim dimension revision projector",
    "claim:int dimension revision:int projector body relevance:float at version:int",
    "version",
)
_table("vectors", "kind id", "kind id body:bytes version:int", "version")
_table("journal", "version place", "version:int place:int kind subject object agent by reason why")
_table("shown", "claim", "claim count:int at")
_table("stale", "claim dimension", "claim dimension count:int at")
_table("escalations", "number", "number at body", counted=True)
_table(
    "calls",
    "number",
    "number at component model tier tokens_in:int tokens_out:int price:float cached:bool key body",
    counted=True,
)
_table("queue", "number", "number key kind body at version:int outcome", "version number", unique="key", counted=True)

TABLES = METADATA.tables
KEYS = {name: tuple(str(column.name) for column in table.primary_key.columns) for name, table in TABLES.items()}
COUNTING = frozenset({"escalations", "calls", "queue"})


def columns(table: str) -> tuple[str, ...]:
    return tuple(str(column.name) for column in TABLES[table].columns)
