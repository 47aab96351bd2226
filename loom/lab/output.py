"""The JSON that every command of the lab prints: what was asked of what, and the result."""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import orjson

from loom import __version__
from loom.core.values import Json
from loom.lab.files import sha256_of


def envelope(
    command: str,
    result: Json,
    *,
    generation: str | None = None,
    seeds: Mapping[str, int] | None = None,
    rows: Path | bytes | None = None,
) -> dict[str, Json]:
    """`command` as it was given, `rows` the file (or bytes) that the result was computed from."""
    return {
        "command": command,
        "version": __version__,
        "generation": generation,
        "seeds": dict(seeds or {}),
        "rows_sha256": sha256(rows).hexdigest() if isinstance(rows, bytes) else sha256_of(rows) if rows is not None else None,
        "result": result,
    }


def printed(value: Json) -> str:
    """The envelope as text, indented, non-ASCII letters as they are; NaN and infinity are null."""
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS).decode()
