"""The memory of conversations: turns in, out, asked and forgotten, each under the caller's own key."""

from collections.abc import AsyncIterator, Awaitable
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from starlette.responses import StreamingResponse

from loom.answer.memory import Memory
from loom.core.errors import BadInput, NotFound
from loom.core.memory.values import Scope
from loom.serve import exchange
from loom.serve.errors import Conflict
from loom.serve.memory_schemas import (
    CONVERSATIONS,
    FORGOTTEN,
    IMPORTED,
    KEPT,
    LINE,
    LINES,
    QUESTION,
    RECALLED,
    TURNS,
    TURNS_GIVEN,
)
from loom.serve.metrics import count_recall
from loom.serve.remembering import conversation_in, conversation_of, speaker_of
from loom.serve.reply import json_response, object_of
from loom.serve.schemas import CONVERSATION, answers, or_null, takes
from loom.serve.serving import Serving
from loom.serve.turns import SPEAKER, turns_of

PREFIX = "/loom/memory"
MOST, LIMIT = 1000, 100
"""Turns of one page at most, and where the request does not say."""
MOST_TURNS = 1 << 32
NDJSON = "application/x-ndjson"
ERRORS = (400, 404, 409, 413, 501, 503)
LONGEST = 10_000
"""Characters of a question."""

Limit = Annotated[int, Query(ge=1, le=MOST)]
Named = Annotated[str | None, Query(json_schema_extra=or_null(CONVERSATION))]
Conversation = Annotated[str, Path(json_schema_extra=CONVERSATION)]
After = Annotated[int, Query(ge=-1, le=MOST_TURNS, description="the number of the last turn of the page before")]
About = Annotated[str | None, Query(min_length=1, description="only turns by or about whoever has this name")]


