"""JSON as sources hold it: decoded strictly, with every loss named."""

import json
import re
from collections.abc import Callable
from typing import Any

from loom.core.hygiene import Found
from loom.core.values import Json

Decode = Callable[[str], Json]

_KEY = re.compile(r'"\s*:')
_SURROGATE = re.compile("[\ud800-\udfff]")


def load(text: str, line: int = 1, fast: Decode | None = None) -> tuple[Json, list[Found]]:
    """The value of a JSON text and the faults of the text; None with `bad-json-block` where it is not JSON.

    `line` is the line of the text's first line in its file. `fast` may be any strict decoder; what it refuses is read again
    by the standard library, which says where the fault is. Of a key stated twice the last value holds, as for every reader.
    """
    if fast is not None:
        try:
            value = fast(text)
        except ValueError:
            return _slow(text, line)
        if _keys(value) == len(_KEY.findall(text)):
            return value, []
    return _slow(text, line)


def _slow(text: str, line: int) -> tuple[Json, list[Found]]:
    twice: list[str] = []

    def pairs(items: list[tuple[str, Json]]) -> dict[str, Json]:
        held = dict(items)
        if len(held) != len(items):
            seen: set[str] = set()
            twice.extend(sorted({key for key, _ in items if key in seen or seen.add(key)}))  # type: ignore[func-returns-value]
        return held

    try:
        value: Json = json.loads(text, object_pairs_hook=pairs, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        return None, [("bad-json-block", f"{error.msg} at column {error.colno}", line + error.lineno - 1)]
    except (ValueError, RecursionError) as error:
        return None, [("bad-json-block", str(error), line)]
    found: list[Found] = [("duplicate-json-key", f"the key {key!r} is stated twice", _line(text, key, line)) for key in twice]
    if "\\u" in text or _SURROGATE.search(text):
        mended = _mended(value)
        if mended is not value:
            found.append(("lone-surrogate", "half of a surrogate pair", line))
            value = mended
    return value, found


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _line(text: str, key: str, line: int) -> int:
    return line + text.count("\n", 0, max(text.rfind(json.dumps(key, ensure_ascii=False)), 0))


def _keys(value: Json) -> int:
    """How many keys all objects of a value have together."""
    count, pending = 0, [value]
    while pending:
        one = pending.pop()
        if type(one) is dict:
            count += len(one)
            pending += [held for held in one.values() if type(held) is dict or type(held) is list]
        elif type(one) is list:
            pending += [held for held in one if type(held) is dict or type(held) is list]
    return count


def _mended(value: Json) -> Json:
    """The same object where nothing had to be mended."""
    if isinstance(value, str):
        return _SURROGATE.sub("�", value) if _SURROGATE.search(value) else value
    if isinstance(value, list):
        mended = [_mended(one) for one in value]
        return value if all(a is b for a, b in zip(mended, value, strict=True)) else mended
    if isinstance(value, dict):
        items = [(_mended(key), _mended(one)) for key, one in value.items()]
        same = all(a is key and b is one for (a, b), (key, one) in zip(items, value.items(), strict=True))
        return value if same else dict(items)
    return value
