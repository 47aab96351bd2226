"""`loom lab claims`: whether keeping interpretations pays, by experiments on workspaces whose truth is known, and what follows for the
parts of a workspace."""

import argparse
import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path

import orjson

from loom.cli.lab.claims_shown import (
    print_bar,
    print_ledger,
    print_logged,
    print_measured,
    print_rules,
    print_study,
    print_verdicts,
)  # fmt: skip
from loom.cli.lab.common import json_flag, names_in, show
from loom.cli.progress import tracked
from loom.core.errors import BadInput, NotFound
from loom.core.values import Json
from loom.lab.claims.applying import applied, dropped, told
from loom.lab.claims.expected import bar
from loom.lab.claims.labels import Labels, read_labels
from loom.lab.claims.ledger import ILLUSTRATION, SUPPOSED, grid, illustrated
from loom.lab.claims.logged import Alternative, Logged, logged
from loom.lab.claims.measuring import STEPS as MEASURED
from loom.lab.claims.measuring import Results, measured
from loom.lab.claims.real.pricing import Price, Prices, Till, read_prices
from loom.lab.claims.ruled import ruled
from loom.lab.claims.study import STEPS, Study, study
from loom.lab.claims.worlds.recipe import WORLDS
from loom.lab.files import write_bytes, write_json, write_lines
from loom.lab.text_files import text_of


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    family = subparsers.add_parser(
        "claims",
        help="whether keeping interpretations pays: experiments on generated workspaces, the ledger of cost, verdicts on the parts",
        description="Retrieval arms, contradiction, restoration, replay, routing, artifacts and the ledger of cost, over workspaces "
        "that are generated from a seed and whose truth is known; judges are scripted. What fails its drop condition is named.",
    )
    commands = family.add_subparsers(dest="experiment", required=True, metavar="COMMAND")

    run = commands.add_parser("run", help="all experiments on one generated workspace, and the verdicts")
    run.add_argument("--world", choices=list(WORLDS), default="holds", help="which truth is planted (%(default)s)")
    run.add_argument("--seed", type=int, default=1, help="what the workspace is drawn with (%(default)s)")
    run.add_argument("--out", type=Path, metavar="FILE", help="write the results there, as JSON")
    json_flag(run)
    run.set_defaults(run=_run)

    worlds = commands.add_parser(
        "worlds",
        help="the same on the world where the thesis holds and on those with one failure: is exactly the matching part dropped?",
    )
    worlds.add_argument("--worlds", default=",".join(WORLDS), metavar="NAMES", help="which, with commas between (all)")
    worlds.add_argument("--seeds", default="1,2,3", metavar="NUMBERS", help="with commas between (%(default)s)")
    json_flag(worlds)
    worlds.set_defaults(run=_worlds)

    measure = commands.add_parser(
        "measure",
        help="the experiments that labels allow, on a copy of a real workspace with its own judges; the workspace stays as it is",
    )
    measure.add_argument(
        "labels", type=Path, metavar="FILE", help="what people labelled, a JSON object a line (docs/lab/claims.md)"
    )
    measure.add_argument("--store", metavar="PLACE", help="file or PostgreSQL URL (default: LOOM_CLAIMS_STORE)")
    measure.add_argument("--file", metavar="FILE", help="TOML file of the workspace (default: LOOM_CLAIMS_FILE)")
    measure.add_argument(
        "--prices", type=Path, metavar="FILE", help="TOML file of prices a model and of people's hour (docs/lab/claims.md)"
    )
    measure.add_argument(
        "--artifacts",
        type=Path,
        metavar="FILE",
        help="write the pairs of artifacts there that people are to rate, as JSON lines",
    )
    measure.add_argument("--seed", type=int, default=1, help="what splits and draws are made with (%(default)s)")
    measure.add_argument("--out", type=Path, metavar="FILE", help="write the results there, as JSON")
    json_flag(measure)
    measure.set_defaults(run=_measure)

    verdict = commands.add_parser(
        "verdict", help="the verdicts of a results file; --apply sets what they drop in a workspace's file"
    )
    verdict.add_argument("results", type=Path, metavar="FILE", help="what `loom lab claims run --out` wrote")
    verdict.add_argument(
        "--apply", type=Path, dest="out", metavar="FILE", help="the TOML file of a workspace (LOOM_CLAIMS_FILE)"
    )
    json_flag(verdict)
    verdict.set_defaults(run=_verdict)

    ledger = commands.add_parser(
        "ledger",
        help="what a workspace cost by its log, with people's minutes; without --store the paper's illustration and its grid",
    )
    ledger.add_argument("--store", metavar="PLACE", help="the store of a workspace, file or PostgreSQL URL; it stays as it is")
    ledger.add_argument("--wage", type=float, default=60.0, metavar="DOLLARS", help="an hour of those who decide (%(default)g)")
    ledger.add_argument("--reads", type=int, default=0, metavar="N", help="how many reads the workspace performed")
    ledger.add_argument("--once", type=float, metavar="DOLLARS", help="what a slow-path request costs the alternative")
    ledger.add_argument("--reread", type=float, metavar="DOLLARS", help="what a read costs the alternative")
    json_flag(ledger)
    ledger.set_defaults(run=_ledger)

    rules = commands.add_parser("rules", help="how well contradictions are told by rules alone, on generated pairs")
    rules.add_argument("--seed", type=int, default=1, help="what the pairs are drawn with (%(default)s)")
    json_flag(rules)
    rules.set_defaults(run=_rules)


