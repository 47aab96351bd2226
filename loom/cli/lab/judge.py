"""`loom lab judge`: the answers of saved rows graded against a reference, 0 to 5, by models that did not write them."""

import argparse
import asyncio
import csv
import io
from collections.abc import Callable
from pathlib import Path

from loom.cli.lab.common import json_flag, names_in, show
from loom.cli.lab.judges import bench, ended, families_of, judge_flags, warn
from loom.cli.lab.tables import bounds, number, signed, table
from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.files import write_bytes, write_lines
from loom.lab.judging.families import check
from loom.lab.judging.quality import RUBRIC_DIGEST, Judged, judge, why_not
from loom.lab.judging.quality_result import Marks, contrasts_of, read_marks, result_of, score_rows
from loom.lab.judging.references import reference_of
from loom.lab.judging.working import drawn
from loom.lab.judging.writers import writers_of
from loom.lab.row import Row, read_rows


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "judge",
        help="grade saved answers against a reference, 0 to 5, by models of another family",
        description="Grade the answers of saved rows against the reference of their question, or its gold names with the relation "
        "asked for: at temperature 0, blind to arm and model, in a seeded order. Broken off, it goes on where it stopped. With "
        "--judged FILE alone, only the figures of verdicts that are there are computed.",
    )
    parser.add_argument("rows", type=Path, nargs="?", metavar="ROWS", help="rows of a study, as `loom lab run` leaves them")
    parser.add_argument("--judged", type=Path, metavar="FILE", help="compute from these verdicts; no model is asked")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="where the verdicts go (default: judged.jsonl beside the rows)"
    )
    parser.add_argument("--arms", metavar="NAMES", help="only these arms, with commas between")
    parser.add_argument("--models", metavar="NAMES", help="only these models, with commas between")
    parser.add_argument(
        "--contrast",
        action="append",
        default=[],
        metavar="A-B",
        help='two arms, as "scaffold - raw" (default: each arm less raw)',
    )
    parser.add_argument("--scores", type=Path, metavar="FILE", help="write the first judge's scores as CSV: set,id,arm,score")
    parser.add_argument("--draw", type=Path, metavar="FILE", help="draw a sample for `loom lab annotate`; no model is asked")
    parser.add_argument("--sample", type=int, default=60, metavar="N", help="answers of that sample (default: 60)")
    parser.add_argument("--seed", type=int, default=42, metavar="N", help="order, shares and bootstrap (default: 42)")
    parser.add_argument(
        "--resamples", type=int, default=10_000, metavar="N", help="resamples of the bootstrap (default: 10000)"
    )
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    judge_flags(parser, 1.0)
    json_flag(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Judge and print; exit code 1 where verdicts are missing."""
    if (arguments.rows is None) == (arguments.judged is None):
        raise BadInput("Expected ROWS to judge, or --judged with verdicts that are there; give one of them.", param="rows")
    if arguments.judged is not None:
        return _printed(arguments, arguments.judged, None)
    if arguments.draw is not None:
        return _drawn(arguments)
    out: Path = arguments.out or arguments.rows.with_name("judged.jsonl")
    judged = asyncio.run(_judged(arguments, out))
    if not judged.worked.given and not judged.worked.kept:
        if judged.worked.failed:
            return ended("judge", judged.worked)
        raise BadInput(f"Expected answers to judge in {arguments.rows}, but there are none: {judged.skipped}.", param="rows")
    _printed(arguments, out, judged)
    return ended("judge", judged.worked)


def _wanted(arguments: argparse.Namespace) -> Callable[[Row], bool]:
    """Which rows the flags choose. Raises BadInput."""
    arms = names_in(arguments.arms, "--arms") if arguments.arms is not None else None
    models = names_in(arguments.models, "--models") if arguments.models is not None else None
    return lambda row: (arms is None or row.arm in arms) and (models is None or row.model in models)


async def _judged(arguments: argparse.Namespace, out: Path) -> Judged:
    families, wanted = families_of(arguments), _wanted(arguments)
    async with bench(arguments, out) as found:
        written = writers_of(arguments.rows, families)
        if arguments.models is not None:
            chosen = names_in(arguments.models, "--models")
            written = frozenset(writer for writer in written if writer.name in chosen)
        warn("judge", check(found.judges, written, allow_same=arguments.allow_same_family))
        total = sum(wanted(row) and why_not(row) is None for row in read_rows(arguments.rows))
        with_others = round(total * (1 + arguments.second_share * (len(found.judges) - 1)))
        async with found.shown.live("judging", with_others):
            return await judge(
                arguments.rows,
                out,
                found.asker,
                found.judges,
                seed=arguments.seed,
                second_share=arguments.second_share,
                concurrency=arguments.concurrency,
                families=families,
                wanted=wanted,
                kept=found.shown.kept,
            )


def _printed(arguments: argparse.Namespace, verdicts: Path, judged: Judged | None) -> int:
    marks = read_marks(verdicts)
    contrasts = contrasts_of(arguments.contrast, marks.arms)
    result: dict[str, Json] = {
        "rubric": RUBRIC_DIGEST,
        "judging": judged.as_json() if judged else None,
        "same_family": marks.same_family,
        **result_of(marks, contrasts, seed=arguments.seed, resamples=arguments.resamples),
    }
    if arguments.scores is not None:
        _scores(arguments.scores, marks)

    def printed() -> None:
        table(
            ("judge", "model", "arm", "n", "mean", "unresolved"),
            [
                (cell["judge"], cell["model"], cell["arm"], cell["n"], number(cell["mean"], 2), cell["unresolved"])
                for cell in result["cells"]
            ],
        )
        for each in result["reliability"]:
            print(
                f"\n{each['first']} and {each['second']}: n {each['n']}, same score {number(each['agreement'])}, within one "
                f"{number(each['within_one'])}, weighted κ {number(each['kappa_quadratic'])} (linear {number(each['kappa_linear'])})"
            )
        if result["contrasts"]:
            print()
            table(
                ("judge", "model", "contrast", "n", "mean", "95 % interval", "exact p", "rank-biserial", "w/l/t"),
                [_line(each) for each in result["contrasts"]],
            )
        if judged is not None and judged.skipped:
            print("\nnot judged: " + ", ".join(f"{reason} {n}" for reason, n in judged.skipped.items()))

    return show(arguments, result, printed, seeds={"judging": arguments.seed}, rows=arguments.rows or verdicts)


def _line(contrast: dict[str, Json]) -> tuple[Json, ...]:
    pooled = contrast["pooled"]
    return (
        contrast["judge"],
        contrast["model"],
        f"{contrast['a']} - {contrast['b']}",
        pooled["n"],
        signed(pooled["mean"]),
        bounds(pooled["ci95"]),
        f"{pooled['p_exact']:.4f}",
        number(pooled["rank_biserial"]),
        f"{pooled['wins']}/{pooled['losses']}/{pooled['ties']}",
    )


def _scores(path: Path, marks: Marks) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("set", "id", "arm", "score"))
    writer.writerows(score_rows(marks, next(iter(marks.by_judge))))
    write_bytes(path, [text.getvalue().encode("utf-8")])


def _drawn(arguments: argparse.Namespace) -> int:
    """A seeded sample of answers with their references, for people."""
    if arguments.sample < 1:
        raise BadInput(f"Expected --sample to be 1 or more, but got {arguments.sample}.", param="sample")
    wanted = _wanted(arguments)
    order: list[tuple[bytes, int]] = []
    for at, row in enumerate(read_rows(arguments.rows)):
        if wanted(row) and why_not(row) is None:
            key = (row.question.set, row.question.id, row.arm, row.model)
            order.append((drawn(arguments.seed, "sample", key), at))
    chosen = {at for _, at in sorted(order)[: arguments.sample]}
    lines = [_item(row) for at, row in enumerate(read_rows(arguments.rows)) if at in chosen]
    if not lines:
        raise BadInput(f"Expected answers with a reference in {arguments.rows}, but there are none.", param="rows")
    digest = write_lines(arguments.draw, lines)
    result = {"items": len(lines), "of": len(order), "out": arguments.draw.name, "sha256": digest}
    return show(
        arguments,
        result,
        lambda: print(f"{len(lines)} of {len(order)} answers in {arguments.draw}; label them with `loom lab annotate`."),
        seeds={"sample": arguments.seed},
        rows=arguments.rows,
    )


def _item(row: Row) -> dict[str, Json]:
    return {
        "set": row.question.set,
        "id": row.question.id,
        "arm": row.arm,
        "model": row.model,
        "question": row.question.prompt,
        "reference": reference_of(row.question),
        "answer": row.answer,
    }
