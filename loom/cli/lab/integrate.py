"""`loom lab integrate`: pages before and after, compared blind, and the decision that a rule written before makes of it."""

import argparse
import asyncio
from pathlib import Path

from loom.cli.lab.common import json_flag, show
from loom.cli.lab.judges import bench, ended, families_of, judge_flags, warn
from loom.cli.lab.tables import bounds, number, signed, table
from loom.core.values import Json
from loom.lab.judging.families import Writer, check
from loom.lab.judging.integration import RUBRIC_DIGEST, judge
from loom.lab.judging.integration_result import read_raw, result_of
from loom.lab.judging.pairs import Pair, read_pairs
from loom.lab.judging.rule import Rule, read_rule
from loom.lab.judging.working import Worked


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "integrate",
        help="judge pages before and after an integration, blind, and apply the rule that was written before",
        description="Compare pages before and after, blind and in a seeded order, from -2 to 2 (positive: the change made the page "
        "better). The rule that decides is a TOML file that is there before anything is judged: threshold, minimum, bound (mean or "
        "lower), subgroup. Its digest goes into every verdict, and a changed rule is refused.",
    )
    parser.add_argument("pairs", type=Path, metavar="PAIRS", help="JSON lines of id, arm, before, after")
    parser.add_argument("--rule", type=Path, required=True, metavar="FILE", help="the decision rule, a TOML file")
    parser.add_argument("--judged", type=Path, metavar="FILE", help="compute from these verdicts; no model is asked")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="where the verdicts go (default: PAIRS with .judged before its end)"
    )
    parser.add_argument("--seed", type=int, default=42, metavar="N", help="sides, order, share and bootstrap (default: 42)")
    parser.add_argument(
        "--resamples", type=int, default=10_000, metavar="N", help="resamples of the bootstrap (default: 10000)"
    )
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    judge_flags(parser, 0.2)
    json_flag(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Judge and print; exit code 1 where verdicts are missing."""
    rule = read_rule(arguments.rule)
    pairs = read_pairs(arguments.pairs)
    if arguments.judged is not None:
        marks = read_raw(arguments.judged, pairs, rule, arguments.seed)
        return _printed(arguments, pairs, rule, arguments.judged, list(marks), None)
    out: Path = arguments.out or arguments.pairs.with_suffix(".judged.jsonl")
    worked, judges = asyncio.run(_judged(arguments, pairs, rule, out))
    if not worked.given and not worked.kept:
        return ended("integrate", worked)
    _printed(arguments, pairs, rule, out, judges, worked)
    return ended("integrate", worked)


async def _judged(arguments: argparse.Namespace, pairs: tuple[Pair, ...], rule: Rule, out: Path) -> tuple[Worked, list[str]]:
    families = families_of(arguments)
    async with bench(arguments, out) as found:
        written = {Writer(pair.model, family=families.get(pair.model, "")) for pair in pairs if pair.model}
        warn("integrate", check(found.judges, written, allow_same=arguments.allow_same_family))
        total = round(len(pairs) * (1 + arguments.second_share * (len(found.judges) - 1)))
        async with found.shown.live("judging", total):
            worked, _ = await judge(
                pairs,
                out,
                rule,
                found.asker,
                found.judges,
                seed=arguments.seed,
                second_share=arguments.second_share,
                concurrency=arguments.concurrency,
                families=families,
                kept=found.shown.kept,
            )
        return worked, [each.name for each in found.judges]


def _printed(
    arguments: argparse.Namespace, pairs: tuple[Pair, ...], rule: Rule, verdicts: Path, judges: list[str], worked: Worked | None
) -> int:
    marks = read_raw(verdicts, pairs, rule, arguments.seed)
    result: dict[str, Json] = result_of(marks, pairs, rule, judges, seed=arguments.seed, resamples=arguments.resamples)
    result |= {"rubric": RUBRIC_DIGEST, "judging": worked.as_json() if worked else None}

    def printed() -> None:
        table(
            ("arm", "n", "mean", "95 % interval", "better/same/worse", "outcome"),
            [
                (
                    arm,
                    told["n"],
                    signed(told["mean"]),
                    bounds(told["ci95"]),
                    f"{told['better']}/{told['same']}/{told['worse']}",
                    told["outcome"],
                )
                for arm, told in result["arms"].items()
            ],
        )
        for arm, told in result["arms"].items():
            print(f"{arm or 'all'}: {told['outcome']}: {told['why']}")
        for each in result["reliability"]:
            print(
                f"{each['first']} and {each['second']}: n {each['n']}, same verdict {number(each['agreement'])}, same direction "
                f"{number(each['direction_agreement'])}, weighted κ {number(each['kappa_quadratic'])}"
            )

    return show(arguments, result, printed, seeds={"judging": arguments.seed}, rows=arguments.pairs)
