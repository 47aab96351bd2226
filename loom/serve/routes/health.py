"""Probes: alive, ready, and the whole state. None of them waits for the model."""

from typing import Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Request, Response

from loom import __version__
from loom.serve import peer
from loom.serve.errors import NotReady
from loom.serve.holder import HOW
from loom.serve.keeping import why_off
from loom.serve.reply import json_response
from loom.serve.schemas import answers, of_object
from loom.serve.serving import Serving


def router(serving: Serving) -> APIRouter:
    routes = APIRouter(tags=["health"])

    async def root(request: Request) -> Response:
        return json_response(
            {"name": "loom", "version": __version__, "interface": "/openapi.json", "chat": "/v1/chat/completions"}
        )

    async def live(request: Request) -> Response:
        return json_response({"status": "alive"})

    async def ready(request: Request) -> Response:
        workers = await serving.follower.workers()
        if serving.holder.id is None:
            refusal = serving.holder.refusal
            raise NotReady(
                f"The generation {refusal.id} was refused: {refusal.reason}"
                if refusal
                else f"There is no generation to serve. {HOW}"
            )
        return json_response({"status": "ready", "generation": serving.holder.id, "workers": workers})

    async def health(request: Request) -> Response:
        return json_response(await state(serving))

    for path, endpoint, summary in (
        ("/", root, "What this is"),
        ("/health/live", live, "Whether the process answers"),
        ("/health/ready", ready, "Whether questions can be answered"),
        ("/health", health, "State of the node, its generation and its model"),
    ):
        errors = (503,) if path.endswith("ready") else ()
        routes.add_api_route(path, endpoint, summary=summary, responses=answers(of_object(), errors=errors))
        routes.add_api_route(path, endpoint, methods=["HEAD"], include_in_schema=False)
    return routes


async def state(serving: Serving) -> dict[str, Any]:
    """What `/health` says. `status` is ok, degraded (with reasons), or unready when there is nothing to answer from."""
    holder, node = serving.holder, serving.node
    sparql = await node.triples.state() if node.triples else {"state": "off", "reason": why_off(node.settings)}
    seen = serving.reach.glance()
    workers = await serving.follower.workers()
    own = holder.refusal
    refused = {"id": own.id, "reason": own.reason} if own else next((w["refused"] for w in workers if w.get("refused")), None)
    degraded = []
    if refused:
        degraded.append(f"The generation {refused['id']} was refused: {refused['reason']}")
    if serving.follower.trouble:
        degraded.append(f"The store of generations cannot be followed: {serving.follower.trouble}")
    if seen and seen.failure:
        degraded.append(seen.failure.message)
    semantic = holder.standing.state
    if semantic["state"] == "refused":
        degraded.append(f"The embeddings of the generation are refused: {semantic['reason']}")
    if sparql["state"] in ("failed", "unreachable"):
        degraded.append(f"SPARQL queries are not answered: {sparql['reason']}")
    url = urlsplit(node.settings.model.url)
    return {
        **peer.health_fields(serving, sparql),
        "status": "unready" if holder.id is None else "degraded" if degraded else "ok",
        "degraded": degraded,
        "version": __version__,
        "uptime_seconds": round(node.clock.monotonic() - serving.started, 1),
        "generation": holder.id,
        "refused": refused,
        "reasoning": holder.pin.generation.manifest["notes"].get("reasoning") if holder.pin else None,
        "sparql": sparql,
        "semantic": semantic,
        "workers": workers,
        "model": {
            "served": node.backend.served_as,
            "host": url.netloc.rpartition("@")[2] or None,
            "reachable": None if seen is None else seen.failure is None,
            "checked_seconds_ago": None if seen is None else round(node.clock.monotonic() - seen.at, 1),
        },
    }
