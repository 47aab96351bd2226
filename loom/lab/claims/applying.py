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
_VALUE = r"(?:true|false|\"(?:[^\"\\]|\\.)*\"|'[^']*')"
_OUTCOMES = ("kept", "dropped", "not judged")


def dropped(rows: Iterable[Mapping[str, Json]]) -> dict[str, Json]:
    """What verdicts set, as they lie in a results file. Raises BadInput where one is no verdict, is there twice, or sets what is no part."""
    found: dict[str, Json] = {}
    seen = set[str]()
    for row in rows:
        settings = row.get("settings") if isinstance(row, Mapping) else None
        if (
            not isinstance(row, Mapping)
            or not isinstance(settings, Mapping)
            or not all(isinstance(row.get(name), str) for name in ("part", "why"))
            or row.get("outcome") not in _OUTCOMES
        ):
            raise BadInput(
                f"Expected verdicts with part, outcome, why and settings, but got {str(row)[:60]}.", param="verdicts"
            )
        if row["part"] in seen:
            raise BadInput(f"Expected one verdict a part, but {row['part'][:40]!r} has another.", param="verdicts")
        seen.add(row["part"])
        if row["outcome"] == "dropped":
            found.update(settings)
    read_parts(found)
    return found


def told(thesis: Json) -> Mapping[str, Json] | None:
    """The verdict on the thesis, None where a file has none. Raises BadInput where it is another thing."""
    if thesis is None:
        return None
    answers = ("holds", "quality", "cost")
    if (
        not isinstance(thesis, Mapping)
        or any(name not in thesis or not isinstance(thesis[name], bool | None) for name in answers)
        or not isinstance(thesis.get("fails_in_the_weaker_sense"), bool)
        or not isinstance(thesis.get("defects"), list)
    ):
        raise BadInput(
            f"Expected a thesis with {', '.join(answers)}, whether it fails in the weaker sense, and defects, but got "
            f"{str(thesis)[:60]}.",
            param="thesis",
        )
    return thesis


def applied(text: str, settings: Mapping[str, Json]) -> str:
    """The file with these parts set. Raises BadInput where it is none, or has its parts in another form than a table of their own."""
    given = _read(text)
    if not settings:
        return text
    feed = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    lines = text.split("\n")
    head = next((at for at, line in enumerate(lines) if _HEAD.match(line)), None)
    if head is None:
        if "parts" in given:
            raise BadInput(
                "Expected the parts as a table [parts], but the file has them in another form; write the table.", param="apply"
            )
        begun = text + ("" if text.endswith("\n") or not text else feed) + (feed if text else "")
        lines = f"{begun}[parts]{feed}".split("\n")
        head = len(lines) - 2
    if head + 1 == len(lines):  # the head is all that follows the last feed
        lines[head] += feed.removesuffix("\n")
        after = ""
    else:
        after = feed.removesuffix("\n")
    for name, value in settings.items():
        end = next((at for at in range(head + 1, len(lines)) if _TABLE.match(lines[at])), len(lines))
        key = re.compile(rf"^(\s*(?:{name}|\"{name}\"|'{name}')\s*=\s*){_VALUE}(?=\s|#|$)")
        at, found = next(((at, found) for at in range(head + 1, end) if (found := key.match(lines[at]))), (head + 1, None))
        if found is None:
            lines.insert(at, f"{name} = {_word(value)}{after}")
            after = feed.removesuffix("\n")
        else:
            lines[at] = f"{found[1]}{_word(value)}{lines[at][found.end() :]}"
    made = "\n".join(lines)
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
