"""`loom lab wrapper`: the wrapper ablation on targets that the served block does not expose: plan, run, score."""

import argparse
import asyncio
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path

from loom import __version__, compose
from loom.answer.plan import Pin
from loom.cli.lab.asker import asked_of, book_path, model_flags, rows_asked, with_asker
from loom.cli.lab.common import generation_flags, json_flag, show
from loom.cli.lab.planning import ground
from loom.cli.progress import tracked
from loom.core.errors import BadInput
from loom.core.exposure import READERS
from loom.core.values import Json
from loom.lab import question
from loom.lab.asking import Asker
from loom.lab.files import write_lines
from loom.lab.row import ANSWERED, read_rows
from loom.lab.showing import Showing
from loom.lab.study import Study
from loom.lab.wrapping import OUTCOMES, PREFIX, Scored, plan_wrappers, score
from loom.lab.wrapping.judged import judge
from loom.lab.wrapping.scored import targets_of

Verdicts = dict[tuple[str, str, str, str, str], str | None]

AT_ONCE = 200
"""Rows that are handed to a judge together."""


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "wrapper",
        help="what the sentence around a block does to what the block leaves out",
        description="The same block under the wrappers authoritative, incomplete, supplement, neutral and bare, on the gold that it "
        "does not expose: recovered, left out, contradicted, or abstained from.",
    )
    steps = parser.add_subparsers(dest="step", required=True, metavar="STEP")
    plan = steps.add_parser("plan", help="which targets are left out, and what would be shown")
    run = steps.add_parser("run", help="plan, ask the models, and write the rows")
    for each in (plan, run):
        each.add_argument("--questions", type=Path, required=True, metavar="FILE", help="questions with gold, as JSON lines")
        each.add_argument("--raw", action="store_true", help="add the arm without a block")
        each.add_argument("--matcher", choices=sorted(READERS), help="how names are matched (default: the policy's)")
        each.add_argument("--policy", help="policy of the blocks (default: the node's)")
        each.add_argument("--budget", type=int, metavar="TOKENS", help="tokens of a block (default: the node's)")
        each.add_argument("--out", type=Path, required=each is run, metavar="FILE", help="write them here, as JSON lines")
        generation_flags(each)
        json_flag(each)
    model_flags(run)
    plan.set_defaults(run=_plan)
    run.set_defaults(run=_run)
    scoring = steps.add_parser("score", help="outcomes by model and wrapper, from rows")
    scoring.add_argument("rows", type=Path, metavar="ROWS", help="rows of `loom lab wrapper run`")
    scoring.add_argument("--matcher", choices=sorted(READERS), help="how names are matched (default: as in the plan)")
    scoring.add_argument("--items", type=Path, metavar="FILE", help="write what became of each target, as JSON lines")
    scoring.add_argument("--judge", action="store_true", help="ask a judge as well: --model says which")
    model_flags(scoring, needed_for="where --judge is given")
    json_flag(scoring)
    scoring.set_defaults(run=_score)


def _plan(arguments: argparse.Namespace) -> int:
    with compose.opened(arguments.generations, arguments.generation) as (node, pin):
        showings, result = _planned(arguments, node, pin)
        if arguments.out:
            write_lines(arguments.out, (showing.as_line() for showing in showings))
        return show(arguments, result, lambda: _print_plan(result), generation=pin.generation.id, rows=arguments.questions)


def _planned(arguments: argparse.Namespace, node: compose.Node, pin: Pin) -> tuple[list[Showing], dict[str, Json]]:
    asked = question.read(arguments.questions)
    using = ground(node, pin, policy=arguments.policy, budget=arguments.budget)
    steps = tracked(range(len(asked)), "plan", len(asked), plain=False)
    showings = asyncio.run(
        plan_wrappers(using, asked, matcher=arguments.matcher, raw=arguments.raw, done=lambda: next(steps, None))
    )
    first = [showing for showing in showings if showing.arm == f"{PREFIX}authoritative"]
    result: dict[str, Json] = {
        "questions": len(asked),
        "questions_with_omitted_targets": len(first),
        "omitted_targets": sum(len(showing.notes["omitted"]) for showing in first),
        "of_which_alternatives": sum(len(showing.notes["omitted"]) for showing in first if showing.notes["alternatives"]),
        "arms": list(dict.fromkeys(showing.arm for showing in showings)),
        "showings": len(showings),
        "matcher": arguments.matcher or using.matcher,
        "policy": using.policy,
        "budget": using.budget,
    }
    return showings, result


