"""Which generation is served: what it is, and moving to another one."""

from typing import Any

from fastapi import APIRouter, Request, Response

from loom.core.errors import BadInput
from loom.serve import peer
from loom.serve.body import kind_of
from loom.serve.reply import json_response, object_of
from loom.serve.schemas import SWITCH, TEXT, Schema, answers, of_object, takes
from loom.serve.serving import Serving

WAIT = 10.0
WAIT_MOST = 60.0


def router(serving: Serving) -> APIRouter:
    routes = APIRouter(prefix="/loom", tags=["generations"])
    moved = of_object(["generation", "complete", "workers"], generation=TEXT, complete=SWITCH)
    wait: Schema = {"type": "number", "minimum": 0, "maximum": WAIT_MOST}
    asked: Schema = {
        "oneOf": [
            {**of_object(["id"], id=TEXT, rollback={"const": False}, wait=wait)},
            {**of_object(["rollback"], rollback={"const": True}, wait=wait), "not": {"required": ["id"]}},
        ]
    }

    @routes.get("/generation", summary="The generation that is served", responses=answers(of_object(["id"]), errors=(503,)))
    async def generation(request: Request) -> Response:
        lease = serving.holder.take()
        try:
            held = lease.pin.generation
            built = {key: lease.about[key] for key in ("built_at", "version") if key in lease.about}
            return json_response({**peer.generation_fields(held, lease.about), **held.manifest, "about": built})
        finally:
            serving.holder.give(lease)

    @routes.post(
        "/admin/generation",
        summary="Serve another generation, or roll back",
        openapi_extra=takes(asked),
        responses=answers(moved, status=(200, 202), errors=(400, 404, 409, 413)),
    )
    async def move(request: Request) -> Response:
        """Opens and verifies the generation, moves the pointer, then waits until every worker serves it; 202 names who is late."""
        given = await object_of(request)
        id, rollback, wait = given.get("id"), given.get("rollback", False), given.get("wait", WAIT)
        if id is not None and not isinstance(id, str):
            raise BadInput(f"Expected the id of a generation as id, not {kind_of(id)}.", param="id")
        if not isinstance(rollback, bool):
            raise BadInput(f"Expected true or false as rollback, not {kind_of(rollback)}.", param="rollback")
        if isinstance(wait, bool) or not isinstance(wait, int | float) or not 0 <= wait <= WAIT_MOST:
            raise BadInput(f"Expected seconds from 0 to {WAIT_MOST:g} as wait.", param="wait")
        target = await serving.follower.target_of(id, rollback)
        before = serving.holder.id
        await serving.follower.move(target)
        late = await serving.follower.all_on(serving.holder.id or target, serving.node.settings.serving.workers, wait)
        answer: dict[str, Any] = {"generation": serving.holder.id, "before": before, "complete": late is None}
        answer["workers"] = await serving.follower.workers() if late is None else late
        return json_response(answer, 200 if late is None else 202)

    return routes
