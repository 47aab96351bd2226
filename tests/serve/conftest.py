"""Nodes with memory, over each store that keeps it: PostgreSQL is started where there is one."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.memory_nodes import Nodes, nodes_at
from support.memory_stores import needs_postgres, running
from support.postgres_server import Server


@pytest.fixture(scope="session")
def database() -> Iterator[Server | None]:
    with running() as found:
        yield found


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=needs_postgres)])
def nodes(request: pytest.FixtureRequest, tmp_path: Path) -> Nodes:
    """A new memory, and nodes that keep it."""
    kind: str = request.param
    return nodes_at(kind, tmp_path, request.getfixturevalue("database") if kind == "postgres" else None)
