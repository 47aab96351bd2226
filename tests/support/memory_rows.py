"""The rows of a store of conversations, read past the store itself, and whether its indexes say exactly what its turns say."""

from collections import Counter, defaultdict
from typing import Any

import numpy as np

from loom.core.memory.values import NOBODY
from loom_adapters.memory.chunks import POSTED, RECORD, turns
from loom_adapters.memory.conversation import PLACES
from loom_adapters.memory.keys import digest, term_key
from loom_adapters.memory.view import PERSON, SUBJECT
from loom_adapters.memory.written import person_json, turn_of

Here = tuple[int, int]
COUNTS = ("turns", "pieces", "length", "width")


def strays(kind: str, place: str) -> list[str]:
    """What is in an index without its turn, in a turn without its index, or counted wrongly; of every conversation that is there."""
    tables = {name: _rows(kind, place, f"select {columns} from {name}") for name, columns in COLUMNS.items()}
    callers = {seq for (seq,) in tables["callers"]}
    there = {(caller, seq) for caller, seq in tables["conversations"] if caller is not None}
    wrong = [f"conversation {here} has no caller" for here in sorted(there) if here[0] not in callers]
    by: dict[str, dict[Here, list[Any]]] = {name: defaultdict(list) for name in COLUMNS}
    for name in ("counts", "turns", "names", "mentions", "postings", "waiting"):
        for caller, conversation, *rest in tables[name]:
            if caller is not None:
                by[name][caller, conversation].append(rest)
        wrong += [f"{name} of {here}, which is no conversation" for here in sorted(by[name].keys() - there)]
    for here in sorted(there):
        wrong += [f"{here}: {each}" for each in _of_one({name: by[name][here] for name in by})]
    return wrong


COLUMNS = {
    "callers": "seq",
    "conversations": "caller, seq",
    "counts": "caller, conversation, next, turns, pieces, length, width",
    "turns": "caller, conversation, turn, body",
    "names": "caller, conversation, kind, number, id, body",
    "mentions": "caller, conversation, kind, number, place",
    "postings": "caller, conversation, term, chunk, before, body",
    "waiting": "caller, conversation, turn, body",
}


def _rows(kind: str, place: str, statement: str) -> list[tuple[Any, ...]]:
    if kind == "sqlite":
        import sqlite3

        connection: Any = sqlite3.connect(place)
    else:
        import psycopg

        connection = psycopg.connect(place, options="-c search_path=loom_memory")
    try:
        found: list[tuple[Any, ...]] = connection.execute(statement).fetchall()
        return found
    finally:
        connection.close()


def _of_one(rows: dict[str, list[Any]]) -> list[str]:
    wrong = []
    names = {(kind, number): bytes(id) for kind, number, id, _ in rows["names"]}
    subjects = {number: bytes(body).decode() for kind, number, _, body in rows["names"] if kind == SUBJECT} | {0: NOBODY}
    expected: Counter[tuple[Any, ...]] = Counter()
    mentioned: Counter[tuple[int, bytes, int]] = Counter()
    sums = dict.fromkeys(COUNTS, 0)
    live = {turn: turn_of(turn, bytes(body))[1] for turn, body in rows["turns"] if body is not None}
    for turn, reading in live.items():
        sums["turns"] += 1
        for piece in reading.pieces:
            for term, (_, _, own, beside, length, width) in piece.postings():
                expected[term_key(term), turn, piece.subject, own, beside, length, width] += 1
            if piece.subject != NOBODY:
                sums["pieces"] += 1
                sums["length"] += piece.length
                sums["width"] += piece.width
                mentioned[SUBJECT, digest(piece.subject), turn] += 1
        for person in dict.fromkeys(reading.people):
            mentioned[PERSON, digest(person_json(person)), turn] += 1
    found: Counter[tuple[Any, ...]] = Counter()
    before: dict[int, int] = {}
    for term, _, earlier, body in sorted(rows["postings"]):
        if earlier != before.get(term, 0):
            wrong.append(f"{earlier} turns stand before a chunk, and not {before.get(term, 0)}")
        before[term] = before.get(term, 0) + turns(bytes(body))
        found.update(_posting(term, row, subjects) for row in np.frombuffer(bytes(body), dtype=RECORD))
    for turn, body in rows["waiting"]:
        waiting = np.frombuffer(bytes(body), dtype=POSTED)
        found.update(_posting(int(row["term"]), row["row"], subjects) for row in waiting)
        if turn not in live:
            wrong.append(f"postings wait of turn {turn}, which is not there")
    for what, more, fewer in (("postings", found, expected), ("mentions", _mentions(rows["mentions"], names), mentioned)):
        if more != fewer:
            wrong.append(f"{what} without a turn: {list(more - fewer)[:3]}, missing: {list(fewer - more)[:3]}")
    ((next, *counts),) = rows["counts"]
    if counts != list(sums.values()) or next <= max((turn for turn, _ in rows["turns"]), default=-1):
        wrong.append(f"counts are {next, counts}, of turns {sums}")
    return wrong


def _posting(term: int, row: Any, subjects: dict[int, str]) -> tuple[Any, ...]:
    values = (int(row[name]) for name in ("own", "beside", "length", "width"))
    return (term, int(row["turn"]), subjects.get(int(row["who"]), f"nobody's {row['who']}"), *values)


def _mentions(rows: list[Any], names: dict[tuple[int, int], bytes]) -> Counter[tuple[int, bytes, int]]:
    return Counter((kind, names.get((kind, number), b"no name"), place // PLACES) for kind, number, place in rows)
