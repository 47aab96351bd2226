"""Clients of a peer node keep working: its paths, request fields and response fields, said in terms of our own.

Everything that only the peer has is in this file, and nothing else knows what it means: delete it, and the handful of calls
to it, and the node is whole. Where a field of the peer has the name of one of ours and another type, ours stands, unless the
request carries a field that only the peer has. Its faults are not kept: a body that is not JSON is refused rather than read
as `{}`, a wrong type is refused rather than ignored, and what cannot be answered is 503 rather than 200.
"""

from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from fastapi import APIRouter, Request, Response

from loom.answer.plan import Plan, Watch
from loom.answer.search import LIMIT_DEFAULT, LIMIT_MOST, Hit, search
from loom.answer.verbatim import fits
from loom.core.concepts import Concepts
from loom.core.errors import BadInput, NotFound
from loom.core.generation import Generation
from loom.core.values import Json, Outcome
from loom.serve.asgi import App, Receive, Scope, Send
from loom.serve.body import kind_of
from loom.serve.holder import Lease
from loom.serve.reply import json_response
from loom.serve.serving import Serving

PATHS = {
    "/scaffold": "/loom/scaffold",
    "/generation": "/loom/generation",
    "/search": "/loom/search",
}
BUDGET_MOST, SEEDS_MOST = 100_000, 64
"""The peer bounds neither; a larger value means the most that this node takes."""

_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_PATHS_OF = {"semantic": ("SemanticFallback", "SemanticHnsw")}
_LEXICAL = ("LexicalHit", "Lexical")


class Aliases:
    """Gives the peer's short paths their long ones. Outermost, so that everything behind it knows one path."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = PATHS.get(scope["path"]) if scope["type"] == "http" else None
        if path is not None:
            scope = {**scope, "path": path, "raw_path": path.encode()}
        await self._app(scope, receive, send)


# -- requests -----------------------------------------------------------------------------------------------------------------


def take_chat(body: MutableMapping[str, Any]) -> bool:
    """Move the peer's fields of a chat request under our `loom` key, whose own values win. True when there were any.

    A budget of 0 means no grounding; `verbatim` can only opt out; `loom_options` is the peer's, so keys of it that we do not know are dropped.
    """
    given = {name: body.pop(name) for name in ("ontology_budget", "ontology_prose", "loom_options") if name in body}
    if not given:
        return False
    options: dict[str, Any] = {}
    _set_budget(options, _whole(given, "ontology_budget", BUDGET_MOST))
    options["prose"] = _switch(given, "ontology_prose")
    others = given.get("loom_options")
    if others is not None and not isinstance(others, dict):
        raise BadInput(f"Expected an object as loom_options, not {kind_of(others)}.", param="loom_options")
    if _switch(others or {}, "verbatim", "loom_options.") is False:
        options["verbatim"] = False
    _merge(body, options)
    return True


def _merge(body: MutableMapping[str, Any], options: Mapping[str, Any]) -> None:
    stated = {name: value for name, value in options.items() if value is not None}
    own = body.get("loom")
    if stated and (own is None or isinstance(own, dict)):
        body["loom"] = {**stated, **(own or {})}


def take_scaffold(body: MutableMapping[str, Any]) -> bool:
    """Rename the peer's fields of a scaffold request to our options, which stand beside the question. True when there were any.

    `query` is another word for `prompt`. Options of ours that are stated win.
    """
    mine = "query" in body or "budget_tokens" in body or "max_seeds" in body
    if "query" in body:
        query = body.pop("query")
        body.setdefault("prompt", query)
    options: dict[str, Any] = {}
    _set_budget(options, _whole(body, "budget_tokens", BUDGET_MOST))
    seeds = _whole(body, "max_seeds", SEEDS_MOST)
    if seeds is not None:
        options.update({"off": True} if seeds == 0 else {"max_units": seeds})
    if mine:
        options["hops"] = _whole(body, "hops", 1)
        body.pop("hops", None)
    for name in ("budget_tokens", "max_seeds"):
        body.pop(name, None)
    for name, value in options.items():
        if value is not None:
            body.setdefault(name, value)
    return mine


def _set_budget(options: dict[str, Any], budget: int | None) -> None:
    if budget == 0:
        options["off"] = True
    else:
        options["budget"] = budget


def _whole(given: Mapping[str, Any], name: str, most: int) -> int | None:
    """A whole number from 0, at most `most`; null and absence mean the node's setting."""
    value = given.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        came = repr(value) if isinstance(value, int | float) else kind_of(value)
        raise BadInput(f"Expected a whole number from 0 as {name}, not {came}.", param=name)
    return min(value, most)


def _switch(given: Mapping[str, Any], name: str, prefix: str = "") -> bool | None:
    value = given.get(name)
    if value is not None and not isinstance(value, bool):
        raise BadInput(f"Expected true or false as {prefix}{name}, not {kind_of(value)}.", param=prefix + name)
    return value


# -- responses ----------------------------------------------------------------------------------------------------------------


def widened(score: float) -> float:
    """A score as the peer writes it: narrowed to 32 bits, then widened."""
    return float(np.float32(score))


def seeds(plan: Plan) -> list[dict[str, Json]]:
    """Every admitted candidate, and whether the block shows it: the peer lists what was cut without saying so."""
    shown = {served.evidence.iri for served in plan.block.served}
    return [
        {
            "iri": candidate.iri,
            "score": widened(candidate.score),
            "provenance": _PATHS_OF.get(candidate.retriever, _LEXICAL)[1],
            "served": candidate.iri in shown,
        }
        for _, candidates in plan.decision.admitted
        for candidate in candidates
    ]


