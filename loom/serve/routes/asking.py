"""What is asked of claims and sent to them: requests by the way that they take, entries, and what became of either."""

from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Path, Query, Request, Response

from loom.answer.context import context_json
from loom.claims.asks import TakeIn, Withdraw, ask_of, printable
from loom.claims.told import answer_as_json, entry_as_json
from loom.claims.workspace import Answer
from loom.core.claims.intake import lines
from loom.core.claims.intake.ids import content_id, entry
from loom.core.claims.judging import asked as judged
from loom.core.claims.judging.asked import REGISTERS, WAYS
from loom.core.claims.records import Entry
from loom.core.claims.stored import Wanted
from loom.core.claims.view import ClaimView
from loom.core.errors import BadInput, NotFound
from loom.core.memory.calendar import day_of
from loom.core.values import Question
from loom.serve import exchange
from loom.serve.body import kind_of, parse_object
from loom.serve.claiming import ERRORS, Given, ask_json, claims_of, once_of, text_of, told_of, unrefused, who_of
from loom.serve.claims_schemas import (
    ANSWERED,
    ASK_GIVEN,
    ASKED,
    DONE,
    ENTRIES,
    ENTRIES_GIVEN,
    ENTRY_SHOWN,
    ID,
    LINE,
    LONGEST,
    LONGEST_ENTRY,
    LONGEST_NAME,
    LONGEST_WAIT,
    MOST_ENTRIES,
    MOST_K,
    NAME,
    TAKEN,
    WITHDRAWAL_GIVEN,
)
from loom.serve.options import NONE
from loom.serve.planning import note
from loom.serve.remembering import scoped
from loom.serve.reply import json_response, object_of
from loom.serve.schemas import answers, or_null, takes
from loom.serve.serving import Serving

K = 10
WAIT = 20.0
"""Seconds that reasoning is waited for where the request does not say."""
MOST, LIMIT = 1000, 100
SHOWN = 1000
"""Signals that are shown with an entry at most."""
SENT = "sent"
"""The kind of source of entries that state none. Each is a source of its own: a later one takes the place of none."""

Limit = Annotated[int, Query(ge=1, le=MOST)]
After = Annotated[str | None, Query(json_schema_extra=or_null(ID), description="the id of the last of the page before")]
Source = Annotated[str | None, Query(json_schema_extra=or_null(NAME), description="only entries of this source")]
Waited = Annotated[float, Query(ge=0, le=LONGEST_WAIT, description="seconds to wait for it")]
Key = Annotated[str, Path(json_schema_extra=ID)]


