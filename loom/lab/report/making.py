"""Making a report from what lies in a study's folder, or from a file of rows: results.json, the page, the manifest."""

import os
from dataclasses import dataclass
from pathlib import Path

import orjson

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.analysis import analyse
from loom.lab.analysis.material import Track, untracked
from loom.lab.analysis.settings import Settings, settings_of
from loom.lab.files import write_bytes, write_json
from loom.lab.report.figures import figures
from loom.lab.report.manifest import manifest
from loom.lab.report.page import page
from loom.lab.row import DEFAULT_MATCHER, read_rows
from loom.lab.scoring.scored import Titles

ROWS, REPORT, RESULTS, MANIFEST = "rows.jsonl", "report.html", "results.json", "manifest.json"
PACKED = f"{ROWS}.gz"
"""Rows that were packed to be kept: read as they are, with the digest of what they hold."""
OTHERS = ("chains", "wrappers")
"""Results of other instruments that a study's folder may hold, as `chains.json` and so on."""


AS_IT_IS = Settings()


@dataclass(frozen=True, slots=True)
class Source:
    """Where a report is made from. `judged` and `audited` are None where there are none."""

    rows: Path
    judged: Path | None = None
    audited: Path | None = None
    settings: Settings = AS_IT_IS
    others: tuple[tuple[str, Path], ...] = ()
    named: str = ROWS


def source_of(place: Path) -> Source:
    """What there is in a folder, or a file of rows with what lies beside it under the names of a study. Raises BadInput."""
    if not place.is_dir():
        if not place.is_file():
            raise BadInput(f"Expected a study's folder or a file of rows, but {place} is neither.", param="study")
        return Source(place, settings=Settings(matcher=_matcher(place)), named=place.name)
    rows = next((path for path in (place / ROWS, place / PACKED) if path.is_file()), None)
    if rows is None:
        raise BadInput(f"Expected {ROWS} in {place}, but there is none; `loom lab run` writes it.", param="study")

    def there(name: str) -> Path | None:
        path = place / name
        return path if path.is_file() and path.stat().st_size else None

    settings = settings_of(place / "study.json") or Settings(matcher=_matcher(rows))
    others = tuple((member, path) for member in OTHERS if (path := there(f"{member}.json")))
    return Source(rows, there("judged.jsonl"), there("audited.jsonl"), settings, others, ".")


def _matcher(rows: Path) -> str:
    """The matcher that rows state; default where they state none. Raises BadInput."""
    first = next(read_rows(rows), None)
    return first.matcher if first else DEFAULT_MATCHER


@dataclass(frozen=True, slots=True)
class Made:
    """What was made: the results, the figures' ids, and the files with their digests."""

    results: dict[str, Json]
    figures: tuple[str, ...]
    report: Path
    digests: dict[str, str]


def make(source: Source, out: Path, *, titles: Titles | None = None, flags: str = "", track: Track = untracked) -> Made:
    """Analyse and draw. `flags` are those of the command that differ from the study's own. The three files are written beside
    one another, each whole or not at all. Raises BadInput."""
    settings = source.settings
    command = f"loom lab report {source.named}{flags}" + ("" if out.name == REPORT else f" --out {out.name}")
    results = analyse(
        source.rows,
        matcher=settings.matcher,
        seed=settings.seed,
        resamples=settings.resamples,
        cluster=settings.cluster,
        families=settings.families,
        margin=settings.margin,
        judged=source.judged,
        audited=source.audited,
        arms=settings.arms,
        models=settings.models,
        unavailable=settings.unavailable,
        template_seeds=settings.template_seeds,
        titles=titles,
        study=settings.facts,
        more={member: _read(path) for member, path in source.others},
        command=command,
        track=track,
    )
    folder = out.parent
    data, listed = folder / RESULTS, folder / MANIFEST
    if out.name in (RESULTS, MANIFEST):
        raise BadInput(f"Expected a name for the page other than {RESULTS} and {MANIFEST}; give another --out.", param="out")
    rows = _from(folder, source.rows)
    digests = {RESULTS: write_json(data, results)}
    drawn = figures(results)
    html = page(results, drawn, rows=rows, data=RESULTS, manifest=MANIFEST)
    digests[out.name] = write_bytes(out, [html.encode("utf-8", "replace")])
    digests[MANIFEST] = write_json(listed, manifest(results, drawn, rows, dict(digests)))
    return Made(results, tuple(figure.id for figure in drawn), out, digests)


def _from(folder: Path, file: Path) -> str:
    """Where a file lies as seen from a folder; its name alone where it is in it."""
    return Path(os.path.relpath(file.resolve(), folder.resolve())).as_posix()


def _read(path: Path) -> Json:
    """The result in a file of another instrument, with or without its envelope. Raises BadInput."""
    try:
        stated = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError) as error:
        raise BadInput(f"Expected JSON in {path}, but it cannot be read: {error}.", param="study") from None
    return stated["result"] if isinstance(stated, dict) and "result" in stated else stated
