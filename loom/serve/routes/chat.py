"""Chat completions: raw ASGI, so that nothing stands between a frame of the model and the client."""

from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Any

from loom.answer.answering import Reply, answering
from loom.answer.asked import question_of
from loom.answer.memory import scope_of
from loom.answer.plan import Plan, Watch
from loom.answer.second_round import Second
from loom.answer.watches.memory import MemoryWatch
from loom.core.errors import BadInput, LoomError, UpstreamFailure
from loom.core.policy.policy import POLICIES
from loom.core.policy.wrappers import WRAPPERS
from loom.core.values import Question
from loom.serve import exchange, peer
from loom.serve.asgi import App, Receive, Scope, Send, send_body
from loom.serve.body import kind_of, parse_object, read_body
from loom.serve.errors import UNKNOWN
from loom.serve.holder import Lease
from loom.serve.metrics import count_answer, count_failure
from loom.serve.options import options_of
from loom.serve.paths import CHAT as CHAT_PATH
from loom.serve.planning import check_messages, note
from loom.serve.relay import client_headers, passed_back
from loom.serve.remembering import scoped
from loom.serve.schemas import CHAT, EVENT, answers, of_object, takes
from loom.serve.serving import Serving
from loom.serve.stream import Departure, EventStream


class Chat:
    """Grounds one chat request, relays the answer, and accounts for it."""

    def __init__(self, serving: Serving) -> None:
        self._serving = serving

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = parse_object(await read_body(receive))
        peer.take_chat(body)
        question, streamed = self._question(scope, body)
        holder = self._serving.holder
        lease = holder.take()
        departure = Departure(scope, receive)
        try:
            await self._begins(scope, question)
            plan = await self._serving.node.prepare(question, lease.pin)
            note(exchange.of(scope), plan)
            if streamed:
                await self._stream(scope, send, plan, lease)
            else:
                await self._whole(scope, send, plan, lease)
        except UpstreamFailure as failure:
            count_failure(self._serving.metrics, failure.code)
            raise
        finally:
            departure.over()
            holder.give(lease)

    def _question(self, scope: Scope, body: dict[str, Any]) -> tuple[Question, bool]:
        """The question in a request, without the node's own key; and whether the answer is to be streamed."""
        settings = self._serving.node.settings
        check_messages(body)
        streamed = body.get("stream")
        if streamed is not None and not isinstance(streamed, bool):
            raise BadInput(f"Expected true or false as stream, not {kind_of(streamed)}.", param="stream")
        if not isinstance(body.get("model", ""), str):
            raise BadInput(f"Expected text as model, not {kind_of(body['model'])}.", param="model")
        options = options_of(body.pop("loom", None), POLICIES, WRAPPERS)
        looked_for = settings.retrieval.side_calls == "auto"
        whose, options = scoped(exchange.of(scope), scope, options, kept=settings.memory.kept)
        question, kind = question_of(body, whose, options, side_calls=looked_for)
        if kind:
            self._serving.metrics.count("loom_side_calls_total", kind)
        return question, bool(streamed)

    async def _begins(self, scope: Scope, question: Question) -> None:
        """Note what the memory is before anything of it is shown, where this request is to be kept."""
        memory, asked, whose = self._serving.node.memory, question.options.memory, scope_of(question)
        if memory is not None and asked is not None and asked.remember and whose is not None:
            exchange.of(scope).begun = await memory.begin(whose)

    def _watches(self, scope: Scope, plan: Plan, lease: Lease) -> list[Watch]:
        return [*self._serving.node.watches(plan), *self._remembers(scope, plan), *peer.watches(self._serving, lease, plan)]

    def _remembers(self, scope: Scope, plan: Plan) -> tuple[Watch, ...]:
        """The watch of an answer that memory takes part in."""
        node, begun = self._serving.node, exchange.of(scope).begun
        if node.memory is None or plan.question.scope.conversation is None:
            return ()
        today = node.clock.now().date().isoformat()
        return (MemoryWatch(plan, node.memory, today, begun, self._serving.metrics.count_turns),)

    def _answering(self, scope: Scope, plan: Plan, lease: Lease) -> AbstractAsyncContextManager[Reply]:
        node, settings = self._serving.node, self._serving.node.settings

        async def again(reply: str) -> Second:
            """What a reply of directives asks for, of the same generation."""
            second = await node.prepare(replace(plan.question, fetch=reply), lease.pin)
            return Second(second, self._watches(scope, second, lease))

        return answering(
            plan,
            node.backend,
            self._watches(scope, plan, lease),
            request_id=exchange.of(scope).request_id,
            allowances=node.allowances,
            headers=client_headers(scope, settings.model.forward_headers),
            verbatim=settings.retrieval.verbatim,
            monotonic=node.clock.monotonic,
            again=again,
        )

    async def _whole(self, scope: Scope, send: Send, plan: Plan, lease: Lease) -> None:
        async with self._answering(scope, plan, lease) as reply:
            body = b"".join([frame.raw async for frame in reply.frames()])
            await send_body(send, reply.status, passed_back(reply.headers), body)
            self._account(scope, reply)

    async def _stream(self, scope: Scope, send: Send, plan: Plan, lease: Lease) -> None:
        stream = EventStream(send, self._serving.node.settings.serving.keepalive)
        try:
            async with self._answering(scope, plan, lease) as reply:
                if reply.streamed:
                    await self._relay(stream, reply)
                else:
                    body = b"".join([frame.raw async for frame in reply.frames()])
                    await stream.refuse(reply.status, passed_back(reply.headers), body)
                self._account(scope, reply)
        except LoomError as error:
            if not stream.begun:
                raise
            await stream.fail(error)
            if isinstance(error, UpstreamFailure):
                count_failure(self._serving.metrics, error.code)
        except Exception:
            if stream.begun:
                await stream.fail(LoomError(UNKNOWN))
            raise
        finally:
            stream.close()

    async def _relay(self, stream: EventStream, reply: Reply) -> None:
        """Every frame as it comes; the response begins with the first, so that a failure before it has its own status."""
        async for frame in reply.frames():
            if not stream.begun:
                stream.begin(passed_back(reply.headers))
            await stream.frame(frame.raw)
        stream.begin([])
        await stream.end()

    def _account(self, scope: Scope, reply: Reply) -> None:
        """Count a finished answer, and log its content where that was asked for."""
        serving, here = self._serving, exchange.of(scope)
        outcome, account = reply.outcome, reply.account
        if account is not None:
            count_answer(serving.metrics, account)
        if outcome is None:
            count_failure(serving.metrics, "refused")
            return
        if outcome.completion == "interrupted":
            count_failure(serving.metrics, "interrupted")
        here.completion = outcome.completion
        serving.metrics.observe("loom_upstream_seconds", outcome.seconds)
        if outcome.first_token_seconds is not None:
            serving.metrics.observe("loom_first_token_seconds", outcome.first_token_seconds)
        if outcome.attempts > 1:
            serving.metrics.count("loom_allowance_retries_total", by=outcome.attempts - 1)
        if serving.node.settings.logs.content:
            serving.log.info("content", request_id=here.request_id, question=reply.plan.question.text, answer=outcome.text)


DESCRIPTIONS: dict[str, dict[str, Any]] = {
    CHAT_PATH: {
        "summary": "Chat completion, grounded",
        "tags": ["chat"],
        "openapi_extra": takes(CHAT),
        "responses": answers(
            of_object(),
            also={"text/event-stream": EVENT},
            errors=(400, 404, 413, 500, 502, 503, 504),
            envelope=True,
        ),
    }
}


def raw(serving: Serving) -> dict[str, App]:
    return {CHAT_PATH: Chat(serving)}
