"""`loom lab chains`: questions over two edges: mine them, see what each arm shows, ask, and read Δ against its headroom."""

import argparse
import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from loom import __version__, compose
from loom.answer.plan import Pin
from loom.cli.lab.asker import asked_of, model_flags, rows_asked
from loom.cli.lab.common import generation_flags, json_flag, show
from loom.cli.lab.planning import ground
from loom.cli.lab.tables import bounds, number, signed
from loom.cli.progress import tracked
from loom.core.errors import BadInput
from loom.core.exposure import READERS
from loom.core.policy.wrappers import WRAPPERS
from loom.core.values import Json
from loom.lab import chains
from loom.lab.chains.check import answered as scripted
from loom.lab.chains.check import known
from loom.lab.chains.mining import BOUND, MOST, PER_SUBJECT
from loom.lab.files import write_lines
from loom.lab.ground import Ground
from loom.lab.row import Row, read_rows
from loom.lab.showing import Showing

READINGS = {
    "positive": "positive, A's unit adds to what B's alone gives",
    "negative": "negative, A's unit takes from what B's alone gives",
    "flat": "flat, with room for a difference",
    "uninformative": "uninformative, B's unit alone gives so much that there was no room for a difference",
    "none": "no chain was answered in both arms",
}


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "chains",
        help="whether a model composes two edges, or takes what one unit shows",
        description="Questions over two edges A → B → C that name A and the two relations, asked with both units, with either, with "
        "labels masked, with neither, and with the edges changed. Δ is recall with both less recall with B's unit alone, read "
        "against the headroom that the latter leaves.",
    )
    steps = parser.add_subparsers(dest="step", required=True, metavar="STEP")

    mine = steps.add_parser("mine", help="find chains in a generation")
    mine.add_argument("--out", type=Path, required=True, metavar="FILE", help="write the chains here, a JSON object a line")
    mine.add_argument("--seed", type=int, default=42, help="what is drawn (default: 42)")
    mine.add_argument("--most", type=int, default=MOST, metavar="N", help=f"chains at most (default: {MOST})")
    mine.add_argument(
        "--per-subject",
        type=int,
        default=PER_SUBJECT,
        metavar="N",
        help=f"chains that begin at one concept (default: {PER_SUBJECT})",
    )
    mine.add_argument("--bound", type=int, default=BOUND, metavar="N", help=f"targets of a chain at most (default: {BOUND})")
    mine.set_defaults(run=_mine)

    plan = steps.add_parser("show", help="what each arm shows, as a plan of JSON lines")
    plan.add_argument("--out", type=Path, required=True, metavar="FILE", help="write the plan here")
    plan.set_defaults(run=_show)

    run = steps.add_parser("run", help="show, ask models, and write the rows")
    run.add_argument("--out", type=Path, required=True, metavar="FILE", help="write the rows here")
    model_flags(run)
    run.set_defaults(run=_run)

    check = steps.add_parser("check", help="try the instrument on models whose behaviour is known; exit code 1 where it errs")
    check.set_defaults(run=_check)

    for each in (plan, run, check):
        each.add_argument("chains", type=Path, metavar="CHAINS", help="a file of `loom lab chains mine`")
        each.add_argument(
            "--seed", type=int, default=42, help="what stands beside the chains, and in which order (default: 42)"
        )
        each.add_argument("--arm", action="append", choices=chains.ARMS, help="only this arm; may be given again")
        each.add_argument("--budget", type=int, metavar="TOKENS", help="tokens of a block (default: the node's)")
        each.add_argument("--wrapper", choices=list(WRAPPERS), help="the sentence around a block (default: the node's)")
    for each in (mine, plan, run, check):
        generation_flags(each)

    scoring = steps.add_parser("score", help="rates by arm and Δ by model, from rows")
    scoring.add_argument("rows", type=Path, metavar="ROWS", help="rows of `loom lab chains run`")
    scoring.add_argument("--seed", type=int, default=42, help="what the bootstrap draws (default: 42)")
    scoring.add_argument("--resamples", type=int, default=10_000, metavar="N", help="of the bootstrap (default: 10000)")
    scoring.add_argument("--items", type=Path, metavar="FILE", help="write the score of each row, as JSON lines")
    scoring.set_defaults(run=_score)
    for each in (check, scoring):
        each.add_argument(
            "--matcher", choices=sorted(READERS), help="how names are matched (default: as the rows say, or default)"
        )
    for each in (mine, plan, run, check, scoring):
        json_flag(each)