def _path(plan: Plan) -> str:
    found = [candidate for _, candidates in plan.decision.admitted for candidate in candidates]
    return _PATHS_OF.get(found[0].retriever, _LEXICAL)[0] if found else "NoMatch"


def _top(plan: Plan) -> float:
    return max((widened(candidate.score) for _, found in plan.decision.admitted for candidate in found), default=0.0)


def scaffold_fields(plan: Plan, about: Mapping[str, Json], prose: bool) -> dict[str, Json]:
    """The peer's scaffold response."""
    return {
        "scaffold": plan.block.text,
        "engaged": plan.decision.engaged,
        "approx_tokens": plan.block.tokens,
        "prose": prose,
        "seeds": seeds(plan),
        "top_score": _top(plan),
        "effective_budget": plan.decision.budget if plan.decision.engaged else 0,
        "fusion_path": _path(plan),
        "generation": generation_fields(plan.pin.generation, about),
    }


def generation_fields(generation: Generation, about: Mapping[str, Json], *, listed: bool = True) -> dict[str, Json]:
    """The peer's account of a generation. Ours is always verified whole, so it always says so. `listed` names its files, which
    no single answer needs."""
    concepts = generation.part(Concepts)
    parts = generation.manifest.get("parts", {}) if listed else {}
    return {
        "id": generation.id,
        "source": "BuildManifest",
        "generated_at": about.get("built_at"),
        "commit_sha": None,
        "promoted_at": None,
        "cluster_span_seconds": None,
        "artifacts": [
            {"name": f"{part}/{name}", "sha256": file["sha256"], "bytes": file["bytes"]}
            for part, files in sorted(parts.items())
            for name, file in sorted(files.items())
        ],
        "verified_single_generation": True,
        "class_count": concepts.count if concepts else 0,
    }


def watches(serving: Serving, lease: Lease, plan: Plan) -> tuple[Watch, ...]:
    """What an answer is watched by besides, so that the peer's clients find what they look for."""
    verbatim = fits(plan, serving.node.settings.retrieval.verbatim)
    return (PeerWatch(plan, lease.about, verbatim),)


class PeerWatch:
    """Adds the peer's fields to the `loom` object of an answer."""

    key = ""

    def __init__(self, plan: Plan, about: Mapping[str, Json], verbatim: bool) -> None:
        self._plan = plan
        self._about = about
        self._verbatim = verbatim

    def feed(self, text: str) -> None:
        """The peer's fields do not depend on the answer."""

    def report(self, outcome: Outcome) -> dict[str, Json]:
        plan = self._plan
        grounding = {
            "seeds": seeds(plan),
            "top_score": _top(plan),
            "effective_budget": plan.decision.budget,
            "engaged": True,
        }
        return {
            "mode": "scaffold",
            "served_mode": "verbatim" if self._verbatim else "delegated",
            "grounding": grounding if plan.decision.engaged else None,
            "fusion_path": _path(plan),
            "generation": generation_fields(plan.pin.generation, self._about, listed=False),
        }

    async def after(self, outcome: Outcome) -> None:
        """Nothing to write."""


def label_hits(hits: Sequence[Hit]) -> list[dict[str, str]]:
    """The peer's search results."""
    return [{"iri": hit.iri, "label": hit.title, "predicate": _LABEL} for hit in hits]


def graph_fields(sparql: Mapping[str, Json]) -> dict[str, Json]:
    """The peer's account of its graph, from ours of the SPARQL endpoint."""
    graphs = sparql.get("graphs") or {}
    return {
        "available": sparql["state"] == "ready",
        "triples": sum(graphs.values()),
        "loaded_files": list(graphs),
        "error": sparql.get("reason"),
    }


def health_fields(serving: Serving, sparql: Mapping[str, Json]) -> dict[str, Json]:
    """What the peer's `/health` says and ours does not. `ok` is true only when there is something to answer from."""
    pin = serving.holder.pin
    concepts = pin.generation.part(Concepts) if pin else None
    seen = serving.reach.glance()
    url = urlsplit(serving.node.settings.model.url)
    shown = url._replace(netloc=url.netloc.rpartition("@")[2], query="").geturl()
    return {
        "ok": pin is not None,
        "facet": "loom-facade",
        "mode": "scaffold",
        "backend": shown or None,
        "backend_reachable": None if seen is None or not shown else seen.failure is None,
        "index_classes": concepts.count if concepts else 0,
        "graph": graph_fields(sparql),
        "semantic": {"ready": False, "generation": None},
        "deploy_profile": "",
    }


# -- routes -------------------------------------------------------------------------------------------------------------------


def searched(serving: Serving, body: Mapping[str, Any]) -> Response | None:
    """The peer's answer to a search with its `q` or `query`; None when the request is not the peer's."""
    name = "q" if "q" in body else "query"
    if name not in body:
        return None
    text, limit = body[name], _whole(body, "limit", LIMIT_MOST)
    if not isinstance(text, str):
        raise BadInput(f"Expected text to search for as {name}, not {kind_of(text)}.", param=name)
    if not text.strip():
        raise BadInput(f"Expected text to search for as {name}; it is empty.", param=name)
    lease = serving.holder.take()
    try:
        hits = search(lease.pin, text, LIMIT_DEFAULT if limit is None else max(1, limit))
        return json_response(label_hits(hits[:limit]))
    finally:
        serving.holder.give(lease)


def router(serving: Serving) -> APIRouter:
    """Routes that only the peer has."""
    routes = APIRouter(prefix="/loom", tags=["peer"], include_in_schema=False)

    @routes.post("/search/semantic")
    async def semantic(request: Request) -> Response:
        raise NotFound("Semantic search is not offered by this node; POST /loom/search finds concepts by name.")

    return routes
