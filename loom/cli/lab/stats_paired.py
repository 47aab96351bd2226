"""`loom lab stats paired` and `enumerate`: two arms of a score file compared, per group and pooled."""

import argparse
from functools import partial

from loom.cli.lab.common import show
from loom.cli.lab.stats_flags import aligned, arm_flags, bootstrap_flags, file_argument, listed, told
from loom.core.errors import BadInput
from loom.core.values import Json

SHAPE = "scores: CSV with the columns set, id, arm, score (any order, more are fine), or JSON lines with these members"


def paired_flags(parser: argparse.ArgumentParser) -> None:
    file_argument(parser, SHAPE + "; an empty score is an empty answer")
    arm_flags(parser)
    parser.add_argument("--by", metavar="COLUMN", help="compare per group as well, with Holm's correction over the groups")
    parser.add_argument("--cluster", metavar="COLUMN", help="an interval over whole clusters beside the plain one")
    bootstrap_flags(parser)
    parser.add_argument("--margin", type=float, metavar="M", help="test non-regression: the interval inside ±M, and TOST")
    parser.add_argument(
        "--engaged", metavar="COLUMN", help="0 or 1 in the rows of arm a: compare over those that engaged beside all of them"
    )


def run_paired(arguments: argparse.Namespace) -> int:
    from loom.lab.statistics.report import Wanted, paired_report

    wanted = Wanted(
        a=arguments.a,
        b=arguments.b,
        by=arguments.by,
        cluster=arguments.cluster,
        engaged=arguments.engaged,
        margin=arguments.margin,
        seed=arguments.seed,
        resamples=arguments.resamples,
        confidence=arguments.confidence,
    )
    result = paired_report(arguments.file, wanted)
    return show(arguments, result, partial(_table, result), seeds={"bootstrap": arguments.seed}, rows=arguments.file)


def _table(result: dict[str, Json]) -> None:
    columns: tuple[str, ...] = ("n", "nonzero", "mean", "ci95", "p_exact", "p_holm", "rank_biserial", "wins", "losses", "ties")
    columns += tuple(name for name in ("ci", "ci_clustered") if name in result["pooled"])
    parts = [("given an answer", result), ("service: empty scores 0", result["service"])]
    parts.append((f"common to {len(result['common']['arms'])} arms", result["common"]))
    for title, part in parts:
        if title != "given an answer" and (part["sets"], part["pooled"]) == (result["sets"], result["pooled"]):
            print(f"{title}: the same")
            continue
        print(f"{result['a']} - {result['b']}, {title}")
        rows = [*part["sets"].items(), ("pooled", part["pooled"])]
        aligned(("", *columns), [[name, *(each.get(column) for column in columns)] for name, each in rows])
    for name in ("all", "engaged") if "engagement" in result else ():
        each = result["engagement"][name]
        print(f"{name}: " + ("no pair" if each is None else f"n {each['n']}, mean {told(each['mean'])} {told(each['ci95'])}"))
    if "non_regression" in result:
        aligned(
            ("non-regression", "margin", "ci95", "inside", "ci90", "inside 90"),
            [
                [name, each["margin"], each["ci95"], each["non_regression"], each["ci90"], each["within_90"]]
                for name, each in result["non_regression"]["groups"].items()
            ],
        )
        print(f"worst group: {result['non_regression']['worst']}")
    dropped = result["dropped"]
    print(
        f"left out: {dropped['only_a']} only under {result['a']}, {dropped['only_b']} only under {result['b']}, "
        f"{dropped['empty']} with an empty answer"
    )


def enumerate_flags(parser: argparse.ArgumentParser) -> None:
    file_argument(parser, "rows with the unit and a value each; with --a and --b, " + SHAPE)
    parser.add_argument("--unit", required=True, metavar="COLUMN", help="what is resampled whole: 2 to 12 of them")
    parser.add_argument("--value", default="score", metavar="COLUMN", help="what is averaged (default: score)")
    arm_flags(parser, required=False)
    parser.add_argument("--confidence", type=float, default=0.95, metavar="C", help="of the interval (default: 0.95)")


def run_enumerate(arguments: argparse.Namespace) -> int:
    from loom.lab.statistics import enumerated
    from loom.lab.statistics.columns import numbers_by
    from loom.lab.statistics.comparing import answered
    from loom.lab.statistics.pairing import differences
    from loom.lab.statistics.scorefile import read_scores

    if (arguments.a is None) != (arguments.b is None):
        raise BadInput("Expected both --a and --b, or neither.", param="a")
    if arguments.a is None:
        values, units = numbers_by(arguments.file, arguments.value, arguments.unit)
    else:
        scores = read_scores(arguments.file, (arguments.unit,))
        keys = answered(scores, (arguments.a, arguments.b))
        if not keys:
            raise BadInput(f"Expected ids with a score under both {arguments.a} and {arguments.b}.", param="file")
        first, second = scores.scored(arguments.a), scores.scored(arguments.b)
        values = list(differences([first[key] for key in keys], [second[key] for key in keys]))
        units = [scores.fields[key][arguments.unit] for key in keys]
    result = enumerated(values, clusters=units, confidence=arguments.confidence).as_json()
    return show(arguments, result, partial(listed, result), rows=arguments.file)


STATISTICS = (
    ("paired", "compare two arms: mean difference, interval, exact signed-rank test, effect size", paired_flags, run_paired),
    ("enumerate", "the exact bootstrap interval over few units, every draw of them weighted", enumerate_flags, run_enumerate),
)
