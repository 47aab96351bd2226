"""Frames: what a model's answer is made of on the wire. A body that is not streamed is a stream of one frame."""

import re
from dataclasses import dataclass

_BLANK_LINE = re.compile(rb"\n\r?\n")


@dataclass(frozen=True, slots=True)
class Frame:
    """One server-sent event, or a whole body.

    `data` is the payload (JSON text, or `[DONE]`), untouched; empty for a comment. `raw` is the event exactly as it came,
    with the blank line that ends it, so that a relay can pass it on without re-encoding; for a whole body both are equal.
    """

    data: bytes
    raw: bytes

    @property
    def done(self) -> bool:
        """Whether this is the marker that ends a stream."""
        return self.data.startswith(b"[DONE]")


def event(data: bytes) -> Frame:
    """A frame of a stream that carries `data`; a payload of several lines becomes several `data` fields."""
    return Frame(data, b"data: " + data.replace(b"\n", b"\ndata: ") + b"\n\n")


DONE = event(b"[DONE]")


def data_of(raw: bytes) -> bytes:
    """The payload of one event: its `data` fields joined by a line feed, other fields and comments left out."""
    if raw.startswith(b"data: ") and raw.find(b"\n") == len(raw) - 2 and raw.endswith(b"\n\n") and b"\r" not in raw:
        return raw[6:-2]
    found = []
    for line in raw.split(b"\n"):
        name, _, value = line.removesuffix(b"\r").partition(b":")
        if name == b"data":
            found.append(value.removeprefix(b" "))
    return b"\n".join(found)


class Splitter:
    """Cuts a byte stream into events, however it arrives in chunks.

    Lines end with LF or CRLF (a lone CR does not end one: it could not be told from half a CRLF). The `raw` of all frames
    together is the input, byte for byte; text is never decoded, so a character cut in two by a chunk is no matter.
    """

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, chunk: bytes) -> list[Frame]:
        """The events that `chunk` completes, in order."""
        searched = max(0, len(self._rest) - 2)
        buffer = self._rest + chunk if self._rest else chunk
        frames: list[Frame] = []
        start = 0
        while (end := _BLANK_LINE.search(buffer, max(start, searched))) is not None:
            raw = buffer[start : end.end()]
            frames.append(Frame(data_of(raw), raw))
            start = end.end()
        self._rest = buffer[start:]
        return frames

    def close(self) -> list[Frame]:
        """What is left at the end of the input, as one frame: a server may end its last event without the blank line."""
        raw, self._rest = self._rest, b""
        return [Frame(data_of(raw), raw)] if raw else []