def _print_plan(result: Mapping[str, Json]) -> None:
    print(
        f"{result['omitted_targets']} targets that the block leaves out, in {result['questions_with_omitted_targets']} of "
        f"{result['questions']} questions; {result['showings']} showings in {len(result['arms'])} arms"
    )


def _run(arguments: argparse.Namespace) -> int:
    asked = asked_of(arguments)
    with compose.opened(arguments.generations, arguments.generation) as (node, pin):
        showings, result = _planned(arguments, node, pin)
        if not showings:
            raise BadInput(
                "Expected a question whose block leaves out some of its gold, but there is none; lower --budget, or give others.",
                param="questions",
            )
        members = tuple(member for member in asked.members if member.name in asked.chosen)
        study: Study = replace(
            asked.study(),
            name="wrapper",
            arms=tuple(result["arms"]),
            models=members,
            matcher=result["matcher"],
            policy=result["policy"],
            budget=result["budget"],
            facts={"generation": pin.generation.id, "version": __version__},
        )

        written = rows_asked(arguments, asked, study, showings, pin)
        result |= {"statuses": written.by_status, "rows": written.rows}

        def table() -> None:
            _print_plan(result)
            print(f"{result['rows']} rows in {arguments.out}: {result['statuses']}")

        return show(arguments, result, table, generation=pin.generation.id, rows=arguments.out)


def _score(arguments: argparse.Namespace) -> int:
    found = score(read_rows(arguments.rows), arguments.matcher)
    if arguments.judge:
        found = found.with_judged(_judged(arguments, found))
    if arguments.items:
        write_lines(arguments.items, (item.as_json() for item in found.items))
    return show(arguments, found.as_json(), lambda: _print_score(found), rows=arguments.rows)


def _judged(arguments: argparse.Namespace, found: Scored) -> Verdicts:
    asked = asked_of(arguments)
    if len(asked.chosen) != 1:
        raise BadInput("Expected one --model as the judge.", param="model")
    name = asked.chosen[0]
    if name in found.models:
        raise BadInput(f"Expected a judge that wrote none of the answers, but {name} did; name another.", param="model")

    async def verdicts(asker: Asker) -> Verdicts:
        said: Verdicts = {}
        rows = (row for row in read_rows(arguments.rows) if row.status == ANSWERED and targets_of(row))
        while some := list(islice(rows, AT_ONCE)):
            pairs = [(row, target) for row in some for target in targets_of(row)]
            outcomes = await asyncio.gather(*(judge(asker, name, row, target) for row, target in pairs))
            for (row, target), found in zip(pairs, outcomes, strict=True):
                said[row.model, row.arm.removeprefix(PREFIX), row.question.set, row.question.id, target] = found
        return said

    book = book_path(arguments, arguments.rows)
    return with_asker(asked, book, verdicts, label="judged", total=len(found.items), quiet=arguments.json)


def _print_score(found: Scored) -> None:
    wide = max([len("model"), *map(len, found.models)])
    print(
        f"{'model':<{wide}}  {'wrapper':<14}{'n':>6}"
        + "".join(f"{name:>16}" for name in OUTCOMES)
        + f"{'empty':>7}{'errors':>8}"
    )
    for reading in ("outcome", "judged"):
        if reading == "judged" and not any(item.judged for item in found.items):
            continue
        print("by the rules" if reading == "outcome" else "by the judge")
        for row in found.outcomes(reading):
            shares = "".join(f"{_shown(row[name]):>16}" for name in OUTCOMES)
            print(f"{row['model']:<{wide}}  {row['wrapper']:<14}{row['n']:>6}{shares}{row['empty']:>7}{row['errors']:>8}")
    for row in found.contrasts("outcome"):
        if row["p_holm"] < 0.05:
            print(
                f"{row['model']}: {row['outcome']} under {row['a']} alone {row['only_a']}, under {row['b']} alone {row['only_b']}, "
                f"of {row['n']}; p {row['p_exact']:.4g}, Holm {row['p_holm']:.4g}"
            )


def _shown(cell: Mapping[str, Json]) -> str:
    return f"{cell['count']} ({cell['share']:.3f})" if cell["share"] is not None else "-"
