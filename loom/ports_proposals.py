"""What the write path into the corpus needs from outside: pages to write into, and records. `loom.ports` gives them, too."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from loom.core.values import Json


class VaultPages(Protocol):
    """The pages of a vault, those of its assertion ledger among them, for whoever writes into them.

    `held` keeps other writers out until its block ends, in whatever process, and raises Busy where one does not end. `names` are the
    pages below a folder ("": all), sorted. `read` gives a page as it is, None where there is none. `write` leaves a page whole or as
    it was, and raises Conflicting where it is not what it `was` (None: not there) by now. Paths are relative, with forward slashes;
    none leads out of the vault. Raises BadInput and Unwritable.
    """

    def held(self) -> AbstractContextManager[None]: ...
    def names(self, folder: str = "") -> Sequence[str]: ...
    def read(self, name: str) -> bytes | None: ...
    def write(self, name: str, data: bytes, was: bytes | None) -> None: ...


class ProposalRecords(Protocol):
    """What is kept of proposals: dossiers, decisions. A record is kept once under its kind and id, and never changed: `keep` gives
    False where there is one already. What it acknowledges outlives the process. `every` gives those of a kind in the order of their
    ids. Kinds and ids are of letters, digits and hyphens. Raises BadInput and Unwritable.
    """

    def keep(self, kind: str, id: str, record: Mapping[str, Json]) -> bool: ...
    def find(self, kind: str, id: str) -> Mapping[str, Json] | None: ...
    def every(self, kind: str) -> Iterator[Mapping[str, Json]]: ...
