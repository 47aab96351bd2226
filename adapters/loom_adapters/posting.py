"""A request whose answer is bounded in time and size, whatever the server does."""

import time
from typing import Any

import httpx


class TooLong(httpx.ReadError):
    """The server sends more than anybody wants."""


def posted(client: httpx.Client, url: str, body: Any, *, seconds: float, most: int) -> tuple[int, bytes]:
    """Status and body of a POST of JSON. Raises httpx.HTTPError: ReadTimeout also where a server sends slowly, as where one is silent,
    and TooLong behind `most` bytes."""
    until, data = time.monotonic() + seconds, bytearray()
    with client.stream("POST", url, json=body) as answer:
        for piece in answer.iter_bytes():
            data += piece
            if len(data) > most:
                raise TooLong(f"it sent more than {most} bytes")
            if time.monotonic() > until:
                raise httpx.ReadTimeout("it sends too slowly")
        return answer.status_code, bytes(data)
