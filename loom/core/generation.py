"""A generation as the core sees it: sealed parts, each with a typed view that maps its files."""

from collections.abc import Mapping
from typing import ClassVar, Protocol, Self, TypeVar

import numpy as np

from loom.core.values import Json


class PartFiles(Protocol):
    """The files of one part of an opened generation, mapped read-only."""

    def array(self, name: str) -> np.ndarray: ...
    def blob(self, name: str) -> memoryview: ...


class Part(Protocol):
    """A typed view of one part. `KIND` is the part's name in the manifest; opening reads no more than it must."""

    KIND: ClassVar[str]

    @classmethod
    def open(cls, files: PartFiles) -> Self: ...


P = TypeVar("P", bound=Part)


class Generation(Protocol):
    """One sealed version of a corpus, opened and verified. `part` returns None where the generation has no such part."""

    id: str
    manifest: Mapping[str, Json]

    def part(self, kind: type[P]) -> P | None: ...
    def close(self) -> None: ...
