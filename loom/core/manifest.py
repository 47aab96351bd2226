"""The manifest of a generation: what is sealed, and the id that is its digest.

    {"format": 1, "id": "sha256:…", "notes": {…}, "parts": {part: {file: {"bytes": n, "sha256": hex}}}}

The id is the SHA-256 of everything but itself, as JSON with sorted keys, without spaces, in UTF-8.
"""

import hashlib
import json
import re
from collections.abc import Mapping

from loom.core.errors import BrokenGeneration
from loom.core.values import Json

FORMAT = 1
PREFIX = "sha256:"
HEX = re.compile(r"[0-9a-f]{64}")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def sealed(parts: Mapping[str, Json], notes: Mapping[str, Json]) -> dict[str, Json]:
    """The manifest of these parts and notes, with its id."""
    content: dict[str, Json] = {"format": FORMAT, "parts": parts, "notes": notes}
    return {**content, "id": id_of(content)}


def id_of(content: Mapping[str, Json]) -> str:
    """The id of a manifest without its `id`; raises ValueError on a number that JSON does not have."""
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return PREFIX + hashlib.sha256(canonical.encode("utf-8")).hexdigest()


def entry(data: bytes | memoryview) -> dict[str, Json]:
    """What a manifest states of one file."""
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def named(part: str, file: str) -> None:
    """Raises ValueError unless both are names that are safe as names of a folder and a file."""
    if not (NAME.fullmatch(part) and NAME.fullmatch(file)):
        raise ValueError(f"Part and file names are letters, digits, dots, hyphens and underscores; got {part!r}, {file!r}.")


def read(data: bytes, hexadecimal: str) -> dict[str, Json]:
    """A manifest that belongs to the generation of this name; raises BrokenGeneration on any other bytes."""
    short = hexadecimal[:12]
    try:
        manifest = json.loads(data)
    except ValueError as error:
        raise BrokenGeneration(f"The manifest of {short} is not JSON ({error}); build or copy it again.") from error
    if not isinstance(manifest, dict) or not isinstance(manifest.get("parts"), dict):
        raise BrokenGeneration(f"The manifest of {short} is not a manifest: an object with `parts` was expected.")
    if manifest.get("format") != FORMAT:
        raise BrokenGeneration(
            f"{short} has format {manifest.get('format')!r} and this node reads {FORMAT}; build it again with this version."
        )
    content = {key: value for key, value in manifest.items() if key != "id"}
    if manifest.get("id") != PREFIX + hexadecimal or id_of(content) != manifest["id"]:
        raise BrokenGeneration(f"The manifest of {short} was altered: its digest is not its id; copy or build it again.")
    if not all(_is_part(name, files) for name, files in manifest["parts"].items()):
        raise BrokenGeneration(f"The manifest of {short} does not state its parts as names of files with bytes and sha256.")
    return manifest


def _is_part(part: str, files: Json) -> bool:
    """Whether a part is stated as it is written; names that lead out of the folder are not."""
    return isinstance(files, dict) and all(
        NAME.fullmatch(part)
        and NAME.fullmatch(file)
        and isinstance(stated, dict)
        and type(stated.get("bytes")) is int
        and isinstance(stated.get("sha256"), str)
        for file, stated in files.items()
    )
