"""What the commands of the write path share: flags, the desk, and how they print."""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from loom.core.values import Json
from loom.proposals.desk import Desk
from loom.proposals.served import Served, served
from loom.settings import Settings, load

FLAGS = {
    "vault": ("LOOM_PROPOSALS_VAULT", "FOLDER", "folder of the vault's pages (default: LOOM_PROPOSALS_VAULT)"),
    "store": ("LOOM_PROPOSALS_STORE", "FOLDER", "folder of dossiers, decisions and verdicts (default: LOOM_PROPOSALS_STORE)"),
    "generations": ("LOOM_GENERATIONS", "FOLDER", "folder of generations (default: LOOM_GENERATIONS)"),
    "fingerprints": (
        "LOOM_PROPOSALS_FINGERPRINTS",
        "N",
        "assertions that make a candidate (default: LOOM_PROPOSALS_FINGERPRINTS)",
    ),
    "sources": ("LOOM_PROPOSALS_SOURCES", "N", "documents that they come from (default: LOOM_PROPOSALS_SOURCES)"),
    "thin": ("LOOM_PROPOSALS_THIN", "WORDS", "words up to which a page is thin (default: LOOM_PROPOSALS_THIN)"),
    "enough": ("LOOM_PROPOSALS_ENOUGH", "SHARE", "copy ceiling that is enough (default: LOOM_PROPOSALS_ENOUGH)"),
}
"""Flags that stand for settings."""


def flags(parser: argparse.ArgumentParser, *names: str) -> None:
    """Give a parser some of these flags, and --json."""
    for name in names:
        _, metavar, help = FLAGS[name]
        parser.add_argument(f"--{name}", metavar=metavar, help=help)
    if "generations" in names:
        parser.add_argument(
            "--generation", metavar="ID", help="another generation than the current one; a beginning of its id will do"
        )
    parser.add_argument("--json", action="store_true", help="print JSON")


def settings_for(arguments: argparse.Namespace) -> Settings:
    """The settings in force, flags first. Raises BadSettings."""
    given = {setting: getattr(arguments, name, None) for name, (setting, _, _) in FLAGS.items()}
    stated: dict[str, Json] = {setting: value for setting, value in given.items() if value is not None}
    if getattr(arguments, "unverified", False):
        stated["LOOM_PROPOSALS_VERIFIED"] = "false"
    return load(flags=stated)


def desk_for(arguments: argparse.Namespace) -> Desk:
    from loom.compose_proposals import desk

    return desk(settings_for(arguments))


@contextmanager
def corpus(arguments: argparse.Namespace) -> Iterator[Served]:
    """The generation that terms are resolved against."""
    from loom import compose

    with compose.opened(arguments.generations, arguments.generation) as (_, pin):
        yield served(pin.generation)


def print_json(value: Json) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=1))


def say(text: str, to_error: bool = False) -> None:
    """Print a line; what a terminal would act on is shown as U+FFFD."""
    out = sys.stderr if to_error else sys.stdout
    shown = "".join(letter if letter.isprintable() or letter == "\n" else "\ufffd" for letter in text)
    encoding = out.encoding or "utf-8"
    print(shown.encode(encoding, "replace").decode(encoding), file=out)


def cut(text: str, most: int = 100) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
