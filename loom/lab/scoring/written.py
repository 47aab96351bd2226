"""Scored rows as files: JSON lines with everything, or the CSV that `loom lab stats` reads."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence

import orjson

from loom.lab.row import EMPTY
from loom.lab.scoring.scored import Scored

COLUMNS = ("set", "id", "arm", "score", "model", "question", "template", "domain")
"""Of the CSV: `id` names a pair, so that with several models it is question and model; `score` is empty for an empty answer."""


def _jsonl(scored: Scored) -> bytes:
    return orjson.dumps(scored.as_json(), option=orjson.OPT_APPEND_NEWLINE)


def _csv(scored: Scored) -> bytes:
    """Recall; nothing where nobody answered or nothing was asked for."""
    if scored.recall is None:
        return b""
    of = scored.question
    told = "" if scored.status == EMPTY else repr(scored.recall)
    return _line([of.set, of.id, scored.arm, told, scored.model, of.id, of.template, of.domain])


def _line(cells: Sequence[str]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue().encode("utf-8", "surrogatepass")


RENDER: dict[str, Callable[[Scored], bytes]] = {"jsonl": _jsonl, "csv": _csv}
"""A scored row as a line, by the form of the file."""


def joined(form: str, parts: Iterable[str], several: bool) -> Iterator[bytes]:
    """One file of parts that were written by shards; `several` models make ids of a CSV name the model as well."""
    if form == "csv":
        yield _line(COLUMNS)
    for part in parts:
        if form == "csv" and several:
            with open(part, encoding="utf-8", errors="surrogatepass", newline="") as lines:
                for set, id, arm, score, model, *rest in csv.reader(lines):
                    yield _line([set, f"{id} {model}", arm, score, model, *rest])
            continue
        with open(part, "rb") as file:
            while piece := file.read(1 << 20):
                yield piece
