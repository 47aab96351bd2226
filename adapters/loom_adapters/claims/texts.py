"""Values as both databases take them: sound texts, JSON as one text, vectors as bytes, homes by their digest."""

from collections.abc import Iterable, Sequence
from hashlib import sha256

import numpy as np
import orjson

from loom.core.errors import BadInput
from loom.core.values import Json
from loom_adapters.claims.session import Row


def sound(rows: Sequence[Row]) -> Sequence[Row]:
    """The rows. Raises BadInput where a text has a NUL or half a character, which a database does not keep."""
    for row in rows:
        for name, value in row.items():
            if isinstance(value, str) and not value.isascii():
                try:
                    value.encode()
                except UnicodeEncodeError:
                    raise BadInput(f"Expected text, but {value[:60]!r} has half a character; mend it.", param=name) from None
            if isinstance(value, str) and "\0" in value:
                raise BadInput(f"Expected text, but {value[:60]!r} has a NUL character; take it out.", param=name)
    return rows


def said(value: Json) -> str:
    """One text for one value, whatever the order of its members. Raises BadInput for what is no JSON."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError as error:
        raise BadInput(
            f"Expected a value of JSON, but got {str(value)[:60]!r} ({error}); state it as JSON.", param="body"
        ) from None


def heard(text: str) -> Json:
    return orjson.loads(text)


def named(home: Iterable[str]) -> tuple[str, str]:
    """A home as one text, and its digest."""
    text = said(sorted(home))
    return text, sha256(text.encode()).hexdigest()


def packed(values: np.ndarray) -> bytes:
    """Raises BadInput where a vector is not of one dimension, finite and of length 1."""
    made = np.ascontiguousarray(values, "<f4")
    length = float(np.sqrt(np.dot(made.astype(np.float64), made))) if made.ndim == 1 else 0.0
    if not abs(length - 1) < 1e-3:
        raise BadInput(
            f"Expected a vector of length 1, but got the shape {made.shape} and the length {length:g}.", param="vector"
        )
    return made.tobytes()


def unpacked(body: bytes) -> np.ndarray:
    return np.frombuffer(body, "<f4")
