"""The metrics, as Prometheus scrapes them."""

import asyncio

from fastapi import APIRouter, Request, Response

from loom.serve.metrics import CONTENT_TYPE
from loom.serve.serving import Serving


def router(serving: Serving) -> APIRouter:
    routes = APIRouter(tags=["health"])

    @routes.get(
        "/metrics", summary="Metrics of all workers", response_class=Response, responses={200: {"content": {"text/plain": {}}}}
    )
    async def metrics(request: Request) -> Response:
        return Response(await asyncio.to_thread(serving.metrics.exposed), media_type=CONTENT_TYPE)

    return routes