def router(serving: Serving) -> APIRouter:
    routes = APIRouter(prefix="/loom", tags=["claims"])

    @routes.post(
        "/ask",
        summary="Answer a request from what is held: show, reason, or write",
        openapi_extra=takes(ASK_GIVEN),
        responses=answers(ANSWERED, errors=ERRORS, status=(200, 202)),
    )
    async def ask(request: Request) -> Response:
        """`retrieve` shows what is held; `reason` puts the question to the slow path first and waits for it, up to `wait` seconds: 202
        with its key where that is not enough; `author` writes for an `audience` in a `register`. Without a `way` it is told from the text, from
        the turns `before` it and from the `artifact` that is open.
        `context` is what a chat about the same would be given, by the same gate and budget."""
        claims = claims_of(serving)
        given = Given(await object_of(request), tuple(ASK_GIVEN["properties"]))
        text, domains = given.text("text", most=LONGEST, needed=True), given.texts("domains")
        if domains:
            known = await (await claims.store()).look(lambda view: {each.id for each in view.domains()})
            if missing := [each for each in domains if each not in known]:
                raise NotFound(f"There is no domain {missing[0][:200]}; GET /loom/domains lists them.", param="domains")
        answer = await claims.answer(
            judged.Request(text, given.texts("before", most=LONGEST) or (), given.text("artifact", most=LONGEST)),
            way=given.choice("way", WAYS),
            audience=given.text("audience"),
            register=given.choice("register", REGISTERS) or REGISTERS[0],
            domains=domains,
            k=given.number("k", K, MOST_K),
            wait=given.wait(WAIT),
            once=once_of(request, given),
        )
        told: dict[str, Any] = {"asked": None, "artifact": None, "context": None, **answer_as_json(answer)}
        if answer.asked is not None:
            told["asked"] = ask_json(answer.asked)
        outcome = _outcome(answer, told["asked"])
        serving.metrics.count("loom_claims_asks_total", answer.way.way, outcome)
        if told["asked"] is not None:
            unrefused(told["asked"])
        if given.switch("context", True):
            told["context"] = await context_of(request, text)
        return json_response(told, 202 if outcome == "waiting" else 200)

    async def context_of(request: Request, text: str) -> dict[str, Any]:
        """What chat would be given, made as chat makes it."""
        here = exchange.of(request.scope)
        whose, chosen = scoped(here, request.scope, NONE, kept=serving.node.settings.memory.kept)
        body = {"messages": [{"role": "user", "content": text}]}
        lease = serving.holder.take()
        try:
            plan = await serving.node.prepare(Question(text, whose, body, options=chosen), lease.pin)
            note(here, plan)
            return context_json(plan)
        finally:
            serving.holder.give(lease)

    @routes.get("/asks/{key:path}", summary="What became of an ask", responses=answers(ASKED, errors=ERRORS))
    async def asked(request: Request, key: Key, wait: Waited = 0.0) -> Response:
        return json_response(ask_json(await claims_of(serving).outcome(key, wait)))

    @routes.post(
        "/entries",
        summary="Send entries: documents, messages, transcripts",
        openapi_extra={
            "requestBody": {
                "required": True,
                "content": {"application/json": {"schema": ENTRIES_GIVEN}, "text/plain": {"schema": LINE}},
            }
        },
        responses=answers(TAKEN, errors=ERRORS, status=(200, 202)),
    )
    async def send(request: Request, wait: Waited = 0.0) -> Response:
        """An object with `entries`, or JSON lines, an entry each, whatever the content type says. They are on the disk when this
        answers, and are read at the slow path's next turn. `state` says of each whether it is new, `known`, known and `withdrawn`
        (which sending again does not change), or `differs` from the one of its id (and is not taken in). Of lines, what cannot be
        read is passed over and listed."""
        claims = claims_of(serving)
        wishes, faults, seconds = _entries(await request.body(), wait)
        store = await claims.store()
        ids = [wish.entry.id for wish in wishes]
        held = await store.look(lambda view: view.entries(ids))
        states = [_state(held.get(wish.entry.id), wish.entry) for wish in wishes]
        keys = [ask_of(wish, "").key for wish in wishes]
        await claims.ask([wish for wish, state in zip(wishes, states, strict=True) if state == "new"])
        fresh = [key for key, state in zip(keys, states, strict=True) if state == "new"]
        told = {each["key"]: each for each in await told_of(claims, fresh, seconds)}
        for state in states:
            serving.metrics.count("loom_claims_entries_total", state)
        entries = [
            {
                "id": id, "state": state, "key": key, "version": told[key]["version"] if key in told else 0,
                "outcome": told[key]["outcome"] if key in told else None,
            }
            for id, state, key in zip(ids, states, keys, strict=True)
        ]  # fmt: skip
        waits = any(each["state"] == "waiting" for each in told.values())
        return json_response({"entries": entries, "faults": faults}, 202 if waits else 200)

    @routes.get("/entries", summary="Entries, oldest first, by page", responses=answers(ENTRIES, errors=ERRORS))
    async def listed(request: Request, source: Source = None, after: After = None, limit: Limit = LIMIT) -> Response:
        for name, value in (("source", source), ("after", after)):
            text_of(value, name, most=LONGEST_NAME)

        def read(view: ClaimView) -> dict[str, Any]:
            found = view.list_entries(source or "", after or "", limit + 1)
            further = found[limit - 1].id if len(found) > limit else None
            return {"version": view.version, "entries": [entry_as_json(each) for each in found[:limit]], "after": further}

        return json_response(await (await claims_of(serving).store()).look(read))

    async def withdrawing(request: Request, back: bool) -> Response:
        claims = claims_of(serving)
        given = Given(await object_of(request), tuple(WITHDRAWAL_GIVEN["properties"]))
        ids, who = given.texts("entries", needed=True) or (), who_of(request, given)
        known = await (await claims.store()).look(lambda view: view.entries(ids))
        if missing := [each for each in ids if each not in known]:
            raise NotFound(f"There is no entry {missing[0][:200]}; GET /loom/entries lists them.", param="entries")
        wishes = [Withdraw(each, who, back=back) for each in ids]
        keys = await claims.ask(wishes, once=once_of(request, given), seconds=given.seconds())
        told = [unrefused(each) for each in await told_of(claims, keys, given.wait())]
        serving.metrics.count("loom_claims_decisions_total", "restore" if back else "withdraw", by=len(keys))
        return json_response({"asks": told}, 202 if any(each["state"] == "waiting" for each in told) else 200)

    @routes.post(
        "/entries/withdraw",
        summary="Take entries out of the evidence",
        openapi_extra=takes(WITHDRAWAL_GIVEN),
        responses=answers(DONE, errors=ERRORS, status=(200, 202)),
    )
    async def withdraw(request: Request) -> Response:
        """Nothing is deleted. What rested on them alone is retracted."""
        return await withdrawing(request, False)

    @routes.post(
        "/entries/restore",
        summary="Let withdrawn entries count again",
        openapi_extra=takes(WITHDRAWAL_GIVEN),
        responses=answers(DONE, errors=ERRORS, status=(200, 202)),
    )
    async def restore(request: Request) -> Response:
        """What their withdrawal retracted comes back, as proposed."""
        return await withdrawing(request, True)

    @routes.get(
        "/entries/{id:path}", summary="An entry with its text and signals", responses=answers(ENTRY_SHOWN, errors=ERRORS)
    )
    async def show(request: Request, id: Key) -> Response:
        def read(view: ClaimView) -> dict[str, Any]:
            found = view.entries([id]).get(id)
            if found is None:
                raise NotFound(f"There is no entry {id[:200]}; GET /loom/entries lists them.", param="id")
            signals = [
                {
                    "id": each.signal.id, "proposition": each.signal.proposition, "span": list(each.signal.span),
                    "supported": each.supported, "checked": each.signal.checked, "domains": sorted(each.signal.domains),
                    "replaced_by": list(each.replaced_by),
                }
                for each in view.list_signals(Wanted(entry=id, limit=SHOWN))
            ]  # fmt: skip
            return {"version": view.version, "entry": entry_as_json(found), "text": found.text, "signals": signals}

        return json_response(await (await claims_of(serving).store()).look(read))

    return routes


