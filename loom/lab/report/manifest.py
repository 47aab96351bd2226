"""The manifest of a report: each figure with the rows, the members of results.json and the command that it comes from."""

from collections.abc import Sequence

from loom import __version__
from loom.core.values import Json
from loom.lab.report.figure import Figure, Results
from loom.lab.report.results import part, study


def manifest(results: Results, drawn: Sequence[Figure], rows: str, made: dict[str, str]) -> dict[str, Json]:
    """`rows` is where the rows lie as seen from the report; `made` has the digests of the files that were made, by name."""
    digest = part(results, "files", "rows.jsonl")
    command = study(results, "command")
    return {
        "command": command,
        "version": __version__,
        "generation": study(results, "generation"),
        "seeds": study(results, "seeds"),
        "read": dict(results.get("files") or {}),
        "made": made,
        "figures": [
            {
                "id": figure.id,
                "title": figure.title,
                "caption": figure.caption,
                "rows": rows,
                "rows_sha256": digest,
                "results": [f"results.json#/{member}" for member in figure.members],
                "command": command,
            }
            for figure in drawn
        ],
    }
