"""`loom lab score`: saved rows scored again, without a model."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from loom.cli.lab.common import show
from loom.cli.lab.decompose import broken
from loom.cli.lab.embedding import embed_flags, embedding
from loom.cli.lab.scoring import names_counted, rows_flags, scored, titles_flags
from loom.cli.progress import tracked
from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.files import sha256_of
from loom.lab.row import Row, first_row, read_rows
from loom.lab.scoring import Scored, Scorer, decomposed
from loom.lab.scoring.copying import read_contexts
from loom.lab.scoring.semantic import THRESHOLDS, reconstructed, semantic_scores
from loom.lab.scoring.tables import decomposition_lines


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "score",
        help="score saved rows again, without a model, under both matchers",
        description="Score every row: what was shown of its gold, what the answer names, ceilings and recall under both scorers, "
        "names, precision and citations.",
    )
    rows_flags(parser)
    titles_flags(parser)
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="write scored rows: JSON lines, or a .csv that `loom lab stats paired` reads"
    )
    parser.add_argument(
        "--semantic", action="store_true", help="score by embeddings of spans instead: a name is there when one is near enough"
    )
    parser.add_argument(
        "--thresholds",
        default=",".join(f"{each:.2f}" for each in THRESHOLDS),
        metavar="LIST",
        help="cosines from which a name is there, for --semantic (default: %(default)s)",
    )
    parser.add_argument(
        "--contexts",
        type=Path,
        metavar="FILE",
        help="for --semantic: contexts that were made again, as JSON lines of id and context; admitted only if each exposes as "
        "many names as its row states",
    )
    parser.add_argument("--arm", default="scaffold", metavar="ARM", help="the arm of --contexts (default: scaffold)")
    parser.add_argument("--seed", type=int, default=42, metavar="N", help="seed of the bootstrap of --semantic (default: 42)")
    embed_flags(parser)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    """Score and print; exit code 1 where the invariant does not hold."""
    if arguments.semantic:
        return _semantic(arguments)
    if arguments.contexts:
        raise BadInput(
            "Expected --semantic beside --contexts; rows keep the exact messages for everything else.", param="contexts"
        )
    scores = scored(arguments, out=arguments.out)
    made, other = decomposed(scores, resamples=0), decomposed(scores, resamples=0, beside=True)
    result: dict[str, Json] = {
        "rows": len(scores),
        "matcher": made.matcher,
        "names": names_counted(arguments),
        "matchers": {each.matcher: {name: each.as_json()[name] for name in ("pooled", "cells")} for each in (made, other)},
        "invariant": scores.invariant.as_json(),
        "out": {"name": arguments.out.name, "sha256": sha256_of(arguments.out)} if arguments.out else None,
    }

    def table() -> None:
        for each in (made, other):
            print("\n".join(decomposition_lines(each)))
            print()
        print(scores.invariant)

    show(arguments, result, table, rows=arguments.rows)
    return broken(scores.invariant.holds, "score")


def _semantic(arguments: argparse.Namespace) -> int:
    if arguments.out:
        raise BadInput("Expected no --out beside --semantic: it prints its figures, give --json to keep them.", param="out")
    matcher = arguments.matcher or first_row(arguments.rows).matcher
    thresholds = _thresholds(arguments.thresholds)
    with embedding(arguments) as (embed, model):
        rows = read_rows(arguments.rows)
        if arguments.contexts:
            rows = reconstructed(rows, read_contexts(arguments.contexts), arguments.arm, matcher)
        made = semantic_scores(tracked(_pairs(rows, matcher), "rows", plain=False), embed, thresholds)
    found = {threshold: decomposed(scores, seed=arguments.seed) for threshold, scores in made.items()}
    result: dict[str, Json] = {
        "model": model,
        "contexts": "made again" if arguments.contexts else "as sent",
        "thresholds": {
            f"{threshold:.2f}": {name: each.as_json()[name] for name in ("pooled", "cells")}
            for threshold, each in found.items()
        },
    }

    def table() -> None:
        for each in found.values():
            print("\n".join(decomposition_lines(each)))
            print()

    return show(arguments, result, table, seeds={"bootstrap": arguments.seed}, rows=arguments.rows)


def _pairs(rows: Iterator[Row], matcher: str) -> Iterator[tuple[Row, Scored]]:
    scorer = Scorer(matcher)
    for row in rows:
        yield row, scorer(row)


def _thresholds(text: str) -> list[float]:
    try:
        return sorted({float(each) for each in text.split(",")})
    except ValueError:
        raise BadInput(
            f"Expected thresholds as numbers with commas between them, but got {text!r}.", param="thresholds"
        ) from None
