"""The part `bases`: what each knowledge base declares, one canonical JSON line a base in the order of their IRIs.

bases.jsonl
"""

import json
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Self

import numpy as np

from loom.core.facts.codec import base_of, line
from loom.core.facts.values import Base, Held
from loom.core.generation import PartFiles

Files = dict[str, bytes | np.ndarray]


class BasesPart:
    """The bases, decoded once: they are few, and every question reads their names. `held` is made of this part and those beside it
    (`loom.core.facts.sealed`)."""

    KIND: ClassVar[str] = "bases"

    def __init__(self, lines: Iterable[bytes], decode: Callable[[bytes], Any] = json.loads) -> None:
        self.bases = tuple(base_of(decode(one)) for one in lines)
        self.held: Held | None = None

    @classmethod
    def open(cls, files: PartFiles) -> Self:
        return cls(bytes(files.blob("bases.jsonl")).splitlines(), getattr(files, "decode", json.loads))


def press_bases(bases: Iterable[Base]) -> Files:
    return {"bases.jsonl": "".join(line(base) for base in sorted(bases, key=lambda base: base.iri)).encode()}
