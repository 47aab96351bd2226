"""`loom lab extract`: assertions from transcripts, grounded and bare, and where their terms land."""

import argparse
import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import aclosing
from pathlib import Path

from loom import compose, compose_lab
from loom.answer.plan import Pin
from loom.cli.lab.asker import Asked, asked_of, book_path, model_flags, with_asker
from loom.cli.lab.common import generation_flags, json_flag, names_in, show
from loom.cli.lab.planning import ground
from loom.cli.lab.tables import number, table
from loom.core.concepts import Concepts
from loom.core.errors import BadInput
from loom.core.names import Names
from loom.core.values import Json
from loom.lab.asking import Asker
from loom.lab.extraction import ARMS, Artefacts, Extracted, Terms, Transcript, counted, extract, queue, read
from loom.lab.extraction.transcripts import CHUNK, SUFFIXES
from loom.lab.files import write_lines
from loom.lab.ground import Ground
from loom.lab.text_files import text_of

LEAST_CHUNK = 500


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "extract",
        help="tiered, source-attributed assertions from transcripts, grounded and bare, and where their terms land",
        description="Ask models for the assertions of transcripts by one prompt, with the live path's block and without. Counts: "
        "assertions by tier, terms that are names of the generation, names that speech recognition garbled, time, confidence.",
    )
    parser.add_argument(
        "transcripts",
        nargs="+",
        type=Path,
        metavar="TRANSCRIPT",
        help=f"transcripts: {', '.join(SUFFIXES)}, or folders of them",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="write what each call gave, as JSON lines")
    parser.add_argument(
        "--queue",
        type=Path,
        metavar="FILE",
        help="write the terms that resolve to nothing (default: beside, with .queue.jsonl)",
    )
    parser.add_argument("--arms", default=",".join(ARMS), metavar="NAMES", help=f"of {', '.join(ARMS)} (both)")
    parser.add_argument("--chunk", type=int, default=CHUNK, metavar="N", help=f"characters of one request ({CHUNK})")
    parser.add_argument("--known", type=Path, metavar="FILE", help="further names as they are right, one a line (GPT-5.5)")
    parser.add_argument("--artefacts", type=Path, metavar="FILE", help="names as they are wrong, one a line (Opus 48)")
    parser.add_argument("--seed", type=int, default=42, help="seed of intervals (42)")
    parser.add_argument("--policy", help="policy of the blocks (default: the node's)")
    parser.add_argument("--wrapper", help="wrapper of the blocks (default: the node's)")
    parser.add_argument("--budget", type=int, metavar="TOKENS", help="tokens of a block (default: the node's)")
    generation_flags(parser)
    model_flags(parser)
    json_flag(parser)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    arms = names_in(arguments.arms, "--arms")
    if any(arm not in ARMS for arm in arms):
        raise BadInput(f"Expected --arms among {', '.join(ARMS)}, but got {arguments.arms!r}.", param="arms")
    if arguments.chunk < LEAST_CHUNK:
        raise BadInput(f"Expected --chunk to be {LEAST_CHUNK} or more, but got {arguments.chunk}.", param="chunk")
    asked = asked_of(arguments)
    transcripts = _transcripts(arguments.transcripts)
    listed = _lines(arguments.artefacts, "artefacts")
    with compose.opened(arguments.generations, arguments.generation) as (node, pin):
        terms = _terms(pin)
        titles = map(terms.concepts.title, range(terms.concepts.count))
        artefacts = Artefacts([*_lines(arguments.known, "known"), *titles], listed)
        using = ground(node, pin, policy=arguments.policy, wrapper=arguments.wrapper, budget=arguments.budget)
        done = _asked(arguments, asked, transcripts, arms, using, pin)
        write_lines(arguments.out, (each.as_json() for each in done))
        waiting = queue(done, terms)
        place = arguments.queue or arguments.out.with_name(f"{arguments.out.name}.queue.jsonl")
        write_lines(place, waiting)
        result = counted(done, terms, artefacts, arguments.seed)
        seconds = asyncio.run(_seconds(book_path(arguments, arguments.out), done))
        for arm in result["arms"]:
            arm["seconds"] = seconds.get((arm["model"], arm["arm"]))
        result["queued"] = len(waiting)
        return show(
            arguments,
            result,
            lambda: _print(result, place),
            generation=pin.generation.id,
            seeds={"extract": arguments.seed},
            rows=arguments.out,
        )


