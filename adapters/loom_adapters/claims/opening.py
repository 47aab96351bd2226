"""Which store of claims a place means: a file is SQLite's, a URL PostgreSQL's."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from loom.ports import ClaimStore


def opener(place: str) -> Callable[[], ClaimStore]:
    """What opens the store at a path or URL. Raises BadInput for another URL, MissingExtra where a library is not installed."""
    from loom_adapters.claims.engines import postgres_url
    from loom_adapters.claims.sql import PostgresClaims, SqliteClaims

    if "://" not in place:
        return partial(SqliteClaims, Path(place))
    postgres_url(place)
    return partial(PostgresClaims, place)
