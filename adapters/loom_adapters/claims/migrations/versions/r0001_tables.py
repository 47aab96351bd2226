"""The first tables."""

from typing import Any

from alembic import op
from sqlalchemy import BigInteger, Boolean, Column, Double, Integer, LargeBinary, Text, column, table
from sqlalchemy.types import TypeEngine

revision = "0001"
down_revision = None

Type = TypeEngine[Any] | type[TypeEngine[Any]]

TYPES: dict[str, Type] = {
    "text": Text,
    "int": Integer,
    "bool": Boolean,
    "float": Double,
    "bytes": LargeBinary,
    "counted": BigInteger().with_variant(Integer(), "sqlite"),
}

TABLES = {
    "versions version": "version:int batch:int at",
    "lease id": "id:int number:int holder until:float",
    "entries number": "number:int id source kind author body observed_at ingested_at withdrawn:bool withdrawn_at version:int",
    "nodes number": "number:int id entry:int lifted:int since:int standing:int supported:bool settled:bool fallen:bool home:int "
    "version:int",
    "signals number": "number:int body folded begins:int ends:int observed_at extractor checked:bool",
    "claims number": "number:int body folded at",
    "homes number": "number:int digest names",
    "justifications number": "number:int claim:int verdict:bool kind agent by at request run",
    "antecedents number": "number:int justification:int node:int",
    "preconditions claim place": "claim:int place:int id body open:bool",
    "migrations justification place": "justification:int place:int precondition node run at",
    "conflicts one other": "one:int other:int branches live:bool agent by at",
    "supersedes old new": "old:int new:int agent by at",
    "overrides claim": "claim:int agent by at",
    "replacements old new": "old:int new:int",
    "moves number": "number:int claim:int version:int batch:int at former:int standing:int cause",
    "domains id revision": "id revision:int name body derived_from created_by version:int",
    "dimensions id revision": "id revision:int domain state pinned:bool body version:int",
    "projections claim dimension revision projector": "claim:int dimension revision:int projector body relevance:float at version:int",
    "vectors kind id": "kind id body:bytes version:int",
    "journal version place": "version:int place:int kind subject object agent by reason why",
    "shown claim": "claim count:int at",
    "stale claim dimension": "claim dimension count:int at",
    "escalations number": "number:counted at body",
    "calls number": "number:counted at component model tier tokens_in:int tokens_out:int price:float cached:bool key body",
    "queue number": "number:counted key kind body at version:int outcome",
}
"""Name and key, and the columns: texts where no type is said."""

INDEXES = (
    "entries version",
    "entries source",
    "nodes version",
    "nodes entry",
    "nodes standing number",
    "justifications claim",
    "antecedents justification",
    "antecedents node",
    "conflicts other",
    "supersedes new",
    "replacements new",
    "moves claim number",
    "moves version",
    "domains version",
    "dimensions version",
    "projections version",
    "vectors version",
    "queue version number",
)
UNIQUE = ("entries id", "nodes id", "homes digest", "queue key")


def upgrade() -> None:
    for named, said in TABLES.items():
        name, *key = named.split()
        counted = ":counted" in said
        columns = []
        for each in said.split():
            title, _, kind = each.partition(":")
            primary = title in key
            columns.append(
                Column(title, TYPES[kind or "text"], primary_key=primary, nullable=False, autoincrement=counted and primary)
            )
        op.create_table(name, *columns, sqlite_autoincrement=counted)
    for unique, indexes in ((False, INDEXES), (True, UNIQUE)):
        for index in indexes:
            name, *titles = index.split()
            op.create_index(f"{name}_by_{'_'.join(titles)}", name, titles, unique=unique)
    lease = table("lease", column("id"), column("number"), column("holder"), column("until"))
    op.bulk_insert(lease, [{"id": 1, "number": 0, "holder": "", "until": 0.0}])
