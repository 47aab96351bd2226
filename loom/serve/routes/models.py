"""The models that may be asked, from a cache of what the upstream lists."""

from typing import Any

from fastapi import APIRouter, Request, Response

from loom.core.errors import NotFound
from loom.core.values import ModelCard
from loom.serve.reply import json_response
from loom.serve.schemas import answers, of_object
from loom.serve.serving import Serving

MODEL = of_object(
    ["id", "object", "created", "owned_by"],
    id={"type": "string"},
    object={"const": "model"},
    created={"type": "integer"},
    owned_by={"type": "string"},
)


def as_json(card: ModelCard) -> dict[str, Any]:
    return {"id": card.id, "object": "model", "created": card.created, "owned_by": card.owned_by or "loom"}


def router(serving: Serving) -> APIRouter:
    routes = APIRouter(prefix="/v1", tags=["models"])
    several = of_object(["object", "data"], object={"const": "list"}, data={"type": "array", "items": MODEL})

    @routes.get("/models", summary="List models", responses=answers(several, errors=(502, 504), envelope=True))
    async def models(request: Request) -> Response:
        return json_response({"object": "list", "data": [as_json(card) for card in await serving.reach.models()]})

    @routes.get("/models/{id:path}", summary="One model", responses=answers(MODEL, errors=(404, 502, 504), envelope=True))
    async def model(id: str, request: Request) -> Response:
        known = await serving.reach.models()
        for card in known:
            if card.id == id:
                return json_response(as_json(card))
        names = ", ".join(card.id for card in known[:8])
        raise NotFound(f"There is no model {id[:200]!r} here; known are {names or 'none'}.", param="model")

    return routes
