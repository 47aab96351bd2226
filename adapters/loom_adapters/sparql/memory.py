"""The fake of the kept triples: the same engine in this process, which nothing can stop."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import numpy as np

from loom.core.errors import BadInput
from loom.core.sparql.asked import Asked
from loom.core.sparql.errors import KINDS
from loom.core.sparql.limits import Limits
from loom.core.sparql.part import Triples
from loom.core.values import Json
from loom.ports import TripleAnswer
from loom_adapters.sparql.engine import Engine
from loom_adapters.sparql.outlet import Outlet
from loom_adapters.sparql.wire import BODY, FAULT, FRAME


class HeldTriples:
    """The files of the part `triples`, as bytes."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files

    def blob(self, name: str) -> memoryview:
        return memoryview(self._files[name])

    def array(self, name: str) -> np.ndarray:
        raise KeyError(name)


class Collected:
    """Stands where a child has its socket."""

    def __init__(self) -> None:
        self.data = b""

    def sendall(self, data: bytes) -> None:
        self.data += data


class HeldAnswer:
    def __init__(self, head: Mapping[str, Json], body: list[bytes]) -> None:
        self.head = head
        self._body = body

    async def pieces(self) -> AsyncIterator[bytes]:
        for piece in self._body:
            yield piece


class FakeTriples:
    """A `TripleStore` over the files of one part."""

    def __init__(self, files: Mapping[str, bytes], generation: str, limits: Limits) -> None:
        self._engine = Engine.load(Triples(HeldTriples(files)), generation, limits, further="graphs.nq" in files)

    @asynccontextmanager
    async def query(self, asked: Asked) -> AsyncIterator[TripleAnswer]:
        collected = Collected()
        self._engine.answer(asked, Outlet(collected))
        frames = _frames(collected.data)
        kind, head = frames[0]
        if kind == FAULT:
            said = json.loads(head)
            raise KINDS.get(said["code"], BadInput)(said["message"], param=said["param"])
        yield HeldAnswer(json.loads(head), [data for kind, data in frames if kind == BODY])

    async def state(self) -> Mapping[str, Json]:
        return {"state": "ready", "generation": self._engine.generation, "graphs": dict(self._engine.graphs), "reason": None}

    async def aclose(self) -> None:
        """Nothing is held open."""


def _frames(data: bytes) -> list[tuple[bytes, bytes]]:
    found = []
    while data:
        kind, size = FRAME.unpack(data[: FRAME.size])
        found.append((kind, data[FRAME.size : FRAME.size + size]))
        data = data[FRAME.size + size :]
    return found