def router(serving: Serving) -> APIRouter:
    routes = APIRouter(prefix=PREFIX, tags=["memory"])

    def memory_for(request: Request, conversation: str | None = None) -> tuple[Memory, str]:
        """The memory, and whose is asked for; what a header names must be what the path does, and nothing less than it."""
        memory = serving.node.memory
        if memory is None:
            raise NotFound("This node keeps no conversation memory; start it with LOOM_MEMORY=on.")
        here = exchange.of(request.scope)
        here.headers.append((b"cache-control", b"no-store"))
        if (named := conversation_in(request.scope)) not in (None, conversation):
            raise BadInput(
                f"Expected one conversation, but the header x-loom-conversation names {named!r:.80} and the path "
                f"{'another' if conversation is not None else 'all of them'}; leave the header out.",
                param="x-loom-conversation",
            )
        return memory, here.caller

    def scope_for(request: Request, conversation: str) -> tuple[Memory, Scope]:
        memory, caller = memory_for(request, conversation)
        return memory, Scope(caller, conversation_of(conversation, "conversation"))

    @routes.post(
        "/{conversation}/turns",
        summary="Keep turns of a conversation",
        openapi_extra=takes(TURNS_GIVEN),
        responses=answers(KEPT, errors=ERRORS),
    )
    async def add(request: Request, conversation: Conversation) -> Response:
        """All are kept, or none. A turn is known by its id, so that a batch may be sent again; one without an id gets one from what it
        says. A turn that was deleted stays so."""
        memory, scope = scope_for(request, conversation)
        turns = turns_of(await object_of(request))
        try:
            kept = await memory.add(scope, turns)
        except BadInput as error:
            # The turns are sound by themselves; they do not go with what is kept.
            raise Conflict(error.message, param=error.param) from error
        for each in kept:
            serving.metrics.count_turns(each.state, 1)
        told = [{"turn": each.turn, "id": said.id, "state": each.state} for each, said in zip(kept, turns, strict=True)]
        return json_response({"conversation": scope.conversation, "turns": told})

    @routes.get("", summary="The conversations of the caller", responses=answers(CONVERSATIONS, errors=ERRORS))
    async def conversations(request: Request) -> Response:
        memory, caller = memory_for(request)
        return json_response({"conversations": await memory.conversations(caller)})

    @routes.get(
        "/export",
        summary="All conversations of the caller, as JSON lines",
        responses=answers(LINES, media=NDJSON, errors=ERRORS),
    )
    async def export_all(request: Request) -> Response:
        memory, caller = memory_for(request)
        return await _lines(memory.export(caller))

    @routes.post(
        "/import",
        summary="Take in conversations from an export",
        openapi_extra={"requestBody": {"required": True, "content": {"text/plain": {"schema": LINE}}}},
        responses=answers(IMPORTED, errors=ERRORS),
    )
    async def take_in(request: Request, conversation: Named = None) -> Response:
        """The body is what `export` writes, turns as JSON lines, or an export of a chat program: ChatGPT, Claude, Open WebUI, Slack,
        WhatsApp. Which it is, is told by its content, whatever its content type says. `conversation` names one that the export does
        not name. What cannot be read is passed over and listed, with its line or message and what to do."""
        memory, caller = memory_for(request, conversation)
        name = conversation_of(conversation, "conversation") if conversation is not None else ""
        return json_response(await memory.take_in(caller, await request.body(), name))

    @routes.get("/{conversation}", summary="The turns of a conversation, by page", responses=answers(TURNS, errors=ERRORS))
    async def turns(
        request: Request, conversation: Conversation, after: After = -1, limit: Limit = LIMIT, about: About = None
    ) -> Response:
        memory, scope = scope_for(request, conversation)
        found, further = await memory.turns(scope, after, limit, about or "")
        told = [each.as_json() for each in found]
        return json_response({"conversation": scope.conversation, "turns": told, "after": further})

    @routes.get(
        "/{conversation}/export",
        summary="A conversation as JSON lines",
        responses=answers(LINES, media=NDJSON, errors=ERRORS),
    )
    async def export(request: Request, conversation: Conversation) -> Response:
        memory, scope = scope_for(request, conversation)
        return await _lines(memory.export(scope.caller, scope.conversation))

    @routes.post(
        "/{conversation}/recall",
        summary="What a conversation holds on a question",
        openapi_extra=takes(QUESTION),
        responses=answers(RECALLED, errors=ERRORS),
    )
    async def recall(request: Request, conversation: Conversation) -> Response:
        """The turns that a chat request with this question would be shown, and the lines it would read; no model is asked, nothing kept."""
        memory, scope = scope_for(request, conversation)
        given = await object_of(request)
        question = given.get("question")
        if not isinstance(question, str) or not 0 < len(question.strip()) <= LONGEST:
            raise BadInput(f"Expected a question of at most {LONGEST:,} characters as question.", param="question")
        speaker = SPEAKER if given.get("speaker") is None else speaker_of(given["speaker"], "speaker")
        found = await memory.shown(scope, question, speaker)
        count_recall(serving.metrics, found)
        return json_response({"conversation": scope.conversation, **found})

    @routes.delete("/{conversation}/turns/{id:path}", summary="Forget a turn", responses=answers(FORGOTTEN, errors=ERRORS))
    async def forget_turn(request: Request, conversation: Conversation, id: str) -> Response:
        memory, scope = scope_for(request, conversation)
        return await _forgotten(memory.forget(scope, id))

    @routes.delete(
        "/{conversation}/subjects/{name:path}",
        summary="Forget somebody: all that they said and every sentence about them",
        responses=answers(FORGOTTEN, errors=ERRORS),
    )
    async def forget_subject(request: Request, conversation: Conversation, name: str) -> Response:
        memory, scope = scope_for(request, conversation)
        return await _forgotten(memory.forget_subject(scope, name))

    @routes.delete("/{conversation}", summary="Forget a conversation", responses=answers(FORGOTTEN, errors=ERRORS))
    async def forget_conversation(request: Request, conversation: Conversation) -> Response:
        memory, scope = scope_for(request, conversation)
        return await _forgotten(memory.forget_conversation(scope))

    @routes.delete("", summary="Forget all conversations of the caller", responses=answers(FORGOTTEN, errors=ERRORS))
    async def forget_caller(request: Request) -> Response:
        memory, caller = memory_for(request)
        return await _forgotten(memory.forget_caller(caller))

    async def _forgotten(deleting: Awaitable[int]) -> Response:
        """What was remembered of questions and answers goes, too, even where files still hold what is deleted."""
        try:
            return json_response({"turns": await deleting})
        finally:
            serving.forget()

    return routes


async def _lines(lines: AsyncIterator[bytes]) -> Response:
    """The lines as they come; a failure before the first has its own status."""
    first = await anext(lines, b"")

    async def all_of_them() -> AsyncIterator[bytes]:
        yield first
        async for line in lines:
            yield line

    return StreamingResponse(all_of_them(), media_type=NDJSON)
