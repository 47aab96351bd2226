"""`loom memory`: conversations in a store, without a node: taken in and out, listed, asked and forgotten."""

import argparse
import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from loom.answer.memory import Memory
from loom.core.errors import BadInput, NotFound
from loom.core.memory.values import Scope
from loom.core.values import Remembering

LOCAL = "local"
"""Whose conversations a node without API keys keeps."""


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    family = subparsers.add_parser(
        "memory",
        help="import, export, list, recall or forget conversations",
        description="Conversations in a store, without a node. They belong to a caller: the id of an API key (`loom keys list`), or "
        f"`{LOCAL}` where a node asks for no keys.",
    )
    commands = family.add_subparsers(dest="action", metavar="COMMAND", required=True)
    taking = commands.add_parser(
        "import",
        help="take in an export",
        description="Take in what `loom memory export` wrote, turns as JSON lines, or an export of ChatGPT, Claude, Open WebUI, Slack or "
        "WhatsApp; which it is, is told by its content. The same file again adds nothing. Exit code 1 where something could not be read.",
    )
    taking.add_argument("file", metavar="FILE", help="the export; - reads it from standard input")
    taking.add_argument("--conversation", metavar="NAME", help="its name, where the export does not say")
    giving = commands.add_parser(
        "export", help="print conversations as JSON lines", description="All conversations, or one, as JSON lines."
    )
    giving.add_argument("conversation", nargs="?", metavar="NAME", help="one conversation; default: all")
    listing = commands.add_parser(
        "list",
        help="list conversations, or the turns of one",
        description="Conversations with their turns, or the turns of one.",
    )
    listing.add_argument("conversation", nargs="?", metavar="NAME", help="the conversation whose turns are listed")
    listing.add_argument("--about", metavar="WHO", help="only turns by or about somebody")
    asking = commands.add_parser(
        "recall",
        help="show what a conversation holds on a question",
        description="The lines that a model would be shown for a question. Exit code 1 where nothing is recorded.",
    )
    asking.add_argument("conversation", metavar="NAME", help="the conversation")
    asking.add_argument("question", help="the question")
    asking.add_argument("--speaker", default=Remembering("").speaker, metavar="WHO", help="who asks (default: %(default)s)")
    forgetting = commands.add_parser(
        "forget",
        help="delete a turn, somebody, a conversation, or all",
        description="Delete for good: no file of the store holds it afterwards.",
    )
    forgetting.add_argument("conversation", nargs="?", metavar="NAME", help="the conversation")
    what = forgetting.add_mutually_exclusive_group()
    what.add_argument("--turn", metavar="ID", help="one turn of it, by its id")
    what.add_argument("--about", metavar="WHO", help="all that somebody said, and every sentence about them")
    what.add_argument("--all", action="store_true", help="all conversations of the caller")
    for command in commands.choices.values():
        command.add_argument("--store", metavar="PLACE", help="file or PostgreSQL URL (default: LOOM_MEMORY_STORE)")
        command.add_argument("--caller", default=LOCAL, metavar="ID", help="whose they are (default: %(default)s)")
    for command in (taking, listing, asking):
        command.add_argument("--json", action="store_true", help="print JSON")
    family.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    actions: dict[str, Callable[[Memory, argparse.Namespace], Awaitable[int]]] = {
        "import": _import,
        "export": _export,
        "list": _list,
        "recall": _recall,
        "forget": _forget,
    }
    return asyncio.run(_over(arguments, actions[arguments.action]))


async def _over(arguments: argparse.Namespace, action: Callable[[Memory, argparse.Namespace], Awaitable[int]]) -> int:
    from loom.compose_memory import memory
    from loom.settings import load

    settings = load(flags={"LOOM_MEMORY": "on", **({"LOOM_MEMORY_STORE": arguments.store} if arguments.store else {})})
    place = settings.memory.store
    if arguments.action != "import" and "://" not in place and not Path(place).is_file():
        raise NotFound(f"There is no memory at {place}; name its file with --store, or take something in first.")
    found = memory(settings)
    assert found is not None
    try:
        return await action(found, arguments)
    finally:
        await found.aclose()