def _studied(world: str, seed: int) -> Study:
    from loom.compose_lab import claims_in_memory, scripted_judges

    steps = tracked(STEPS, f"{world}, seed {seed}", len(STEPS), plain=False)

    def step(name: str) -> None:
        next(steps, None)

    return asyncio.run(study(WORLDS[world], seed, claims_in_memory, scripted_judges, step=step))


def _run(arguments: argparse.Namespace) -> int:
    found = _studied(arguments.world, arguments.seed)
    result = {"world": arguments.world, "seed": arguments.seed, **found.as_json()}
    if arguments.out:
        write_json(arguments.out, result)
    return show(arguments, result, lambda: print_study(result), seeds={"world": arguments.seed})


def _measure(arguments: argparse.Namespace) -> int:
    from loom.compose_claims import read_stated, tokens_of_answers, workspace
    from loom.compose_lab import claims_in_memory
    from loom.settings import load

    kept = load().claims
    store, file = arguments.store or kept.store, arguments.file or kept.file
    if "://" not in store and not Path(store).is_file():
        raise NotFound(f"There are no claims at {store}; name their file with --store.")
    labels = read_labels(arguments.labels)
    if labels == Labels():
        print(
            f"There is no label in {arguments.labels}: only what needs none is measured. docs/lab/claims.md lists the kinds of labels.",
            file=sys.stderr,
        )
    stated = {each.model: Price(*each.price, each.tier) for each in read_stated(file).models.values()}
    prices = read_prices(arguments.prices) if arguments.prices else Prices({})
    till = Till(Prices({**stated, **prices.models}, prices.wage), asyncio.run(tokens_of_answers(file)))
    claims = workspace(store, file)
    steps = tracked(MEASURED, "measured", len(MEASURED), plain=False)

    def step(name: str) -> None:
        next(steps, None)

    async def measure() -> Results:
        try:
            return await measured(claims, claims_in_memory, labels, till, arguments.seed, step=step)
        finally:
            await claims.aclose()

    found = asyncio.run(measure())
    result = {"seed": arguments.seed, **found.as_json()}
    if arguments.out:
        write_json(arguments.out, result)
    if arguments.artifacts:
        write_lines(arguments.artifacts, found.to_rate())
    return show(arguments, result, lambda: print_measured(result), seeds={"splits": arguments.seed}, rows=arguments.labels)


