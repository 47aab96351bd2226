"""`loom lab annotate`: people label a sample, blind, on a page of this machine; two of them are compared."""

import argparse
import re
from pathlib import Path

from loom.cli.lab.common import json_flag, show
from loom.cli.lab.tables import number, table
from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.files import write_lines
from loom.lab.judging.raters import queue_lines, read_rater, result_of
from loom.lab.judging.session import Sample, Session, sample_of
from loom.lab.judging.votes import Votes


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "annotate",
        help="label a sample by hand on a blind local page, and compare two raters",
        description="Serve a page on 127.0.0.1 on which one rater labels a sample: units of an audit, answers to grade, or pages "
        "before and after. Each choice is on the disk at once; started again it goes on. With --agree two raters' files are compared.",
    )
    parser.add_argument(
        "sample", type=Path, metavar="SAMPLE", help="what to label, as --draw of audit or judge writes it, or verdicts"
    )
    parser.add_argument("--rater", metavar="NAME", help="who labels")
    parser.add_argument("--port", type=_port, default=0, metavar="PORT", help="port of the page (default: any that is free)")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="where the labels go (default: SAMPLE with .NAME before its end)"
    )
    parser.add_argument(
        "--calibration", type=Path, metavar="FILE", help="items whose right label they state as known, mixed in"
    )
    parser.add_argument(
        "--calibrate", type=int, metavar="N", help="how many hidden items are made of the sample (default: a tenth, at least 4)"
    )
    parser.add_argument("--seed", type=int, default=42, metavar="N", help="order, sides and hidden items (default: 42)")
    parser.add_argument("--agree", type=Path, nargs=2, metavar=("A", "B"), help="compare the files of two raters")
    parser.add_argument("--third", type=Path, metavar="FILE", help="with --agree: a third rater's labels of the queue")
    parser.add_argument("--queue", type=Path, metavar="FILE", help="with --agree: write where they differ, for a third rater")
    json_flag(parser)
    parser.set_defaults(run=run)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"expected a port from 0 to 65535, but got {text!r}")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    """Serve the page until interrupted, or compare; returns the exit code."""
    if (arguments.rater is None) == (arguments.agree is None):
        raise BadInput("Expected --rater with who labels, or --agree with the files of two raters.", param="rater")
    if arguments.calibrate is not None and arguments.calibrate < 0:
        raise BadInput(f"Expected --calibrate to be 0 or more, but got {arguments.calibrate}.", param="calibrate")
    sample = sample_of(arguments.sample, arguments.seed, arguments.calibration, arguments.calibrate)
    return _compared(arguments, sample) if arguments.agree else _served(arguments, sample)


def _served(arguments: argparse.Namespace, sample: Sample) -> int:
    from loom.serve.annotating import annotate

    if not re.fullmatch(r"[\w-]{1,40}", arguments.rater):
        raise BadInput(
            f"Expected --rater to be letters, digits, - and _, at most 40, but got {arguments.rater!r}.", param="rater"
        )
    out: Path = arguments.out or arguments.sample.with_suffix(f".{arguments.rater}.jsonl")
    votes = Votes(out, {**sample.head, "rater": arguments.rater})
    try:
        session = Session(sample, arguments.rater, votes)
        done = session.progress()

        def say(url: str) -> None:
            print(f"{done['done']} of {done['total']} labelled. Label on this page, and stop with Ctrl-C:\n{url}", flush=True)

        code = annotate(session, arguments.port, say)
        done = session.progress()
        print(f"{done['done']} of {done['total']} labelled, in {out}")
        return code
    finally:
        votes.close()


def _compared(arguments: argparse.Namespace, sample: Sample) -> int:
    raters = [read_rater(path, sample) for path in arguments.agree]
    if arguments.third is not None:
        raters.append(read_rater(arguments.third, sample, third=True))
    result, left = result_of(sample, raters)
    if arguments.queue is not None:
        result["queue"] = {"items": len(left), "sha256": write_lines(arguments.queue, queue_lines(left))}

    def printed() -> None:
        rows: list[tuple[Json, ...]] = []
        for task, told in result["tasks"].items():
            rows.append(
                (task, told["n"], number(told["agreement"]), number(told["kappa"]), number(told.get("kappa_quadratic")))
            )
            if "asserted_or_not" in told:
                own = told["asserted_or_not"]
                rows.append((f"{task}: asserted or not", own["n"], number(own["agreement"]), number(own["kappa"]), "–"))
        table(("raters: task", "n", "agreement", "κ", "weighted κ"), rows)
        print()
        table(
            ("known items", "right", "of"),
            [(name, told["k"], told["n"]) for name, told in result["calibration"].items()],
        )
        if result["judge"]:
            print()
            table(
                ("with the model judge", "n", "agreement", "κ"),
                [
                    (f"{task}: {name}", told["n"], number(told["agreement"]), number(told["kappa"]))
                    for task, by in result["judge"].items()
                    for name, told in by.items()
                ],
            )
        print(f"\n{result['disagreements']} disagreements, {result['decided']} decided by a third rater")

    return show(arguments, result, printed, seeds={"sample": arguments.seed}, rows=arguments.sample)
