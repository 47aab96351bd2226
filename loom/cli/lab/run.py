"""`loom lab run`: a study from its file to its rows and its report, from where it was broken off."""

import argparse
import asyncio
import sys
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from loom import compose, compose_lab
from loom.answer.plan import Pin
from loom.cli.lab.common import generation_flags, json_flag, show
from loom.cli.lab.live import Shown, live
from loom.cli.lab.models import asking
from loom.cli.lab.planning import planned_arms
from loom.cli.lab.report_shown import opened
from loom.cli.lab.run_shown import dry_table, run_table
from loom.cli.lab.study_flags import questions_of, settled, study_flags, study_of, with_arms
from loom.core.values import Json
from loom.lab.arms import Planned
from loom.lab.files import write_lines
from loom.lab.finishing import check_judges, finish
from loom.lab.ground import Ground
from loom.lab.question import LabQuestion, write
from loom.lab.running.estimate import estimated
from loom.lab.running.folder import StudyFolder
from loom.lab.running.rows import ledger_written, rows_written
from loom.lab.scoring.naming import titles_of
from loom.lab.showing import PLANNED
from loom.lab.study import Study


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "run",
        help="carry out a study: plan, ask, judge, report",
        description="Carry out a study, and leave its plan, rows, ledger and report in a folder. Every answer is kept as it comes: "
        "a run that was broken off goes on where it was when the same command is given again. Exit code 1 where calls ended in "
        "errors: give the command again to ask them again.",
    )
    study_flags(parser)
    generation_flags(parser)
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="where results go (default: beside the study, named after it)"
    )
    parser.add_argument("--dry-run", action="store_true", help="show what would be sent, with tokens and price; send nothing")
    parser.add_argument(
        "--fresh", action="store_true", help="plan anew in a folder that holds another plan; answers that still fit are kept"
    )
    parser.add_argument("--open", action="store_true", help="open the report in a browser")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    json_flag(parser)
    parser.set_defaults(run=run)


@dataclass(frozen=True, slots=True)
class Job:
    """A study that is ready to be carried out."""

    study: Study
    folder: StudyFolder
    questions: tuple[LabQuestion, ...]
    ground: Ground
    pin: Pin
    arguments: argparse.Namespace


def run(arguments: argparse.Namespace) -> int:
    study = study_of(arguments)
    for warning in check_judges(study):
        print(f"loom lab: warning: {warning}", file=sys.stderr)
    folder = StudyFolder(arguments.out or study.folder)
    with compose.opened(arguments.generations or study.generations, arguments.generation or study.generation) as (node, pin):
        questions = questions_of(study, pin, arguments.questions)
        study, ground = settled(study, node, pin, questions)
        job = Job(study, folder, questions, ground, pin, arguments)
        try:
            return asyncio.run(_dry(job) if arguments.dry_run else _carried_out(job))
        except KeyboardInterrupt:
            print(
                "loom lab: interrupted; every answer that came is kept, and the same command goes on from there.",
                file=sys.stderr,
            )
            return 130


async def _dry(job: Job) -> int:
    planned = await planned_arms(job.ground, job.questions, job.study.arms, seed=job.study.seed, pin=job.pin)
    study = with_arms(job.study, planned.arms)
    async with AsyncExitStack() as stack:
        book = None
        if job.folder.answers.exists():
            book = compose_lab.answer_book(job.folder.answers)
            stack.push_async_callback(book.aclose)
        estimates = await estimated(study, planned.showings, book)
    result: dict[str, Json] = {
        "study": study.name,
        "questions": len(job.questions),
        "arms": list(planned.arms),
        "unavailable": dict(planned.unavailable),
        "planned": _flow(planned),
        "models": [each.as_json() for each in estimates],
        "judges": [member.name for member in study.judges],
    }
    return show(job.arguments, result, lambda: dry_table(result), generation=job.pin.generation.id, seeds=_seeds(study))


async def _carried_out(job: Job) -> int:
    folder, arguments = job.folder, job.arguments
    asking_all = asking(
        job.study.members, folder.answers, concurrency=job.study.concurrency, patience=job.study.patience, pin=job.pin
    )
    async with asking_all as (asker, tally, book):
        folder.check(job.study, fresh=arguments.fresh)
        folder.begin(job.study, fresh=arguments.fresh)
        if not isinstance(job.study.questions, Path):
            write(folder.questions, job.questions)
        planned = await planned_arms(job.ground, job.questions, job.study.arms, seed=job.study.seed, pin=job.pin)
        study = with_arms(job.study, planned.arms)
        found = {
            "unavailable": dict(planned.unavailable),
            "template_seeds": [seed.as_json() for seed in planned.template_seeds],
        }
        folder.note(replace(job.study, facts={**job.study.facts, **found}))
        write_lines(folder.plan, planned.lines())
        wanted = sum(showing.status == PLANNED for showing in planned.showings) * len(study.models)
        async with live("answers", tally, wanted, quiet=arguments.quiet):
            written = await rows_written(study, planned.showings, asker, folder.rows)
        closing = await finish(folder, study, asker, Shown(tally, arguments.quiet), titles=titles_of(job.pin.generation))
        calls = ledger_written(book, folder)
    result: dict[str, Json] = {
        "study": study.name,
        "folder": str(folder.path),
        "questions": len(job.questions),
        "arms": list(planned.arms),
        "unavailable": dict(planned.unavailable),
        "planned": _flow(planned),
        "rows": written.rows,
        "statuses": {model: dict(counts) for model, counts in written.statuses.items()},
        "sent": tally.sent,
        "kept": tally.kept,
        "repeated": tally.repeated,
        "calls": calls,
        **closing.as_json(),
    }
    show(
        arguments,
        result,
        lambda: run_table(result, closing.made),
        generation=job.pin.generation.id,
        seeds=_seeds(study),
        rows=folder.rows,
    )
    lacking = [f"{written.errors} of {written.rows} rows are errors"] if written.errors else []
    lacking += [f"{closing.missing} verdicts are missing"] if closing.missing else []
    if lacking:
        print(f"loom lab: {' and '.join(lacking)}; give the same command again to ask for them again.", file=sys.stderr)
    if arguments.open:
        opened(closing.made.report)
    return 1 if lacking else 0


def _flow(planned: Planned) -> dict[str, dict[str, int]]:
    """Showings by arm and status."""
    found: dict[str, dict[str, int]] = {arm: {} for arm in planned.arms}
    for showing in planned.showings:
        found[showing.arm][showing.status] = found[showing.arm].get(showing.status, 0) + 1
    return found


def _seeds(study: Study) -> Mapping[str, int]:
    return {"study": study.seed}
