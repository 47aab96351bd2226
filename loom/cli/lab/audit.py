"""`loom lab audit`: does an answer that names an item say the right thing of it? A sample of the matcher's verdicts, put to a judge."""

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from loom.cli.lab.common import json_flag, show
from loom.cli.lab.judges import bench, ended, families_of, judge_flags, warn
from loom.cli.lab.tables import bounds, number, table
from loom.core.errors import BadInput
from loom.core.exposure import READERS
from loom.core.values import Json
from loom.lab.files import write_lines
from loom.lab.judging.audit_result import result_of
from loom.lab.judging.auditing import Audited, audit
from loom.lab.judging.families import check
from loom.lab.judging.omitted import omitted_of, omitted_result
from loom.lab.judging.relation import LABELS, RUBRIC_DIGEST
from loom.lab.judging.sampling import drawn, sizes_of
from loom.lab.judging.units import CELLS, Unit, frame_of, units_at
from loom.lab.judging.verdicts import READINGS, RULES, read_verdicts
from loom.lab.judging.working import Worked
from loom.lab.judging.writers import writers_of
from loom.lab.row import first_row


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "audit",
        help="have a sample of the matcher's verdicts read by a judge who must quote, and correct the rate",
        description="Draw a stratified sample of (question, model, gold item) units of one arm, have each labelled by a judge who "
        "must quote the answer, check every quote, and compute precision of credit, hidden recoveries and the corrected rate, three "
        "ways. With --verdicts all is computed again from saved verdicts, without a model.",
    )
    parser.add_argument("rows", type=Path, nargs="?", metavar="ROWS", help="rows of a study, as `loom lab run` leaves them")
    parser.add_argument("--verdicts", type=Path, metavar="FILE", help="compute from these verdicts; no model is asked")
    parser.add_argument("--by", metavar="JUDGE", help="with --verdicts: those of this judge")
    parser.add_argument(
        "--frame",
        metavar="COUNTS",
        help="with --verdicts: the frame, as n11=9865,n10=735,n01=3,n00=757 (default: as the file states it)",
    )
    parser.add_argument(
        "--sample", metavar="N", help="units, as a total or n11=240,n10=120,n00=60 (the default); n01 is taken whole"
    )
    parser.add_argument("--arm", default="scaffold", metavar="NAME", help="the arm that is audited (default: scaffold)")
    parser.add_argument(
        "--omitted", action="store_true", help="audit all hits on items that the arm's input does not show, of it and of --bare"
    )
    parser.add_argument("--bare", default="raw", metavar="NAME", help="with --omitted: the arm without a block (default: raw)")
    parser.add_argument("--matcher", choices=list(READERS), help="how names are matched (default: as the rows state it)")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="where the verdicts go (default: audited.jsonl beside the rows)"
    )
    parser.add_argument("--draw", type=Path, metavar="FILE", help="write the sample for `loom lab annotate`; no model is asked")
    parser.add_argument("--seed", type=int, default=42, metavar="N", help="sample, order and bootstrap (default: 42)")
    parser.add_argument(
        "--resamples", type=int, default=10_000, metavar="N", help="resamples of the bootstrap (default: 10000)"
    )
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    judge_flags(parser, None)
    json_flag(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Audit and print; exit code 1 where verdicts are missing."""
    if (arguments.rows is None) == (arguments.verdicts is None):
        raise BadInput("Expected ROWS to audit, or --verdicts with a file of them; give one of them.", param="rows")
    if arguments.verdicts is not None:
        if arguments.omitted:
            raise BadInput("Expected ROWS with --omitted: what is omitted is counted in them.", param="omitted")
        return _again(arguments)
    matcher = arguments.matcher or first_row(arguments.rows).matcher
    return _omitted(arguments, matcher) if arguments.omitted else _sampled(arguments, matcher)


def _again(arguments: argparse.Namespace) -> int:
    saved = read_verdicts(arguments.verdicts, arguments.by)
    frame = _frame(arguments.frame) if arguments.frame else saved.frame
    result = result_of(saved.verdicts, frame, seed=arguments.seed, resamples=arguments.resamples)
    result |= {"quote_flags_corrected": saved.corrected}
    if not any(frame.values()):
        unframed = "the verdicts state no frame, so that there is no R; give the units of each cell with --frame."
        warn("audit", [unframed])
    return show(arguments, result, lambda: _table(result), seeds={"bootstrap": arguments.seed}, rows=arguments.verdicts)


def _frame(text: str) -> dict[str, int]:
    found = dict.fromkeys(CELLS, 0)
    for piece in text.split(","):
        cell, equals, count = (part.strip() for part in piece.partition("="))
        if not equals or cell not in found or not count.isdecimal():
            raise BadInput(f"Expected --frame as n11=9865,n10=735,n01=3,n00=757, but got {text!r}.", param="frame")
        found[cell] = int(count)
    return found


def _sampled(arguments: argparse.Namespace, matcher: str) -> int:
    sizes = sizes_of(arguments.sample)
    frame = frame_of(arguments.rows, arguments.arm, matcher)
    units = list(units_at(arguments.rows, drawn(frame, sizes, arguments.seed)))
    if arguments.draw is not None:
        return _drawn(arguments, units, frame.as_json())
    out: Path = arguments.out or arguments.rows.with_name("audited.jsonl")
    done = asyncio.run(_audited(arguments, units, out, matcher, {"frame": frame.counts}))
    if not done.worked.given and not done.worked.kept:
        return ended("audit", done.worked)
    saved = read_verdicts(out, arguments.by)
    result = result_of(saved.verdicts, frame.counts, seed=arguments.seed, resamples=arguments.resamples)
    result |= {"frame": frame.as_json(), "rubric": RUBRIC_DIGEST, "judging": done.worked.as_json()}
    show(arguments, result, lambda: _table(result), seeds={"audit": arguments.seed}, rows=arguments.rows)
    return ended("audit", done.worked)


def _omitted(arguments: argparse.Namespace, matcher: str) -> int:
    found = omitted_of(arguments.rows, arguments.arm, arguments.bare, matcher)
    if arguments.draw is not None:
        return _drawn(arguments, found.hits, found.as_json())
    out: Path = arguments.out or arguments.rows.with_name("omitted.jsonl")
    worked = Worked()
    verdicts: Sequence[Json] = ()
    if found.hits:
        worked = asyncio.run(_audited(arguments, found.hits, out, matcher, {})).worked
        if not worked.given and not worked.kept:
            return ended("audit", worked)
        verdicts = read_verdicts(out, arguments.by).verdicts
    result = {**omitted_result(found, verdicts), "rubric": RUBRIC_DIGEST, "judging": worked.as_json()}
    show(arguments, result, lambda: _omitted_table(result), seeds={"audit": arguments.seed}, rows=arguments.rows)
    return ended("audit", worked)


def _drawn(arguments: argparse.Namespace, units: Sequence[Unit], frame: Json) -> int:
    digest = write_lines(arguments.draw, (unit.as_json() for unit in units))
    result = {"units": len(units), "frame": frame, "out": arguments.draw.name, "sha256": digest}
    return show(
        arguments,
        result,
        lambda: print(f"{len(units)} units in {arguments.draw}; label them with `loom lab annotate`."),
        seeds={"sample": arguments.seed},
        rows=arguments.rows,
    )


async def _audited(
    arguments: argparse.Namespace, units: Sequence[Unit], out: Path, matcher: str, facts: dict[str, Json]
) -> Audited:
    families = families_of(arguments)
    async with bench(arguments, out) as found:
        if len(found.judges) > 1 and not (arguments.study and not arguments.judge):
            raise BadInput("Expected one judge of an audit; choose with --judge, and give each its own --out.", param="judge")
        models = {unit.model for unit in units}
        written = frozenset(writer for writer in writers_of(arguments.rows, families) if writer.name in models)
        warn("audit", check(found.judges[:1], written, allow_same=arguments.allow_same_family))
        async with found.shown.live("auditing", len(units)):
            return await audit(
                units,
                out,
                found.asker,
                found.judges[0],
                matcher=matcher,
                seed=arguments.seed,
                concurrency=arguments.concurrency,
                writers={writer.name: replace(writer, reported="") for writer in written},
                facts=facts,
                kept=found.shown.kept,
            )


def _rate(told: Json) -> str:
    return f"{told['k']}/{told['n']} = {number(told['rate'])} {bounds(told['ci95'])}".rstrip() if told["n"] else "–"


def _table(result: dict[str, Json]) -> None:
    confusion = result["confusion"]
    columns = (*LABELS, "unresolved")
    table(("as judged", *columns), [(cell, *(confusion[cell][label] for label in columns)) for cell in CELLS])
    quotes = result["quotes"]["all"]
    print(
        f"\nquotes due {quotes['due']}: {quotes['first']} stood at once, {quotes['repaired']} after being asked for again "
        f"({quotes['repaired_normalised_only']} of them only under the matcher's normalisation), {quotes['conceded']} conceded, "
        f"{quotes['misquoted']} misquoted again, {quotes['unreadable']} unreadable"
    )
    for rule in RULES:
        print(f"\nquotes accepted: {rule.replace('_', ' ')}")
        rows = []
        for reading in READINGS:
            told = result["readings"][rule][reading]
            corrected = told["corrected"]
            rows.append(
                (
                    reading.replace("_", " "),
                    _rate(told["precision_of_credit"]),
                    _rate(told["hidden_correct"]),
                    number(told["omitted"]["true_omission"]["rate"]),
                    "–" if corrected is None else number(corrected["rate"], 4),
                    "" if corrected is None else bounds(corrected["ci95_by_question"]),
                    "" if corrected is None else bounds(corrected["ci95_by_model"]),
                )
            )
        table(("unresolved", "precision of credit", "hidden correct", "true omissions", "R", "by question", "by model"), rows)
    if (corrected := result["readings"]["as_run"]["at_its_word"]["corrected"]) is not None:
        print(f"\nby the matcher {corrected['lexical']:.4f}; asserted {corrected['rate']:.4f} ({corrected['difference']:+.4f})")
    if result.get("quote_flags_corrected"):
        print(f"{result['quote_flags_corrected']} saved quote flags turned out otherwise when the quotes were looked up again")


def _omitted_table(result: dict[str, Json]) -> None:
    print(f"{result['items']} items that {result['grounded']} is not shown")
    rows = []
    for arm, told in result["arms"].items():
        valid = told["validated"]["as_run"]
        rows.append(
            (
                arm,
                told["lexical"],
                *(valid[reading] for reading in READINGS),
                _rate(told["precision_of_hits"]["as_run"]["at_its_word"]),
            )
        )
    table(("arm", "lexical hits", "validated", "unresolved absent", "unresolved dropped", "precision of hits"), rows)
    print("no interval is put on a rate over all items: the misses were not read")
