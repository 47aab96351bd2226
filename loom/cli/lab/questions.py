"""`loom lab questions`: a question set from what a generation states."""

import argparse
import asyncio
from pathlib import Path

from rich.console import Console
from rich.table import Table

from loom import compose
from loom.cli.lab.common import generation_flags, json_flag, show
from loom.cli.lab.planning import ground
from loom.core.concepts import Concepts
from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.question import write
from loom.lab.questions import TEMPLATES, Checked, Generated, checked, generate
from loom.lab.questions.generate import FEWEST, MIN_DOMAIN, MIN_QUALITY, MOST, PER_DOMAIN, PER_SUBJECT


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "questions",
        help="make a question set: what concepts are related to, stand under, have in common",
        description="Make questions whose answers the generation states, with their gold: T-REL (what a concept requires, uses, "
        "depends on, enables, has as parts), T-TAX (its parent; ancestors are extra gold) and T-COMMON (what two concepts both "
        "stand under).",
    )
    parser.add_argument(
        "--out", required=True, type=Path, metavar="FILE", help="write the questions here, a JSON object a line"
    )
    generation_flags(parser)
    parser.add_argument("--seed", type=int, default=42, help="what is drawn (default: 42)")
    parser.add_argument(
        "--per-domain", type=int, default=PER_DOMAIN, metavar="N", help=f"concepts of each domain (default: {PER_DOMAIN})"
    )
    parser.add_argument(
        "--min-domain",
        type=int,
        default=MIN_DOMAIN,
        metavar="N",
        help=f"concepts that a domain needs to stand for itself (default: {MIN_DOMAIN})",
    )
    parser.add_argument(
        "--min-quality",
        type=float,
        default=MIN_QUALITY,
        metavar="Q",
        help=f"least quality of a concept that states one (default: {MIN_QUALITY})",
    )
    parser.add_argument(
        "--min-definition", type=int, default=0, metavar="N", help="least length of a definition, in characters (default: 0)"
    )
    parser.add_argument(
        "--per-subject",
        type=int,
        default=PER_SUBJECT,
        metavar="N",
        help=f"T-REL questions of one concept (default: {PER_SUBJECT})",
    )
    parser.add_argument(
        "--fewest", type=int, default=FEWEST, metavar="N", help=f"targets of a T-REL question (default: {FEWEST})"
    )
    parser.add_argument("--most", type=int, default=MOST, metavar="N", help=f"… and at most (default: {MOST})")
    parser.add_argument("--template", action="append", choices=TEMPLATES, help="only this template; may be given again")
    parser.add_argument(
        "--relation", action="append", metavar="NAME", help="ask for this relation instead of the five; may be given again"
    )
    parser.add_argument("--set", default="lab", metavar="NAME", help="name of the set (default: lab)")
    parser.add_argument("--check", action="store_true", help="ask the live path each question, and count what its blocks show")
    json_flag(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    with compose.opened(arguments.generations, arguments.generation) as (node, pin):
        concepts = pin.generation.part(Concepts)
        if concepts is None:
            raise BadInput("Expected a generation with concepts, but this one has none.", param="generation")
        made = generate(
            concepts,
            seed=arguments.seed,
            per_domain=arguments.per_domain,
            min_domain=arguments.min_domain,
            min_quality=arguments.min_quality,
            min_definition=arguments.min_definition,
            per_subject=arguments.per_subject,
            fewest=arguments.fewest,
            most=arguments.most,
            templates=arguments.template or TEMPLATES,
            relations=arguments.relation,
            set=arguments.set,
        )
        if not made.questions:
            reasons = ", ".join(f"{why}: {count}" for why, count in sorted(made.left_out.items()))
            raise BadInput(f"Expected concepts that can be asked about, but none is left ({reasons}).", param="generation")
        write(arguments.out, made.questions)
        check = asyncio.run(checked(ground(node, pin), made.questions)) if arguments.check else None
        result: dict[str, Json] = made.as_json() | ({"check": check.as_json()} if check else {})
        return show(
            arguments,
            result,
            lambda: _table(arguments.out, made, check),
            generation=pin.generation.id,
            seeds={"questions": arguments.seed},
            rows=arguments.out,
        )


def _table(out: Path, made: Generated, check: Checked | None) -> None:
    templates = made.settings["templates"]
    table = Table("domain", *templates, "all")
    for domain in made.domains:
        table.add_row(domain, *(str(made.count(name, domain)) for name in templates), str(made.count(domain=domain)))
    table.add_section()
    table.add_row("all", *(str(made.count(name)) for name in templates), str(len(made.questions)))
    console = Console()
    console.print(table)
    left = Table("left out", "", show_header=True)
    for why, count in sorted(made.left_out.items(), key=lambda each: (-each[1], each[0])):
        left.add_row(why, str(count))
    if made.left_out:
        console.print(left)
    if check is not None:
        share = "no gold" if check.exposed is None else f"{check.exposed:.3f} of the gold in their blocks"
        console.print(f"{check.engaged} of {check.asked} are grounded by the live path; {share}.")
    console.print(f"{len(made.questions)} questions in {out}")
