"""What the readers of one process keep in memory to search, brought up to the version of whoever asks."""

from collections.abc import Collection, Iterator, Sequence
from threading import Lock

import numpy as np

from loom.core.claims.index import Cut, Index, Item, nearest
from loom.core.claims.standing import Standing, readable
from loom.core.claims.stored import Found
from loom.core.errors import BadInput
from loom.core.retrieval.nearest import SCALE
from loom_adapters.claims.session import Above, In, Session
from loom_adapters.claims.texts import heard, unpacked

KEPT = 8
"""Versions that a reader may still look at once there are newer ones, without reading all of them anew."""
KINDS = {"signal": "signals", "claim": "claims"}
NODES = ("number", "id", "entry", "lifted", "standing", "supported", "home")


class Recall:
    """Signals and claims of one store. It may be asked from several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._clear()

    def _clear(self) -> None:
        self._index = {kind: Index() for kind in KINDS}
        self._homes: list[frozenset[str]] = []
        self._cuts: dict[int, dict[str, Cut]] = {}

    def words(self, session: Session, version: int, kind: str, text: str, k: int, domains: Collection[str]) -> Sequence[Found]:
        with self._lock:
            index, cut = self._at(session, version, kind)
            found = index.words(cut, text, k, domains)
        names = _names(session, [number for number, _ in found])
        return [Found(names[number], score) for number, score in found]

    def near(
        self, session: Session, version: int, kind: str, vector: np.ndarray, k: int, domains: Collection[str]
    ) -> Sequence[Found]:
        with self._lock:
            _, cut = self._at(session, version, kind)
        numbers = nearest(cut, vector, k, domains)
        names = _names(session, numbers.tolist())
        if not names:
            return []
        vectors = {
            row["id"]: row["body"] for row in session.rows("vectors", In("id", sorted(names.values())), In("kind", ["node"]))
        }
        held = np.stack([unpacked(vectors[names[number]]) for number in numbers.tolist()]).astype(np.float64)
        # Whole numbers, as in `retrieval.nearest`: the same cosines on every machine, in whichever order they are added.
        asked = np.rint(np.asarray(vector, np.float64) * SCALE)
        cosines = np.einsum("ij,j->i", np.rint(held * SCALE), asked) / SCALE**2
        order = np.lexsort((numbers, -cosines))[:k]
        return [Found(names[int(numbers[at])], float(cosines[at])) for at in order]

    def _at(self, session: Session, version: int, kind: str) -> tuple[Index, Cut]:
        if kind not in KINDS:
            raise BadInput(f"Expected signal or claim as what to search, but got {kind!r:.40}.", param="kind")
        newest = max(self._cuts, default=0)
        if version not in self._cuts and version > newest:
            try:
                self._cuts[version] = _updated(self._index, session, newest, version, self._homes)
            except BaseException:
                self._clear()  # half of it may have been taken
                raise
            for old in sorted(self._cuts)[:-KEPT]:
                del self._cuts[old]
        if version in self._cuts:
            return self._index[kind], self._cuts[version][kind]
        # A reader who has looked at one version for so long that it is forgotten here: read what that one sees.
        index = {kind: Index()}
        return index[kind], _updated(index, session, 0, version, [])[kind]


def _updated(
    index: dict[str, Index], session: Session, since: int, version: int, homes: list[frozenset[str]]
) -> dict[str, Cut]:
    """Bring indexes from one version to another; `homes`, by their numbers, too."""
    for part in session.columns("homes", ["names"], Above("number", len(homes) - 1)):
        homes += (frozenset(heard(names)) for (names,) in part)
    return {kind: each.update(version, _items(session, kind, since, each.last, homes)) for kind, each in index.items()}


def _items(session: Session, kind: str, since: int, last: int, homes: list[frozenset[str]]) -> Iterator[Item]:
    """What changed of one kind after a version, in the order of numbers; texts of those whose number is larger than `last`."""
    of = Above("entry", -1) if kind == "signal" else In("entry", (-1,))
    for part in session.columns("nodes", NODES, Above("version", since), of):
        fresh = [number for number, *_ in part if number > last]
        texts = {row["number"]: row["body"] for row in session.rows(KINDS[kind], In("number", fresh))} if fresh else {}
        ids = [id for _, id, *_ in part]
        vectors = {
            row["id"]: row["body"]
            for row in session.rows("vectors", In("id", ids), In("kind", ["node"]), Above("version", since))
        }
        for number, id, _, lifted, standing, supported, home in part:
            live = bool(supported) if kind == "signal" else lifted < 0 and readable(Standing(standing))
            yield Item(
                number=number,
                live=live,
                home=homes[home],
                text=None if number not in texts else "" if lifted >= 0 else texts[number],
                vector=unpacked(vectors[id]) if id in vectors else None,
            )


def _names(session: Session, numbers: Sequence[int]) -> dict[int, str]:
    return {row["number"]: row["id"] for row in session.rows("nodes", In("number", list(numbers)))} if numbers else {}
