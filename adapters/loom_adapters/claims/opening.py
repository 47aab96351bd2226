"""Which store of claims a place means: a file is SQLite's, a URL PostgreSQL's."""

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from loom.core.errors import MissingExtra
from loom.ports import ClaimStore


def opener(place: str) -> Callable[[], ClaimStore]:
    """What opens the store at a path or URL. Raises MissingExtra where a library is not installed."""
    from loom_adapters.claims.sql import PostgresClaims, SqliteClaims

    if "://" not in place:
        return partial(SqliteClaims, Path(place))
    if find_spec("psycopg") is None:
        raise MissingExtra("Claims in PostgreSQL need psycopg: pip install 'loom-node[postgres]'.")
    return partial(PostgresClaims, place)