async def _import(memory: Memory, arguments: argparse.Namespace) -> int:
    from loom.serve.remembering import conversation_of

    given = arguments.conversation
    name = conversation_of(given, "--conversation") if given is not None else ""
    told = await memory.take_in(arguments.caller, _read(arguments.file), name)
    if arguments.json:
        _print_json(told)
    else:
        for each in told["conversations"]:
            print(f"{_plain(each['conversation'])}: {each['turns']:,} turns, {each['new']:,} new")
        for fault in told["faults"]:
            print(_plain(f"{fault['where']}: {fault['message']}"), file=sys.stderr)
        print(f"{told['format']}: {len(told['conversations']):,} conversations, {len(told['faults']):,} faults")
    return 1 if told["faults"] else 0


async def _export(memory: Memory, arguments: argparse.Namespace) -> int:
    lines = 0
    async for line in memory.export(arguments.caller, arguments.conversation):
        sys.stdout.buffer.write(line)
        lines += 1
    sys.stdout.buffer.flush()
    if not lines and arguments.conversation is not None:
        raise NotFound(
            f"There is no conversation {arguments.conversation!r:.80} of {arguments.caller!r:.80}; `loom memory list` has them."
        )
    return 0


async def _list(memory: Memory, arguments: argparse.Namespace) -> int:
    if arguments.conversation is None:
        if arguments.about:
            raise BadInput("Expected a conversation with --about.", param="about")
        found = await memory.conversations(arguments.caller)
        if arguments.json:
            _print_json({"conversations": found})
        else:
            for each in found:
                print(f"{each['turns']:>8,}  {_plain(each['conversation'])}")
        return 0
    scope, listed = Scope(arguments.caller, arguments.conversation), []
    after: int | None = -1
    while after is not None:
        page, after = await memory.turns(scope, after, 1000, arguments.about or "")
        for turn in page:
            if arguments.json:
                listed.append(turn.as_json())
            else:
                said = turn.said
                print(
                    _plain(f"{turn.turn:>6}  {said.date[:10]:<10}  {said.speaker}: {' '.join(said.whole.split())}  ({said.id})")
                )
    if arguments.json:
        _print_json({"conversation": arguments.conversation, "turns": listed})
    return 0


async def _recall(memory: Memory, arguments: argparse.Namespace) -> int:
    found = await memory.shown(Scope(arguments.caller, arguments.conversation), arguments.question, arguments.speaker)
    if arguments.json:
        _print_json({"conversation": arguments.conversation, **found})
    else:
        print(_plain(found["context"], "\n"))
        about = ", ".join(found["subjects"]) or "anybody"
        print(_plain(f"{found['silent'] or 'found'}: confidence {found['confidence']:.2f}, about {about}"), file=sys.stderr)
    return 1 if found["silent"] else 0


async def _forget(memory: Memory, arguments: argparse.Namespace) -> int:
    caller, name = arguments.caller, arguments.conversation
    if arguments.all:
        if name is not None:
            raise BadInput("Expected a conversation or --all, not both.", param="all")
        gone = await memory.forget_caller(caller)
    elif name is None:
        raise BadInput("Expected the name of a conversation, or --all for all of them.", param="conversation")
    elif arguments.turn is not None:
        gone = await memory.forget(Scope(caller, name), arguments.turn)
    elif arguments.about is not None:
        gone = await memory.forget_subject(Scope(caller, name), arguments.about)
    else:
        gone = await memory.forget_conversation(Scope(caller, name))
    print(f"{gone:,} turns changed or gone")
    return 0 if gone else 1


def _read(file: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise BadInput(f"{file} cannot be read ({error.strerror}); give the file of an export.", param="file") from None


def _print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=1))


def _plain(text: str, kept: str = "") -> str:
    """What a terminal would act on is shown as U+FFFD."""
    shown = "".join(letter if letter.isprintable() or letter in kept else "\ufffd" for letter in text)
    return shown.encode(sys.stdout.encoding or "utf-8", "replace").decode(sys.stdout.encoding or "utf-8")
