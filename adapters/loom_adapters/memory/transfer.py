"""Exports as JSON lines: a head that names a conversation, then its turns, those that are gone by the digests of their ids."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import orjson

from loom.core.errors import BadInput
from loom.core.memory.fitting import checked, is_conversation
from loom.core.memory.values import Reading, Said
from loom.core.values import Json
from loom_adapters.memory.scopes import named
from loom_adapters.memory.written import as_json, parsed

FORMAT = 1


class Line(NamedTuple):
    """One turn: what was said and read, or, where it is gone, the digest of its id."""

    turn: int
    said: Said | None
    reading: Reading | None
    cut: bool
    gone: bytes = b""


@dataclass(slots=True)
class Carried:
    """One conversation of an export."""

    conversation: str
    next: int
    lines: list[Line] = field(default_factory=list)


def head(conversation: str, next: int) -> bytes:
    return _line({"loom_memory": FORMAT, "conversation": conversation, "next": next})


def turn_line(turn: int, said: Said, reading: Reading, cut: bool) -> bytes:
    return _line({"turn": turn, **({"cut": True} if cut else {}), **as_json(said, reading)})


def gone_line(turn: int, id: bytes) -> bytes:
    return _line({"turn": turn, "gone": id.hex()})


def _line(stated: Json) -> bytes:
    return orjson.dumps(stated, option=orjson.OPT_APPEND_NEWLINE)


def carried(lines: Iterable[bytes]) -> Iterator[Carried]:
    """The conversations of an export, one at a time. Raises BadInput, which names the line."""
    held: Carried | None = None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            stated = orjson.loads(line)
            if not isinstance(stated, dict):
                raise ValueError("it is no object")
            if "loom_memory" in stated:
                if held is not None:
                    yield held
                held = _head(stated)
            elif held is None:
                raise ValueError("an export begins with a line that names the conversation")
            else:
                held.lines.append(_turn(stated, held.lines[-1].turn if held.lines else -1))
        except (KeyError, TypeError, ValueError, BadInput) as error:
            raise BadInput(
                f"Line {number} is not as `export` writes it ({error}); nothing of this conversation was kept.", param="lines"
            ) from None
    if held is None:
        raise BadInput("Expected an export of conversations, but it is empty.", param="lines")
    yield held


def _head(stated: dict[str, Json]) -> Carried:
    if stated["loom_memory"] != FORMAT:
        raise ValueError(f"expected format {FORMAT}, but it is format {stated['loom_memory']!r:.20}")
    name = named("conversation", stated["conversation"])
    if not is_conversation(name):
        raise ValueError(f"{name!r:.80} cannot name a conversation")
    return Carried(name, _number(stated["next"]))


def _turn(stated: dict[str, Json], before: int) -> Line:
    turn = _number(stated["turn"])
    if turn <= before:
        raise ValueError(f"turn {turn} comes after turn {before}")
    if "gone" in stated:
        id = bytes.fromhex(stated["gone"])
        if len(id) != 16:
            raise ValueError("the digest of an id has 16 bytes")
        return Line(turn, None, None, False, id)
    said, reading = parsed(turn, stated)
    if said.id:
        checked(said, reading)
    return Line(turn, said, reading, bool(stated.get("cut")))


def _number(value: Json) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"expected a whole number, but got {value!r:.20}")
    return value
