"""`loom bench`: how quick this node is on this machine, as a table and as JSON."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from loom import __version__
from loom.bench import questions
from loom.bench.figures import Figure
from loom.bench.matching import opened
from loom.bench.measurements import ALONE, MEASUREMENTS
from loom.bench.setup import Setup, machine
from loom.bench.vectors import loaded
from loom.bench.wire import target_of
from loom.cli import bench_growth, bench_retrieval
from loom.cli.progress import tracked
from loom.core.concepts import Concepts
from loom.core.errors import BadInput
from loom.core.values import Json


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "bench",
        help="measure this node on this machine",
        description="Measure matching, overhead, throughput, start, memory, builds, swaps, vector indexes and facts, on this machine only. "
        "Runs are interleaved and figures are medians over rounds; see docs/benchmarks.md.",
    )
    parser.add_argument("--generations", metavar="FOLDER", help="folder of generations (default: LOOM_GENERATIONS)")
    parser.add_argument(
        "--questions",
        metavar="FILE",
        type=Path,
        help="JSONL with a field prompt (default: made from the titles of the generation)",
    )
    parser.add_argument("--only", metavar="NAMES", help=f"some of {','.join(MEASUREMENTS)}, separated by commas (default: all)")
    parser.add_argument(
        "--rounds", type=_whole(1, 1000), default=5, metavar="N", help="rounds of each measurement (default: 5)"
    )
    parser.add_argument(
        "--seconds", type=float, default=2.0, metavar="S", help="length of one stretch of load (default: 2; 0.1 to 60)"
    )
    parser.add_argument(
        "--clients", default="1,16,64", metavar="N,…", help="numbers of clients for throughput (default: 1,16,64)"
    )
    parser.add_argument(
        "--swaps", type=_whole(1, 1000), default=50, metavar="N", help="swaps, and a tenth as many rollbacks (default: 50)"
    )
    parser.add_argument(
        "--sizes", default="8k,100k", metavar="N,…", help="numbers of made vectors to measure indexes on (default: 8k,100k)"
    )
    parser.add_argument("--vectors", metavar="FILE", type=Path, help=".npy of vectors to measure indexes on, one a row")
    parser.add_argument("--asked", metavar="FILE", type=Path, help=".npy of questions to --vectors (default: made from these)")
    parser.add_argument(
        "--facts-rows",
        type=_whole(10_000, 100_000_000),
        default=1_000_000,
        metavar="N",
        help="rows of the knowledge bases that are made (default: 1000000)",
    )
    parser.add_argument(
        "--turns",
        type=_whole(1_000, 10_000_000),
        default=1_000_000,
        metavar="N",
        help="turns of the conversations that are made (default: 1000000)",
    )
    parser.add_argument("--source", action="append", default=[], metavar="SOURCE", help="source to build; may be repeated")
    parser.add_argument(
        "--upstream", metavar="URL", help="a model that is already running, with its /v1 (default: a scripted one is started)"
    )
    parser.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="NAME=URL",
        help="a proxy to compare with, with its /v1; may be repeated",
    )
    parser.add_argument("--json", metavar="FILE", help="write the figures as JSON; - is standard output, instead of the table")
    parser.set_defaults(run=run)
    more = parser.add_subparsers(dest="what", metavar="[growth|retrieval]", help="other measurements, with flags of their own")
    bench_growth.add(more)
    bench_retrieval.add(more)


def run(arguments: argparse.Namespace) -> int:
    """Measure and print; exit code 1 where a request failed, answers disagreed or builds differed, whatever the speed."""
    names = _names(arguments)
    setup, about = _prepared(arguments, needed=not ALONE.issuperset(names))
    started = datetime.now(UTC)
    figures: list[Figure] = []
    for name in tracked(names, "measurements", len(names)):
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        figures += MEASUREMENTS[name](setup)
    result = {
        "loom": __version__,
        "started": started.isoformat(timespec="seconds"),
        "machine": machine(),
        **about,
        "rounds": setup.rounds,
        "figures": [figure.as_json() for figure in figures],
    }
    if arguments.json:
        text = json.dumps(result, ensure_ascii=False, indent=1) + "\n"
        if arguments.json == "-":
            sys.stdout.write(text)
        else:
            Path(arguments.json).write_text(text, encoding="utf-8")
    if arguments.json != "-":
        _print(figures, result)
    return int(any(figure.fault and figure.met is False for figure in figures))


def _whole(least: int, most: int) -> Callable[[str], int]:
    """A reader of a whole number from `least` to `most`."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"expected a whole number from {least} to {most}, but got {text}")
        return value

    return read


def _names(arguments: argparse.Namespace) -> list[str]:
    asked = [name.strip() for name in arguments.only.split(",")] if arguments.only else list(MEASUREMENTS)
    for name in asked:
        if name not in MEASUREMENTS:
            raise BadInput(f"Expected --only to name some of {', '.join(MEASUREMENTS)}, but got {name!r}.", param="only")
    if "build" in asked and not arguments.source:
        if arguments.only:
            raise BadInput("Measuring build needs something to build; name it with --source.", param="source")
        asked.remove("build")
    return asked


