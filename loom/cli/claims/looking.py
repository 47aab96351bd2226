"""What shows a workspace: answers, lists, one claim with what it rests on, an export."""

import argparse
import sys
from collections.abc import Sequence
from typing import Any

import orjson

from loom.claims.fast import opposed_by
from loom.claims.told import answer_as_json, claim_as_json, entry_as_json, shown_as_json
from loom.claims.workspace import Claims
from loom.cli.claims.doing import PATIENCE, named
from loom.cli.claims.flags import Action
from loom.cli.claims.shown import plain, printed_flush, printed_hit, printed_tree, short
from loom.core.claims.dimensions.fitted import fits_of, is_fitted
from loom.core.claims.judging.asked import Request
from loom.core.claims.reach import GENERAL
from loom.core.claims.standing import Standing
from loom.core.claims.stored import Queued, Wanted
from loom.core.claims.view import ClaimView, tree
from loom.core.errors import BadInput, NotFound

LINE = 60
"""Characters of an entry's text that a list shows."""


async def ask(claims: Claims, arguments: argparse.Namespace) -> int:
    if arguments.k < 1:
        raise BadInput(f"Expected -k as a number of at least 1, but got {arguments.k}.", param="k")
    await _known(claims, arguments.domain or ())
    answer = await claims.answer(
        Request(arguments.text),
        way=arguments.way or "",
        audience=arguments.audience,
        register=arguments.register,
        domains=tuple(arguments.domain) if arguments.domain else None,
        k=arguments.k,
        at_once=True,
        wait=PATIENCE,
    )
    refused, waits = told_of(answer.asked)
    hits = answer.reading.hits if answer.reading else ()
    if arguments.json:
        _print(answer_as_json(answer))
    elif answer.artifact is not None:
        print(answer.artifact.text, end="")
    else:
        if answer.flushed is not None:
            print(printed_flush(answer.flushed))
        elif answer.asked is not None and not waits:
            print(f"done by the process that writes: version {answer.asked.version}")
        for each in hits:
            print(printed_hit(each))
    for why in refused:
        print(why, file=sys.stderr)
    return 0 if hits and not refused else 1


def told_of(asked: Queued | None) -> tuple[list[str], bool]:
    """What is to be said of an ask that another process does: why it was refused or still waits; and whether it waits."""
    if asked is None:
        return [], False
    if not asked.version:
        return [
            f"The process that writes has not done it in {PATIENCE:g} s; it stays in the queue, and what is there is shown."
        ], True
    return list(asked.outcome.get("refused", [])) if isinstance(asked.outcome, dict) else [], False


async def _known(claims: Claims, domains: Sequence[str]) -> None:
    """Raises NotFound for a domain that nobody described."""
    there = await (await claims.store()).look(lambda view: [each.id for each in view.domains()])
    if missing := [each for each in domains if each not in {GENERAL, *there}]:
        raise NotFound(
            f"There is no domain {missing[0]}, but {', '.join(there) or 'none'}; `loom claims domain` describes one.",
            param="domain",
        )


async def listed(claims: Claims, arguments: argparse.Namespace) -> int:
    await _known(claims, [arguments.domain] if arguments.domain else ())
    wanted = Wanted(
        standings=frozenset(Standing[word.upper()] for word in arguments.standing or ()),
        domain=arguments.domain,
        text=arguments.text,
        limit=arguments.limit,
    )
    found = await (await claims.store()).look(lambda view: view.list_claims(wanted))
    if arguments.json:
        _print({"claims": [claim_as_json(each) for each in found]})
        return 0
    for each in found:
        print(f"{short(each.claim.id)}  {each.standing.word:<10}  {plain(each.claim.proposition)}")
    return 0


