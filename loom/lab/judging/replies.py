"""Reading what a judge replied: JSON wherever it stands in the reply, and no guessing where there are two answers."""

import json
import re
from collections.abc import Iterator

from loom.core.thinking import TagReader
from loom.core.values import Json

_READER = json.JSONDecoder(strict=False)
READ = 40_000
_WHOLE = re.compile(r"[-+]?\d+")


def objects(text: str) -> Iterator[dict[str, Json]]:
    """The JSON objects of a reply, outermost first, its reasoning left out."""
    plain = _spoken(text)[:READ]
    at = plain.find("{")
    while at >= 0:
        try:
            found, end = _READER.raw_decode(plain, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if isinstance(found, dict):
                yield found
        at = plain.find("{", end)


def _spoken(text: str) -> str:
    reader = TagReader()
    answer, _ = reader.feed(text)
    rest, _ = reader.close()
    return answer + rest


def stated(text: str, member: str) -> dict[str, Json] | None:
    """The object of a reply that states a member; None where there is none, or two that differ in it."""
    found = [each for each in objects(text) if member in each]
    if not found or any(each[member] != found[0][member] for each in found):
        return None
    return found[-1]


def whole_number(value: Json, low: int, high: int) -> int | None:
    """A whole number of a range, written as a number or in words of digits; None for everything else: nothing is clamped or
    rounded."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
        value = int(value) if len(value.strip()) < 10 else None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and low <= value <= high else None


def scored(text: str, low: int, high: int, member: str = "score") -> tuple[int, str] | None:
    """The score and the reason of a reply. Where there is no JSON object, a reply that is a number and nothing else, or one whose
    JSON was cut short after it, will do."""
    found = stated(text, member)
    if found is not None:
        score = whole_number(found[member], low, high)
        return None if score is None else (score, one_line(found.get("why")))
    spoken = _spoken(text)
    if any(member in each for each in objects(text)):
        return None
    cut = re.findall(rf'(?<!\\)"{member}"\s*:\s*"?([-+]?\d+(?:\.\d+)?)"?\s*[,}}\n]', spoken)
    bare = re.fullmatch(rf"\W*(?:{member}\W+)?([-+]?\d+(?:\.\d+)?)(?:\s*(?:/|out of)\s*{high})?[\s.*`]*", spoken, re.IGNORECASE)
    numbers = cut or ([bare[1]] if bare else [])
    if not numbers or len(set(numbers)) > 1:
        return None
    score = whole_number(float(numbers[0]), low, high)
    return None if score is None else (score, "")


def one_line(value: Json) -> str:
    return " ".join(value.split())[:500] if isinstance(value, str) else ""
