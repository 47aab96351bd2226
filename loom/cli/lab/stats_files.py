"""`loom lab stats kappa`, `auc`, `ranks` and `ece`: statistics of a file's rows."""

import argparse
from functools import partial
from pathlib import Path
from typing import Any

from loom.cli.lab.common import show
from loom.cli.lab.stats_flags import aligned, bootstrap_flags, file_argument, listed
from loom.core.errors import BadInput
from loom.core.values import Json


def kappa_flags(parser: argparse.ArgumentParser) -> None:
    file_argument(parser, "a row an item, a column a rater; an empty label leaves the item out")
    parser.add_argument("--raters", required=True, metavar="A,B", help="the raters' columns; with more than two, Fleiss' κ")
    parser.add_argument("--weights", choices=("none", "linear", "quadratic"), default="none", help="by distance of labels")
    parser.add_argument("--categories", metavar="X,Y,…", help="the labels in their order (default: by number, else by name)")
    bootstrap_flags(parser, confidence=False)


def run_kappa(arguments: argparse.Namespace) -> int:
    from loom.lab.statistics import RESAMPLES, fleiss, kappa
    from loom.lab.statistics.columns import ratings

    raters = [name.strip() for name in arguments.raters.split(",")]
    if len(raters) < 2 or len(set(raters)) < len(raters) or "" in raters:
        raise BadInput("Expected at least two different columns in --raters, with commas between them.", param="raters")
    items, left_out = ratings(arguments.file, raters)
    if len(raters) == 2:
        found = kappa(
            [item[0] for item in items],
            [item[1] for item in items],
            weights=arguments.weights,
            categories=arguments.categories and [name.strip() for name in arguments.categories.split(",")],
            seed=arguments.seed,
            resamples=RESAMPLES if arguments.resamples is None else arguments.resamples,
        )
    else:
        if arguments.weights != "none" or arguments.categories:
            raise BadInput("Expected two raters where labels are weighted.", param="weights")
        found = fleiss(items)
    result = {**found.as_json(), "left_out": left_out}
    seeds = {"bootstrap": arguments.seed} if len(raters) == 2 else {}
    return show(arguments, result, partial(listed, result), seeds=seeds, rows=arguments.file)


def auc_flags(parser: argparse.ArgumentParser) -> None:
    file_argument(parser, "a row a case")
    parser.add_argument("--score", default="score", metavar="COLUMN", help="higher means positive (default: score)")
    parser.add_argument("--label", default="label", metavar="COLUMN", help="1 or 0 (default: label)")
    parser.add_argument("--cluster", metavar="COLUMN", help="resample these whole")
    bootstrap_flags(parser)


def run_auc(arguments: argparse.Namespace) -> int:
    from loom.lab.statistics import RESAMPLES, auc_interval
    from loom.lab.statistics.columns import scored_truths

    scores, truth, clusters = scored_truths(arguments.file, arguments.score, arguments.label, arguments.cluster)
    result = auc_interval(
        scores,
        truth,
        clusters=clusters,
        seed=arguments.seed,
        resamples=RESAMPLES if arguments.resamples is None else arguments.resamples,
        confidence=arguments.confidence,
    ).as_json()
    return show(arguments, result, partial(listed, result), seeds={"bootstrap": arguments.seed}, rows=arguments.file)


def ranks_flags(parser: argparse.ArgumentParser) -> None:
    file_argument(parser, "JSON lines with ranked (ids, best first) and relevant (ids, or an object id → gain)")
    parser.add_argument("--k", type=int, default=10, metavar="N", help="depth of nDCG and recall (default: 10)")
    bootstrap_flags(parser)


def run_ranks(arguments: argparse.Namespace) -> int:
    from loom.lab.statistics import RESAMPLES, interval, ndcg, recall_at, reciprocal_rank
    from loom.lab.statistics.columns import rankings

    found = rankings(arguments.file)
    measured = {
        f"ndcg@{arguments.k}": [ndcg(ranked, relevant, arguments.k) for ranked, relevant in found],
        f"recall@{arguments.k}": [recall_at(ranked, relevant, arguments.k) for ranked, relevant in found],
        "mrr": [reciprocal_rank(ranked, relevant) for ranked, relevant in found],
    }
    resamples = RESAMPLES if arguments.resamples is None else arguments.resamples
    result: dict[str, Json] = {"n": len(found), "confidence": arguments.confidence}
    for name, values in measured.items():
        bounds = interval(
            values,
            seed=arguments.seed,
            resamples=resamples,
            confidence=arguments.confidence,
            exact=arguments.resamples is None,
        )
        result[name] = {"mean": sum(values) / len(values), "ci": list(bounds.bounds), "ci_method": bounds.method}

    def table() -> None:
        aligned(("", "n", "mean", "ci"), [[name, len(found), result[name]["mean"], result[name]["ci"]] for name in measured])

    return show(arguments, result, table, seeds={"bootstrap": arguments.seed}, rows=arguments.file)


def ece_flags(parser: argparse.ArgumentParser) -> None:
    file_argument(parser, "a row an answer")
    parser.add_argument("--score", default="confidence", metavar="COLUMN", help="stated confidence (default: confidence)")
    parser.add_argument("--label", default="correct", metavar="COLUMN", help="1 or 0 (default: correct)")
    parser.add_argument("--bins", type=int, default=10, metavar="N", help="number of bins (default: 10)")


def run_ece(arguments: argparse.Namespace) -> int:
    from loom.lab.statistics import ece
    from loom.lab.statistics.columns import scored_truths

    stated, correct, _ = scored_truths(arguments.file, arguments.score, arguments.label)
    result: dict[str, Any] = {"n": len(stated)}
    for name, kind in (("equal_width", "width"), ("equal_mass", "mass")):
        result[name] = ece(stated, correct, bins=arguments.bins, kind=kind).as_json()

    def table() -> None:
        for name in ("equal_width", "equal_mass"):
            print(f"{name.replace('_', ' ')}: ECE {result[name]['ece']:.4f}, largest gap {result[name]['mce']:.4f}")
            columns = ("upto", "n", "confidence", "accuracy")
            aligned(columns, [[each[column] for column in columns] for each in result[name]["bins"]])

    return show(arguments, result, table, rows=Path(arguments.file))


STATISTICS = (
    ("kappa", "agreement of raters beyond chance", kappa_flags, run_kappa),
    ("auc", "area under the ROC curve, ties counting half", auc_flags, run_auc),
    ("ranks", "nDCG, recall and reciprocal rank of rankings", ranks_flags, run_ranks),
    ("ece", "expected calibration error of stated confidences", ece_flags, run_ece),
)
