"""`loom lab stats wilson`, `mcnemar`, `binomial` and `power`: statistics of counts, and the planning of studies."""

import argparse
from functools import partial
from pathlib import Path

from loom.cli.lab.common import show
from loom.cli.lab.stats_flags import arm_flags, listed
from loom.core.errors import BadInput


def wilson_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("successes", type=int, metavar="K")
    parser.add_argument("n", type=int, metavar="N")
    parser.add_argument("--confidence", type=float, default=0.95, metavar="C", help="of the interval (default: 0.95)")


def run_wilson(arguments: argparse.Namespace) -> int:
    from loom.lab.statistics import wilson

    low, high = wilson(arguments.successes, arguments.n, arguments.confidence)
    result = {
        "successes": arguments.successes,
        "n": arguments.n,
        "rate": arguments.successes / arguments.n,
        "ci": [low, high],
        "confidence": arguments.confidence,
    }
    return show(arguments, result, partial(listed, result))


def mcnemar_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help="scores of 0 and 1: id, arm, score (and set)")
    arm_flags(parser, required=False)
    parser.add_argument("--only-a", type=int, metavar="N", help="instead of a file: items on which a alone succeeds")
    parser.add_argument("--only-b", type=int, metavar="N", help="and those on which b alone does")


def run_mcnemar(arguments: argparse.Namespace) -> int:
    from loom.lab.statistics import answered, mcnemar, mcnemar_of
    from loom.lab.statistics.scorefile import read_scores

    counted = arguments.only_a is not None and arguments.only_b is not None
    named = arguments.a is not None and arguments.b is not None
    either = arguments.only_a is not None or arguments.only_b is not None
    if (
        (arguments.file is None) != counted
        or (arguments.file is not None and either)
        or (arguments.file is not None and not named)
    ):
        raise BadInput("Expected FILE with --a and --b, or --only-a and --only-b.", param="file")
    if arguments.file is None:
        found = mcnemar(arguments.only_a, arguments.only_b)
    else:
        scores = read_scores(arguments.file)
        keys = answered(scores, (arguments.a, arguments.b))
        found = mcnemar_of(*([scores.scored(arm)[key] for key in keys] for arm in (arguments.a, arguments.b)))
    result = found.as_json()
    return show(arguments, result, partial(listed, result), rows=arguments.file)


def binomial_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--p0", type=float, required=True, metavar="P", help="the rate that is to be rejected")
    parser.add_argument("--p1", type=float, required=True, metavar="P", help="the rate that is designed for")
    parser.add_argument("--n", type=int, metavar="N", help="trials; without it, the fewest that have the power")
    parser.add_argument("--power", type=float, metavar="P", help="wanted power (default: 0.8)")
    parser.add_argument("--alpha", type=float, default=0.05, metavar="A", help="one-sided level (default: 0.05)")


def run_binomial(arguments: argparse.Namespace) -> int:
    from loom.lab.statistics import bar, trials

    given, alpha = (arguments.p0, arguments.p1), arguments.alpha
    if arguments.n is not None:
        if arguments.power is not None:
            raise BadInput("Expected --n (which gives the power) or --power (which gives n), not both.", param="power")
        result = bar(*given, arguments.n, alpha).as_json()
    else:
        wanted = 0.8 if arguments.power is None else arguments.power
        lasting = trials(*given, wanted, alpha, lasting=True)
        result = {**trials(*given, wanted, alpha).as_json(), "n_lasting": lasting.n}
    return show(arguments, result, partial(listed, result))


def power_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--effect", type=float, metavar="D", help="true mean difference; without it, the least detectable")
    parser.add_argument("--n", type=int, metavar="N", help="pairs; without it, the fewest that have the power")
    parser.add_argument("--power", type=float, metavar="P", help="wanted power (default: 0.8)")
    parser.add_argument("--sd", type=float, metavar="S", help="standard deviation of the differences")
    parser.add_argument("--pilot", type=Path, metavar="FILE", help="instead: a score file whose differences are resampled")
    arm_flags(parser, required=False)
    parser.add_argument(
        "--test", choices=("mean", "rank"), default="mean", help="paired t test, or exact signed-rank (default: mean)"
    )
    parser.add_argument("--alpha", type=float, default=0.05, metavar="A", help="two-sided level (default: 0.05)")
    parser.add_argument("--draws", type=int, default=2_000, metavar="N", help="simulated studies (default: 2,000)")
    parser.add_argument("--seed", type=int, default=42, metavar="N", help="seed of what is drawn (default: 42)")


def run_power(arguments: argparse.Namespace) -> int:
    from loom.lab.statistics import answered, design, detectable, pairs, power
    from loom.lab.statistics.pairing import differences
    from loom.lab.statistics.scorefile import read_scores

    if (arguments.sd is None) == (arguments.pilot is None):
        raise BadInput("Expected --sd, or --pilot FILE with --a and --b.", param="sd")
    pilot = None
    if arguments.pilot is not None:
        if arguments.a is None or arguments.b is None:
            raise BadInput("Expected --a and --b, the arms of the pilot.", param="a")
        scores = read_scores(arguments.pilot)
        keys = answered(scores, (arguments.a, arguments.b))
        pilot = differences(*([scores.scored(arm)[key] for key in keys] for arm in (arguments.a, arguments.b)))
    made = design(
        arguments.sd, pilot=pilot, test=arguments.test, alpha=arguments.alpha, draws=arguments.draws, seed=arguments.seed
    )
    wanted = 0.8 if arguments.power is None else arguments.power
    if arguments.effect is not None and arguments.n is not None:
        if arguments.power is not None:
            raise BadInput("Expected two of --effect, --n and --power; the third is what is found.", param="power")
        found = power(made, arguments.effect, arguments.n)
    elif arguments.effect is not None:
        found = pairs(made, arguments.effect, wanted)
    elif arguments.n is not None:
        found = detectable(made, arguments.n, wanted)
    else:
        raise BadInput("Expected --effect or --n.", param="effect")
    result = found.as_json()
    return show(
        arguments,
        result,
        partial(listed, result),
        seeds={} if found.draws is None else {"simulation": arguments.seed},
        rows=arguments.pilot,
    )


STATISTICS = (
    ("wilson", "the score interval of a share: K successes of N", wilson_flags, run_wilson),
    ("mcnemar", "the exact test of two arms' success on the same items", mcnemar_flags, run_mcnemar),
    ("binomial", "the exact bar that rejects a rate, its size and power, or the trials it takes", binomial_flags, run_binomial),
    ("power", "power, pairs or least detectable effect of a paired comparison", power_flags, run_power),
)
