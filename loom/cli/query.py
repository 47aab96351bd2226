"""`loom query`: what a question would be given, without asking a model."""

import argparse
import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from loom.answer.asked import question_of
from loom.answer.context import context_json
from loom.answer.plan import Plan
from loom.answer.receipt import scaffold_json
from loom.cli.tiers import lines_of
from loom.core.errors import BadInput, NoGeneration
from loom.core.policy.policy import POLICIES
from loom.core.policy.wrappers import WRAPPERS
from loom.core.values import CONTEXTS, READOUTS, Options, Question, Scope


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "query",
        help="show the block that a question would be given",
        description="Find, decide, mint and pack for one question, and print the block. No model is asked.",
    )
    parser.add_argument("question", nargs="?", help="the question; - reads it from standard input")
    parser.add_argument(
        "--messages",
        metavar="FILE",
        help="in place of a question, a conversation that ends in one: a JSON list of messages, as chat takes them; - reads it from standard input",
    )
    parser.add_argument("--generations", metavar="FOLDER", help="folder of generations (default: LOOM_GENERATIONS)")
    parser.add_argument(
        "--generation", metavar="ID", help="a generation other than the current one; a beginning of its id will do"
    )
    parser.add_argument("--policy", choices=POLICIES, help="how to match, gate, mint and pack (default: LOOM_POLICY)")
    parser.add_argument("--wrapper", choices=tuple(WRAPPERS), help="sentences that introduce the block (default: LOOM_WRAPPER)")
    parser.add_argument("--budget", type=int, metavar="TOKENS", help="most tokens of the block (default: LOOM_BUDGET)")
    parser.add_argument("--max-units", type=int, metavar="N", help="most concepts in the block (default: LOOM_MAX_UNITS)")
    parser.add_argument("--hops", type=int, choices=(0, 1), help="whether neighbouring concepts are shown (default: LOOM_HOPS)")
    parser.add_argument(
        "--prose", action=argparse.BooleanOptionalAction, help="show the free text of pages (default: LOOM_PROSE)"
    )
    parser.add_argument("--context", choices=CONTEXTS, help="what is given of knowledge bases (default: LOOM_FACTS_CONTEXT)")
    parser.add_argument(
        "--readout", choices=READOUTS, help="how much of what is searched for in them (default: LOOM_FACTS_READOUT)"
    )
    parser.add_argument(
        "--tiers", action="store_true", help="print units by tier with their receipts; with --json, as POST /loom/context does"
    )
    parser.add_argument("--json", action="store_true", help="print everything that is known, as POST /loom/scaffold does")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the block, and on standard error why; exit code 1 where nothing is injected."""
    plan = asyncio.run(_plan(arguments))
    if arguments.json:
        print(json.dumps(context_json(plan) if arguments.tiers else scaffold_json(plan), ensure_ascii=False, indent=1))
        return 0
    decision = plan.decision
    if arguments.tiers:
        print(*lines_of(context_json(plan)), sep="\n")
    elif plan.block.text:
        print(plan.block.text)
    print(
        f"{'injected' if decision.engaged else 'silent'}: {decision.reason}, {plan.block.tokens} tokens"
        + (f", confidence {decision.confidence:.2f}" if decision.confidence is not None else "")
        + f", {plan.pin.generation.id[:19]}",
        file=sys.stderr,
    )
    return 0 if decision.engaged else 1


def _asked(arguments: argparse.Namespace) -> str | list[dict[str, Any]]:
    """The question, or the messages of a conversation that ends in it."""
    if arguments.messages is not None:
        if arguments.question is not None:
            raise BadInput("Expected a question or --messages, not both.", param="messages")
        return _conversation(arguments.messages)
    if arguments.question is None:
        raise BadInput("Expected a question, or --messages with a file of them; there is neither.", param="question")
    text: str = sys.stdin.read() if arguments.question == "-" else arguments.question
    if not text:
        raise BadInput("Expected a question, but it is empty.", param="question")
    return text


def _conversation(name: str) -> list[dict[str, Any]]:
    from loom.serve.planning import check_messages

    where = "standard input" if name == "-" else name
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = "it is no UTF-8" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise BadInput(f"Expected a JSON list of messages in {where}; it cannot be read: {reason}.", param="messages") from None
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        raise BadInput(f"Expected a JSON list of messages in {where}; it is no JSON.", param="messages") from None
    return check_messages({"messages": given})


async def _plan(arguments: argparse.Namespace) -> Plan:
    from loom import compose
    from loom.settings import load

    flags = {"LOOM_GENERATIONS": arguments.generations} if arguments.generations else {}
    node = compose.node(load(flags=flags))
    asked = _asked(arguments)
    for name, least in (("budget", 1), ("max_units", 1)):
        value = getattr(arguments, name)
        if value is not None and value < least:
            raise BadInput(f"Expected --{name.replace('_', '-')} to be {least} or more, but got {value}.", param=name)
    id = node.store.resolve(arguments.generation) if arguments.generation else node.store.current()
    if id is None:
        raise NoGeneration(
            f"There is no current generation in {node.store.path}; build one with `loom build SOURCE --out {node.store.path}`."
        )
    options = Options(
        budget=arguments.budget,
        policy=arguments.policy,
        wrapper=arguments.wrapper,
        max_units=arguments.max_units,
        hops=arguments.hops,
        prose=arguments.prose,
        context=arguments.context,
        readout=arguments.readout,
    )
    generation = node.store.open(id)
    try:
        if isinstance(asked, str):
            question = Question(asked, Scope("cli"), {"messages": [{"role": "user", "content": asked}]}, options=options)
        else:
            looked_for = node.settings.retrieval.side_calls == "auto"
            question, _ = question_of({"messages": asked}, Scope("cli"), options, side_calls=looked_for)
        pin = node.pin(generation)
        try:
            return await node.prepare(question, pin)
        finally:
            if pin.semantics is not None:
                pin.semantics.close()
    finally:
        generation.close()