def _mine(arguments: argparse.Namespace) -> int:
    with compose.opened(arguments.generations, arguments.generation) as (node, pin):
        mined = chains.mine(
            ground(node, pin),
            seed=arguments.seed,
            most=arguments.most,
            per_subject=arguments.per_subject,
            bound=arguments.bound,
        )
        if not mined.chains:
            reasons = ", ".join(f"{why}: {count}" for why, count in sorted(mined.left_out.items()))
            raise BadInput(
                f"Expected pairs of edges that make chains, but there is none ({reasons or 'no relations'}).",
                param="generation",
            )
        chains.write(arguments.out, mined.chains)
        result = mined.as_json()

        def table() -> None:
            left = Table("left out", "pairs of relations")
            for why, count in sorted(mined.left_out.items(), key=lambda each: (-each[1], each[0])):
                left.add_row(why, str(count))
            Console().print(left)
            print(f"{len(mined.chains)} chains of {mined.read} concepts read, in {arguments.out}")

        return show(
            arguments,
            result,
            table,
            generation=pin.generation.id,
            seeds={"chains": arguments.seed},
            rows=arguments.out,
        )


def _planned(arguments: argparse.Namespace, node: compose.Node, pin: Pin) -> tuple[Ground, list[Showing], dict[str, Json]]:
    using = ground(node, pin, wrapper=arguments.wrapper, budget=arguments.budget)
    found = chains.read(arguments.chains)
    arms = tuple(dict.fromkeys(arguments.arm)) if arguments.arm else chains.ARMS
    steps = tracked(found, "plan", len(found), plain=False)
    showings = list(chains.showings(using, steps, seed=arguments.seed, arms=arms))
    flow = {arm: dict(sorted(Counter(each.status for each in showings if each.arm == arm).items())) for arm in arms}
    return using, showings, {"chains": len(found), "arms": flow, "budget": using.budget, "wrapper": using.wrapper}


def _show(arguments: argparse.Namespace) -> int:
    with compose.opened(arguments.generations, arguments.generation) as (node, pin):
        _, showings, result = _planned(arguments, node, pin)
        write_lines(arguments.out, (each.as_line() for each in showings))
        seeds = {"chains": arguments.seed}
        return show(
            arguments, result, lambda: _print_flow(result), generation=pin.generation.id, seeds=seeds, rows=arguments.out
        )


def _print_flow(result: dict[str, Json]) -> None:
    statuses = sorted({status for counts in result["arms"].values() for status in counts})
    table = Table("arm", *statuses)
    for arm, counts in result["arms"].items():
        table.add_row(arm, *(str(counts.get(status, 0)) for status in statuses))
    Console().print(table)
    print(f"{result['chains']} chains, budget {result['budget']}, wrapper {result['wrapper']}")


def _run(arguments: argparse.Namespace) -> int:
    asked = asked_of(arguments)
    with compose.opened(arguments.generations, arguments.generation) as (node, pin):
        using, showings, result = _planned(arguments, node, pin)
        members = tuple(member for member in asked.members if member.name in asked.chosen)
        study = replace(
            asked.study(),
            name="chains",
            arms=tuple(result["arms"]),
            models=members,
            matcher=using.matcher,
            policy=using.policy,
            budget=using.budget,
            facts={"generation": pin.generation.id, "version": __version__},
        )

        written = rows_asked(arguments, asked, study, showings, pin)
        result |= {"statuses": written.by_status, "rows": written.rows}

        def table() -> None:
            _print_flow(result)
            print(f"{result['rows']} rows in {arguments.out}: {result['statuses']}")

        return show(
            arguments, result, table, generation=pin.generation.id, seeds={"chains": arguments.seed}, rows=arguments.out
        )


