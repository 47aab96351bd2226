"""The interface against its own description: requests made from it, valid and not, find no 5xx and nothing undescribed."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from support.claims_nodes import slow_thread
from support.nodes import kiln_node, running

from loom.serve.app import create_app
from loom_adapters.scripted_model import FakeModel

FAMILIES = {"/v1/chat/completions", "/v1/models", "/v1/models/{id}", "/v1/completions", "/v1/embeddings"} | {
    f"/loom/{name}"
    for name in (
        *("scaffold", "context", "search", "exposure", "units", "units/{iri}", "generation", "admin/generation"),
        *("facts", "spans/{source}"),
        *(
            "memory",
            "memory/{conversation}",
            "memory/{conversation}/turns",
            "memory/{conversation}/recall",
            "memory/import",
            "memory/export",
        ),
        *(
            "proposals",
            "proposals/assertions",
            "proposals/terms",
            "proposals/candidates",
            "proposals/{id}",
            "proposals/{id}/approve",
        ),
        *("proposals/{id}/reject", "proposals/{id}/withdraw"),
        *("ask", "asks/{key}", "entries", "entries/withdraw", "entries/restore", "entries/{id}"),
        *("claims", "claims/prov", "claims/{id}", "domains", "dimensions"),
        *(f"claims/{{id}}/{act}" for act in ("accept", "reject", "readmit", "supersede", "resolve")),
    )
}


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("node")
    memory = {"LOOM_MEMORY": "on", "LOOM_MEMORY_STORE": str(folder / "memory.sqlite")}
    proposals = {"LOOM_PROPOSALS_VAULT": str(folder / "vault"), "LOOM_PROPOSALS_STORE": str(folder / "proposals")}
    claims = {"LOOM_CLAIMS": "on", "LOOM_CLAIMS_STORE": str(folder / "claims.sqlite")}
    (folder / "vault").mkdir()
    with (
        slow_thread(claims["LOOM_CLAIMS_STORE"]),
        running(create_app(kiln_node(folder, FakeModel(), **memory, **proposals, **claims))) as url,
    ):
        yield schemathesis.openapi.from_url(f"{url}/openapi.json")


def test_requests_made_from_the_description(described: Any) -> None:
    operations = [found.ok() for found in described.get_all_operations()]
    assert len(operations) >= len(FAMILIES)
    for operation in operations:

        @given(case=operation.as_strategy())
        @settings(max_examples=15, suppress_health_check=list(HealthCheck), deadline=None)
        def answered(case: Any) -> None:
            case.call_and_validate()

        answered()


def test_every_route_is_described(described: Any) -> None:
    paths = described.raw_schema["paths"]
    assert set(paths) >= FAMILIES
    for path, methods in paths.items():
        for method, operation in methods.items():
            assert operation["summary"] and operation["responses"], (method, path)
            assert (method == "post") is ("requestBody" in operation), (method, path)
            for status, answer in operation["responses"].items():
                if int(status) >= 400:
                    (media,) = answer["content"]
                    assert media == ("application/json" if path.startswith("/v1") else "application/problem+json"), path
