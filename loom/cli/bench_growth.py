"""`loom bench growth`: how latency, building and memory grow with the number of concepts."""

import argparse
import json
import sys
from pathlib import Path

from loom import __version__
from loom.bench import growth
from loom.bench.curves import panels
from loom.bench.setup import machine
from loom.core.errors import BadInput

SMALLEST, LARGEST = 100, 2_000_000


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "growth",
        help="measure how the node grows with its corpus",
        description="Make corpora of several sizes, seal and ask each, and tell how latency, building and memory grow. "
        "A million concepts take many minutes and some gigabytes of memory and of temporary files.",
    )
    parser.add_argument(
        "--sizes", dest="growing", default="8k,100k,1m", metavar="N,…", help="numbers of concepts (default: 8k,100k,1m)"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write a plot as SVG")
    parser.add_argument("--json", metavar="FILE", help="write the figures as JSON; - is standard output, instead of the table")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    """Measure and print; exit code 0 whatever the figures."""
    sizes = []
    for count in _sizes(arguments.growing):
        print(f"making, sealing and asking {count:,} concepts …", file=sys.stderr, flush=True)
        sizes.append(growth.measured(count))
    figures = growth.figures(sizes)
    if arguments.out:
        _write(arguments.out, panels([size.count for size in sizes], _curves(sizes)), "out")
    if arguments.json:
        result = {"loom": __version__, "machine": machine(), "sizes": [growth.as_json(size) for size in sizes]}
        text = json.dumps(result | {"figures": [figure.as_json() for figure in figures]}, ensure_ascii=False, indent=1) + "\n"
        if arguments.json == "-":
            sys.stdout.write(text)
        else:
            _write(Path(arguments.json), text, "json")
    if arguments.json != "-":
        for figure in figures:
            told = {None: "", True: "met", False: "missed"}[figure.met]
            bar = str(figure.bar) if figure.bar else ""
            print(f"{figure.name:<68} {figure.shown():>9} {figure.unit:<3} {bar:<7} {told}".rstrip())
    return 0


def _curves(sizes: list[growth.Size]) -> dict[str, dict[str, list[float]]]:
    costs = growth.costs(sizes)
    return {
        "matching, p50, ms": {way: [size.took[way][0] for size in sizes] for way in sizes[0].took},
        "sealing, s": {"processor time": costs.pop("sealing, processor time, s"), "in all": [size.build for size in sizes]},
        "memory, MB": {name.removesuffix(", MB"): values for name, values in costs.items()},
    }


def _sizes(text: str) -> list[int]:
    units = {"k": 1_000, "m": 1_000_000}
    try:
        found = [int(each.rstrip("km")) * units.get(each[-1:], 1) for each in text.lower().replace(" ", "").split(",")]
    except ValueError:
        found = []
    if not found or not all(SMALLEST <= each <= LARGEST for each in found) or sorted(set(found)) != found:
        raise BadInput(
            f"Expected --sizes as numbers from {SMALLEST} to {LARGEST:,}, growing, such as 8k,100k,1m, but got {text!r}.",
            param="sizes",
        )
    return found


def _write(path: Path, text: str, param: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise BadInput(
            f"{path} cannot be written ({error.strerror}); give a file in a folder that exists.", param=param
        ) from error
