"""The manifest of an attachment: files made from a sealed generation, and kept beside it under their own digest.

    {"format": 1, "id": "sha256:…", "generation": "sha256:…", "facts": {…}, "files": {file: {"bytes": n, "sha256": hex}}}

The id is the SHA-256 of everything but itself, as a generation's is. An attachment that names another generation is none.
"""

import json
from collections.abc import Mapping

from loom.core.errors import BrokenGeneration
from loom.core.manifest import FORMAT, NAME, PREFIX, id_of
from loom.core.values import Json

MANIFEST = "attachment.json"
FOLDER = "attachments"
HOW = "make it again with `loom embed --force`"


def stated(generation: str, files: Mapping[str, Json], facts: Mapping[str, Json]) -> dict[str, Json]:
    """The manifest of these files, with its id."""
    content: dict[str, Json] = {"format": FORMAT, "generation": generation, "files": files, "facts": facts}
    return {**content, "id": id_of(content)}


def read(data: bytes, hexadecimal: str, generation: str) -> dict[str, Json]:
    """The manifest of the attachment of this name to this generation; raises BrokenGeneration on any other bytes."""
    short = hexadecimal[:12]
    try:
        manifest = json.loads(data)
    except ValueError as error:
        raise BrokenGeneration(f"The manifest of the attachment {short} is not JSON ({error}); {HOW}.") from error
    if not isinstance(manifest, dict) or not isinstance(manifest.get("facts"), dict) or not _files(manifest.get("files")):
        raise BrokenGeneration(f"The manifest of the attachment {short} does not state `facts` and `files`; {HOW}.")
    if manifest.get("format") != FORMAT:
        raise BrokenGeneration(
            f"The attachment {short} has format {manifest.get('format')!r} and this node reads {FORMAT}; {HOW}."
        )
    content = {key: value for key, value in manifest.items() if key != "id"}
    if manifest.get("id") != PREFIX + hexadecimal or id_of(content) != manifest["id"]:
        raise BrokenGeneration(f"The manifest of the attachment {short} was altered: its digest is not its id; {HOW}.")
    if manifest.get("generation") != generation:
        raise BrokenGeneration(
            f"The attachment {short} belongs to {str(manifest.get('generation'))[:19]}, not to {generation[:19]}; {HOW}."
        )
    return manifest


def _files(files: Json) -> bool:
    """Whether files are stated as they are written; names that lead out of the folder are not."""
    return isinstance(files, dict) and all(
        NAME.fullmatch(file)
        and file != MANIFEST
        and isinstance(entry, dict)
        and type(entry.get("bytes")) is int
        and isinstance(entry.get("sha256"), str)
        for file, entry in files.items()
    )
