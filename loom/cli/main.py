"""`loom`: one command, a module per family. A module is imported when its command is run, or for the help of all."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from loom import __version__
from loom.core.errors import LoomError

COMMANDS = {
    "build": "build",
    "embed": "embed",
    "query": "query",
    "sparql": "sparql",
    "serve": "serve",
    "generations": "generations",
    "kb": "kb",
    "memory": "memory",
    "claims": "claims",
    "proposals": "proposals",
    "pull": "pull",
    "config": "config",
    "keys": "keys",
    "bench": "bench",
    "lab": "lab",
    "demo": "demo",
    "test": "checks",
}


def parser(commands: Sequence[str] = tuple(COMMANDS)) -> argparse.ArgumentParser:
    """The parser with the given commands."""
    made = argparse.ArgumentParser(
        prog="loom", description="Answer from knowledge you maintain, through any model, and say what each answer owes to it."
    )
    made.add_argument("--version", action="version", version=f"loom {__version__}")
    subparsers = made.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in commands:
        import_module(f"loom.cli.{COMMANDS[command]}").add(subparsers)
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code. Faults that a caller can mend are one sentence on standard error, exit code 2."""
    given = list(sys.argv[1:] if argv is None else argv)
    known = [given[0]] if given and given[0] in COMMANDS else list(COMMANDS)
    arguments = parser(known).parse_args(given)
    try:
        if callable(before := getattr(arguments, "before", None)):  # a command may have an argument of that name
            before(arguments)
        code: int = arguments.run(arguments)
        return code
    except LoomError as error:
        print(f"loom {arguments.command}: {error.message}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print(f"loom {arguments.command}: interrupted; nothing half-done is left.", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
