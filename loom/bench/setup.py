"""What all measurements of one run have in common."""

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from loom.core.values import Json


@dataclass(frozen=True, slots=True)
class Setup:
    """The inputs of a run. `upstream` and the values of `against` are base URLs with their /v1; without `upstream` each
    measurement that needs a model starts a scripted one. `seconds` is the length of one stretch of load. `sizes` are
    the numbers of vectors that indexes are measured on, beside those of the file `vectors`, to which `asked` are put. `facts_rows`
    are the rows of the knowledge bases that are made, `turns` those of the conversations."""

    generations: Path
    questions: Sequence[str]
    rounds: int = 5
    seconds: float = 2.0
    clients: Sequence[int] = (1, 16, 64)
    swaps: int = 50
    rollbacks: int = 5
    sources: Sequence[str] = ()
    upstream: str | None = None
    against: Mapping[str, str] = field(default_factory=dict)
    sizes: Sequence[int] = (8_000, 100_000)
    vectors: Path | None = None
    asked: Path | None = None
    facts_rows: int = 1_000_000
    turns: int = 1_000_000


def machine() -> dict[str, Json]:
    """The machine that figures were taken on, without its name."""
    return {
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "processor": _processor(),
        "system": f"{platform.system()} {platform.release()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "load": round(os.getloadavg()[0], 2),
    }


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.machine()
