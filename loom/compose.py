"""The composition root: the only module that names concrete adapters. Each is imported where it is needed, so that a command
loads no more than it uses."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from loom.answer.allowance import Allowances
from loom.answer.attached import Standing
from loom.answer.finders.facts import FactsFinder
from loom.answer.finders.linked import LinkedFinder
from loom.answer.finders.ontology import OntologyFinder
from loom.answer.finders.switches import ALL, Switches
from loom.answer.memory import Memory
from loom.answer.pipeline import prepare
from loom.answer.plan import Finder, Pin, Plan, Watch
from loom.answer.warming import warm
from loom.answer.watches.exposure import ExposureWatch
from loom.answer.watches.facts import FactsWatch
from loom.answer.watches.numbers import Enforce, NumbersWatch
from loom.claims.workspace import Claims
from loom.compose_claims import claims, holding, watching
from loom.compose_memory import memory, remembering
from loom.compose_semantic import semantics
from loom.core.concepts import Concepts
from loom.core.errors import NoGeneration
from loom.core.facts.assembling import Ways
from loom.core.generation import Generation
from loom.core.matching.default import DefaultLexicon
from loom.core.matching.reference import ReferenceLexicon
from loom.core.names import Names
from loom.core.policy.gate import ReferenceGate
from loom.core.policy.policy import Policy, default, reference
from loom.core.report import Report
from loom.core.retrieval.text import TextIndex
from loom.core.sparql.limits import Limits
from loom.core.sparql.part import Triples
from loom.core.values import Json, Question
from loom.ports import Clock, CorpusReader, ModelBackend, Part, Reasoner, Shapes, Shards, TripleStore
from loom.settings import Settings, load

if TYPE_CHECKING:
    from loom.core.facts.layout import Manifest
    from loom_adapters.generation_folder import GenerationFolder

    Store = GenerationFolder

PARTS: tuple[type[Part], ...] = (Concepts, Names, DefaultLexicon, ReferenceLexicon, TextIndex)
"""The parts that serving opens before the first request needs them."""

Watches = Callable[[Plan], Sequence[Watch]]


@dataclass(frozen=True, slots=True)
class Node:
    """Everything that a node is made of. A new kind of evidence is one more finder and one more watch here."""

    settings: Settings
    store: "GenerationFolder"
    backend: ModelBackend
    finders: tuple[Finder, ...]
    policies: Mapping[str, Policy]
    watches: Watches
    clock: Clock
    allowances: Allowances
    parts: tuple[type[Part], ...] = PARTS
    triples: TripleStore | None = None
    memory: Memory | None = None
    claims: Claims | None = None

    def semantics(self, generation: Generation) -> Standing:
        """The embeddings that serve beside a generation, and how they stand. May take a second: for the thread that opens it."""
        return semantics(self.settings, self.store, generation)

    def warm(self, generation: Generation) -> None:
        """Make what finders keep of a generation, in the thread that opens it."""
        warm(self.finders, self.policies, Pin(generation))

    def pin(self, generation: Generation) -> Pin:
        """A pin on an opened generation and the embeddings that serve beside it."""
        return Pin(generation, semantics=self.semantics(generation).semantics)

    async def prepare(self, question: Question, pin: Pin) -> Plan:
        """The plan of a question under this node's settings."""
        retrieval = self.settings.retrieval
        return await prepare(
            question,
            pin,
            self.finders,
            self.policies,
            policy=retrieval.policy,
            wrapper=retrieval.wrapper,
            budget=retrieval.budget,
            greedy=self.settings.facts.greedy,
        )


def store(path: Path | str) -> "GenerationFolder":
    """The generation store of a folder."""
    from loom_adapters.generation_folder import GenerationFolder

    return GenerationFolder(path)


def policies(settings: Settings) -> dict[str, Policy]:
    retrieval = settings.retrieval
    gate = ReferenceGate(
        retrieval.confidence_injection, retrieval.strong_match_score, retrieval.min_inject_score, retrieval.min_inject_fraction
    )
    return {"default": default(), "reference": reference(gate)}


def finders(settings: Settings, switches: Switches = ALL) -> tuple[Finder, ...]:
    """The finders of a node; `switches` is for measuring what each component is worth."""
    retrieval = settings.retrieval
    finder = OntologyFinder(
        max_units=retrieval.max_units,
        max_described=retrieval.max_described,
        hops=retrieval.hops,
        prose=retrieval.prose,
        patience=settings.embedding.timeout,
        switches=switches,
    )
    facts = settings.facts
    ways = Ways(budget=retrieval.budget, context=facts.context, outline=facts.outline)
    return (finder, FactsFinder(ways, readout=facts.readout), LinkedFinder())


