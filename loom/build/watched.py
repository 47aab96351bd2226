"""Files of a source, counted while they are taken."""

from collections.abc import Callable, Iterator

from loom.core.report import Report
from loom.ports import SourceFile, SourceFiles


class Watched:
    """The same files; `taken` is told how many there have been."""

    def __init__(self, files: SourceFiles, taken: Callable[[int], None]) -> None:
        self._files = files
        self._taken = taken

    def files(self, report: Report) -> Iterator[SourceFile]:
        for count, file in enumerate(self._files.files(report), 1):
            yield file
            self._taken(count)
