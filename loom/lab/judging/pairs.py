"""Pages before and after an integration, shown as a first and a second version in a seeded order."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.judging.working import drawn
from loom.lab.lines import lines


@dataclass(frozen=True, slots=True)
class Pair:
    """One page under one arm. `model` wrote what was integrated, "" where that is not told; `more` are further members. `mirrors` is
    the id of the pair whose sides are exchanged in this one, "" where they are drawn."""

    id: str
    arm: str
    before: str
    after: str
    model: str = ""
    more: Mapping[str, Json] = field(default_factory=dict)
    mirrors: str = ""

    @property
    def key(self) -> tuple[str, str]:
        return (self.id, self.arm)

    @property
    def digest(self) -> str:
        return sha256(f"{self.before}\0{self.after}".encode("utf-8", "surrogatepass")).hexdigest()

    def after_first(self, seed: int) -> bool:
        """Whether the changed page is shown first; it is not stored with a verdict."""
        drawn_first = drawn(seed, "sides", (self.mirrors or self.id, self.arm))[0] % 2 == 0
        return drawn_first != bool(self.mirrors)

    def shown(self, seed: int) -> tuple[str, str]:
        """The first and the second version."""
        return (self.after, self.before) if self.after_first(seed) else (self.before, self.after)

    def improvement(self, raw: int, seed: int) -> int:
        """What a verdict on the second version against the first says of the change: positive where it made the page better."""
        return -raw if self.after_first(seed) else raw


def mirrored(pair: Pair, id: str, more: Mapping[str, Json]) -> Pair:
    """The same pages under another id, shown in the other order."""
    return replace(pair, id=id, more=more, mirrors=pair.id)


_NAMED = frozenset({"id", "arm", "before", "after", "model"})


def read_pairs(path: Path) -> tuple[Pair, ...]:
    """The pairs of a file. All are held in memory: they are judged in another order. Raises BadInput."""
    found = tuple(_pairs(path))
    if not found:
        raise BadInput(f"Expected pairs of pages in {path}, but it has none.", param="pairs")
    seen: set[tuple[str, str]] = set()
    for pair in found:
        if pair.key in seen:
            raise BadInput(
                f"Expected one pair per id and arm, but {pair.id} / {pair.arm} comes twice in {path}.", param="pairs"
            )
        seen.add(pair.key)
    return found


def _pairs(path: Path) -> Iterable[Pair]:
    for number, row in lines(path, "pairs"):
        yield pair_of(row, f"line {number} of {path}")


def pair_of(row: Mapping[str, Json], where: str) -> Pair:
    """A pair from a line; `where` names the line. Raises BadInput."""
    for name in ("before", "after"):
        if not isinstance(row.get(name), str) or not row[name].strip():
            raise BadInput(
                f"Expected {name} to be the text of a page in {where}, but got {str(row.get(name))[:40]!r}.", param="pairs"
            )
    if row.get("id") in (None, ""):
        raise BadInput(f"Expected an id in {where}, but there is none.", param="pairs")
    return Pair(
        str(row["id"]),
        str(row.get("arm") or ""),
        row["before"],
        row["after"],
        str(row.get("model") or ""),
        {name: value for name, value in row.items() if name not in _NAMED},
    )
