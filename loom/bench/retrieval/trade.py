"""What each retriever buys: exposure of rephrased questions, for its milliseconds and its megabytes."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import product

from loom import compose
from loom.answer.finders.switches import ALL, Switches
from loom.answer.plan import Pin
from loom.bench.figures import median
from loom.bench.retrieval.cost import times
from loom.bench.retrieval.nodes import ask, switched
from loom.bench.retrieval.scores import rephrased
from loom.bench.retrieval.sets import Sets
from loom.core.matching.default import DefaultLexicon
from loom.core.retrieval.text import TextIndex
from loom.core.values import Json

EMBEDDERS, INDEXES = ("auto", "sentence-transformers"), ("exact", "hnswlib")
NAMES = Switches(text=False, semantic=False)
TEXT = replace(ALL, semantic=False)


@dataclass(frozen=True, slots=True)
class Bargain:
    """One way to find, over the rephrased questions: copy ceiling, share whose subject is served, median milliseconds of `find`, and
    the megabytes that lie on disk for what it adds to the way that `beside` names."""

    name: str
    ceiling: float
    served: float
    milliseconds: float
    megabytes: float
    beside: str = ""

    def as_json(self) -> dict[str, Json]:
        return {
            "name": self.name,
            "ceiling": round(self.ceiling, 6),
            "served": round(self.served, 6),
            "ms": round(self.milliseconds, 4),
            "mb": round(self.megabytes, 3),
            "beside": self.beside,
        }


def trade(node: compose.Node, pin: Pin, sets: Sets, kinds: Mapping[str, tuple[Pin, float]] | None = None) -> list[Bargain]:
    """Names alone, then the text of units, then each kind of embeddings: pins by name, with the megabytes of their files."""
    if not sets["rephrased"]:
        return []
    ways: list[tuple[str, compose.Node, Pin, float, str]] = [
        ("names", switched(node, NAMES), pin, _megabytes(pin, DefaultLexicon.KIND), ""),
        ("names and text", switched(node, TEXT), pin, _megabytes(pin, TextIndex.KIND), "names"),
    ]
    ways += [(name, node, other, size, "names and text") for name, (other, size) in (kinds or {}).items()]
    found = []
    for name, variant, other, size, beside in ways:
        rows = ask(variant, other, sets["rephrased"])
        values = {each.key: each.value for each in rephrased(rows)}
        took = median(times(variant, other, rows)[0])
        found.append(Bargain(name, values["rephrased.ceiling"], values["rephrased.served"], took, size, beside))
    return found


@contextmanager
def kinds(node: compose.Node, pin: Pin) -> Iterator[dict[str, tuple[Pin, float]]]:
    """The embeddings at hand, by name: those that are attached, behind each embedder and each index that opens on this machine; with
    the megabytes of the attachment."""
    found: dict[str, tuple[Pin, float]] = {}
    try:
        for embedder, index in product(EMBEDDERS, INDEXES) if pin.semantics else ():
            stated = node.settings.embedding.model_copy(update={"embedder": embedder, "index": index})
            variant = replace(node, settings=node.settings.model_copy(update={"embedding": stated}))
            standing = variant.semantics(pin.generation)
            if standing.semantics is not None and standing.state.get("index") == index:
                name = f"{standing.state['model']}, {standing.state['embedder']}, {standing.state['index']}"
                if name not in found:
                    found[name] = (replace(pin, semantics=standing.semantics, grounded={}), _attached(node, pin))
                    continue
            if standing.semantics is not None:
                standing.semantics.close()
        yield {f"names, text, embeddings ({name})": each for name, each in found.items()}
    finally:
        for other, _ in found.values():
            if other.semantics is not None:
                other.semantics.close()


def _attached(node: compose.Node, pin: Pin) -> float:
    """Megabytes of the attachment that serves."""
    files = node.store.attached(pin.generation.id)[0]["files"]
    return float(sum(file["bytes"] for file in files.values())) / 1e6


Gain = tuple[Bargain, float | None, float | None]


def gains(bargains: Sequence[Bargain]) -> list[Gain]:
    """Each with the points of ceiling that it adds per millisecond and per megabyte; None where it adds to nothing, or for nothing."""
    by_name = {each.name: each for each in bargains}
    rows: list[Gain] = []
    for each in bargains:
        before = by_name.get(each.beside)
        if before is None:
            rows.append((each, None, None))
            continue
        points = (each.ceiling - before.ceiling) * 100
        rows.append((each, _per(points, each.milliseconds - before.milliseconds), _per(points, each.megabytes)))
    return rows


def _per(points: float, spent: float) -> float | None:
    return points / spent if spent > 0 else None


def _megabytes(pin: Pin, part: str) -> float:
    files = pin.generation.manifest.get("parts", {}).get(part, {})
    return float(sum(file["bytes"] for file in files.values())) / 1e6
