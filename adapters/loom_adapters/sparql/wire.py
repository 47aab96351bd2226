"""What the processes say to one another.

Client and keeper: a connection a query. The client sends QUERY with one end of a socket pair, and keeps the other; the keeper
answers only when something went wrong, with one JSON object. A connection that sends STATE gets one JSON object back.

Client and child, over the pair: frames of a kind and a length. The client sends ASKED; the child sends HEAD, BODY…, END, or FAULT.
A stream that ends without END or FAULT is a child that was stopped.
"""

import json
import socket
import struct
from collections.abc import Mapping

from loom.core.values import Json

QUERY, STATE = b"Q", b"S"
ASKED, HEAD, BODY, END, FAULT = b"A", b"H", b"B", b"E", b"F"

FRAME = struct.Struct(">cI")
FRAME_MOST = 16 * 1024 * 1024

RECORD = struct.Struct(">cqq")
"""Between keeper, holder and child: a letter and two numbers, with or without a file descriptor."""


def frame(kind: bytes, data: bytes) -> bytes:
    return FRAME.pack(kind, len(data)) + data


def dumped(value: Mapping[str, Json]) -> bytes:
    return json.dumps(value).encode()


def packed(kind: bytes, value: Mapping[str, Json]) -> bytes:
    return frame(kind, dumped(value))


def receive_frame(sock: socket.socket) -> tuple[bytes, bytes]:
    """The one frame that a caller sends; raises EOFError where the stream ends before."""
    data = bytearray()
    while True:
        piece = sock.recv(1 << 16)
        if not piece:
            raise EOFError
        data += piece
        if len(data) >= FRAME.size:
            kind, size = FRAME.unpack_from(data)
            if size > FRAME_MOST:
                raise EOFError
            if len(data) >= FRAME.size + size:
                return kind, bytes(data[FRAME.size : FRAME.size + size])
