"""The rows of a study as its file, written as they are answered."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from loom.core.values import Json
from loom.lab.asking import Asker
from loom.lab.files import WholeFile, write_lines
from loom.lab.row import ERROR, STATUSES
from loom.lab.running.answered import answered
from loom.lab.running.folder import StudyFolder
from loom.lab.running.tally import totals
from loom.lab.showing import Showing
from loom.lab.study.study import Study
from loom.ports import AnswerBook


@dataclass(frozen=True, slots=True)
class Written:
    """A file of rows: its digest, and its rows by model and status."""

    sha256: str
    statuses: Mapping[str, Mapping[str, int]]

    @property
    def rows(self) -> int:
        return sum(sum(counts.values()) for counts in self.statuses.values())

    @property
    def by_status(self) -> dict[str, int]:
        """Rows of all models, by each status that some row has."""
        counts = {status: sum(each[status] for each in self.statuses.values()) for status in sorted(STATUSES)}
        return {status: count for status, count in counts.items() if count}

    @property
    def errors(self) -> int:
        return sum(counts[ERROR] for counts in self.statuses.values())


async def rows_written(study: Study, showings: Sequence[Showing], asker: Asker, path: Path) -> Written:
    """Ask what the plan shows and write the rows, in the plan's order."""
    counted: Counter[tuple[str, str]] = Counter()
    async with aclosing(answered(study, showings, asker)) as rows:
        with WholeFile(path) as file:
            async for row in rows:
                file.add(row.as_json())
                counted[row.model, row.status] += 1
    statuses = {member.name: {status: counted[member.name, status] for status in STATUSES} for member in study.models}
    return Written(file.sha256, statuses)


def ledger_written(book: AnswerBook, folder: StudyFolder) -> list[dict[str, Json]]:
    """Write every call that was sent, in order, and give what they cost by model and purpose."""
    write_lines(folder.ledger, book.ledger())
    return totals(book.ledger())
