"""Records of proposals: a file of JSON for each, in a folder for each kind."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import orjson

from loom.core.errors import BadInput, Unwritable
from loom.core.values import Json
from loom_adapters.proposals.whole import beside, settled

_PART = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,99}")


def _known(*parts: str) -> None:
    for part in parts:
        if not _PART.fullmatch(part):
            raise BadInput(f"Expected letters, digits and hyphens, but got {part[:60]!r}.", param="id")


class FolderRecords:
    """A folder of records. Two that keep one id at once leave one record: a file is linked into place, which only one can do."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def keep(self, kind: str, id: str, record: Mapping[str, Json]) -> bool:
        _known(kind, id)
        folder = self._root / kind
        try:
            folder.mkdir(parents=True, exist_ok=True)
            data = orjson.dumps(record, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
            with beside(folder, data) as made:
                os.link(made, folder / f"{id}.json")
            settled(folder)
        except FileExistsError:
            return False
        except OSError as error:
            raise Unwritable(
                f"Expected to write into {folder}, but that failed ({error.strerror}); make room or mend permissions."
            ) from error
        return True

    def find(self, kind: str, id: str) -> Mapping[str, Json] | None:
        _known(kind, id)
        path = self._root / kind / f"{id}.json"
        return _read(path) if path.is_file() else None

    def every(self, kind: str) -> Iterator[Mapping[str, Json]]:
        _known(kind)
        for path in sorted((self._root / kind).glob("[!.]*.json"), key=lambda each: each.stem):
            yield _read(path)


def _read(path: Path) -> Mapping[str, Json]:
    try:
        found = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError) as error:
        raise BadInput(
            f"Expected a record in {path}, but it cannot be read ({error}); restore it from a backup.", param="store"
        ) from None
    if not isinstance(found, dict):
        raise BadInput(
            f"Expected a record in {path}, but it holds {type(found).__name__}; restore it from a backup.", param="store"
        )
    return found


class FakeRecords:
    """Records in memory."""

    def __init__(self) -> None:
        self._held: dict[tuple[str, str], bytes] = {}

    def keep(self, kind: str, id: str, record: Mapping[str, Json]) -> bool:
        _known(kind, id)
        if (kind, id) in self._held:
            return False
        self._held[kind, id] = orjson.dumps(record)
        return True

    def find(self, kind: str, id: str) -> Mapping[str, Json] | None:
        _known(kind, id)
        data = self._held.get((kind, id))
        return None if data is None else orjson.loads(data)

    def every(self, kind: str) -> Iterator[Mapping[str, Json]]:
        _known(kind)
        for (held, _), data in sorted(self._held.items()):
            if held == kind:
                yield orjson.loads(data)
