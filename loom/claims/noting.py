"""What the fast path writes down: what was shown, what is to be projected again, and what was paid for it."""

import logging
from dataclasses import replace

from loom.core.claims.stored import CallRow, Notes
from loom.core.errors import LoomError
from loom.ports import ClaimStore

log = logging.getLogger(__name__)


class Notebook:
    """The notes of one process. A read is answered also where the store takes nothing, its disk being full, say: what was shown is then
    forgotten, and calls of models go into the log with the next notes that are taken."""

    def __init__(self, store: ClaimStore) -> None:
        self._store = store
        self._owed: list[CallRow] = []

    async def note(self, notes: Notes) -> None:
        owed, self._owed = self._owed, []
        try:
            await self._store.note(replace(notes, calls=[*owed, *notes.calls]))
        except LoomError as error:
            self._owed = [*owed, *notes.calls, *self._owed]
            log.error("What a read came to could not be written down: %s", error.message)