def _transcripts(paths: Iterable[Path]) -> list[Transcript]:
    found: list[Transcript] = []
    for path in paths:
        files = sorted(each for each in path.iterdir() if each.suffix.lower() in SUFFIXES) if path.is_dir() else [path]
        if not files:
            raise BadInput(f"Expected transcripts in {path} ({', '.join(SUFFIXES)}), but there are none.", param="transcripts")
        found += map(read, files)
    names = [each.name for each in found]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise BadInput(f"Expected every transcript to have its own name, but {twice!r} comes twice.", param="transcripts")
    return found


def _lines(path: Path | None, param: str) -> list[str]:
    return [line.strip() for line in text_of(path, param).splitlines() if line.strip()] if path else []


def _terms(pin: Pin) -> Terms:
    concepts, names = pin.generation.part(Concepts), pin.generation.part(Names)
    if concepts is None or names is None:
        raise BadInput(
            "Expected a generation with concepts and names, but this one lacks them; build it anew.", param="generation"
        )
    return Terms(concepts, names)


def _asked(
    arguments: argparse.Namespace,
    asked: Asked,
    transcripts: Sequence[Transcript],
    arms: Sequence[str],
    using: Ground,
    pin: Pin,
) -> list[Extracted]:
    pieces = [(each.name, at, piece) for each in transcripts for at, piece in enumerate(each.chunks(arguments.chunk))]
    wanted = [(model, arm, piece) for model in asked.chosen for arm in arms for piece in pieces]

    async def all_of(asker: Asker) -> list[Extracted]:
        return await asyncio.gather(
            *(extract(asker, model, name, at, text, arm, using) for model, arm, (name, at, text) in wanted)
        )

    book = book_path(arguments, arguments.out)
    return with_asker(asked, book, all_of, label="extract", total=len(wanted), quiet=arguments.json, pin=pin)


async def _seconds(book: Path, done: Sequence[Extracted]) -> Mapping[tuple[str, str], float]:
    """Seconds that calls took, by model and arm, from the ledger; where both arms sent the same request, both have its time."""
    spent: dict[str, float] = {}
    async with aclosing(compose_lab.answer_book(book)) as answers:
        for entry in answers.ledger():
            spent[entry["key"]] = spent.get(entry["key"], 0.0) + float(entry.get("seconds") or 0.0)
    found: dict[tuple[str, str], float] = {}
    for each in done:
        found[each.model, each.arm] = found.get((each.model, each.arm), 0.0) + spent.get(each.said.key, 0.0)
    return {key: round(value, 3) for key, value in found.items()}


def _print(result: Mapping[str, Json], place: Path) -> None:
    head = ("model", "arm", "calls", "empty", "claims", "tiers", "terms", "resolved", "artefacts", "confidence", "seconds")
    table(head, [_row(arm) for arm in result["arms"]], names=2)
    for arm in result["arms"]:
        for each in arm["artefacts"]:
            known = f", for {each['name']}" if each["name"] else ""
            print(f"  {arm['arm']}: {each['text']!r} {each['count']} times ({each['rule']}{known})")
    for contrast in result["contrasts"]:
        if contrast["paired"]:
            print(
                f"{contrast['model']}: resolution grounded - bare {contrast['paired']['mean']:+.3f} over {contrast['transcripts']} transcripts"
            )
    print(f"{result['queued']} terms without a page in {place}")


def _row(arm: Mapping[str, Json]) -> tuple[str, ...]:
    return (
        arm["model"],
        arm["arm"],
        str(arm["calls"]),
        str(arm["empty"]),
        str(arm["assertions"]),
        "/".join(str(arm["tiers"][tier]) for tier in ("1", "2", "3")),
        str(arm["terms"]),
        number(arm["resolution"]),
        str(arm["artefact_claims"]),
        number(arm["mean_confidence"]),
        number(arm["seconds"], 1),
    )
