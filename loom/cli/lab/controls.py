"""`loom lab controls`: what each arm shows, how much of the answer it exposes, and whether the controls hold."""

import argparse
import asyncio
from pathlib import Path

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from loom import compose
from loom.cli.lab.common import generation_flags, json_flag, names_in, show
from loom.cli.lab.planning import ground, planned_arms
from loom.cli.lab.tables import number
from loom.core.errors import BadInput
from loom.core.exposure import READERS
from loom.core.policy.wrappers import WRAPPERS
from loom.core.values import Json
from loom.lab.arms import ARMS, Planned, chosen, measured
from loom.lab.files import write_lines
from loom.lab.question import read


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "controls",
        help="make every arm of a study and measure it, before any model is asked",
        description="Make what each arm shows for each question, and measure it: the copy ceiling of every arm first, then flow, "
        "tokens, exposure of the blocks, and whether the controls hold what they promise. No model is asked.",
    )
    parser.add_argument("questions", type=Path, metavar="QUESTIONS", help="a question set, a JSON object a line")
    generation_flags(parser)
    parser.add_argument("--arms", default="all", metavar="NAMES", help=f"with commas between: {', '.join(ARMS)} (default: all)")
    parser.add_argument("--seed", type=int, default=42, help="what donors, noise and orders are drawn with (default: 42)")
    parser.add_argument("--policy", metavar="NAME", help="the policy of the live path (default: the node's)")
    parser.add_argument("--wrapper", choices=tuple(WRAPPERS), help="the sentence over a block (default: the node's)")
    parser.add_argument("--budget", type=int, metavar="TOKENS", help="tokens of a block (default: the node's)")
    parser.add_argument("--matcher", choices=sorted(READERS), help="how names are matched (default: the policy's)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write what every arm shows here, a JSON object a line")
    json_flag(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    if arguments.budget is not None and arguments.budget < 1:
        raise BadInput(f"Expected a budget of at least 1 token, but got {arguments.budget}.", param="budget")
    arms = chosen(names_in(arguments.arms, "--arms"))
    questions = read(arguments.questions)
    with compose.opened(arguments.generations, arguments.generation) as (node, pin):
        using = ground(node, pin, policy=arguments.policy, wrapper=arguments.wrapper, budget=arguments.budget)
        planned = asyncio.run(planned_arms(using, questions, arms, seed=arguments.seed, pin=pin))
        result = measured(planned, arguments.matcher or using.matcher)
    if arguments.out is not None:
        result["plan"] = {"file": arguments.out.name, "sha256": write_lines(arguments.out, planned.lines())}
    return show(
        arguments,
        result,
        lambda: _table(result, planned),
        generation=pin.generation.id,
        seeds={"controls": arguments.seed},
        rows=arguments.questions,
    )


def _table(result: dict[str, Json], planned: Planned) -> None:
    console = Console()
    matcher = result["matcher"]
    table = Table(
        box=SIMPLE,
        padding=(0, 0, 0, 1),
        pad_edge=False,
        title=f"Copy ceilings ({matcher} matcher, {result['questions']} questions, {result['engaged']} engaged)",
    )
    for name in ("arm", "ceiling", "block", "none", "tokens", "±2 %", "asked", "no donor", "no block"):
        table.add_column(name, justify="left" if name == "arm" else "right", min_width=15 if name == "arm" else None)
    for arm, measures in result["arms"].items():
        ceiling, alone = result["ceiling"][arm][matcher], measures["block_exposure"][matcher]
        flow, tokens = measures["flow"], measures["tokens"]
        table.add_row(
            arm,
            number(ceiling["macro"]),
            number(alone["macro"]),
            str(alone["zero"]),
            f"{tokens['mean']:,.0f}",
            number(tokens.get("within")),
            str(flow["planned"]),
            str(flow["no_donor"]),
            str(flow["no_block"]),
        )
    console.print(table)
    held = Table(box=SIMPLE, title="Checks")
    for name in ("check", "of", "violations", "paired"):
        held.add_column(name, justify="left" if name == "check" else "right")
    for name, check in result["checks"].items():
        held.add_row(name.replace("_", " "), str(check["n"]), str(check["violations"]), number(check.get("paired")))
    console.print(held)
    console.print(
        "ceiling: what copying all that is shown would score, by question; block, none: what the block alone "
        "exposes, and on how many questions nothing; ±2 %: share of blocks that are as long as the arm they are matched to.",
        highlight=False,
    )
    for seed in planned.template_seeds:
        where = f" of {seed.set}" if seed.set else ""
        console.print(
            f"Named by the template, so removed: {seed.title} (in {seed.share:.0%} of the questions{where})", highlight=False
        )