def _prepared(arguments: argparse.Namespace, *, needed: bool = True) -> tuple[Setup, dict[str, Json]]:
    """What is measured, and what is said of it; a generation is `needed` but where all that is measured is made."""
    from loom.settings import load

    if not 0.1 <= arguments.seconds <= 60:
        raise BadInput(f"Expected --seconds to be from 0.1 to 60, but got {arguments.seconds:g}.", param="seconds")
    flags = {"LOOM_GENERATIONS": arguments.generations} if arguments.generations else {}
    generations = load(flags=flags).node.generations
    against = dict(_pair(text) for text in arguments.against)
    widths = {loaded(file).shape[1] for file in (arguments.vectors, arguments.asked) if file}
    if arguments.asked and (not arguments.vectors or len(widths) > 1):
        raise BadInput("Expected --asked beside --vectors, with as many numbers in a row.", param="asked")
    for url in (*against.values(), *([arguments.upstream] if arguments.upstream else [])):
        target_of(url)
    about: dict[str, Json] = {"generation": None, "concepts": 0}
    asked: Sequence[str] = ()
    if needed:
        with opened(Setup(generations, ())) as (_, pin):
            concepts = pin.generation.part(Concepts)
            if concepts is None or not concepts.count:
                raise BadInput("Expected concepts in the current generation, but it has none.", param="generations")
            about = {"generation": pin.generation.id, "concepts": concepts.count}
            asked = questions.read(arguments.questions) if arguments.questions else questions.made(concepts)
    about["questions"] = len(asked)
    setup = Setup(
        generations,
        asked,
        rounds=arguments.rounds,
        seconds=arguments.seconds,
        clients=_clients(arguments.clients),
        swaps=arguments.swaps,
        rollbacks=max(1, arguments.swaps // 10),
        sources=tuple(arguments.source),
        upstream=arguments.upstream,
        against=against,
        sizes=_sizes(arguments.sizes),
        vectors=arguments.vectors,
        asked=arguments.asked,
        facts_rows=arguments.facts_rows,
        turns=arguments.turns,
    )
    return setup, about


def _pair(text: str) -> tuple[str, str]:
    name, _, url = text.partition("=")
    if not name or not url or name in ("direct", "node"):
        raise BadInput(
            f"Expected --against NAME=URL with a name other than direct and node, but got {text!r}.", param="against"
        )
    return name, url.rstrip("/")


def _clients(text: str) -> tuple[int, ...]:
    try:
        found = tuple(int(each) for each in text.split(","))
    except ValueError:
        found = ()
    if not found or not all(1 <= each <= 512 for each in found):
        raise BadInput(
            f"Expected --clients as whole numbers from 1 to 512 with commas between, but got {text!r}.", param="clients"
        )
    return found


def _sizes(text: str) -> tuple[int, ...]:
    named = [each.strip().lower() for each in text.split(",") if each.strip()]
    try:
        found = tuple(int(each.removesuffix("k")) * (1000 if each.endswith("k") else 1) for each in named)
    except ValueError:
        found = (0,)
    if not all(100 <= each <= 2_000_000 for each in found):
        raise BadInput(
            f"Expected --sizes as numbers from 100 to 2000k with commas between, such as 8k,100k, but got {text!r}.",
            param="sizes",
        )
    return found


def _print(figures: Sequence[Figure], result: dict[str, Json]) -> None:
    here = result["machine"]
    print(
        f"loom {result['loom']} · {result['concepts']:,} concepts · {result['questions']} questions · {result['rounds']} rounds · "
        f"{here['cores']} cores {here['processor']}, {here['python']}, load {here['load']} · {result['started']}"
    )
    rows = [
        (
            figure.measurement,
            figure.name,
            f"{figure.shown()} {figure.unit}",
            str(figure.bar or ""),
            {None: "", True: "met", False: "missed"}[figure.met],
        )
        for figure in figures
    ]
    heads = ("measurement", "what", "value", "bar", "")
    if not sys.stdout.isatty():
        widths = [max(len(row[column]) for row in (heads, *rows)) for column in range(len(heads))]
        for row in (heads, *rows):
            cells = [
                text.rjust(width) if column == 2 else text.ljust(width)
                for column, (text, width) in enumerate(zip(row, widths, strict=True))
            ]
            print("  ".join(cells).rstrip())
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, header_style="bold")
    for column, head in enumerate(heads):
        table.add_column(head, justify="right" if column == 2 else "left")
    for row in rows:
        table.add_row(*row[:4], f"[{'green' if row[4] == 'met' else 'red'}]{row[4]}[/]" if row[4] else "")
    Console().print(table)
