"""The node's own routes round a block: its units, its whole context with receipts, and the score of any answer against any block."""

import asyncio
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request, Response

from loom.answer.asked import question_of
from loom.answer.context import context_json
from loom.answer.exposure_score import TEXT_MOST, score
from loom.answer.plan import Plan
from loom.answer.receipt import scaffold_json
from loom.answer.units import format_for
from loom.core.errors import BadInput
from loom.core.policy.policy import POLICIES
from loom.core.policy.wrappers import WRAPPERS
from loom.core.values import Question
from loom.serve import exchange, peer
from loom.serve.body import kind_of
from loom.serve.context_schema import CONTEXT
from loom.serve.holder import Lease
from loom.serve.options import options_of
from loom.serve.planning import check_messages, note
from loom.serve.remembering import scoped
from loom.serve.reply import json_response, object_of
from loom.serve.schemas import LOOM, MESSAGES, OPTIONS, answers, closed, of_object, or_null, takes
from loom.serve.serving import Serving

LONG: dict[str, Any] = {"type": "string", "maxLength": TEXT_MOST}
NAMES: dict[str, Any] = or_null({"type": "array", "items": {"type": "string", "pattern": "\\S"}, "maxItems": 1000})
QUESTION: dict[str, Any] = {"type": "string", "pattern": "\\S"}
NOT_BOTH = {"required": ["gold", "targets"], "properties": {name: {"type": "array"} for name in ("gold", "targets")}}
BLOCK = {"text/markdown": {"type": "string"}}
PLANNED = of_object(["pin", "policy", "decision", "units", "scaffold", "tokens", "injected_tokens"])
SCORED = of_object(["targets", "delivered", "dropped", "beyond", "counts", "matcher"])


def router(serving: Serving) -> APIRouter:
    routes = APIRouter(prefix="/loom", tags=["knowledge"])
    errors = (400, 413, 503)
    asks: dict[str, Any] = {"oneOf": [{"required": ["prompt"]}, {"required": ["messages"]}]} | closed(
        of_object(prompt=QUESTION, messages=MESSAGES, loom=or_null(LOOM), **OPTIONS)
    )

    async def plan_of(request: Request, lease: Lease, asked: str | dict[str, Any], options: dict[str, Any]) -> Plan:
        """The plan of a question, or of the last one in a conversation as chat would ask it."""
        here = exchange.of(request.scope)
        under = options_of(options.pop("loom", None), POLICIES, WRAPPERS)
        beside = options_of(options, POLICIES, WRAPPERS, prefix="")
        chosen = replace(under, **{name: value for name in options if (value := getattr(beside, name)) is not None})
        whose, chosen = scoped(here, request.scope, chosen, kept=serving.node.settings.memory.kept)
        if isinstance(asked, str):
            question = Question(asked, whose, {"messages": [{"role": "user", "content": asked}]}, options=chosen)
        else:
            looked_for = serving.node.settings.retrieval.side_calls == "auto"
            question, _ = question_of(asked, whose, chosen, side_calls=looked_for)
        plan = await serving.node.prepare(question, lease.pin)
        note(here, plan)
        return plan

    @routes.post(
        "/scaffold",
        summary="The block that a question would be given",
        openapi_extra=takes(asks),
        responses=answers(PLANNED, also=BLOCK, errors=errors),
    )
    async def scaffold(request: Request) -> Response:
        """No model is asked. The question is a `prompt`, or the last user message of a conversation in `messages`, which is read as
        chat reads it: earlier turns give a follow-up its topic. `Accept: text/markdown` answers with the bare block. Options stand
        beside the question, or under `loom` as in a chat request; those beside it win."""
        given = await object_of(request)
        theirs = peer.take_scaffold(given)
        asked = _asked(given)
        lease = serving.holder.take()
        try:
            plan = await plan_of(request, lease, asked, given)
            if format_for(request.headers.get("accept")) == "markdown":
                return bare(plan)
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
        summary="The context that a question would be given, tier by tier, with receipts",
        openapi_extra=takes(asks),
        responses=answers(CONTEXT, also=BLOCK, errors=errors),
    )
    async def context(request: Request) -> Response:
        """What a model would be sent, for callers that ask their model themselves: the block, the messages with it merged into them,
        its units by tier, the route and addresses, and for all that is shown a receipt: where it stands, and the digest of the words
        that were served. It is asked as `/loom/scaffold` is, which answers with the units alone; `Accept: text/markdown` answers
        with the bare block."""
        given = await object_of(request)
        asked = _asked(given)
        lease = serving.holder.take()
        try:
            plan = await plan_of(request, lease, asked, given)
            if format_for(request.headers.get("accept")) == "markdown":
                return bare(plan)
            answer = json_response(context_json(plan))
            answer.headers["vary"] = "accept"
            return answer
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


def bare(plan: Plan) -> Response:
    return Response(plan.block.text, media_type="text/markdown", headers={"vary": "accept"})


def _asked(given: dict[str, Any]) -> str | dict[str, Any]:
    """The prompt, or a body with the messages, that a request asks about; taken out of what was given."""
    if "messages" in given:
        if "prompt" in given:
            raise BadInput("Expected a question as prompt or a conversation as messages, not both.", param="messages")
        check_messages(given)
        return {"messages": given.pop("messages")}
    if "prompt" not in given:
        raise BadInput("Expected a question as prompt, or a conversation as messages; there is neither.", param="prompt")
    prompt = given.pop("prompt")
    if not isinstance(prompt, str):
        raise BadInput(f"Expected a question as prompt, not {kind_of(prompt)}.", param="prompt")
    if not prompt:
        raise BadInput("Expected a question as prompt; it is empty.", param="prompt")
    return prompt


def _names(given: dict[str, Any], name: str) -> list[str] | None:
    value = given.get(name)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BadInput(f"Expected a list of names as {name}, not {kind_of(value)}.", param=name)
    return value
