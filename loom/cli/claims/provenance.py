"""What a workspace rests on, as W3C PROV, for other tools: of one claim, or of everything, page by page."""

import argparse
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack

import orjson

from loom.claims.prov import PREFIXES, SECTIONS, Document, document, whole
from loom.claims.prov_triples import statements, triples
from loom.claims.workspace import Claims
from loom.cli.claims.doing import named
from loom.cli.claims.flags import Action
from loom.core.claims.view import ClaimView
from loom.lab.files import write_bytes

PIECE = 1 << 20


async def prov(claims: Claims, arguments: argparse.Namespace) -> int:
    id = await named(claims, arguments.claim) if arguments.claim else ""

    def work(view: ClaimView) -> None:
        pieces = _pieces(view, id, arguments.format)
        if arguments.out:
            write_bytes(arguments.out, pieces)
            return
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.flush()

    await (await claims.store()).look(work)
    return 0


def _pieces(view: ClaimView, id: str, format: str) -> Iterator[bytes]:
    if id:
        made, _ = document(view, claim=id)
        yield triples(made).encode() if format == "ntriples" else orjson.dumps(made, option=orjson.OPT_APPEND_NEWLINE)
    elif format == "ntriples":
        for each in whole(view):
            yield "".join(f"{line}\n" for line in statements(each)).encode()
    else:
        yield from _joined(whole(view))


def _joined(documents: Iterable[Document]) -> Iterator[bytes]:
    """One PROV-JSON document out of many. Its sections lie in files until all of them are known."""
    with ExitStack() as open_:
        parts = {name: open_.enter_context(tempfile.TemporaryFile()) for name in SECTIONS}
        repeated: set[str] = set()
        for each in documents:
            for name, part in parts.items():
                for id, members in each.get(name, {}).items():
                    if name == "agent" or members.get("loom:cause") == "withdrawn":  # told wherever they are referred to
                        if id in repeated:
                            continue
                        repeated.add(id)
                    part.write((b"," if part.tell() else b"") + orjson.dumps(id) + b":" + orjson.dumps(members))
        yield b'{"prefix":' + orjson.dumps(PREFIXES)
        for name, part in parts.items():
            if part.tell():
                part.seek(0)
                yield b"," + orjson.dumps(name) + b":{"
                while piece := part.read(PIECE):
                    yield piece
                yield b"}"
        yield b"}\n"


ACTIONS: dict[str, Action] = {"prov": prov}
