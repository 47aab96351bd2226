"""`loom lab battery`: knowledge bases made from a seed, what is true of them, and questions that are derived from that."""

import argparse
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.table import Table

from loom.cli.lab import battery_report, battery_run
from loom.cli.lab.common import json_flag, show
from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab import battery
from loom.lab.files import write_json, write_lines

TRUTH, QUESTIONS = "truth.json", "questions.jsonl"


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "battery",
        help="exact values, positions and absences: made-up knowledge bases, and questions whose answers are known",
        description="Ten knowledge bases of made-up text and numbers, drawn from one seed, with what is true of them and questions "
        "that are derived from it: what has to be in the context of each, and what must not.",
    )
    steps = parser.add_subparsers(dest="step", required=True, metavar="STEP")
    generate = steps.add_parser(
        "generate", help=f"write the bases as folders, each with a kb.toml, beside {TRUTH} and {QUESTIONS}"
    )
    generate.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="an empty or new folder")
    generate.add_argument("--seed", type=int, default=42, help="what is drawn (default: 42)")
    json_flag(generate)
    generate.set_defaults(run=_generate)
    battery_run.add(steps)
    battery_report.add(steps)


def _generate(arguments: argparse.Namespace) -> int:
    out: Path = arguments.out
    _empty(out)
    made = battery.corpus(arguments.seed)
    asked = battery.questions(made.truth)
    files = battery.write(made, out)
    truth = write_json(out / TRUTH, made.truth.as_json())
    written = write_lines(out / QUESTIONS, (question.as_json() for question in asked))
    counts = Counter(question.battery for question in asked)
    result: dict[str, Json] = {
        "bases": {base.id: len(base.files) for base in made.bases},
        "questions": {id: counts[id] for id in battery.BATTERY},
        "files": {**files, TRUTH: truth, QUESTIONS: written},
    }

    def table() -> None:
        bases = Table("base", "title", "files", "series", "transcripts")
        for base in made.bases:
            kinds = Counter(file.kind for file in base.files)
            bases.add_row(base.id, base.title, str(len(base.files)), str(kinds["series"]), str(kinds["transcript"]))
        Console().print(bases)
        print(f"{len(made.bases)} bases and {len(asked)} questions in {out}, seed {made.seed}")

    return show(arguments, result, table, seeds={"corpus": arguments.seed}, rows=out / QUESTIONS)


def _empty(folder: Path) -> None:
    """Raises BadInput where something is there already: what another seed left would be taken for a part of the corpus."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise BadInput(f"Expected --out to be a new or empty folder, but {folder} is none; name another.", param="out")
    except OSError as error:
        raise BadInput(f"{folder} cannot be read ({error.strerror}); name another folder.", param="out") from error
