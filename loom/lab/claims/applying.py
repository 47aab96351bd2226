"""Verdicts into the file of a workspace: the parts that are dropped are set there, and nothing else of it changes."""

import re
import tomllib
from collections.abc import Iterable, Mapping

from loom.claims.stated import stated
from loom.core.claims.parts import read_parts
from loom.core.errors import BadInput
from loom.core.values import Json

_HEAD = re.compile(r"^\s*\[\s*parts\s*\]\s*(#.*)?$")
_TABLE = re.compile(r"^\s*\[")


def dropped(rows: Iterable[Mapping[str, Json]]) -> dict[str, Json]:
    """What verdicts set, as they lie in a results file. Raises BadInput where one is no verdict, or sets what is no part."""
    found: dict[str, Json] = {}
    for row in rows:
        if not isinstance(row, Mapping) or row.get("outcome") not in ("kept", "dropped", "not judged"):
            raise BadInput(f"Expected verdicts with part, outcome and settings, but got {str(row)[:60]}.", param="verdicts")
        settings = row.get("settings")
        if row["outcome"] == "dropped" and isinstance(settings, Mapping):
            found.update(settings)
    read_parts(found)
    return found


def applied(text: str, settings: Mapping[str, Json]) -> str:
    """The file with these parts set. Raises BadInput where it is none, or has its parts in another form than a table of their own."""
    given = _read(text)
    if not settings:
        return text
    lines = text.splitlines()
    head = next((at for at, line in enumerate(lines) if _HEAD.match(line)), None)
    if head is None:
        if "parts" in given:
            raise BadInput(
                "Expected the parts as a table [parts], but the file has them in another form; write the table.", param="apply"
            )
        lines += ["", "[parts]"] if lines else ["[parts]"]
        head = len(lines) - 1
    end = next((at for at in range(head + 1, len(lines)) if _TABLE.match(lines[at])), len(lines))
    for name, value in settings.items():
        said = f"{name} = {_word(value)}"
        key = re.compile(rf"^\s*(?:{name}|\"{name}\"|'{name}')\s*=")
        at = next((at for at in range(head + 1, end) if key.match(lines[at])), None)
        if at is None:
            lines.insert(head + 1, said)
            end += 1
        else:
            note = re.search(r"\s+#[^\"']*$", lines[at])
            lines[at] = said + (note[0] if note else "")
    made = "\n".join(lines) + "\n"
    now = _read(made)
    if now != {**given, "parts": {**given.get("parts", {}), **settings}}:
        raise BadInput(
            "The file cannot be changed without changing something else in it; set its parts by hand.", param="apply"
        )
    return made


def _read(text: str) -> dict[str, Json]:
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"Expected the TOML file of a workspace, but {error}.", param="apply") from error
    stated(found)
    return found


def _word(value: Json) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else f'"{value}"'