def _check(arguments: argparse.Namespace) -> int:
    with compose.opened(arguments.generations, arguments.generation) as (node, pin):
        using, showings, result = _planned(arguments, node, pin)

        async def rows() -> list[Row]:
            return [row async for row in scripted(showings)]

        found = chains.contrasted(_scored(asyncio.run(rows()), arguments.matcher or using.matcher), seed=arguments.seed)
        truths = known(found)
        if not truths:
            raise BadInput("Expected a chain for which some arm can be shown, but there is none.", param="chains")
        right = all(each.holds for each in truths)
        untried = [arm for arm, counts in result["arms"].items() if not counts.get("planned")]
        result |= {"right": right, "untried": untried, "known": [each.as_json() for each in truths], **found.as_json()}

        def table() -> None:
            shown = Table("known", "expected", "measured", "")
            for each in truths:
                shown.add_row(each.what, each.expected, number(each.measured), "" if each.holds else "WRONG")
            Console().print(shown)
            print(
                f"{len(showings)} showings of {result['chains']} chains: {'all as known' if right else 'the instrument errs'}"
            )
            if untried:
                print(f"Not tried, since no chain allows it: {', '.join(untried)}")

        show(
            arguments,
            result,
            table,
            generation=pin.generation.id,
            seeds={"chains": arguments.seed},
            rows=arguments.chains,
        )
        return 0 if right else 1


def _scored(rows: Iterable[Row], matcher: str | None) -> list[chains.ChainScore]:
    return [
        scored
        for row in rows
        if (scored := chains.score(row, matcher or str(row.study.get("matcher") or "default"))) is not None
    ]


def _score(arguments: argparse.Namespace) -> int:
    scores = _scored(read_rows(arguments.rows), arguments.matcher)
    if not scores:
        raise BadInput(f"Expected rows that were answered in {arguments.rows}, but there is none.", param="rows")
    found = chains.contrasted(scores, seed=arguments.seed, resamples=arguments.resamples)
    if arguments.items:
        write_lines(arguments.items, (each.as_json() for each in scores))
    seeds = {"bootstrap": arguments.seed}
    return show(arguments, found.as_json(), lambda: _print_score(found), seeds=seeds, rows=arguments.rows)


def _print_score(found: chains.Result) -> None:
    console = Console()
    rates = Table("model", "arm", "answered", "recall", "precision", "counts", "names", "old answer", title="By arm")
    for model, arms in found.rates.items():
        for arm, rate in arms.items():
            figures = (rate.recall, rate.precision, rate.bounded, rate.names, rate.old)
            rates.add_row(model, arm.removeprefix("chain/"), f"{rate.answered}/{rate.n}", *map(number, figures))
    console.print(rates)
    deltas = Table("model", "n", "Δ", "95 %, unadjusted", "p, Holm", "b-only", "headroom", title="Δ = both − b-only")
    for delta in found.deltas:
        deltas.add_row(delta.model, *_delta(delta))
    console.print(deltas)
    for delta in found.deltas:
        caught = "; it enumerates: most of what it names is wrong" if delta.enumerates else ""
        print(f"{delta.model}: {READINGS[delta.verdict]}{caught}")


def _delta(delta: chains.Delta) -> Sequence[str]:
    if delta.paired is None:
        return "0", "", "", "", "", ""
    return (
        str(delta.paired.n),
        signed(delta.paired.mean),
        bounds(delta.paired.ci95),
        number(delta.paired.p_holm, 4),
        number(delta.b_only),
        number(delta.headroom),
    )
