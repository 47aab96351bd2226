"""What the readers of one process keep in memory to search, brought up to the version of whoever asks."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from loom.core.claims.filed import Filed
from loom.core.claims.index import Cut, Index, Item, nearest
from loom.core.claims.standing import Standing, readable
from loom.core.claims.stored import Found
from loom.core.errors import BadInput, UnfitStore, Unreachable
from loom.core.retrieval.nearest import SCALE
from loom_adapters.claims.session import Above, Beside, In, Session
from loom_adapters.claims.texts import heard, unpacked

KEPT = 8
"""Versions that a reader may still look at once there are newer ones, without reading all of them anew."""
KINDS = {"signal": "signals", "claim": "claims"}
COLUMNS = ("entry", "lifted", "standing", "supported", "home")
READABLE = [int(each) for each in Standing if readable(each)]
AT_ONCE = 500
"""Vectors asked for at once."""
NODES = ("number", "id", "entry", "lifted", "standing", "supported", "home")


class Recall:
    """Signals and claims of one store. It may be asked from several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._counting = Lock()
        self._closed = False
        self._counted: tuple[int, dict[int, int]] | None = None
        self._clear()

    def _clear(self) -> None:
        self._filed = Filed()
        self._index = {kind: Index(self._filed) for kind in KINDS}
        self._cuts: dict[int, dict[str, Cut]] = {}

    def close(self) -> None:
        """Whoever reads everything ends soon, with Unreachable."""
        self._closed = True

    def _going(self) -> None:
        if self._closed:
            raise Unreachable("The store of the claims was closed while it was read; ask again.", param="store")

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

    def counts(self, session: Session, version: int) -> dict[Standing, int]:
        """How many ordinary claims have each standing. All are counted once; later, what moved."""
        with self._counting:
            counted = self._counted
            if counted is None or counted[0] > version:
                every = session.count("nodes", "standing", In("entry", (-1,)), In("lifted", [-1]))
                counted = version, {int(standing): number for standing, number in every.items()}
            elif counted[0] < version:
                counted = version, _moved(session, *counted)
            if self._counted is None or self._counted[0] <= version:
                self._counted = counted
        return {Standing(number): counted[1][number] for number in sorted(counted[1]) if counted[1][number]}

    def _at(self, session: Session, version: int, kind: str) -> tuple[Index, Cut]:
        if kind not in KINDS:
            raise BadInput(f"Expected signal or claim as what to search, but got {kind!r:.40}.", param="kind")
        newest = max(self._cuts, default=0)
        if version not in self._cuts and version > newest:
            try:
                self._cuts[version] = _updated(self._index, session, newest, version, self._filed, self._going)
            except BaseException:
                self._clear()  # half of it may have been taken
                raise
            for old in sorted(self._cuts)[:-KEPT]:
                del self._cuts[old]
        if version in self._cuts:
            return self._index[kind], self._cuts[version][kind]
        # A reader who has looked at one version for so long that it is forgotten here: read what that one sees.
        filed = Filed()
        index = {kind: Index(filed)}
        return index[kind], _updated(index, session, 0, version, filed, self._going)[kind]


def _updated(
    index: dict[str, Index], session: Session, since: int, version: int, filed: Filed, going: Callable[[], None]
) -> dict[str, Cut]:
    """Bring indexes from one version to another; `filed` are the homes of all, by their numbers, and is brought up, too. `going` is
    called between two parts, and raises where nobody waits any more."""
    for part in session.columns("homes", ["names"], Above("number", len(filed) - 1)):
        going()
        filed.grow(heard(names) for (names,) in part)
    if since:
        return {kind: each.update(version, _changed(session, kind, since, each.last)) for kind, each in index.items()}
    columns = session.numbers("nodes", *COLUMNS)
    names = session.texts("nodes", "id") if session.rows("vectors", limit=1) else []
    return {kind: each.update(version, _whole(session, kind, columns, names, going)) for kind, each in index.items()}


def _whole(
    session: Session, kind: str, columns: NDArray[np.int32], names: Sequence[str], going: Callable[[], None]
) -> Iterator[Item]:
    """Everything of one kind, in the order of numbers, as the tables give it: whole columns, and texts from one end to the other. `names`
    are the ids of all nodes where there are vectors, which go by them."""
    entry, lifted, standing, supported, home = columns
    live = supported == 1 if kind == "signal" else np.isin(standing, READABLE) & (lifted < 0)
    mine = np.flatnonzero(entry >= 0 if kind == "signal" else entry < 0)
    at = 0
    for part in session.columns(KINDS[kind], ["number", "body"]):
        going()
        nodes = mine[at : at + len(part)]
        at += len(part)
        held = _vectors(session, {names[node]: node for node in nodes.tolist()}) if names else {}
        rows = zip(part, nodes.tolist(), live[nodes].tolist(), lifted[nodes].tolist(), home[nodes].tolist(), strict=True)
        for (number, text), node, alive, restates, domains in rows:
            if number != node:
                raise UnfitStore(
                    f"The texts of the claims have no row {node}; restore the store from an export.", param="store"
                )
            yield Item(number, alive, domains, "" if restates >= 0 else text, held.get(number))


def _vectors(session: Session, numbers: Mapping[str, int]) -> dict[int, np.ndarray]:
    """The vectors of a stretch of nodes, by number."""
    found: dict[int, np.ndarray] = {}
    names = list(numbers)
    for start in range(0, len(names), AT_ONCE):
        some = In("id", names[start : start + AT_ONCE])
        for part in session.columns("vectors", ["id", "body"], some, In("kind", ["node"])):
            found.update((numbers[id], unpacked(body)) for id, body in part)
    return found


def _changed(session: Session, kind: str, since: int, last: int) -> Iterator[Item]:
    """What changed of one kind after a version, in the order of numbers; texts of those whose number is larger than `last`."""
    of = Above("entry", -1) if kind == "signal" else In("entry", (-1,))
    for part in session.columns("nodes", NODES, Above("version", since), Beside(of)):
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
                home=home,
                text=None if number not in texts else "" if lifted >= 0 else texts[number],
                vector=unpacked(vectors[id]) if id in vectors else None,
            )


def _moved(session: Session, since: int, before: dict[int, int]) -> dict[int, int]:
    """Counts as they are after what moved since a version. A lifted claim is one from the beginning."""
    found = Counter(before)
    for part in session.columns("moves", ["claim", "former", "standing"], Above("version", since)):
        claims = sorted({claim for claim, _, _ in part})
        lifted = {row["number"] for row in session.rows("nodes", In("number", claims)) if row["lifted"] >= 0}
        for claim, former, standing in part:
            if claim not in lifted:
                found[standing] += 1
                found[former] -= 1
    found.pop(int(Standing.NONE), None)
    return dict(found)


def _names(session: Session, numbers: Sequence[int]) -> dict[int, str]:
    return {row["number"]: row["id"] for row in session.rows("nodes", In("number", list(numbers)))} if numbers else {}
