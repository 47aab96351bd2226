"""A small sound knowledge base, and ways to break it."""

from collections.abc import Mapping
from pathlib import Path

from loom.core.facts.checks import KINDS
from loom.core.report import Report

MANIFEST = """id = "tides"
title = "Tide gauges"
language = "en"
iri = "urn:example:tides:"
aliases = { it = ["Maree"] }

[[attribute]]
name = "hour"
unit = "h"
words = { hour = 1, hours = 1, day = 24 }
clock = false
window = 3

[[entity]]
id = "pier"
name = "Old Pier"
aliases = { it = ["Molo Vecchio"] }

[[entity]]
id = "lock"
name = "Sea Lock"

[[metric]]
id = "level"
name = "water level"
unit = "m"
words = { en = ["level"], it = ["livello"] }
statistics = ["min", "max", "mean"]
derived = ["difference"]

[[metric]]
id = "wind"
name = "wind speed"

[[file]]
path = "gauges/pier.csv"
title = "Old Pier gauge"
kind = "series"
entity = "pier"
attribute = "hour"
position = "h"
values = { level = "level_m", wind = "wind_kn" }
decimal = "."

[[file]]
path = "lock.md"
title = "Sea Lock log"
kind = "document"
entities = ["lock"]
"""

FILES: dict[str, bytes] = {
    "kb.toml": MANIFEST.encode(),
    "gauges/pier.csv": b"h,level_m,wind_kn\n0,1.25,4\n1,1.50,6\n2,1.50,NaN\n",
    "lock.md": b"# Log\n\n## Morning\nThe gate leaked.\n",
}


def folder(at: Path, files: Mapping[str, bytes | None] | None = None, *, swap: Mapping[str, str] | None = None) -> Path:
    """The base in a folder; `files` replaces files (None removes one), `swap` replaces texts in the manifest, each once."""
    manifest = MANIFEST
    for old, new in (swap or {}).items():
        assert manifest.count(old) >= 1, old
        manifest = manifest.replace(old, new, 1)
    for path, data in {**FILES, "kb.toml": manifest.encode(), **(files or {})}.items():
        full = at / path
        full.parent.mkdir(parents=True, exist_ok=True)
        if data is None:
            full.unlink(missing_ok=True)
        else:
            full.write_bytes(data)
    return at


class Remarks(Report):
    """A report that keeps every remark."""

    def __init__(self) -> None:
        super().__init__(KINDS)
        self.all: list[tuple[str, str, str]] = []

    def note(self, kind: str, message: str, where: object = "") -> None:  # type: ignore[override]
        super().note(kind, message, where)  # type: ignore[arg-type]
        self.all.append((kind, str(where), message))
