"""A network of more rows than a store hands over at once."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support import claims_big_store
from support.claims_big import generated
from support.claims_stored import KINDS, differing, made, running
from support.postgres_server import Server

from loom.core.claims.stored import Wanted
from loom.core.claims.tables import opened
from loom.core.claims.view import ClaimView
from loom_adapters.claims.columns import labels, network
from loom_adapters.claims.sql import SqliteClaims
from loom_adapters.claims.sql_session import SqlSession
from loom_adapters.claims.stored import StoredClaims
from loom_adapters.claims.view import StoredView
from loom_adapters.claims.wholes import AT_ONCE

CLAIMS = 9_000
GONE = range(AT_ONCE // 2, 2 * AT_ONCE + 10)
"""Rows of antecedents that are taken out, so that whole stretches of keys have none."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server | None]:
    with running() as found:
        yield found


@pytest.mark.parametrize("kind", KINDS)
async def test_every_row_is_in_its_place(kind: str, tmp_path: Path, server: Server | None) -> None:
    store, tables = made(kind, tmp_path, server), generated(CLAIMS)
    assert isinstance(store, StoredClaims) and len(tables.edge_node) > 2 * AT_ONCE
    try:
        claims_big_store.filled(store, tables)
        with store._snapshot() as session:
            assert set(differing(network(session, 0), tables)) <= {"conflicts"}
            state, there = opened(network(session, 0)), labels(session)
            assert there.names == tables.names and there.standing.tobytes() == bytes(state.labels.standing)
            assert sorted(state.disputes.conflicts()) == sorted(opened(tables).disputes.conflicts())
        with store._transaction() as session:
            session.delete("antecedents", [(number,) for number in GONE])
            left = session.numbers("antecedents", "number", "node")
        kept = [number for number in range(len(tables.edge_node)) if number not in GONE]
        assert left[0].tolist() == kept and left[1].tolist() == tables.edge_node[kept].tolist()
    finally:
        await store.aclose()


async def test_what_is_asked_for_by_name_or_by_version_costs_no_look_at_every_row(tmp_path: Path) -> None:
    store = SqliteClaims(tmp_path / "claims.sqlite")
    claims_big_store.filled(store, generated(CLAIMS))
    steps: list[int] = []
    signals, claims = [[f"{kind} {n}" for n in range(first, first + 20)] for kind, first in (("signal", 5), ("claim", CLAIMS))]

    def work(view: ClaimView) -> None:
        assert isinstance(view, StoredView) and isinstance(view._session, SqlSession)
        assert view.counts() and len(view.words("claim", "claim 9100 is the case", 5)) == 5
        connection = view._session._connection.connection.driver_connection
        assert isinstance(connection, sqlite3.Connection)
        looks: list[Callable[[], object]] = [
            lambda: view.claims(claims), lambda: view.signals(signals), lambda: view.projections(claims), view.counts,
            lambda: view.changes(view.version), lambda: view.list_claims(Wanted(limit=5)), lambda: view.dependents("claim 9100"),
            lambda: view.conflicts("claim 9100"), lambda: view.words("claim", "claim 9101", 5),
        ]  # fmt: skip
        for look in looks:
            steps.append(0)

            def counted() -> int:
                steps[-1] += 1
                return 0

            connection.set_progress_handler(counted, 100)
            look()
            connection.set_progress_handler(None, 0)

    try:
        await store.look(work)
        assert len(steps) == 9 and max(steps) < CLAIMS // 100, steps  # a hundred steps each: less than one a claim
    finally:
        await store.aclose()
