"""Records of whatever holds rows: lists of mappings, pandas and polars frames, Arrow tables; none of those is imported."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Integral
from typing import Any

from loom.core.errors import BadInput
from loom.lab.question import GOLD_TYPES, LabQuestion, Target
from loom.lab.row import ANSWERED, EMPTY, Row
from loom.lab.showing import user

QUESTION = ("question", "prompt", "query", "user_input")
CONTEXT = ("context", "contexts", "retrieved_contexts", "documents")
ANSWER = ("answer", "response", "output")
GOLD = ("gold", "targets", "references")
"""Members under which people keep these; the first that is there counts."""

NUMBERED = ("id", "set", "model", "arm", "template", "domain")
"""Members that tell items and groups apart, for which a whole number will do: frames keep such columns as numbers."""


def records(items: Any, wanted: Sequence[str] = ()) -> Iterator[Mapping[str, Any]]:
    """The rows of a frame, or of any iterable of mappings. Raises BadInput for anything else, and, once all are read, where none
    of them has any of the `wanted` members: under another name they would pass for empty ones."""
    if hasattr(items, "collect_schema") and hasattr(items, "collect"):
        items = items.collect()
    if hasattr(items, "to_dicts"):
        items = items.to_dicts()
    elif hasattr(items, "to_pylist"):
        items = items.to_pylist()
    elif hasattr(items, "to_dict") and hasattr(items, "columns"):
        items = items.to_dict("records")
    if isinstance(items, str | bytes | Mapping) or not isinstance(items, Iterable):
        raise BadInput(
            f"Expected a list of objects with question, gold, context and answer, or a data frame with such columns, but got "
            f"{type(items).__name__}.",
            param="items",
        )
    there = not wanted
    members: dict[str, None] = {}
    for number, item in enumerate(items, 1):
        if not isinstance(item, Mapping):
            raise BadInput(f"Expected item {number} to be an object, but got {type(item).__name__}.", param="items")
        if not there:
            there = any(name in item for name in wanted)
            members |= dict.fromkeys(map(str, item))
        yield item
    if members and not there:
        raise BadInput(
            f"Expected items with {' or '.join(wanted)}, but they have {', '.join(members)}; give empty ones where there is nothing.",
            param=wanted[0],
        )


def row_of(item: Mapping[str, Any], number: int) -> Row:
    """An item as a row of a study: what was shown is its context and its question. Raises BadInput."""
    where = f"item {number}"
    gold, gold_type = names(_first(item, GOLD), where), _text(item, ("gold_type",), where) or "all"
    if gold_type not in GOLD_TYPES:
        raise BadInput(f"Expected gold_type to be all or any in {where}, but got {gold_type!r}.", param="gold_type")
    asked = _text(item, QUESTION, where)
    question = LabQuestion(
        id=_text(item, ("id",), where) or (asked if "model" in item or "arm" in item else "") or str(number),
        prompt=asked,
        gold=tuple(Target(name) for name in gold),
        gold_type=gold_type,
        set=_text(item, ("set",), where),
        template=_text(item, ("template",), where),
        domain=_text(item, ("domain",), where),
        gold_extra=tuple(Target(name) for name in names(item.get("gold_extra"), where, "gold_extra")),
    )
    answer = _text(item, ANSWER, where)
    context = text(_first(item, CONTEXT), f"the context of {where}")
    return Row(
        question,
        _text(item, ("arm",), where) or "grounded",
        _text(item, ("model",), where) or "model",
        ANSWERED if answer.strip() else EMPTY,
        {
            "messages": [{"role": "system", "content": context}, *user(asked)],
            "names": list(names(item.get("names"), where, "names")),
        },
        {"answer": answer, "finish_reason": _text(item, ("finish_reason",), where) or None},
    )


def names(value: Any, where: str, member: str = "gold") -> tuple[str, ...]:
    """Names: strings, or objects with a title; one of them is one name, nothing is none. Raises BadInput."""
    if missing(value):
        return ()
    listed = [value] if isinstance(value, str | Mapping) else _plain(value)
    if not isinstance(listed, Sequence) or isinstance(listed, str | bytes):
        raise BadInput(f"Expected {member} to be a list of names in {where}, but got {str(value)[:40]!r}.", param=member)
    found: list[Any] = [each.get("title") if isinstance(each, Mapping) else each for each in listed]
    if wrong := [each for each in found if not isinstance(each, str) or not each.strip()]:
        raise BadInput(
            f"Expected each name of {where} to be a text that is not empty, but got {str(wrong[0])[:40]!r}.", param=member
        )
    return tuple(found)


def text(value: Any, what: str) -> str:
    """A text: a string, or several (or objects with content, text or page_content) joined by a blank. Raises BadInput."""
    if missing(value):
        return ""
    if isinstance(value, str):
        return value
    pieces = _plain(value)
    if isinstance(pieces, Mapping) or not isinstance(pieces, Sequence):
        pieces = [pieces]
    found = [_content(piece) for piece in pieces]
    if not all(isinstance(piece, str) for piece in found):
        raise BadInput(f"Expected {what} to be a text or a list of texts, but got {str(value)[:40]!r}.", param="context")
    return " ".join(found)


def missing(value: Any) -> bool:
    """Whether a cell of a frame holds nothing."""
    return value is None or (isinstance(value, float) and math.isnan(value)) or type(value).__name__ in ("NAType", "NaTType")


def _content(piece: Any) -> Any:
    if isinstance(piece, Mapping):
        return next((piece[name] for name in ("content", "text", "page_content") if name in piece), None)
    return next(
        (found for name in ("page_content", "content", "text") if isinstance(found := getattr(piece, name, None), str)), piece
    )


def _plain(value: Any) -> Any:
    """A list of whatever an array of a frame holds; of a set in an order that is the same in every process."""
    if isinstance(value, set | frozenset):
        return sorted(value, key=repr)
    listing = getattr(value, "tolist", None) or getattr(value, "to_list", None)
    made = listing() if listing else value
    return list(made) if isinstance(made, tuple) else made


def _first(item: Mapping[str, Any], members: Sequence[str]) -> Any:
    return next((item[name] for name in members if not missing(item.get(name))), None)


def _whole(value: Any) -> int | None:
    """A whole number of whatever type, None of anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return int(value) if isinstance(value, Integral) else None


def _text(item: Mapping[str, Any], members: Sequence[str], where: str) -> str:
    found = _first(item, members)
    if found is None:
        return ""
    if members[0] in NUMBERED and (whole := _whole(found)) is not None:
        return str(whole)
    if not isinstance(found, str):
        raise BadInput(f"Expected {members[0]} to be a text in {where}, but got {str(found)[:40]!r}.", param=members[0])
    return found
