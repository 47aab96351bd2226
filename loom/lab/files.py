"""Files of the lab: written whole or not at all, the same bytes for the same content."""

import os
import tempfile
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

import orjson

from loom.core.errors import BadInput
from loom.core.values import Json


def write_bytes(path: Path, pieces: Iterable[bytes]) -> str:
    """Write a file beside its place and move it there; gives the SHA-256 of what it holds. Raises BadInput."""
    digest = sha256()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                for piece in pieces:
                    digest.update(piece)
                    file.write(piece)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(name, 0o644)
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise BadInput(f"{path} cannot be written ({error.strerror}); give a place that can.", param="out") from error
    return digest.hexdigest()


def write_lines(path: Path, rows: Iterable[Mapping[str, Json]]) -> str:
    """Rows as JSON lines, in the order given; gives the SHA-256."""
    return write_bytes(path, (orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows))


def write_json(path: Path, value: Json) -> str:
    """One JSON value, indented; gives the SHA-256."""
    return write_bytes(path, [orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)])


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file. Raises BadInput where it cannot be read."""
    digest = sha256()
    try:
        with path.open("rb") as file:
            while piece := file.read(1 << 20):
                digest.update(piece)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}.", param="file") from error
    return digest.hexdigest()
