"""`loom generations diff --retrieval`: a question file asked of two generations, and what changed for whom."""

import argparse
import json
from pathlib import Path
from typing import TextIO

from loom.cli.progress import tracked
from loom.core.errors import BadInput
from loom.core.values import Json

DIFFERENT, WORSE = 1, 3


def add_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--retrieval",
        type=Path,
        metavar="FILE",
        help="ask the questions of FILE of both instead, and show for which of them decisions, units or exposure changed",
    )
    parser.add_argument(
        "--fail-over",
        type=int,
        metavar="N",
        help="with --retrieval, exit 3 if more than N questions lost exposure or fell silent",
    )


def checked(arguments: argparse.Namespace) -> None:
    """Raises BadInput for flags that do not belong together."""
    if arguments.fail_over is not None and arguments.retrieval is None:
        raise BadInput("--fail-over counts questions; name them with --retrieval FILE.", param="fail_over")
    if arguments.fail_over is not None and arguments.fail_over < 0:
        raise BadInput(f"--fail-over takes 0 or more, not {arguments.fail_over}.", param="fail_over")


def diff(arguments: argparse.Namespace, before: str, after: str, out: TextIO) -> int:
    """Print every question for which something changed, and the counts. `before` and `after` are ids."""
    from loom.answer.drift import Drift, summary
    from loom.answer.replay import read
    from loom.bench.retrieval.nodes import ask
    from loom.compose import opened

    asked = read(arguments.retrieval)
    given = []
    for id in tracked((before, after), "generations asked", 2):
        with opened(arguments.store, id) as (node, pin):
            given.append([each.given for each in ask(node, pin, asked)])
    drifts = [Drift(question, *pair) for question, pair in zip(asked, zip(*given, strict=True), strict=True)]
    counts = summary(drifts)
    changed = [drift for drift in drifts if drift.changed]
    if arguments.json:
        document: dict[str, Json] = {"before": before, "after": after, "summary": counts}
        if not arguments.summary:
            document["questions"] = [drift.as_json() for drift in changed]
        print(json.dumps(document, ensure_ascii=False, indent=2), file=out)
    else:
        if not arguments.summary:
            for drift in changed:
                print(drift.sentence(), file=out)
        print(
            f"{before.removeprefix('sha256:')[:12]} → {after.removeprefix('sha256:')[:12]}: {counts['questions']} questions, "
            f"{counts['changed']} changed: {counts['fell_silent']} fell silent, {counts['spoke_up']} spoke up, {counts['lost']} lost "
            f"and {counts['gained']} gained exposure, {counts['units']} have other units, {counts['reason']} another reason, "
            f"{counts['confidence']} another confidence",
            file=out,
        )
    if arguments.fail_over is not None and counts["worse"] > arguments.fail_over:
        return WORSE
    return DIFFERENT if arguments.exit_code and changed else 0
