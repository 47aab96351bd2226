"""The tables of claims: made and migrated when a store is opened, by one of many, and never by a version that does not know them."""

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from support.claims_stored import DATABASES, Writer, new_schema, running
from support.postgres_server import Server

from loom.core.errors import BadInput, LoomError, Unreachable
from loom_adapters.claims import engines
from loom_adapters.claims.engines import Database
from loom_adapters.claims.migrating import MIGRATIONS, migrated
from loom_adapters.claims.opening import opener
from loom_adapters.claims.schema import COUNTING, FORMAT, HEAD, KEYS, METADATA
from loom_adapters.claims.sql import PostgresClaims, SqlClaims, SqliteClaims

OPENED = """
import asyncio
import sys
from pathlib import Path
from loom_adapters.claims.sql import PostgresClaims, SqliteClaims
print("ready", flush=True)
sys.stdin.readline()
place, schema = sys.argv[1:]
store = PostgresClaims(place, schema=schema) if schema else SqliteClaims(Path(place))
asyncio.run(store.aclose())
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Server | None]:
    with running() as found:
        yield found


@pytest.fixture(params=DATABASES)
def place(request: pytest.FixtureRequest, tmp_path: Path, server: Server | None) -> tuple[str, str]:
    """Path or URL, and the schema of PostgreSQL."""
    if request.param == "sqlite":
        return str(tmp_path / "claims.sqlite"), ""
    assert server is not None
    return server.url, new_schema(server)


def database(place: tuple[str, str]) -> Database:
    where, schema = place
    return engines.postgres(where, schema) if schema else engines.sqlite(Path(where))


def store(place: tuple[str, str]) -> SqlClaims:
    where, schema = place
    return PostgresClaims(where, schema=schema) if schema else SqliteClaims(Path(where))


def test_the_migrations_end_in_the_tables_that_are_used(place: tuple[str, str]) -> None:
    made = database(place)
    migrated(made, place[1])
    with made.reading() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": FORMAT, "compare_type": True})
        assert compare_metadata(context, METADATA) == []
    made.close()


def test_the_newest_migration_is_the_one_that_is_asked_for() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


def test_tables_that_count_have_one_key() -> None:
    assert all(KEYS[table] == ("number",) for table in COUNTING)


@pytest.mark.timeout(900)
def test_processes_that_open_it_at_once_agree(place: tuple[str, str]) -> None:
    command = [sys.executable, "-W", "error", "-c", OPENED, *place]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    processes = [subprocess.Popen(command, **pipes, text=True) for _ in range(6)]  # type: ignore[call-overload]
    for each in processes:
        assert each.stdout.readline() == "ready\n"
    for each in processes:
        each.stdin.write("\n")
        each.stdin.flush()
    said = [each.communicate()[1] for each in processes]
    assert said == [""] * 6 and [each.returncode for each in processes] == [0] * 6
    made = database(place)
    with made.reading() as connection:
        assert connection.exec_driver_sql(f"select version_num from {FORMAT}").fetchall() == [(HEAD,)]
        assert connection.exec_driver_sql("select count(*) from lease").scalar() == 1
    made.close()


async def test_a_newer_store_is_refused_and_left_alone(place: tuple[str, str]) -> None:
    first = store(place)
    await (await Writer.of(first)).commit()
    await first.aclose()
    made = database(place)
    with made.writing() as connection:
        connection.exec_driver_sql(f"update {FORMAT} set version_num = '9999'")
    with pytest.raises(
        BadInput, match=r"written by a newer version of this program \(its tables are at 9999, and this one knows 0001"
    ):
        store(place)
    with made.reading() as connection:
        assert connection.exec_driver_sql("select version from versions").fetchall() == [(1,)]
        assert connection.exec_driver_sql(f"select version_num from {FORMAT}").fetchall() == [("9999",)]
    made.close()


def test_tables_of_another_program_are_refused(place: tuple[str, str]) -> None:
    made = database(place)
    with made.writing() as connection:
        if place[1]:
            connection.exec_driver_sql(f"create schema {place[1]}")
        connection.exec_driver_sql("create table cooking (pot integer)")
    with pytest.raises(BadInput, match="holds tables of another program"):
        store(place)
    made.close()


def test_a_migration_that_fails_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "claims.sqlite"
    with sqlite3.connect(path) as connection:
        # What the migration is to make is there already, under a table that says it is not.
        connection.execute(f"create table {FORMAT} (version_num varchar(32) not null)")
        connection.execute(f"insert into {FORMAT} values ('none')")
    connection.close()
    with pytest.raises(BadInput, match="newer version"):
        SqliteClaims(path)
    with sqlite3.connect(path) as connection:
        assert connection.execute("select name from sqlite_schema where type = 'table'").fetchall() == [(FORMAT,)]
    connection.close()


def test_a_file_that_is_no_store_is_refused_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database at all, but long enough to be looked at as one" * 20)
    (tmp_path / "folder").mkdir()
    for name, kind in (("text", Unreachable), ("folder", BadInput), ("text/below", BadInput)):
        with pytest.raises(kind) as refused:
            SqliteClaims(tmp_path / name)
        assert isinstance(refused.value, LoomError) and name.split("/")[0] in refused.value.message


def test_a_file_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    opener(str(tmp_path / "deep" / "claims.sqlite"))()
    assert stat.S_IMODE(os.stat(tmp_path / "deep" / "claims.sqlite").st_mode) == 0o600


@pytest.mark.parametrize("url", ["mysql://u:secret@h/d", "postgresql://u:secret@127.0.0.1:1/d", "://"])
def test_a_url_that_does_not_do_is_refused_without_its_password(url: str) -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(LoomError) as refused:
        opener(url)()
    assert "secret" not in refused.value.message


def test_a_schema_has_a_plain_name(server: Server | None) -> None:
    with pytest.raises(BadInput, match="small letters"):
        PostgresClaims("postgresql:///d", schema="a; drop table b")
