"""`loom lab complete`: whether a proposed block is name-complete for questions, and whether it is stuffed."""

import argparse
import sys
from pathlib import Path

from loom import compose
from loom.cli.lab.common import generation_flags, json_flag, show
from loom.core.concepts import Concepts
from loom.core.errors import BadInput
from loom.core.exposure import READERS
from loom.lab import question
from loom.lab.completing import Completeness, complete
from loom.lab.completing.completeness import ENOUGH
from loom.lab.text_files import text_of


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "complete",
        help="whether a proposed block names what its questions ask for, and whether the names are merely stuffed in",
        description="The copy ceiling of the questions that a block is about, the names that it lacks, and the signs of term "
        "stuffing. The verdict is pass, incomplete or flagged. It is about names: whether what the block says is true, others "
        "must judge.",
    )
    parser.add_argument("block", type=Path, metavar="BLOCK.md", help="the proposed block; - reads standard input")
    parser.add_argument("--questions", type=Path, required=True, metavar="FILE", help="questions with gold, as JSON lines")
    parser.add_argument("--matcher", choices=sorted(READERS), default="default", help="how names are matched")
    parser.add_argument("--enough", type=float, default=ENOUGH, metavar="SHARE", help=f"mean ceiling that passes ({ENOUGH})")
    parser.add_argument(
        "--every", action="store_true", help="count every question of the file, not only those whose subject is a heading"
    )
    parser.add_argument(
        "--corpus",
        action="store_true",
        help="read a generation's titles and relations as well, for the density of corpus names",
    )
    generation_flags(parser)
    json_flag(parser)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    """Judge and print; exit code 0 whatever the verdict."""
    if not 0 <= arguments.enough <= 1:
        raise BadInput(f"Expected --enough to be a share from 0 to 1, but got {arguments.enough:g}.", param="enough")
    text = (
        sys.stdin.buffer.read().decode("utf-8", "replace") if str(arguments.block) == "-" else text_of(arguments.block, "block")
    )
    if not text.strip():
        raise BadInput(f"Expected a block of text, but {arguments.block} is empty.", param="block")
    asked = question.read(arguments.questions)
    if not any(each.gold for each in asked):
        raise BadInput(f"Expected questions with gold, but none of {arguments.questions} has any.", param="questions")
    generation, titles, relations = _corpus(arguments)
    found = complete(
        text,
        asked,
        matcher=arguments.matcher,
        enough=arguments.enough,
        every=arguments.every,
        titles=titles,
        relations=relations,
    )
    return show(arguments, found.as_json(), lambda: _print(found), generation=generation, rows=text.encode("utf-8", "replace"))


def _corpus(arguments: argparse.Namespace) -> tuple[str | None, tuple[str, ...], tuple[str, ...]]:
    if not (arguments.corpus or arguments.generations or arguments.generation):
        return None, (), ()
    with compose.opened(arguments.generations, arguments.generation) as (_, pin):
        concepts = pin.generation.part(Concepts)
        if concepts is None:
            return pin.generation.id, (), ()
        return pin.generation.id, tuple(map(concepts.title, range(concepts.count))), concepts.predicates


def _print(found: Completeness) -> None:
    aside = f" ({found.left_aside} about something else)" if found.left_aside else ""
    print(
        f"{found.verdict}: copy ceiling {found.macro:.4f} over {len(found.held)} questions{aside}, {found.micro:.4f} over names"
    )
    for sign in found.signs:
        names = f": {', '.join(sign.names[:12])}" if sign.names else ""
        print(f"  {sign.kind}: {sign.sentence}{names}")
    for warning in found.warnings:
        print(f"  look: {warning}")
    if found.missing:
        print(f"  missing: {', '.join(found.missing)}")
