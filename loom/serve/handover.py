"""What a supervisor hands to its workers, through their environment."""

import json
from collections.abc import Mapping
from pathlib import Path

from loom.settings import HANDOVER_VARIABLE, Settings, taken_over

DIRECTORY_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""Where the metrics of several workers meet; must be set before the metrics library is imported."""


def handed_over(settings: Settings, scratch: Path) -> dict[str, str]:
    """The environment in which `loom.serve.app:from_environment` makes the application of these settings."""
    return {
        HANDOVER_VARIABLE: json.dumps({"settings": settings.handover(), "scratch": str(scratch)}),
        DIRECTORY_VARIABLE: str(scratch / "metrics"),
    }


def received(environ: Mapping[str, str]) -> tuple[Settings, Path] | None:
    """What was handed over; None in a process that nobody handed anything."""
    text = environ.get(HANDOVER_VARIABLE)
    if text is None:
        return None
    given = json.loads(text)
    return taken_over(given["settings"]), Path(given["scratch"])
