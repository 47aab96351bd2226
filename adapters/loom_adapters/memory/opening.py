"""Which store a place means: a file is SQLite's, a URL PostgreSQL's."""

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from loom.core.errors import MissingExtra
from loom.ports import Memories


def opener(place: str) -> Callable[[], Memories]:
    """What opens the store at a path or URL. Raises MissingExtra where a library is not installed."""
    if "://" not in place:
        from loom_adapters.memory.sqlite import SqliteMemories

        return partial(SqliteMemories, Path(place))
    if find_spec("psycopg") is None:
        raise MissingExtra("Memory in PostgreSQL needs psycopg: pip install 'loom-node[postgres]'.")
    from loom_adapters.memory.postgres import PostgresMemories

    return partial(PostgresMemories, place)
