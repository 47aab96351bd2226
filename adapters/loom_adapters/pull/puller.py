"""One pull: a generation of a site, whole and verified in a folder, or nothing has changed."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from loom.core import manifest as manifests
from loom.core.errors import BadInput, BrokenGeneration
from loom.core.values import Json
from loom_adapters.pull.landing import Landing, files_of, is_whole, landing
from loom_adapters.pull.site import Site

Progress = Callable[[int, int], object]


@dataclass(frozen=True, slots=True)
class Pulled:
    """What a pull came to. Sizes are bytes; `borrowed` were here already, in other generations."""

    id: str
    files: int
    fetched: int
    borrowed: int


def pull(site: Site, store: Path, id: str, now: datetime, progress: Progress) -> Pulled:
    """Bring one generation here. Raises Unreachable, BrokenGeneration or BadInput; what had arrived is kept for the next attempt.

    `progress` is told bytes that are here and bytes there are.
    """
    if not manifests.HEX.fullmatch(id.removeprefix(manifests.PREFIX)):
        raise BadInput(f"A generation id is sha256: and 64 hexadecimal digits; got {id!r}.")
    data = site.manifest(id)
    manifest = manifests.read(data, id.removeprefix(manifests.PREFIX))
    total = sum(stated["bytes"] for _, _, stated in files_of(manifest))
    done = fetched = borrowed = count = 0

    def told(number: int) -> None:
        nonlocal done
        done += number
        progress(done, total)

    with landing(store, id) as arriving:
        try:
            for part, file, stated in files_of(manifest):
                path, size, count = arriving.place(part, file), int(stated["bytes"]), count + 1
                if is_whole(path, stated):
                    told(size)
                elif arriving.borrow(path, stated):
                    borrowed += size
                    told(size)
                else:
                    fetched += _fetched(site, id, part, file, arriving, stated, told)
            arriving.settle(data, {**_about(site, id), "pulled_at": now.isoformat(), "pulled_from": site.shown})
        except OSError as error:
            raise BadInput(
                f"Cannot write to {store} ({error.strerror or error}); make room, or choose another with --store."
            ) from error
    return Pulled(id, count, fetched, borrowed)


def _fetched(
    site: Site, id: str, part: str, file: str, arriving: Landing, stated: Mapping[str, Json], told: Callable[[int], object]
) -> int:
    """Bytes that were fetched. A beginning that turns out to be another file's is thrown away once, and all is fetched anew."""
    path = arriving.place(part, file)
    began = path.stat().st_size if path.exists() else 0
    told(began)
    site.fetch(id, part, file, path, stated, told)
    if not is_whole(path, stated) and began:
        path.unlink()
        told(-int(stated["bytes"]))
        began = 0
        site.fetch(id, part, file, path, stated, told)
    if not is_whole(path, stated):
        path.unlink(missing_ok=True)
        raise BrokenGeneration(
            f"{part}/{file} of {id[:19]} at {site.shown} is not what was sealed: its digest is another. "
            "Its publisher mixed versions, or it was altered on the way."
        )
    return int(stated["bytes"]) - began


def _about(site: Site, id: str) -> dict[str, Json]:
    try:
        found = json.loads(site.about(id) or b"{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
