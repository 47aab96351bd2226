"""The node's own routes round a block: the raw block, merged messages, and the score of any answer against any block."""

import asyncio
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request, Response

from loom.answer.exposure_score import TEXT_MOST, score
from loom.answer.plan import Plan
from loom.answer.receipt import scaffold_json
from loom.answer.shape import text_of
from loom.answer.units import format_for
from loom.core.errors import BadInput
from loom.core.policy.policy import POLICIES
from loom.core.policy.wrappers import WRAPPERS
from loom.core.values import Question
from loom.serve import exchange, peer
from loom.serve.body import kind_of
from loom.serve.holder import Lease
from loom.serve.options import options_of
from loom.serve.planning import check_messages, note, scope_of
from loom.serve.reply import json_response, object_of
from loom.serve.schemas import LOOM, MESSAGES, OPTIONS, answers, closed, of_object, or_null, takes
from loom.serve.serving import Serving

LONG: dict[str, Any] = {"type": "string", "maxLength": TEXT_MOST}
NAMES: dict[str, Any] = or_null({"type": "array", "items": {"type": "string", "pattern": "\\S"}, "maxItems": 1000})
QUESTION: dict[str, Any] = {"type": "string", "pattern": "\\S"}
NOT_BOTH = {"required": ["gold", "targets"], "properties": {name: {"type": "array"} for name in ("gold", "targets")}}
PLANNED = of_object(["pin", "policy", "decision", "units", "scaffold", "tokens", "injected_tokens"])
SCORED = of_object(["targets", "delivered", "dropped", "beyond", "counts", "matcher"])


def router(serving: Serving) -> APIRouter:
    routes = APIRouter(prefix="/loom", tags=["knowledge"])
    errors = (400, 413, 503)

    async def plan_of(request: Request, lease: Lease, text: str, body: dict[str, Any], options: dict[str, Any]) -> Plan:
        here = exchange.of(request.scope)
        under = options_of(options.pop("loom", None), POLICIES, WRAPPERS)
        beside = options_of(options, POLICIES, WRAPPERS, prefix="")
        chosen = replace(under, **{name: value for name in options if (value := getattr(beside, name)) is not None})
        plan = await serving.node.prepare(Question(text, scope_of(here), body, options=chosen), lease.pin)
        note(here, plan)
        return plan

    @routes.post(
        "/scaffold",
        summary="The block that a question would be given",
        openapi_extra=takes(closed(of_object(["prompt"], prompt=QUESTION, loom=or_null(LOOM), **OPTIONS))),
        responses=answers(PLANNED, also={"text/markdown": {"type": "string"}}, errors=errors),
    )
    async def scaffold(request: Request) -> Response:
        """No model is asked. `Accept: text/markdown` answers with the bare block. Options stand beside the question, or under `loom`
        as in a chat request; those beside it win."""
        given = await object_of(request)
        theirs = peer.take_scaffold(given)
        prompt = given.pop("prompt", None)
        if not isinstance(prompt, str):
            raise BadInput(f"Expected a question as prompt, not {kind_of(prompt)}.", param="prompt")
        if not prompt:
            raise BadInput("Expected a question as prompt; it is empty.", param="prompt")
        lease = serving.holder.take()
        try:
            plan = await plan_of(request, lease, prompt, {}, given)
            if format_for(request.headers.get("accept")) == "markdown":
                return Response(plan.block.text, media_type="text/markdown")
            ours = scaffold_json(plan)
            prose = (
                serving.node.settings.retrieval.prose if plan.question.options.prose is None else plan.question.options.prose
            )
            others = peer.scaffold_fields(plan, lease.about, prose)
            return json_response({**ours, **others} if theirs else {**others, **ours})
        finally:
            serving.holder.give(lease)

    @routes.post(
        "/context",
        summary="Messages with the block merged into them",
        openapi_extra=takes(closed(of_object(["messages"], messages=MESSAGES, loom=or_null(LOOM), **OPTIONS))),
        responses=answers(of_object(["messages", "loom"], messages=MESSAGES), errors=errors),
    )
    async def context(request: Request) -> Response:
        """What a model would be sent; for callers that ask their model themselves."""
        given = await object_of(request)
        messages = check_messages(given)
        del given["messages"]
        lease = serving.holder.take()
        try:
            plan = await plan_of(request, lease, text_of(messages), {"messages": messages}, given)
            return json_response({"messages": plan.prompt.body["messages"], "loom": scaffold_json(plan)})
        finally:
            serving.holder.give(lease)

    @routes.post(
        "/exposure",
        summary="Score an answer against a block",
        openapi_extra=takes(
            {"not": NOT_BOTH}
            | of_object(
                ["answer", "block"],
                answer=LONG,
                block=LONG,
                question=LONG,
                gold=NAMES,
                targets=NAMES,
                matcher={"type": "string", "enum": list(POLICIES)},
            )
        ),
        responses=answers(SCORED, errors=errors),
    )
    async def exposure(request: Request) -> Response:
        """What the block shows and what the answer delivers of it. `text` is another word for `block`. No model is asked."""
        given = await object_of(request)
        block = given["text"] if "block" not in given and "text" in given else given.get("block")
        texts = {"answer": given.get("answer"), "block": block, "question": given.get("question", "")}
        texts["matcher"] = given.get("matcher", "default")
        for name, value in texts.items():
            if not isinstance(value, str):
                raise BadInput(f"Expected text as {name}, not {kind_of(value)}.", param=name)
        lists = {name: _names(given, name) for name in ("gold", "targets")}
        lease = serving.holder.take()
        try:
            found = await asyncio.to_thread(
                score,
                lease.pin,
                texts["answer"],
                texts["block"],
                question=texts["question"],
                gold=lists["gold"],
                targets=lists["targets"],
                matcher=texts["matcher"],
            )
            return json_response(found)
        finally:
            serving.holder.give(lease)

    return routes


def _names(given: dict[str, Any], name: str) -> list[str] | None:
    value = given.get(name)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BadInput(f"Expected a list of names as {name}, not {kind_of(value)}.", param=name)
    return value
