"""Frames: what a model's answer is made of on the wire. A body that is not streamed is a stream of one frame."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Frame:
    """One server-sent event, or a whole body.

    `data` is the payload (JSON text, or `[DONE]`), untouched; empty for a comment. `raw` is the event exactly as it came,
    with the blank line that ends it, so that a relay can pass it on without re-encoding; for a whole body both are equal.
    """

    data: bytes
    raw: bytes
