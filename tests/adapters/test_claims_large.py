"""A network of more rows than a store hands over at once."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support import claims_big_store
from support.claims_big import generated
from support.claims_stored import KINDS, differing, made, running
from support.postgres_server import Server

from loom.core.claims.tables import opened
from loom_adapters.claims.columns import labels, network
from loom_adapters.claims.stored import StoredClaims
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