def watches(plan: Plan, enforce: Enforce = "flag", held: Claims | None = None) -> Sequence[Watch]:
    """The watches of one answer."""
    return (ExposureWatch(plan), FactsWatch(plan), NumbersWatch(plan, enforce), *watching(held, plan))


def backend(settings: Settings) -> ModelBackend:
    """The model behind the URL, or the reader where none is set."""
    model = settings.model
    if not model.url:
        from loom_adapters.reader_model import ReaderModel

        return ReaderModel()
    from loom_adapters.openai_url import Deadlines, OpenAIUrl

    return OpenAIUrl(
        model.url,
        key=model.key,
        aliases=model.aliases,
        headers=model.headers,
        forward=model.forward_headers,
        profile=model.profile,
        quiet=model.thinking == "off",
        deadlines=Deadlines(model.connect_timeout, model.first_byte_timeout, model.idle_timeout),
        retries=model.retries,
    )


def allowances(settings: Settings) -> Allowances:
    """What completions may cost behind this node's model; the reader does not think."""
    model = settings.model
    if not model.url:
        return Allowances("off")
    from loom_adapters.profiles import reasons

    def known(name: str) -> bool:
        return reasons(name) or reasons(model.aliases.get(name, ""))

    return Allowances(model.reasoning, model.reasoning_floor, model.reasoning_retry, known=known)


def limits(settings: Settings) -> Limits:
    """What SPARQL queries may use on this machine: chat keeps one processor to itself."""
    stated = settings.sparql
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    running = stated.concurrency or max(1, processors - 1)
    return Limits(stated.deadline, stated.rows, stated.bytes, stated.memory, running)


def triples(path: Path) -> TripleStore:
    """The triples that the keeper behind a socket holds."""
    from loom_adapters.sparql.client import KeptTriples

    return KeptTriples(path)


def rows(generation: Generation) -> Callable[[str], list[dict[str, str]]] | None:
    """What asks SELECT queries of the triples of a generation in this process, or None where it has none. Loads the engine."""
    found = generation.part(Triples)
    if found is None:
        return None
    from loom_adapters.sparql.rows import rows_of

    return rows_of(found, generation.id)


def keep_triples(settings: Settings, path: Path, parent: int, say: Callable[..., None], only: str | None = None) -> None:
    """Be the keeper behind a socket, until the file descriptor `parent` is closed on its other side. Loads the engine."""
    from loom_adapters.sparql.keeper import Keeper, listen

    Keeper(store(settings.node.generations), listen(path), parent, limits(settings), say, only=only).run()


def node(settings: Settings, kept: Path | None = None) -> Node:
    """A node from its settings; opens no generation and no connection yet. `kept` is the socket of the keeper of its triples."""
    from loom_adapters.clock import SystemClock

    remembers, held = memory(settings), claims(settings)
    return Node(
        settings,
        store(settings.node.generations),
        backend(settings),
        (*finders(settings), *remembering(remembers), *holding(held, settings)),
        policies(settings),
        partial(watches, enforce=settings.facts.enforce, held=held),
        SystemClock(),
        allowances(settings),
        triples=triples(kept) if kept else None,
        memory=remembers,
        claims=held,
    )


@contextmanager
def opened(generations: Path | str | None = None, id: str | None = None) -> Iterator[tuple[Node, Pin]]:
    """A node as the settings make it, over one generation and its embeddings: the current one where none is named."""
    made = node(load(flags={"LOOM_GENERATIONS": str(generations)} if generations else {}))
    found = made.store.resolve(id) if id and id != "current" else made.store.current()
    if found is None:
        raise NoGeneration(
            f"There is no current generation in {made.store.path}; build one with `loom build SOURCE --out {made.store.path}`."
        )
    generation = made.store.open(found)
    try:
        pin = made.pin(generation)
        try:
            yield made, pin
        finally:
            if pin.semantics is not None:
                pin.semantics.close()
    finally:
        generation.close()


