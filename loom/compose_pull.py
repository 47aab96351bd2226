"""The composition of pulling: generations from a folder behind a web server."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from loom_adapters.pull.puller import Pulled
    from loom_adapters.pull.site import Site


def site(url: str, patience: float, attempts: int) -> "Site":
    """A folder of generations behind a web server."""
    from loom_adapters.pull.site import Site

    return Site(url, patience=patience, attempts=attempts)


def pull(site: "Site", path: Path, id: str, progress: Callable[[int, int], object]) -> "Pulled":
    """Bring a generation of a site into a folder."""
    from loom_adapters.clock import SystemClock
    from loom_adapters.pull.puller import pull as pulled

    return pulled(site, path, id, SystemClock().now(), progress)


def pull_beside(site: "Site", path: Path, id: str, progress: Callable[[int, int], object]) -> "Pulled | None":
    """Bring what serves beside a generation of a site, too."""
    from loom_adapters.pull.puller import pull_beside as pulled

    return pulled(site, path, id, progress)
