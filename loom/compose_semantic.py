"""The composition of embeddings: which adapter embeds, which finds the nearest, and what is opened beside a generation."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from loom.answer import attached
from loom.answer.attached import Standing
from loom.core.errors import EmbedderFailure, LoomError
from loom.core.generation import Generation
from loom.core.retrieval.choice import Choice, choose
from loom.core.retrieval.contract import EmbeddingContract
from loom.core.values import Json
from loom.ports import Attachment, Attachments, Embedder, VectorIndex
from loom.settings import Settings

if TYPE_CHECKING:
    from loom.build.embed import Encoder, Model
    from loom_adapters.sentence_transformer import SentenceTransformerEmbedder


def semantics(settings: Settings, store: Attachments, generation: Generation) -> Standing:
    """The embeddings that serve beside a generation under these settings; whatever does not hold is a reason, not an error."""
    stated = settings.embedding
    if stated.embedder == "off":
        return attached.off("LOOM_EMBEDDER is off")
    try:
        attachment = store.attachment(generation.id)
    except LoomError as error:
        return attached.refused(error.message)
    if attachment is None:
        several = len(store.attached(generation.id)) > 1
        return attached.off("several are attached and none is named in attachments/current" if several else attached.NONE)
    standing = attached.opened(
        generation,
        attachment,
        lambda contract, files: embedder(settings, contract, files),
        lambda vectors, facts: vector_index(settings, vectors, str(facts.get("vectors")), facts.get("recall")),
        stated.min_recall,
    )
    if standing.state["index"] is None:
        return standing
    facts = attachment.manifest["facts"]
    reason = index_choice(settings, int(facts.get("concepts") or 0), facts.get("recall")).reason
    return standing._replace(state={**standing.state, "index_reason": reason})


def embedder(settings: Settings, contract: EmbeddingContract, attachment: Attachment) -> Embedder:
    """What embeds questions: what the attachment names, or the setting does. Raises LoomError where that cannot be opened."""
    stated = settings.embedding
    kind = contract.embedder if stated.embedder == "auto" else stated.embedder
    if kind == "hash":
        from loom_adapters.fake_embedder import FakeEmbedder

        return FakeEmbedder()
    if kind == "url":
        if not stated.url:
            raise EmbedderFailure("questions are embedded by a server, and LOOM_EMBED_URL does not say which")
        from loom_adapters.embeddings_url import EmbeddingsUrl

        return EmbeddingsUrl(stated.url, stated.model or contract.model, key=stated.key, timeout=stated.timeout)
    if kind == "sentence-transformers":
        from loom_adapters.sentence_transformer import SentenceTransformerEmbedder, find_model, revision_of

        found = find_model(contract.model)
        if contract.revision and revision_of(found.folder) != contract.revision:
            raise EmbedderFailure(f"the weights in {found.where} are not those that made the vectors")
        return SentenceTransformerEmbedder(contract.model, found.folder)
    if "model.onnx" not in attachment.manifest["files"]:
        raise EmbedderFailure(f"the attachment holds no graph of {contract.model}; LOOM_EMBEDDER=auto takes what it names")
    from loom_adapters.onnx_embedder import OnnxEmbedder

    model = str(attachment.manifest["facts"].get("encoder", {}).get("model"))
    graph = attachment.place("model.onnx") or bytes(attachment.blob("model.onnx"))
    return OnnxEmbedder(model, graph, bytes(attachment.blob("tokenizer.json")))


def index_choice(settings: Settings, rows: int, measured: Mapping[str, Json] | None = None) -> Choice:
    """Which index serves so many vectors under these settings, and why. `measured` is what the attachment states of its recall."""
    installed = [kind for kind in ("hnswlib", "usearch") if find_spec(kind)]
    kind = measured.get("kind") if measured else None
    return choose(rows, settings.serving.workers, settings.embedding.index, installed=installed, measured=kind)


def vector_index(
    settings: Settings,
    vectors: np.ndarray,
    digest: str,
    measured: Mapping[str, Json] | None = None,
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> VectorIndex:
    """What finds the nearest of these vectors, whose digest names what is derived from them. Unless the setting names another,
    that is what was measured, or, where nothing was, exact search while that is cheaper."""
    stated = settings.embedding
    kind = index_choice(settings, len(vectors), measured).kind
    if kind == "qdrant":
        from loom_adapters.vector_qdrant import Qdrant, QdrantVectors

        return QdrantVectors(vectors, Qdrant.at(stated.qdrant_url, stated.qdrant_key), digest)
    folder = settings.node.generations / ".run" / "vectors" / digest
    if kind == "hnswlib":
        from loom_adapters.vector_hnswlib import HnswVectors

        return HnswVectors(vectors, folder, progress)
    if kind == "usearch":
        from loom_adapters.vector_usearch import UsearchVectors

        return UsearchVectors(vectors, folder, progress)
    from loom_adapters.vector_exact import ExactVectors

    return ExactVectors(vectors)


@dataclass(frozen=True, slots=True)
class Named:
    """A model that was found and not yet loaded: what its contract will state, and in words where it is."""

    model: str
    revision: str
    where: str
    open: Callable[[], "Model"]


def default_model() -> str:
    """The name of the model that texts are embedded by unless another is named."""
    from loom_adapters.sentence_transformer import DEFAULT

    return DEFAULT


def named_model(name: str, batch: int) -> Named:
    """A sentence-transformers model by name or path, or `hash`. Raises BadInput or MissingExtra where there is none."""
    from loom.build.embed import Encoder, Model

    if name == "hash":
        from loom_adapters.fake_embedder import FakeEmbedder

        return Named(name, "", "no model at all", lambda: Model(FakeEmbedder(), lambda: [Encoder(FakeEmbedder(), {}, {})]))
    from loom_adapters.sentence_transformer import SentenceTransformerEmbedder, find_model, revision_of

    found = find_model(name)
    revision = revision_of(found.folder)

    def opened() -> "Model":
        embedder = SentenceTransformerEmbedder(name, found.folder, batch)
        return Model(embedder, lambda: _graphs(embedder), revision, embedder.question_prefix, embedder.text_prefix)

    return Named(name, revision, found.where, opened)


def _graphs(embedder: "SentenceTransformerEmbedder") -> Iterator["Encoder"]:
    """The model as graphs for serving: int8 first, which is a quarter of the size and several times as fast."""
    from loom.build.embed import Encoder
    from loom_adapters.onnx_embedder import OnnxEmbedder
    from loom_adapters.onnx_export import graphs

    made = graphs(embedder.encoder)
    for weights, graph in (("int8", made.small), ("float32", made.exact)):
        opened = OnnxEmbedder(embedder.model, graph, made.tokenizer)
        yield Encoder(opened, {"model.onnx": graph, "tokenizer.json": made.tokenizer}, {"weights": weights})


def served_model(url: str, name: str, key: str, batch: int) -> Named:
    """A model behind an embeddings URL, with the patience of a build."""
    from loom.build.embed import Encoder, Model
    from loom_adapters.embeddings_url import EmbeddingsUrl

    def opened() -> "Model":
        embedder = EmbeddingsUrl(url, name, key=key, timeout=120.0, batch=batch, attempts=5)
        return Model(embedder, lambda: [Encoder(embedder, {}, {})])

    return Named(name, "", "a server", opened)


def new_index(settings: Settings, vectors: np.ndarray, digest: str) -> VectorIndex:
    """What would serve vectors that were just made, made too: a graph is built, a Qdrant is given them."""
    if settings.embedding.index == "qdrant":
        push(vectors, digest, settings.embedding.qdrant_url, settings.embedding.qdrant_key)
    return vector_index(settings, vectors, digest)


def push(
    vectors: np.ndarray,
    digest: str,
    url: str,
    key: str,
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> int:
    """Bring vectors to a Qdrant, and give their number."""
    from loom_adapters.vector_qdrant import Qdrant
    from loom_adapters.vector_qdrant import push as pushed

    async def all_of_them() -> int:
        qdrant = Qdrant.at(url, key)
        try:
            return await pushed(vectors, qdrant, digest, progress)
        finally:
            await qdrant.client.close()

    return asyncio.run(all_of_them())
