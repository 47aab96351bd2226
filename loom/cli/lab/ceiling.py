"""`loom lab ceiling`: what an answer that repeats everything shown would score, before any model is asked."""

import argparse
import asyncio
import sys
from pathlib import Path

from loom import compose
from loom.cli.lab.common import generation_flags, json_flag, show
from loom.cli.lab.planning import ground
from loom.cli.progress import tracked
from loom.core.errors import BadInput
from loom.core.exposure import READERS
from loom.core.policy.policy import POLICIES
from loom.core.policy.wrappers import WRAPPERS
from loom.core.values import Json
from loom.lab import question as questions
from loom.lab.files import write_bytes, write_lines
from loom.lab.question import LabQuestion
from loom.lab.scoring.copying import Measuring, as_json, given, grounded, read_contexts
from loom.lab.scoring.tables import ceiling_lines


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "ceiling",
        help="the copy ceiling of questions: what repeating everything shown would score",
        description="Count, for every question, which of its gold the block and the question show. No model is asked.",
    )
    parser.add_argument("questions", type=Path, metavar="QUESTIONS", help="JSON lines with id, prompt, gold and gold_type")
    parser.add_argument("--policy", choices=POLICIES, help="policy of gate and packing (default: LOOM_POLICY)")
    parser.add_argument("--matcher", choices=list(READERS), help="how names are matched (default: the policy's own)")
    parser.add_argument(
        "--wrapper",
        choices=list(WRAPPERS),
        default="bare",
        help="sentence before the block, counted as shown (default: bare, which is block and question alone)",
    )
    parser.add_argument("--budget", type=int, metavar="N", help="most tokens of a block (default: LOOM_BUDGET)")
    parser.add_argument(
        "--contexts",
        type=Path,
        metavar="FILE",
        help="your own contexts instead of the node's: JSON lines with id and context; needs no generation",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write an object a question as JSON lines, or .csv")
    generation_flags(parser)
    json_flag(parser)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    """Measure and print; exit code 1 where the invariant does not hold."""
    asked = questions.read(arguments.questions)
    measuring, facts, generation = _of_contexts(arguments, asked) if arguments.contexts else _of_node(arguments, asked)
    made, invariant = measuring.made(), measuring.invariant
    if arguments.out:
        rows = [item.as_json() for item in made.items]
        if arguments.out.suffix == ".csv":
            write_bytes(arguments.out, (line.encode() for line in _csv(rows)))
        else:
            write_lines(arguments.out, rows)

    def table() -> None:
        print(", ".join(f"{name} {value}" for name, value in {**facts, "matcher": made.matcher}.items() if value is not None))
        print("\n".join(ceiling_lines(made)))
        if made.without_gold:
            print(f"{len(made.without_gold)} questions ask for no name and are left out")
        print(invariant)

    show(arguments, as_json(made, invariant, **facts), table, generation=generation, rows=arguments.questions)
    if not invariant.holds:
        print("loom lab ceiling: the invariant does not hold; the figures cannot be trusted.", file=sys.stderr)
        return 1
    return 0


def _of_contexts(
    arguments: argparse.Namespace, asked: tuple[LabQuestion, ...]
) -> tuple[Measuring, dict[str, Json], str | None]:
    measuring = Measuring(arguments.matcher or arguments.policy or "default")
    for shown in given(read_contexts(arguments.contexts), asked):
        measuring.add(shown)
    return measuring, {"contexts": "given"}, None


def _of_node(arguments: argparse.Namespace, asked: tuple[LabQuestion, ...]) -> tuple[Measuring, dict[str, Json], str | None]:
    if arguments.budget is not None and not 1 <= arguments.budget <= 100_000:
        raise BadInput(f"Expected budget to be from 1 to 100,000, but got {arguments.budget}.", param="budget")
    with compose.opened(arguments.generations, arguments.generation) as (node, pin):
        base = ground(node, pin, policy=arguments.policy, wrapper=arguments.wrapper, budget=arguments.budget)
        measuring = Measuring(arguments.matcher or base.matcher)

        async def measure() -> None:
            async for shown in grounded(base, tracked(asked, "questions", len(asked), plain=False)):
                measuring.add(shown)

        asyncio.run(measure())
        facts: dict[str, Json] = {"policy": base.policy, "wrapper": base.wrapper, "budget": base.budget}
        return measuring, facts, pin.generation.id


def _csv(rows: list[dict[str, Json]]) -> list[str]:
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(list(rows[0]))
    for row in rows:
        writer.writerow("; ".join(value) if isinstance(value, list) else value for value in row.values())
    return [out.getvalue()]