async def entries(claims: Claims, arguments: argparse.Namespace) -> int:
    if arguments.limit < 1:
        raise BadInput(f"Expected --limit as a number of at least 1, but got {arguments.limit}.", param="limit")
    found = await (await claims.store()).look(
        lambda view: view.list_entries(arguments.source, arguments.after, arguments.limit + 1)
    )
    shown, further = found[: arguments.limit], len(found) > arguments.limit
    if arguments.json:
        _print({"entries": [entry_as_json(each) for each in shown], "after": shown[-1].id if further else None})
        return 0
    for each in shown:
        state = "withdrawn" if each.withdrawn_at else "counts"
        print(
            f"{plain(each.id)}  {state:<9}  {plain(each.source)}  {plain(each.text[:LINE])}{'…' if len(each.text) > LINE else ''}"
        )
    if further:
        print(f"More follow: --after {plain(shown[-1].id)}", file=sys.stderr)
    return 0


async def show(claims: Claims, arguments: argparse.Namespace) -> int:
    id = await named(claims, arguments.claim)
    told, lines = await (await claims.store()).look(lambda view: _shown(view, id))
    if arguments.json:
        _print(told)
    else:
        print("\n".join(lines))
    return 0


def _shown(view: ClaimView, id: str) -> tuple[dict[str, Any], list[str]]:
    """A claim as JSON and in lines. Raises NotFound."""
    made = tree(view, id)
    each = made.claims[id]
    disputes = opposed_by(view, id)
    history = view.history(id)
    lines = printed_tree(made)
    lines += [f"disputed by {short(one.id)}: {plain(one.text)} ({one.standing.word})" for one in disputes]
    lines += [f"assumed without evidence: {plain(one.text)}" for one in each.claim.context]
    lines += [f"superseded by {short(one)}" for one in each.superseded_by]
    lines.append("history")
    for one in history:
        by = f" by {plain(one.by)}" if one.by else ""
        lines.append(f"  {one.at}  {one.before.word} → {one.after.word} ({one.cause}{by})")
    return shown_as_json(view, made), lines


async def status(claims: Claims, arguments: argparse.Namespace) -> int:
    told = await (await claims.store()).look(_status)
    if arguments.json:
        _print(told)
        return 0
    print(f"version {told['version']}" + (f" of {told['at']}" if told["at"] else ""))
    print("claims: " + (", ".join(f"{many:,} {word}" for word, many in told["claims"].items()) or "none"))
    print("domains: " + (", ".join(told["domains"]) or "none"))
    for each in told["dimensions"]:
        print(
            f"dimension {each['id']} of {each['domain']}: {each['state']}, version {each['version']}"
            + (", pinned" if each["pinned"] else "")
        )
    for domain, penalty in told["fits"].items():
        print(f"fitted in {domain}: an unsettled standing costs {penalty:.4f}")
    print(f"in the queue: {told['queue']:,}")
    return 0


def _status(view: ClaimView) -> dict[str, Any]:
    return {
        "version": view.version,
        "at": view.at,
        "claims": {standing.word: many for standing, many in sorted(view.counts().items()) if many},
        "domains": [each.id for each in view.domains()],
        "dimensions": [
            {"id": each.id, "domain": each.domain, "state": each.state, "version": each.version, "pinned": each.pinned}
            for each in view.dimensions()
            if not is_fitted(each)
        ],
        "fits": {domain: fit.penalty for domain, fit in sorted(fits_of(view.dimensions()).items()) if not fit.unfit},
        "queue": sum(view.waiting().values()),
    }


async def export(claims: Claims, arguments: argparse.Namespace) -> int:
    async for line in (await claims.store()).export():
        sys.stdout.buffer.write(line)
    sys.stdout.flush()
    return 0


def _print(told: dict[str, Any]) -> None:
    sys.stdout.buffer.write(orjson.dumps(told, option=orjson.OPT_APPEND_NEWLINE))
    sys.stdout.flush()


ACTIONS: dict[str, Action] = {"ask": ask, "entries": entries, "list": listed, "show": show, "status": status, "export": export}
