"""What one rater chose: appended and forced to the disk at each choice, the last one of an item counts."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.judging.appended import Appended
from loom.lab.lines import lines

KIND = "annotation"
LONGEST_NOTE = 2_000


class Votes:
    """The file of one rater. Its first line says of which sample it is; a file of another sample is refused. Raises BadInput."""

    def __init__(self, path: Path, head: Mapping[str, Json]) -> None:
        self.path = path
        self.chosen: dict[str, tuple[str | None, str]] = {}
        busy = BadInput(f"Another page is open on {path}; close it first.", param="rater")
        self._file = Appended(path, busy, mode=0o600)
        try:
            self._resume({"kind": KIND, **head})
        except BaseException:
            self.close()
            raise

    def _resume(self, head: Mapping[str, Json]) -> None:
        if self._file.empty:
            self._file.add(head)
            return
        stated, self.chosen = read_votes(self.path)
        differing = sorted(name for name in head if stated.get(name) != head[name])
        if differing:
            raise BadInput(
                f"Expected {self.path} to be of this sample and rater, but it differs in {', '.join(differing)}; give another --out.",
                param="out",
            )

    def choose(self, key: str, label: str | None, note: str) -> None:
        """Keep a choice: when this returns it is on the disk."""
        self._file.add({"item": key, "label": label, "note": note})
        self.chosen[key] = (label, note)

    def close(self) -> None:
        self._file.close()


def read_votes(path: Path) -> tuple[dict[str, Json], dict[str, tuple[str | None, str]]]:
    """The head of a rater's file, and label and note by item. Raises BadInput."""
    head: dict[str, Json] | None = None
    chosen: dict[str, tuple[str | None, str]] = {}
    for number, row in lines(path, "agree"):
        if head is None:
            if row.get("kind") != KIND:
                raise BadInput(f"Expected a rater's file of `loom lab annotate`, but {path} is none.", param="agree")
            head = row
            continue
        label = row.get("label")
        if not isinstance(row.get("item"), str) or not isinstance(label, str | None):
            raise BadInput(f"Expected item and label in line {number} of {path}.", param="agree")
        chosen[row["item"]] = (label, str(row.get("note") or ""))
    if head is None:
        raise BadInput(f"Expected a rater's file of `loom lab annotate`, but {path} is empty.", param="agree")
    return head, chosen


def labels_of(chosen: Mapping[str, tuple[str | None, str]], keys: Sequence[str]) -> dict[str, str]:
    """The labels that were given among keys, in their order."""
    return {key: label for key in keys if (label := chosen.get(key, (None, ""))[0]) is not None}
