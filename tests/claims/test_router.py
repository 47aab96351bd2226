"""Who says what a request wants: the part `router`."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from support.claims_desk import judges

from loom.claims.workspace import Claims
from loom.core.claims.judging.asked import Request
from loom.core.claims.judging.calls import Judged
from loom.core.claims.judging.given import Way
from loom.core.claims.parts import Parts
from loom_adapters.claims.kept import FakeClaims


class Author:
    """A judge for whom every request wants a document."""

    async def route(self, requests: list[Request]) -> Judged[list[Way]]:
        return Judged([Way("author", (("author", 1.0),)) for _ in requests])


@pytest.mark.parametrize(("router", "way"), [("rules", "reason"), ("model", "author"), ("user", "retrieve")])
async def test_the_part_decides_who_routes(router: str, way: str) -> None:
    parts, given = Parts(router=router), replace(judges(), routing=Author())  # type: ignore[arg-type]
    claims = Claims(FakeClaims, given, lambda: datetime(2026, 5, 4, tzinfo=UTC), holder="test", parts=parts, penalty=0.0)
    assert (await claims.way(Request("Why should we replace the boiler?"))).way == way
    assert (await claims.way(Request("Why should we replace the boiler?"), "author")).way == "author"
