"""The question sets that retrieval is measured on, by the names of their files. Formats: fixtures/README.md."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from loom.answer.replay import Asked, read
from loom.core.errors import BadInput

FILES = {
    "in-title": "questions.jsonl",
    "rephrased": "paraphrases.jsonl",
    "gate": "gate-set.jsonl",
    "surface": "surface-forms.jsonl",
    "follow-ups": "followups.jsonl",
}
"""The sets in the order in which they are reported, each with its file."""


@dataclass(frozen=True, slots=True)
class Sets:
    """What was found in the folders; a set whose file is absent is empty."""

    by_name: Mapping[str, tuple[Asked, ...]]

    def __getitem__(self, name: str) -> tuple[Asked, ...]:
        return self.by_name.get(name, ())

    def __iter__(self) -> Iterator[str]:
        return iter(FILES)

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(name for name in FILES if not self[name])


def load(folders: Sequence[Path]) -> Sets:
    """The sets of the folders; the first that has a file gives it. Raises BadInput where there is none at all."""
    found = {
        name: read(path)
        for name, file in FILES.items()
        if (path := next((folder / file for folder in folders if (folder / file).is_file()), None))
    }
    if not found:
        where = ", ".join(map(str, folders))
        raise BadInput(f"Expected some of {', '.join(FILES.values())} in {where}, but there is none.", param="sets")
    return Sets(found)
