"""A turn and what was read in it as JSON: the text of a row, and a line of an export."""

from collections.abc import Mapping
from typing import Any

import orjson

from loom.core.errors import BadInput
from loom.core.memory.values import Person, Piece, Reading, Said, Sentence
from loom.core.values import Json


def person_json(person: Person) -> bytes:
    """The same bytes for the same person."""
    return _dumped([person.key, person.name, list(person.aliases), person.speaks])


def person_of(stated: Any) -> Person:
    key, name, aliases, speaks = stated
    return Person(_text(key), _text(name), tuple(map(_text, aliases)), bool(speaks))


def turn_json(said: Said, reading: Reading) -> bytes:
    return _dumped(as_json(said, reading))


def as_json(said: Said, reading: Reading) -> dict[str, Json]:
    return {
        "id": said.id,
        "speaker": said.speaker,
        "text": said.text,
        "date": said.date,
        "caption": said.caption,
        "pieces": [
            {
                "subject": piece.subject,
                "sentences": [[each.start, each.end, each.negated, each.quoted, list(each.dates)] for each in piece.sentences],
                "own": dict(piece.own),
                "beside": dict(piece.beside),
            }
            for piece in reading.pieces
        ],
        "people": [[each.key, each.name, list(each.aliases), each.speaks] for each in reading.people],
    }


def turn_of(turn: int, body: bytes) -> tuple[Said, Reading]:
    """What `turn_json` wrote."""
    return parsed(turn, orjson.loads(body))


def said_of(body: bytes) -> Said:
    return _said(orjson.loads(body))


def parsed(turn: int, stated: Mapping[str, Json]) -> tuple[Said, Reading]:
    """A turn and its reading. Raises BadInput for what is none."""
    try:
        said = _said(stated)
        pieces = tuple(_piece(turn, said, each) for each in stated["pieces"])
        people = tuple(map(person_of, stated["people"]))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(f"Turn {turn} is not as an export writes it ({type(error).__name__}: {error}).", param="lines") from None
    if len({piece.subject for piece in pieces}) != len(pieces):
        raise BadInput(f"Turn {turn} has two pieces of one subject.", param="lines")
    return said, Reading(turn, pieces, people)


def _said(stated: Mapping[str, Json]) -> Said:
    return Said(*(_text(stated[name]) for name in ("speaker", "text", "date", "id", "caption")))


def _piece(turn: int, said: Said, stated: Mapping[str, Json]) -> Piece:
    sentences = tuple(
        Sentence(_count(start), _count(end), bool(negated), _text(quoted), tuple(map(_text, dates)))
        for start, end, negated, quoted, dates in stated["sentences"]
    )
    if any(not each.start <= each.end <= len(said.whole) for each in sentences):
        raise ValueError("a sentence lies outside the text")
    counts = [{_text(term): _count(number) for term, number in stated[name].items()} for name in ("own", "beside")]
    return Piece(turn, _text(stated["subject"]), sentences, *counts)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected text, but got {value!r:.40}")
    return value


def _count(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError(f"expected a whole number, but got {value!r:.40}")
    return value


def _dumped(value: Json) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError as error:  # a lone surrogate
        raise BadInput(f"Expected text in Unicode, but it cannot be written as UTF-8 ({error}).", param="text") from None
