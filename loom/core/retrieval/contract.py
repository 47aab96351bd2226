"""The embedding contract: what must hold between the vectors of a generation and whatever embeds the questions put to them.

Cosines between vectors of two models, or of one model after another recipe, are numbers without meaning. So everything that makes
a vector is stated beside the vectors, and a probe is embedded anew before they are used.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from loom.core.concepts import Concepts, canonical
from loom.core.errors import BrokenGeneration
from loom.core.values import Json, Row

PURPOSE = "embeddings"
"""What an attachment with vectors states that it is for."""

PROBE = "How long does the water of a tidal river need to turn?"
"""A question of no corpus in particular. It is embedded when vectors are made, and again wherever they are used."""

PROBE_PLACES, TOLERANCE = 4, 0.04
"""Decimals of the stored probe vector; how far below 1 its cosine with a fresh one may be. Another model gives about 0, another
pooling of the same one less than 0.9, and int8 weights per channel 0.99."""

MANNERS = ("onnx", "sentence-transformers", "url", "hash")
"""The kinds of embedder: a graph that travels with the vectors, the library that made them, a server, a hashed bag of words."""


@dataclass(frozen=True, slots=True)
class EmbeddingContract:
    """What the vectors are. `revision` is a digest of the model's weights, "" where they are out of reach (a URL).

    `embedder` is the kind that embeds questions unless the node is told otherwise; `probe` is the embedding of `probe_text` as a
    question. Some models want words before a text that say what it is: `question_prefix`, `text_prefix`.
    """

    model: str
    width: int
    recipe: str
    embedder: str
    probe: tuple[float, ...]
    probe_text: str = PROBE
    revision: str = ""
    question_prefix: str = ""
    text_prefix: str = ""
    normalised: bool = True
    tolerance: float = TOLERANCE

    def as_json(self) -> dict[str, Json]:
        return {**asdict(self), "probe": list(self.probe)}

    @property
    def digest(self) -> str:
        """SHA-256 of the contract as canonical JSON, in hexadecimal."""
        return sha256(canonical(self.as_json()).encode("utf-8")).hexdigest()

    def fault(self) -> str | None:
        """Why no vectors can be used under this contract; None where they can."""
        if self.recipe not in RECIPES:
            return f"its texts were made by the recipe {self.recipe!r}, which this version does not know"
        if self.embedder not in MANNERS:
            return f"its embedder is of the kind {self.embedder!r}, which this version does not know"
        if not self.normalised:
            return "its vectors are not normalised, and cosines need vectors of length 1"
        if len(self.probe) != self.width:
            return f"its probe has {len(self.probe)} numbers and its vectors {self.width}"
        return None

    def mismatch(self, probe: np.ndarray) -> str | None:
        """Why an embedder whose vector of the probe text this is does not belong to these vectors; None where it does."""
        if probe.shape != (self.width,):
            return f"the embedder's vectors have {probe.shape[-1]} numbers and {self.width} were expected"
        stored, fresh = np.asarray(self.probe, dtype=np.float64), probe.astype(np.float64)
        lengths = float(np.linalg.norm(stored) * np.linalg.norm(fresh))
        cosine = float(stored @ fresh) / lengths if lengths > 0 else 0.0
        if not cosine >= 1 - self.tolerance:
            return f"the probe is embedded differently: cosine {cosine:.3f}, and at least {1 - self.tolerance:.2f} was expected"
        return None


def read_contract(content: Any) -> EmbeddingContract:
    """A contract as `as_json` wrote it; raises BrokenGeneration on anything else."""
    try:
        if not isinstance(content, Mapping):
            raise TypeError("it is not an object")
        made = EmbeddingContract(**{**content, "probe": tuple(map(float, content["probe"]))})
        if type(made.width) is not int or not all(
            isinstance(text, str)
            for text in (made.model, made.recipe, made.embedder, made.probe_text, made.question_prefix, made.text_prefix)
        ):
            raise TypeError("a field has a value of another kind")
        return made
    except (KeyError, TypeError, ValueError) as error:
        raise BrokenGeneration(
            f"An embedding contract was expected and cannot be read ({error}); make the embeddings again with `loom embed --force`."
        ) from error


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the text that stands for a unit is made; at most `longest` code points of it."""

    name: str
    longest: int
    make: Callable[[Concepts, Row], str]

    def text(self, concepts: Concepts, row: Row) -> str:
        return cut(self.make(concepts, row), self.longest)


def cut(text: str, longest: int) -> str:
    """The beginning of a text, ended between words where it is too long."""
    if len(text) <= longest:
        return text
    head, _, last = text[: longest + 1].rpartition(" ")
    return head if head and len(last) < 64 else text[:longest]


def titled(concepts: Concepts, row: Row) -> str:
    """ "Title. Definition"; a unit without a definition is told by what it is and is linked to."""
    title = concepts.title(row)
    told = str(concepts.record(row).get("definition") or "") or " ".join(_told(concepts, row))
    return f"{title}. {told}" if told else title


def _told(concepts: Concepts, row: Row) -> Sequence[str]:
    links = concepts.links(row)
    names = [", ".join(map(concepts.title, links.parents)) + "." if links.parents else ""]
    names += [
        f"{concepts.predicates[kind]}: {', '.join(map(concepts.title, targets[:8]))}." for kind, targets in links.relations
    ]
    return [name for name in names if name]


RECIPES: Mapping[str, Recipe] = {recipe.name: recipe for recipe in (Recipe("title-definition", 1_000, titled),)}
RECIPE = "title-definition"
"""What `loom embed` makes texts by."""
