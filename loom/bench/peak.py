"""The most memory that a process had."""

import resource
import sys
from pathlib import Path

STATUS = Path("/proc/self/status")


def peak() -> int:
    """Bytes that this program had at most. Not `ru_maxrss` where Linux says better: there a process begins with what the one that
    started it had."""
    if STATUS.exists():
        (line,) = (
            each for each in STATUS.read_text(encoding="ascii", errors="replace").splitlines() if each.startswith("VmHWM:")
        )
        return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
