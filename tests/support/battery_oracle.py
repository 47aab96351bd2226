"""What is true of a written knowledge base, found again from its files alone: by csv, tomllib and Decimal, and by looking at every
unit of a transcript."""

import csv
import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from itertools import pairwise
from pathlib import Path
from typing import Any


def manifest(folder: Path) -> dict[str, Any]:
    return tomllib.loads((folder / "kb.toml").read_text(encoding="utf-8"))


def rows_of(folder: Path, file: Mapping[str, Any]) -> list[dict[str, str]]:
    mark = file.get("decimal", ".")
    with open(folder / file["path"], encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened, delimiter=";" if mark == "," else ","))


def number(text: str, mark: str) -> Decimal | None:
    plain = text.replace(".", "").replace(",", ".") if mark == "," else text.replace(",", "")
    try:
        found = Decimal(plain)
    except InvalidOperation:
        return None
    return found if found.is_finite() else None


def seconds(text: str) -> int:
    minutes, _, rest = text.rpartition(":")
    return int(minutes or 0) * 60 + int(rest)


def recomputed(folder: Path, file: Mapping[str, Any], column: str) -> dict[str, Any]:
    """Extrema with their positions and ties, first, last, count and skipped, of one column."""
    read = []
    skipped = 0
    for row_number, row in enumerate(rows_of(folder, file), 1):
        found = number(row[column], file.get("decimal", "."))
        if found is None:
            skipped += 1
        else:
            read.append((seconds(row[file["position"]]), found, row[column], row[file["position"]], row_number))
    read.sort()
    highest, lowest = max(value for _, value, *_ in read), min(value for _, value, *_ in read)
    tops = [one for one in read if one[1] == highest]
    bottoms = [one for one in read if one[1] == lowest]
    named = {"max": tops[0], "min": bottoms[0], "first": read[0], "last": read[-1]}
    ties = {"max": len(tops) - 1, "min": len(bottoms) - 1, "first": 0, "last": 0}
    return {
        **{name: (text, value, position, at, place, ties[name]) for name, (at, value, text, position, place) in named.items()},
        "count": len(read),
        "skipped": skipped,
    }


def units_of(folder: Path, path: str) -> list[tuple[int, int | None, str]]:
    """(start, end, text) of a transcript; a time with nothing behind it ends what came before."""
    text = (folder / path).read_text(encoding="utf-8")
    if path.endswith(".vtt"):
        found = re.findall(r"00:(\d\d:\d\d)\.000 --> 00:(\d\d:\d\d)\.000\n(.*)\n", text)
        return [(seconds(start), seconds(end), said) for start, end, said in found]
    lines = [(seconds(at), said.strip()) for at, said in re.findall(r"^\[(\d\d:\d\d)\](.*)$", text, re.M)]
    ends = [following for (_, _), (following, _) in pairwise(lines)]
    return [(at, end, said) for (at, said), end in zip(lines, [*ends, None], strict=True) if said]
