"""One rater before one sample: the items in the rater's own order, what may be shown of each, and what was chosen."""

from dataclasses import dataclass
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.files import sha256_of
from loom.lab.judging.calibration import calibration
from loom.lab.judging.tasks import ASKED, CHOICES, Item, read_items
from loom.lab.judging.votes import LONGEST_NOTE, Votes
from loom.lab.judging.working import drawn


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample with its hidden items, and what a rater's file says of it."""

    items: tuple[Item, ...]
    hidden: tuple[Item, ...]
    head: dict[str, Json]


def sample_of(path: Path, seed: int, calibration_file: Path | None = None, n: int | None = None) -> Sample:
    """Read a sample and mix in what calibrates it: the same of the same seed and files. Raises BadInput."""
    items = read_items(path, seed)
    hidden = calibration(items, seed, calibration_file, n)
    keys = {item.key for item in items}
    if any(item.key in keys for item in hidden):
        raise BadInput("Expected calibration items that are not in the sample itself.", param="calibration")
    head: dict[str, Json] = {
        "sample_sha256": sha256_of(path),
        "calibration": len(hidden),
        "calibration_sha256": None if calibration_file is None else sha256_of(calibration_file),
        "seed": seed,
    }
    return Sample(items, hidden, head)


class Session:
    """What the page of a rater is served from. Nothing that it shows tells arm, model, cell, verdict or which items calibrate."""

    def __init__(self, sample: Sample, rater: str, votes: Votes) -> None:
        self.rater = rater
        self.votes = votes
        seed = int(sample.head["seed"])
        everything = (*sample.items, *sample.hidden)
        self.items = sorted(everything, key=lambda item: drawn(seed, f"rater {rater}", (item.key,)))

    def progress(self) -> dict[str, Json]:
        """How many there are and how many are labelled; `next` is the first that is not, None where all are."""
        done = [self.votes.chosen.get(item.key, (None, ""))[0] is not None for item in self.items]
        return {"total": len(done), "done": sum(done), "next": done.index(False) if False in done else None}

    def shown(self, at: int) -> dict[str, Json]:
        """The item at a place as the page gets it. Raises BadInput where there is none."""
        item = self._item(at)
        label, note = self.votes.chosen.get(item.key, (None, ""))
        return {
            "at": at,
            "task": item.task,
            "asked": ASKED[item.task],
            "choices": [{"label": label, "says": says} for label, says in CHOICES[item.task]],
            "texts": [{"name": name, "text": text} for name, text in item.shown],
            "mine": {"label": label, "note": note},
            "progress": self.progress(),
        }

    def choose(self, at: int, label: Json, note: Json) -> dict[str, Json]:
        """Keep a choice; gives the progress after it. Raises BadInput."""
        item = self._item(at)
        allowed = [each for each, _ in CHOICES[item.task]]
        if label is not None and label not in allowed:
            raise BadInput(f"Expected label to be one of {', '.join(allowed)}, or null, but got {label!r}.", param="label")
        if not isinstance(note, str) or len(note) > LONGEST_NOTE:
            raise BadInput(f"Expected note to be a text of at most {LONGEST_NOTE} characters.", param="note")
        self.votes.choose(item.key, label, note)
        return self.progress()

    def _item(self, at: int) -> Item:
        if not 0 <= at < len(self.items):
            raise BadInput(f"Expected an item from 0 to {len(self.items) - 1}, but got {at}.", param="item")
        return self.items[at]
