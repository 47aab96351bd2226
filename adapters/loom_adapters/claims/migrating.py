"""Brings the tables of a store to what this version reads, when it is opened. Of several processes one does it, and the rest wait."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from loom.core.errors import BadInput
from loom_adapters.claims.engines import SCHEMA, Database
from loom_adapters.claims.schema import FORMAT, HEAD

MIGRATIONS = Path(__file__).parent / "migrations"


def migrated(database: Database, schema: str = SCHEMA) -> None:
    """Raises BadInput for tables that are of a newer version, or of another program."""
    with database.reading() as connection:
        if _revision(connection) == HEAD:
            return
    with database.writing() as connection:
        if not database.lite:
            connection.execute(text("select pg_advisory_xact_lock(hashtext('loom_claims'))"))
            connection.execute(text(f"create schema if not exists {schema}"))
        revision = _revision(connection)  # again: another process may have been quicker
        if revision == HEAD:
            return
        if revision is None and inspect(connection).get_table_names(schema=None if database.lite else schema):
            raise BadInput(f"{database.place} holds tables of another program; give another store.", param="store")
        _run(connection, revision, database.place)


def _revision(connection: Connection) -> str | None:
    """The migration that the tables are at, None where there are none."""
    if not inspect(connection).has_table(FORMAT):
        return None
    return str(connection.execute(text(f"select version_num from {FORMAT}")).scalar_one())


def _run(connection: Connection, revision: str | None, place: str) -> None:
    from alembic import command  # takes a third of a second, which only a new or an old store has to wait for
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    known = {each.revision for each in ScriptDirectory.from_config(config).walk_revisions()}
    if revision is not None and revision not in known:
        raise BadInput(
            f"{place} was written by a newer version of this program (its tables are at {revision}, and this one knows {HEAD}); use "
            "that version, or give another store.",
            param="store",
        )
    command.upgrade(config, "head")