def _worlds(arguments: argparse.Namespace) -> int:
    names, seeds = names_in(arguments.worlds, "--worlds"), [_number(each) for each in names_in(arguments.seeds, "--seeds")]
    if unknown := [name for name in names if name not in WORLDS]:
        raise BadInput(f"Expected worlds among {', '.join(WORLDS)}, but got {unknown[0]!r}.", param="worlds")
    rows: list[dict[str, Json]] = []
    for name in names:
        for seed in seeds:
            found = _studied(name, seed)
            rows.append(bar(name, seed, found.dropped, found.thesis.holds))
            if not arguments.json:
                print_bar(rows[-1])
    code = show(arguments, {"rows": rows}, lambda: None, seeds={"worlds": seeds[0]})
    return code if all(row["exact"] for row in rows) else 1


def _verdict(arguments: argparse.Namespace) -> int:
    result = _results(arguments.results)
    settings, thesis = dropped(result["verdicts"]), told(result.get("thesis"))
    if arguments.out:
        was = text_of(arguments.out, "apply")
        if (made := applied(was, settings)) != was:
            write_bytes(arguments.out.resolve(), [made.encode()])  # where a link leads
    shown = {"verdicts": result["verdicts"], "thesis": thesis, "parts": settings}
    return show(arguments, shown, lambda: print_verdicts(shown, arguments.out), rows=arguments.results)


def _ledger(arguments: argparse.Namespace) -> int:
    if arguments.store:
        return _logged(arguments)
    if _alternative(arguments) is not None:
        raise BadInput("Expected --store beside --reads, --once and --reread, whose log they are of; name it.", param="store")
    result = {"reads": illustrated(), "grid": list(grid(ILLUSTRATION, SUPPOSED)), "lines": ILLUSTRATION.lines(SUPPOSED)}
    return show(arguments, result, lambda: print_ledger(result))


def _alternative(arguments: argparse.Namespace) -> Alternative | None:
    """What the alternative takes; None where no break-even is asked for. Raises BadInput where one of its three flags is missing."""
    given = {"--reads": arguments.reads or None, "--once": arguments.once, "--reread": arguments.reread}
    missing = [flag for flag, value in given.items() if value is None]
    if len(missing) == len(given):
        return None
    if missing or arguments.reads < 1:
        came = (
            f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
            if missing
            else f"got {arguments.reads} reads"
        )
        raise BadInput(
            f"Expected --reads of at least 1, --once and --reread together, for a break-even, but {came}; give all three, or none.",
            param=(missing or ["--reads"])[0].removeprefix("--"),
        )
    return Alternative(arguments.once, arguments.reread)


def _logged(arguments: argparse.Namespace) -> int:
    from loom.compose_claims import workspace

    if "://" not in arguments.store and not Path(arguments.store).is_file():
        raise NotFound(f"There are no claims at {arguments.store}; name their file with --store.")
    other = _alternative(arguments)
    claims = workspace(arguments.store)

    async def read() -> Logged:
        try:
            return await logged(await claims.store())
        finally:
            await claims.aclose()

    result = asyncio.run(read()).as_json(arguments.wage, arguments.reads, other)
    if other is not None and "break_even" not in result:
        print("There is no break-even: the log has no slow-path request yet.", file=sys.stderr)
    return show(arguments, result, lambda: print_logged(result))


def _rules(arguments: argparse.Namespace) -> int:
    result = ruled(arguments.seed).as_json()
    return show(arguments, result, lambda: print_rules(result), seeds={"pairs": arguments.seed})


def _results(path: Path) -> Mapping[str, Json]:
    try:
        found = orjson.loads(text_of(path, "results"))
    except orjson.JSONDecodeError as error:
        raise BadInput(
            f"Expected {path} as the results of `loom lab claims run`, but it is no JSON: {error}.", param="results"
        ) from error
    if isinstance(found, dict) and isinstance(found.get("result"), dict):
        found = found["result"]
    if not isinstance(found, dict) or not isinstance(found.get("verdicts"), list):
        raise BadInput(
            f"Expected {path} with verdicts, as `loom lab claims run --out` writes it; it has none.", param="results"
        )
    return found


def _number(text: str) -> int:
    if not text.lstrip("-").isdigit():
        raise BadInput(f"Expected --seeds as whole numbers with commas between, but got {text!r}.", param="seeds")
    return int(text)
