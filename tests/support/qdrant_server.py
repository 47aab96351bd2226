"""A server that speaks the part of Qdrant's HTTP interface that is used here, over vectors in memory; it can be told to fail."""

import asyncio
import json
import re
from typing import Any

import numpy as np


class QdrantServer:
    """`async with QdrantServer() as server`: `url` is its address, `keys` the API keys that came, `slow` delays every answer,
    `broken` is what it answers instead: a status and a body."""

    def __init__(self) -> None:
        self.collections: dict[str, dict[int, list[float]]] = {}
        self.widths: dict[str, int] = {}
        self.keys: list[str | None] = []
        self.asked: list[tuple[str, str]] = []
        self.slow = 0.0
        self.broken: tuple[int, bytes] | None = None

    async def __aenter__(self) -> "QdrantServer":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                method, path, _ = line.decode().split(" ", 2)
                headers = {}
                while (line := await reader.readline()).strip():
                    name, _, value = line.decode().partition(":")
                    headers[name.strip().lower()] = value.strip()
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                self.keys.append(headers.get("api-key"))
                self.asked.append((method, path.partition("?")[0]))
                await asyncio.sleep(self.slow)
                status, content = self.broken or self._answer(method, path.partition("?")[0], json.loads(body or b"null"))
                writer.write(
                    b"HTTP/1.1 %d X\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % (status, len(content))
                )
                writer.write(content)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def _answer(self, method: str, path: str, body: Any) -> tuple[int, bytes]:
        found = re.fullmatch(r"/collections/([^/]+)(/.*)?", path)
        assert found
        name, what = found[1], (method, found[2] or "")
        if what == ("GET", "/exists"):
            return self._result({"exists": name in self.collections})
        if what == ("PUT", ""):
            self.collections[name], self.widths[name] = {}, body["vectors"]["size"]
            return self._result(True)
        if name not in self.collections:
            return 404, b'{"status": {"error": "no such collection"}}'
        points = self.collections[name]
        if what == ("PUT", "/points"):
            batch = body["batch"]
            points.update(zip(batch["ids"], batch["vectors"], strict=True))
            return self._result({"operation_id": 1, "status": "completed"})
        if what == ("POST", "/points/count"):
            return self._result({"count": len(points)})
        if what == ("POST", "/points/query"):
            scores = {id: float(np.dot(vector, body["query"]["nearest"])) for id, vector in points.items()}
            best = sorted(scores, key=lambda id: -scores[id])[: body["limit"]]
            return self._result({"points": [{"id": id, "version": 1, "score": scores[id]} for id in best]})
        assert what == ("GET", "")
        return self._result(_described(self.widths[name], len(points)))

    @staticmethod
    def _result(result: Any) -> tuple[int, bytes]:
        return 200, json.dumps({"result": result, "status": "ok", "time": 0.001}).encode()


def _described(width: int, count: int) -> dict[str, Any]:
    """A collection as the interface describes it."""
    return {
        "status": "green",
        "optimizer_status": "ok",
        "points_count": count,
        "segments_count": 1,
        "payload_schema": {},
        "config": {
            "params": {"vectors": {"size": width, "distance": "Dot"}},
            "hnsw_config": {"m": 16, "ef_construct": 100, "full_scan_threshold": 10000},
            "optimizer_config": {
                "deleted_threshold": 0.2,
                "vacuum_min_vector_number": 1000,
                "default_segment_number": 0,
                "flush_interval_sec": 5,
            },
        },
    }
