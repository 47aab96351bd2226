"""`loom build`: sources become a sealed generation, with a report of every fault in them."""

import argparse
import gc
import json
import re
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from loom import __version__
from loom.build import seal, stage
from loom.build.agreement import compare
from loom.build.strict import ALL, fatal_kinds, violations
from loom.cli.building import Showing, agreement_lines, remark_lines
from loom.core.errors import BadInput, BadSource
from loom.core.report import Report
from loom.core.sparql.part import CLAIMS
from loom.core.values import Json

if TYPE_CHECKING:
    from loom.compose import Store

SOURCE_KINDS = ("index-v1", "kb", "pages", "rdf", "vault")
UNSATISFIABLE = frozenset({"unsatisfiable-class", "inconsistent-ontology"})
_BASE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|^`\\]*")


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "build",
        help="build a sealed generation from pages, a vault, knowledge bases or a compiled index",
        description="Read sources, check them, compute ancestors, and seal the result. Interrupted anywhere, nothing is left. "
        "The id of a generation is a digest of its content: the same sources give the same id.",
    )
    parser.add_argument(
        "sources",
        nargs="*",
        metavar="SOURCE",
        help="a folder, an archive (.tar, .tar.xz, .zip, …), an ontology (.ttl, .owl, .rdf, …) or a scaffold index (.json)",
    )
    parser.add_argument("--out", metavar="FOLDER", help="folder of generations (default: LOOM_GENERATIONS)")
    parser.add_argument("--kind", choices=SOURCE_KINDS, help="what the sources are (default: told by their content)")
    parser.add_argument(
        "--base", metavar="IRI", default="urn:loom:", help="what IRIs begin with where a vault page states none"
    )
    parser.add_argument(
        "--language",
        metavar="TAGS",
        default="en",
        help="languages of the labels that are shown, best first (de,en); other labels are further names (default: en)",
    )
    parser.add_argument(
        "--strict",
        nargs="?",
        const=ALL,
        metavar="KINDS",
        help="seal nothing where there are errors, or remarks of these kinds (a,b)",
    )
    parser.add_argument(
        "--unsat",
        choices=("warn", "fail"),
        default="warn",
        help="what classes that cannot have members are: a finding, or a reason to seal nothing (default: warn)",
    )
    parser.add_argument(
        "--reasoner",
        metavar="COMMAND",
        help="serve what this command concludes, with {input} and {output} in it (default: the reasoner in process)",
    )
    parser.add_argument("--shapes", metavar="FILE", help="SHACL shapes that the corpus must fit (needs the extra shacl)")
    parser.add_argument(
        "--claims", metavar="PLACE", help="a store of claims (file or PostgreSQL URL), for SPARQL over what they rest on"
    )
    parser.add_argument("--report", metavar="FILE", help="write the check report as JSON")
    parser.add_argument("--use", action=argparse.BooleanOptionalAction, help="make it current (default: only where none is)")
    parser.add_argument("--no-prose", dest="prose", action="store_false", help="leave the free text of pages out")
    parser.add_argument(
        "--against", metavar="INDEX", help="compare with a scaffold index of the same pages; exit code 4 if they differ"
    )
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="processes that parse many pages (default: 2)")
    parser.add_argument("--dry-run", action="store_true", help="check only; seal nothing")
    parser.add_argument("--embed", action="store_true", help="attach embeddings to what was sealed, as `loom embed` does")
    parser.add_argument("--quiet", action="store_true", help="print the id of the generation and nothing else")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Build; exit code 0, 3 where a strict check fails, 4 where `--against` finds an unexplained difference."""
    collecting = gc.isenabled()
    gc.disable()  # millions of small values are made and kept, and none of them in circles
    try:
        return _build(arguments)
    finally:
        if collecting:
            gc.enable()


def _build(arguments: argparse.Namespace) -> int:
    started = time.monotonic()
    paths, fatal = _sources(arguments)
    fatal |= UNSATISFIABLE if arguments.unsat == "fail" else frozenset()
    if arguments.workers < 1:
        raise BadInput(f"--workers expects 1 or more, but got {arguments.workers}.", param="workers")
    if not _BASE.fullmatch(arguments.base):
        raise BadInput(
            f"--base expects the beginning of an IRI (urn:example: or https://…/), but got {arguments.base!r}.", param="base"
        )
    if arguments.report and not Path(arguments.report).resolve().parent.is_dir():
        raise BadInput(
            f"--report expects a file in a folder that exists, but {Path(arguments.report).parent} does not.", param="report"
        )
    showing = Showing(quiet=arguments.quiet)
    classes = _classes(arguments.against)
    work = _work(arguments, paths, showing)
    try:
        with showing:
            stage.run(work, stage.found(), showing.begin)
    except BadSource:
        _write_report(arguments.report, work.report, None)
        raise
    broken = violations(work.report, fatal)
    code = _agreed(work, classes, showing) if classes is not None else 0
    id = None
    if not broken and not arguments.dry_run:
        with showing:
            showing.begin(stage.Stage("seal", (), lambda _: None))
            id = _seal(arguments, work, paths, time.monotonic() - started)
        print(id, flush=True)
    _write_report(arguments.report, work.report, id)
    showing.say(*remark_lines(work.report))
    if broken:
        listed = ", ".join(f"{kind} ({count})" for kind, count in broken.items())
        print(f"loom build: nothing sealed, as --strict or --unsat forbids what was found: {listed}.", file=sys.stderr)
        return 3
    if id is None:
        showing.say(f"checked {len(work.concepts):,} concepts; a dry run seals nothing")
        return code
    if arguments.embed:
        _embed(arguments, id)
    showing.say(f"{len(work.concepts):,} concepts in {time.monotonic() - started:.1f} s, {_point(arguments, id)}")
    return code


def _sources(arguments: argparse.Namespace) -> tuple[list[Path], frozenset[str]]:
    """The sources and the fatal kinds. `--strict SOURCE` means a source, as nobody can tell the two apart otherwise."""
    sources, strict = list(arguments.sources), arguments.strict
    if strict not in (None, ALL) and not sources and Path(strict).exists():
        sources, strict = [strict], ALL
    if not sources:
        raise BadInput("Expected at least one SOURCE: a folder, an archive or a scaffold index.", param="sources")
    paths = [Path(source) for source in sources]
    for path in paths:
        if not path.exists():
            raise BadSource(f"Expected a folder, an archive or a scaffold index, but {path} does not exist; check the path.")
    return paths, fatal_kinds(strict)


def _work(arguments: argparse.Namespace, paths: list[Path], showing: Showing) -> stage.Work:
    from loom import compose
    from loom.compose_claims import provenance

    languages = _languages(arguments)
    kinds = [arguments.kind or compose.kind_of_source(path) for path in paths]
    ontologies = [path for path, kind in zip(paths, kinds, strict=True) if kind == "rdf"]
    sources: list[stage.Source] = []
    for name, path, kind in zip(_names(paths), paths, kinds, strict=True):
        if kind == "rdf":
            if path is ontologies[0]:
                sources.append(stage.Source(name, compose.ontology_reader(ontologies, languages)))
            continue
        reader = compose.corpus_reader(
            path,
            kind=kind,
            base=arguments.base,
            prose=arguments.prose,
            workers=arguments.workers,
            taken=showing.taken,
            languages=languages,
        )
        sources.append(stage.Source(name, reader))
    return stage.Work(
        sources,
        shapes=compose.shapes(Path(arguments.shapes)) if arguments.shapes else None,
        reasoner=compose.reasoner(arguments.reasoner) if arguments.reasoner else None,
        graphs={CLAIMS: provenance(arguments.claims)} if arguments.claims else {},
    )


def _languages(arguments: argparse.Namespace) -> list[str]:
    """The languages of what is shown, best first; the last is none, for labels that state no language."""
    return [*dict.fromkeys((*(one.strip().lower() for one in arguments.language.split(",")), ""))]


def _names(paths: list[Path]) -> list[str]:
    """A name for each source, different from the others and the same on every machine."""
    names: list[str] = []
    for path in paths:
        name, number = path.resolve().name or "source", 2
        while name in names:
            name, number = f"{path.resolve().name}-{number}", number + 1
        names.append(name)
    return names


def _seal(arguments: argparse.Namespace, work: stage.Work, paths: list[Path], seconds: float) -> str:
    store = _store(arguments)
    try:
        return _sealed(store, work, paths, seconds, _languages(arguments))
    except OSError as error:
        raise BadInput(
            f"Expected to write a generation into {store.path}, but that failed ({error.strerror or error}); "
            "check --out, its permissions and the space on the disk.",
            param="out",
        ) from error


def _sealed(store: "Store", work: stage.Work, paths: list[Path], seconds: float, languages: list[str]) -> str:
    from loom import compose

    with store.draft() as draft:
        everyday = compose.everyday(languages)
        seal.write(draft, work.concepts, work.report, work.parts, everyday=everyday, streams=work.streams)
        for key, value in work.notes.items():
            draft.note(key, value)
        draft.remark("built_at", datetime.now(UTC).isoformat(timespec="seconds"))
        draft.remark("sources", [str(path) for path in paths])
        draft.remark("version", __version__)
        draft.remark("read_seconds", round(seconds, 3))
        return store.seal(draft)


def _store(arguments: argparse.Namespace) -> "Store":
    from loom import compose
    from loom.settings import load

    return compose.store(arguments.out or load().node.generations)


def _embed(arguments: argparse.Namespace, id: str) -> None:
    """Embeddings are attached before the generation becomes current, so that a node which follows opens both."""
    from loom.cli.embed import attach
    from loom.settings import load

    settings = load(flags={"LOOM_GENERATIONS": arguments.out} if arguments.out else {})
    attach(settings, _store(arguments), id, quiet=arguments.quiet)


def _point(arguments: argparse.Namespace, id: str) -> str:
    """Make the generation current where that is wanted; what was done, in words."""
    store = _store(arguments)
    current = store.current()
    if current == id:
        return "current already"
    if arguments.use or (arguments.use is None and current is None):
        store.point(id)
        return "now current"
    return f"not current (`loom generations use {id[7:19]}` makes it so)"


def _classes(index: str | None) -> Mapping[str, Mapping[str, Json]] | None:
    """The classes of the index to compare with."""
    from loom import compose

    return compose.index_classes(Path(index)) if index else None


def _agreed(work: stage.Work, classes: Mapping[str, Mapping[str, Json]], showing: Showing) -> int:
    agreement = compare(work.concepts, classes, work.report)
    showing.say(*agreement_lines(agreement))
    return 4 if agreement.unexplained else 0


def _write_report(file: str | None, report: Report, id: str | None) -> None:
    if file:
        content: dict[str, Json] = {"generation": id, "remarks": report.as_json()}
        text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
        try:
            Path(file).write_text(text.encode("utf-8", "replace").decode("utf-8"), encoding="utf-8")
        except OSError as error:
            raise BadInput(
                f"Expected to write the report to {file}, but that failed ({error.strerror}).", param="report"
            ) from error
