"""One pull: a generation of a site, whole and verified in a folder, or nothing has changed."""

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from loom.core import attachment as attachment_manifests
from loom.core import manifest as manifests
from loom.core.errors import BadInput, BrokenGeneration
from loom.core.values import Json
from loom_adapters.pull.landing import files_of, is_whole, landing
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
                    at = f"{id.removeprefix(manifests.PREFIX)}/parts/{part}/{file}"
                    fetched += _fetched(site, at, f"{part}/{file} of {id[:19]}", path, stated, told)
            arriving.settle(data, {**_about(site, id), "pulled_at": now.isoformat(), "pulled_from": site.shown})
        except OSError as error:
            raise BadInput(
                f"Cannot write to {store} ({error.strerror or error}); make room, or choose another with --store."
            ) from error
    return Pulled(id, count, fetched, borrowed)


def pull_beside(site: Site, store: Path, id: str, progress: Progress) -> Pulled | None:
    """Bring what serves beside a generation, which is here, and let it serve here; None where nothing serves there.

    Raises as `pull` does, and BrokenGeneration where the files belong to another generation.
    """
    name = site.attachment(id)
    if name is None:
        return None
    data = site.attachment_manifest(id, name)
    files = attachment_manifests.read(data, name, id)["files"]
    generation = store / id.removeprefix(manifests.PREFIX)
    here = generation / attachment_manifests.FOLDER / name
    total, done, fetched, borrowed = sum(stated["bytes"] for stated in files.values()), 0, 0, 0

    def told(number: int) -> None:
        nonlocal done
        done += number
        progress(done, total)

    with landing(store, manifests.PREFIX + name) as arriving:
        try:
            for file, stated in sorted(files.items()):
                path, size = arriving.place_beside(file), int(stated["bytes"])
                if is_whole(path, stated):
                    told(size)
                elif is_whole(here / file, stated):
                    shutil.copyfile(here / file, path)
                    borrowed += size
                    told(size)
                else:
                    at = f"{generation.name}/{attachment_manifests.FOLDER}/{name}/{file}"
                    fetched += _fetched(site, at, f"{file} of the attachment {name[:12]}", path, stated, told)
            arriving.settle_beside(generation, data)
        except OSError as error:
            raise BadInput(
                f"Cannot write to {store} ({error.strerror or error}); make room, or choose another with --store."
            ) from error
    return Pulled(manifests.PREFIX + name, len(files), fetched, borrowed)


def _fetched(site: Site, name: str, said: str, path: Path, stated: Mapping[str, Json], told: Callable[[int], object]) -> int:
    """Bytes that were fetched. A beginning that turns out to be another file's is thrown away once, and all is fetched anew."""
    began = path.stat().st_size if path.exists() else 0
    told(began)
    site.fetch(name, path, stated, told)
    if not is_whole(path, stated) and began:
        path.unlink()
        told(-int(stated["bytes"]))
        began = 0
        site.fetch(name, path, stated, told)
    if not is_whole(path, stated):
        path.unlink(missing_ok=True)
        raise BrokenGeneration(
            f"{said} at {site.shown} is not what was sealed: its digest is another. "
            "Its publisher mixed versions, or it was altered on the way."
        )
    return int(stated["bytes"]) - began


def _about(site: Site, id: str) -> dict[str, Json]:
    try:
        found = json.loads(site.about(id) or b"{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
