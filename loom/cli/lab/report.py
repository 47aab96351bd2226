"""`loom lab report`: the page, results and manifest of a study, made again from its rows; no model is asked."""

import argparse
import shlex
from dataclasses import replace
from pathlib import Path

from loom import compose
from loom.cli.lab.common import json_flag, show
from loom.cli.lab.report_shown import headline, opened
from loom.cli.lab.scoring import GenerationTitles, stated_generation, titles_flags
from loom.cli.progress import tracked
from loom.core.errors import BadInput
from loom.core.exposure import READERS
from loom.core.values import Json
from loom.lab.analysis.material import Track, untracked
from loom.lab.analysis.settings import Settings
from loom.lab.report import Made, Source, make, source_of
from loom.lab.report.making import REPORT
from loom.lab.report.results import cells_of, grounded
from loom.lab.scoring.scored import Titles
from loom.lab.study.study import CLUSTERS
from loom.settings import load

LARGE = 32 << 20
"""Bytes of rows from which reading them shows a bar."""
SETTINGS = ("matcher", "seed", "resamples", "cluster", "margin")


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "report",
        help="analyse the rows of a study and draw the page of its figures",
        description="From the rows of a study, without asking any model: results.json, one self-contained page (report.html), and "
        "manifest.json, which says of each figure which rows, members and command it comes from. The same rows give the same bytes.",
    )
    parser.add_argument("study", type=Path, metavar="FOLDER", help="what `loom lab run` left, or a file of rows")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help=f"the page (default: {REPORT} beside the rows); the rest goes beside it"
    )
    parser.add_argument("--judged", type=Path, metavar="FILE", help="verdicts on quality (default: judged.jsonl of the folder)")
    parser.add_argument(
        "--audited", type=Path, metavar="FILE", help="verdicts of the audit (default: audited.jsonl of the folder)"
    )
    parser.add_argument("--matcher", choices=sorted(READERS), help="how names are matched (default: the study's)")
    parser.add_argument("--seed", type=int, metavar="N", help="of the resampling (default: the study's, or 42)")
    parser.add_argument("--resamples", type=int, metavar="N", help="of each interval (default: the study's, or 10,000)")
    parser.add_argument("--cluster", choices=CLUSTERS, help="what is resampled together (default: the study's, or domain)")
    parser.add_argument(
        "--margin", type=float, metavar="X", help="within which nothing regressed (default: the study's, or 0.25)"
    )
    parser.add_argument("--open", action="store_true", help="open the page in a browser")
    titles_flags(parser)
    json_flag(parser)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    source = source_of(arguments.study)
    wanted = {name: getattr(arguments, name) for name in SETTINGS}
    settings = source.settings.but(**wanted)
    _checked(settings)
    source = replace(
        source,
        settings=settings,
        judged=_file(arguments.judged, "judged") or source.judged,
        audited=_file(arguments.audited, "audited") or source.audited,
    )
    out = arguments.out or source.rows.parent / REPORT
    if out.is_dir():
        out = out / REPORT
    made = make(source, out, titles=_titles(arguments, source), flags=_flags(arguments), track=_track(source.rows))
    if arguments.open:
        opened(made.report)
    study = made.results["study"]
    return show(
        arguments,
        _result(made),
        lambda: headline(made),
        generation=study["generation"] if isinstance(study["generation"], str) else None,
        seeds=study["seeds"],
        rows=source.rows,
    )


def _track(rows: Path) -> Track:
    """A bar over the rows of a file that takes more than a moment."""
    if rows.stat().st_size < LARGE:
        return untracked
    with rows.open("rb") as file:
        total = sum(piece.count(b"\n") for piece in iter(lambda: file.read(1 << 20), b""))
    return lambda read: tracked(read, "rows", total, plain=False)


def _titles(arguments: argparse.Namespace, source: Source) -> Titles | None:
    """What finds corpus titles in answers, where --titles asks for it: of the generation that the rows state, else the one named.
    Raises BadInput."""
    if not arguments.titles:
        return None
    stated = stated_generation(source.rows)
    folder = Path(arguments.generations) if arguments.generations else _near(load().node.generations, stated, source.rows)
    id = compose.store(folder).resolve(arguments.generation or stated or "current")
    if stated and stated != id:
        raise BadInput(
            f"Expected the generation of the rows, {stated[:19]}, but {id[:19]} was named: its titles are others.",
            param="generation",
        )
    return GenerationTitles(str(folder), id)()


def _near(usual: Path, stated: str | None, rows: Path) -> Path:
    """The folder of generations that has the one that rows state: the usual one, else one of its name beside the study or above, so
    that the command that a page names works in the study's folder. Raises BadInput."""
    if stated is None:
        return usual
    places = [usual, *(parent / usual.name for parent in rows.resolve().parents)]
    for folder in places:
        if folder.is_dir() and any(each["id"] == stated for each in compose.store(folder).list()):
            return folder
    raise BadInput(
        f"Expected the generation of the rows, {stated[:19]}, in {usual} or beside the study, but it is in neither; name its folder "
        "with --generations.",
        param="generations",
    )


def _checked(settings: Settings) -> None:
    for name, least in (("seed", 0), ("resamples", 1)):
        value = getattr(settings, name)
        if value < least:
            raise BadInput(f"Expected --{name} to be {least} or more, but got {value}.", param=name)
    if not 0 < settings.margin < float("inf"):
        raise BadInput(f"Expected --margin to be above 0, but got {settings.margin:g}.", param="margin")


def _file(path: Path | None, name: str) -> Path | None:
    if path is not None and not path.is_file():
        raise BadInput(f"Expected a file of verdicts as --{name}, but {path} is none.", param=name)
    return path


def _flags(arguments: argparse.Namespace) -> str:
    """The flags that were given and change the page, without folders: as the page says how it was made."""
    told = [
        f"--{name} {shlex.quote(str(getattr(arguments, name)))}" for name in SETTINGS if getattr(arguments, name) is not None
    ]
    told += [f"--{name} {shlex.quote(path.name)}" for name in ("judged", "audited") if (path := getattr(arguments, name))]
    told += ["--titles"] if arguments.titles else []
    return "".join(f" {flag}" for flag in told)


def _result(made: Made) -> Json:
    results = made.results
    return {
        "figures": list(made.figures),
        "files": made.digests,
        "warnings": results["warnings"],
        "headline": cells_of(results, grounded(results)),
        "contrasts": [each for each in results["contrasts"] if each["family"] == "primary"],
    }
