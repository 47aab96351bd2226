"""docs/commands.md, written from the parsers themselves: python tests/support/command_reference.py > docs/commands.md"""

import argparse
from collections.abc import Iterator

from loom.cli.main import parser
from loom.settings import SETTINGS

HEAD = """# Commands

Every command and flag, as `loom COMMAND --help` says them. Exit codes: 0 done, 2 a fault that the message tells how to mend, 130
interrupted; others are named below. Settings (`--port`, `--model-url`, …) are listed once, in the [README](../README.md#configuration).
"""


def parsers(made: argparse.ArgumentParser, path: str = "loom") -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command with its parser, families before their commands."""
    yield path, made
    for action in made._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield from parsers(inner, f"{path} {name}")


def is_family(made: argparse.ArgumentParser) -> bool:
    return any(isinstance(action, argparse._SubParsersAction) for action in made._actions)


def reference() -> str:
    return "\n".join([HEAD, *(_section(path, made) for path, made in parsers(parser()) if path != "loom")])


def _section(path: str, made: argparse.ArgumentParser) -> str:
    given = "" if is_family(made) else "".join(f" {_place(action)}" for action in made._actions if not action.option_strings)
    lines = [f"{'#' * (1 + path.count(' '))} `{path}{given}`", ""]
    if made.description:
        lines += [made.description, ""]
    of_settings = {setting.flag for setting in SETTINGS}
    actions = [
        action
        for action in made._actions
        if "--help" not in action.option_strings and not isinstance(action, argparse._SubParsersAction)
    ]
    own = [action for action in actions if not _is_setting(action, of_settings)]
    if len(actions) - len(own) > len(SETTINGS) // 2:
        lines += ["Takes every setting as a flag.", ""]
    else:
        own = actions
    rows = [f"| {_name(action)} | {_cell(_help(action))} |" for action in own if action.option_strings or action.help]
    if rows:
        lines += ["| | |", "|---|---|", *rows, ""]
    return "\n".join(lines)


def _is_setting(action: argparse.Action, flags: set[str]) -> bool:
    return bool(action.option_strings) and action.option_strings[0] in flags


def _place(action: argparse.Action) -> str:
    name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    return f"[{name}…]" if action.nargs == "*" else f"[{name}]" if action.nargs == "?" else name


def _name(action: argparse.Action) -> str:
    if not action.option_strings:
        return f"`{action.metavar or action.dest.upper()}`"
    flags = ", ".join(f"`{flag}`" for flag in action.option_strings)
    if action.nargs == 0 or isinstance(action, argparse.BooleanOptionalAction):
        return flags
    value = action.metavar or ("|".join(map(str, action.choices)) if action.choices else action.dest.upper())
    return f"{flags} {_cell(str(value))}"


def _help(action: argparse.Action) -> str:
    text = action.help or ""
    return text % {"default": action.default} if "%(" in text else text.replace("%%", "%")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    print(reference(), end="")