def corpus_reader(
    path: Path,
    *,
    kind: str | None = None,
    base: str = "urn:loom:",
    prose: bool = True,
    workers: int = 1,
    taken: Callable[[int, int | None], None] = lambda count, total: None,
    languages: Sequence[str] = ("en", ""),
) -> CorpusReader:
    """The reader of a build source; `kind` is index-v1, kb, rdf, pages or vault, told by content where it is None.

    `taken` is told how many pages have been read, and of how many where that is known.
    """
    from loom_adapters.source_files import INDEX_FILE, count_of, open_files

    kind = kind or kind_of_source(path)
    if kind == "rdf":
        return ontology_reader([path], languages)
    if kind == "kb":
        from loom_adapters.kb.folder import BaseFolder

        return BaseFolder(path)
    if kind == "index-v1":
        from loom_adapters.index_v1 import IndexV1

        path = path / INDEX_FILE if path.is_dir() else path
        return _with_turtle(path, IndexV1(path, prose=prose))
    from loom.build.watched import Watched

    total = count_of(path)
    files = Watched(open_files(path), lambda count: taken(count, total))
    if kind == "pages":
        from loom_adapters.page_folder import PageFolder

        return PageFolder(files, prose=prose, workers=workers)
    from loom_adapters.vault import Vault

    return Vault(files, base, prose=prose)


def kind_of_source(path: Path) -> str:
    """What a source is, told by its content: kb, index-v1, rdf, pages or vault."""
    from loom_adapters.kb.folder import is_base
    from loom_adapters.source_files import kind_of

    return "kb" if is_base(path) else kind_of(path)


def ontology_reader(paths: Sequence[Path], languages: Sequence[str] = ("en", "")) -> CorpusReader:
    """Folders, archives and single files of ontologies as one source; what single files import is looked for beside them."""
    from loom_adapters.rdf_file import RdfFiles, catalog
    from loom_adapters.source_files import beside, rdf_files

    finders = [beside(path, catalog) for path in paths if path.is_file()]
    return RdfFiles(
        rdf_files(paths), languages=languages, beside=lambda iri: next(filter(None, (find(iri) for find in finders)), None)
    )


def knowledge_base(folder: Path, report: Report) -> "Manifest | None":
    """The manifest of a knowledge base, and remarks on it and on all that its files hold; None where it cannot be read."""
    from loom_adapters.kb.examined import examine
    from loom_adapters.kb.manifest import read_manifest

    manifest = read_manifest(folder, report)
    if manifest is not None:
        examine(folder, manifest, report)
    return manifest


def proposed_base(folder: Path) -> str:
    """A manifest for a folder that has none."""
    from loom_adapters.kb.proposing import propose

    return propose(folder)


def _with_turtle(index: Path, reader: CorpusReader) -> CorpusReader:
    """An index with the Turtle files beside it, where there are any."""
    asserted, inferred = index.parent / "ontology.ttl", index.parent / "ontology-inferred.ttl"
    if not asserted.is_file():
        return reader
    from loom.build.joined import Joined, one_space
    from loom_adapters.rdf_file import RdfFiles
    from loom_adapters.source_files import rdf_files

    return Joined(
        reader,
        RdfFiles(rdf_files([asserted]), rename=one_space),
        RdfFiles(rdf_files([inferred]), rename=one_space) if inferred.is_file() else None,
    )


def everyday(languages: Sequence[str]) -> Mapping[str, float]:
    """How common words are in everyday speech of these languages, as Zipf values."""
    from loom_adapters.spoken_words import spoken

    return spoken(languages)


def reasoner(command: str) -> Reasoner:
    """A reasoner given by its command line."""
    from loom_adapters.reasoner_command import ReasonerCommand

    return ReasonerCommand(command)


def shapes(path: Path) -> Shapes:
    """The SHACL shapes of a file; needs the extra `shacl`."""
    from loom_adapters.shacl_shapes import ShaclShapes

    return ShaclShapes(path)


def index_classes(path: Path) -> Mapping[str, Mapping[str, Json]]:
    """The classes of a scaffold index, as it states them."""
    from loom.build.checks import KINDS
    from loom_adapters.index_v1 import IndexV1

    return IndexV1(path).classes(Report(KINDS))


def shards(workers: int, ray: str | None = None) -> Shards | None:
    """Where pieces of work are done: on Ray ("" is this machine, else an address), in so many processes, or None: here."""
    if ray is not None:
        from loom_adapters.ray_shards import RayShards

        return RayShards(ray or None, workers if workers > 1 else None)
    if workers > 1:
        from loom_adapters.process_shards import ProcessShards

        return ProcessShards(workers)
    return None
