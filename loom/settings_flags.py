"""Every setting as a command-line flag, for the commands that take them."""

import argparse
from pathlib import Path

from loom.settings import SETTINGS, Settings, load


def add_flags(parser: argparse.ArgumentParser, *groups: str) -> None:
    """Give a parser the flags of these groups (all of them when none is named), and --config."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings file (default: loom.toml, if it exists)")
    for setting in SETTINGS:
        if groups and setting.group not in groups:
            continue
        section = f"{setting.meaning} [{setting.name}, default {setting.default or 'empty'}]".replace("%", "%%")
        switch = setting.expects.startswith("a switch")
        parser.add_argument(
            setting.flag,
            dest=setting.name,
            nargs="?" if switch else None,
            const="true" if switch else None,
            default=None,
            metavar=setting.key.upper(),
            help=section,
        )


def settings_of(arguments: argparse.Namespace) -> Settings:
    """The settings in force for parsed arguments; raises BadSettings."""
    given = {setting.name: getattr(arguments, setting.name, None) for setting in SETTINGS}
    flags = {name: value for name, value in given.items() if value is not None}
    return load(file=getattr(arguments, "config", None), flags=flags)