def _outcome(answer: Answer, asked: dict[str, Any] | None) -> str:
    if asked is not None and asked["state"] != "done":
        return str(asked["state"])
    return "found" if answer.reading is not None and answer.reading.hits else "nothing"


def _state(held: Entry | None, sent: Entry) -> str:
    if held is None:
        return "new"
    if (held.source, held.text) != (sent.source, sent.text):
        return "differs"
    return "withdrawn" if held.withdrawn_at else "known"


def _entries(body: bytes, wait: float) -> tuple[list[TakeIn], list[dict[str, Any]], float]:
    """The entries of a body, what could not be read of lines, and how long to wait. Raises BadInput."""
    try:
        whole = orjson.loads(body)
    except orjson.JSONDecodeError:
        whole = None
    if whole is not None and not (isinstance(whole, dict) and "entries" not in whole and "text" in whole):
        given = parse_object(body)
        stated = Given(given, tuple(ENTRIES_GIVEN["properties"]))
        sent = given.get("entries")
        if not isinstance(sent, list) or not 0 < len(sent) <= MOST_ENTRIES:
            came = f"{len(sent):,} of them" if isinstance(sent, list) else kind_of(sent)
            raise BadInput(f"Expected a list of 1 to {MOST_ENTRIES:,} entries as entries, not {came}.", param="entries")
        return [_given(each, f"entries[{at}]") for at, each in enumerate(sent)], [], stated.wait(wait)
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise BadInput("Expected entries as JSON, or as JSON lines in UTF-8; this is neither.") from None
    wishes, faults = [], []
    for line in lines.read(text, ""):
        why = line.why
        if line.entry is not None:
            try:
                wishes.append(_checked(line.entry, line.replaces))
            except BadInput as error:
                why = error.message
        if why or line.dated:
            faults.append({"line": line.number, "message": why or f"{line.dated[:40]!r} is no date; it was left out"})
    if not wishes or len(wishes) > MOST_ENTRIES:
        first = f" Line {faults[0]['line']}: {faults[0]['message']}." if faults else ""
        raise BadInput(f"Expected 1 to {MOST_ENTRIES:,} entries as JSON or JSON lines, but got {len(wishes):,}.{first}")
    return wishes, faults, wait


def _given(each: Any, name: str) -> TakeIn:
    if not isinstance(each, dict):
        raise BadInput(f"Expected an object as {name}, not {kind_of(each)}.", param=name)
    try:
        given = Given(each, ("text", "source", "kind", "author", "observed_at", "id", "replaces"))
        text, when = given.text("text", most=LONGEST_ENTRY, needed=True), given.text("observed_at")
        if when and not day_of(when):
            raise BadInput(f"Expected a date such as 2026-05-01 as observed_at, not {when[:40]!r}.", param="observed_at")
        made = entry(
            given.text("source") or given.text("id") or content_id(SENT, text),
            text,
            kind=given.text("kind") or "note",
            author=given.text("author"),
            observed_at=when,
            id=printable(given.text("id")),
        )
        return TakeIn(made, given.texts("replaces") or ())
    except BadInput as error:
        raise BadInput(f"{name}: {error.message}", param=f"{name}.{error.param}") from None


def _checked(made: Entry, replaces: tuple[str, ...]) -> TakeIn:
    text_of(made.text, "text", most=LONGEST_ENTRY, needed=True)
    for name in ("id", "source", "kind", "author"):
        text_of(getattr(made, name) or None, name, most=LONGEST_NAME)
    printable(made.id)
    return TakeIn(made, Given({"replaces": list(replaces)}, ("replaces",)).texts("replaces") or ())
