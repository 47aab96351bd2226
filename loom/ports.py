"""What the node needs from outside, as small protocols named for the need.

Methods are `async` exactly where an implementation may wait. Every port ships an in-memory fake (beside its adapter, named
`Fake…`) and one contract suite under `tests/contract` that the fake and each real adapter pass.
"""

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from datetime import datetime
from typing import NamedTuple, Protocol, TypeVar, runtime_checkable

import numpy as np

from loom.core.facts.content import BaseContent
from loom.core.frames import Frame
from loom.core.generation import Generation, Part, PartFiles
from loom.core.memory.values import Reading, Said, View
from loom.core.memory.values import Scope as MemoryScope
from loom.core.rdf.shapes import Violation
from loom.core.rdf.statements import Statements
from loom.core.reason.axioms import Axiom
from loom.core.reason.closure import Closure
from loom.core.report import Report
from loom.core.retrieval.contract import EmbeddingContract
from loom.core.sparql.asked import Asked
from loom.core.values import Concept, Iri, Json, ModelCard, Prompt
from loom.ports_claims import (
    ClaimStore,
    Deciding,
    Derivation,
    Entailment,
    EntryReader,
    Extraction,
    Filing,
    Projecting,
    Proposing,
    Rendering,
    Reranking,
    Routing,
    Supposing,
    Verdicts,
)
from loom.ports_proposals import ProposalRecords, VaultPages

Piece = TypeVar("Piece")
Done = TypeVar("Done")
Given = TypeVar("Given")


class SourceFile(NamedTuple):
    """One text file of a source: its path below the root, with forward slashes, and its bytes."""

    name: str
    data: bytes


class SourceFiles(Protocol):
    """The markdown files of one folder or archive. What is passed over (links, other types, unsafe names) becomes a remark."""

    def files(self, report: Report) -> Iterator[SourceFile]: ...


class CorpusReader(Protocol):
    """Reads one source. Faults inside the source become remarks; a source that cannot be read at all raises BadSource."""

    def read(self, report: Report) -> Iterator[Concept]: ...


@runtime_checkable
class StatementReader(Protocol):
    """A corpus reader whose source consists of statements: what it gives beside its concepts, once they have been read."""

    def statements(self) -> Statements: ...


@runtime_checkable
class BaseReader(Protocol):
    """A corpus reader whose source is a knowledge base: what it holds beside its concepts, once they have been read; None where
    its manifest could not be read."""

    def content(self) -> BaseContent | None: ...


class Shapes(Protocol):
    """Shapes that a corpus must fit. `violations` says what does not, given N-Triples; raises BadInput where shapes are wrong."""

    def violations(self, triples: bytes) -> Iterator[Violation]: ...


__all__ = [  # the core's own protocols and those of the claims layer are part of this page
    "ClaimStore",
    "Deciding",
    "Derivation",
    "Entailment",
    "EntryReader",
    "Extraction",
    "Filing",
    "Generation",
    "Part",
    "PartFiles",
    "Projecting",
    "ProposalRecords",
    "Proposing",
    "Rendering",
    "Reranking",
    "Routing",
    "Supposing",
    "VaultPages",
    "Verdicts",
]


class GenerationStore(Protocol):
    """Where generations are kept, and which of them is current."""

    def list(self) -> Sequence[Mapping[str, Json]]: ...
    def open(self, id: str) -> Generation: ...
    def verify(self, id: str) -> None: ...
    def current(self) -> str | None: ...
    def previous(self) -> str | None: ...
    def point(self, id: str) -> None: ...
    def rollback(self) -> str: ...
    def resolve(self, text: str) -> str: ...
    def remove(self, id: str) -> None: ...
    def stamp(self) -> tuple[int, int] | None: ...


class Draft(Protocol):
    """A generation that is being written. Nothing of it is visible until it is sealed.

    `put` writes one file; of what is larger than memory the pieces, in their order. `note` states a sealed fact; `remark` one that stays outside the id (clock, paths).
    """

    def put(self, part: str, file: str, data: bytes | np.ndarray | Iterable[bytes]) -> None: ...
    def note(self, key: str, value: Json) -> None: ...
    def remark(self, key: str, value: Json) -> None: ...


class GenerationPress(Protocol):
    """The writing side of a generation store; a serving process never uses it."""

    def draft(self) -> AbstractContextManager[Draft]: ...
    def seal(self, draft: Draft) -> str: ...


class Upstream(Protocol):
    """An answer that has begun: status and headers are known, frames still come. A whole body is a stream of one frame.

    `sent` is the model's name as it went upstream (after aliases). Header names are lower case. `frames` raises
    UpstreamFailure when the answer stops in the middle.
    """

    @property
    def status(self) -> int: ...
    @property
    def headers(self) -> Mapping[str, str]: ...
    @property
    def streamed(self) -> bool: ...
    @property
    def sent(self) -> str: ...

    def frames(self) -> AsyncIterator[Frame]: ...


class ModelBackend(Protocol):
    """Whatever turns a prompt into an answer: an OpenAI-compatible URL, or the built-in reader.

    `served_as` is "delegated" or "reader". Leaving the context manager early cancels the call upstream.
    Raises UpstreamFailure when no answer has begun within its deadlines. `allowance` is the least that the limit on
    completion tokens may be where the client sent one; with `insist` a limit is added where the client sent none. `headers`
    are the client's own; a backend passes on only those that its settings name.
    """

    served_as: str

    def chat(
        self,
        prompt: Prompt,
        *,
        allowance: int | None = None,
        insist: bool = False,
        headers: Mapping[str, str] | None = None,
    ) -> AbstractAsyncContextManager[Upstream]: ...
    def forward(
        self, method: str, path: str, body: bytes, headers: Mapping[str, str]
    ) -> AbstractAsyncContextManager[Upstream]: ...
    async def models(self) -> Sequence[ModelCard]: ...
    async def aclose(self) -> None: ...


class TripleAnswer(Protocol):
    """A result that has begun. `head` holds media (its content type), generation, truncated (the limit that was reached, or
    None) and, where it is known, length. `pieces` raises LoomError when the result stops in the middle.
    """

    @property
    def head(self) -> Mapping[str, Json]: ...

    def pieces(self) -> AsyncIterator[bytes]: ...


class TripleStore(Protocol):
    """Whatever answers SPARQL queries over the triples of the current generation, within limits that are its own.

    Raises BadQuery, NoUpdates or NotAcceptable for what is asked, DeadlinePassed and QueryDied for what it came to, Busy,
    NotLoaded and NoTriples for what the node can do now. Leaving the context manager early stops the query. `state` never waits long.
    """

    def query(self, asked: Asked) -> AbstractAsyncContextManager[TripleAnswer]: ...
    async def state(self) -> Mapping[str, Json]: ...
    async def aclose(self) -> None: ...


class Reasoner(Protocol):
    """Whatever works out which classes of an ontology are below which, and which cannot have members. It may take minutes.

    `explain` gives a minimal set of axioms that make a class empty, in their order, and none where it cannot say.
    Raises ReasonerFailure.
    """

    def classify(self, axioms: Sequence[Axiom]) -> Closure: ...
    def explain(self, iri: Iri, axioms: Sequence[Axiom]) -> Sequence[Axiom]: ...


class Embedder(Protocol):
    """Whatever turns texts into vectors. It computes, or waits for a server, so that a serving process calls it in a thread.

    `kind` is one of the contract's MANNERS. `embed` gives f32 (texts, width) with rows of length 1, in the order of the texts;
    raises EmbedderFailure. It may be called from several threads at once.
    """

    @property
    def kind(self) -> str: ...
    @property
    def model(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> np.ndarray: ...
    def close(self) -> None: ...


class VectorIndex(Protocol):
    """The vectors of one attachment, by row. `search` gives the rows (i64) of the k largest cosines and those cosines (f64), best
    first, ties by row, fewer where there are fewer; `cosines` those of the rows that it is given, in their order, and never waits.

    Rows of zeros are never found. Raises BadInput for a vector that is not f32 (width,) of length 1, and `search` Unreachable
    where the index is elsewhere and gives nothing in time.
    """

    @property
    def kind(self) -> str: ...

    async def search(self, vector: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]: ...
    def cosines(self, vector: np.ndarray, rows: np.ndarray) -> np.ndarray: ...
    def close(self) -> None: ...


class Semantics(Protocol):
    """The meanings of one generation as they are served: its vectors, and the embedder of questions that belongs to them.

    `id` is the attachment's; `calibration` is what was measured on the vectors when they were made. `vector` is f32 of length 1, remembered for a text that comes
    again; raises EmbedderFailure. Everything else is as in VectorIndex.
    """

    @property
    def id(self) -> str: ...
    @property
    def contract(self) -> EmbeddingContract: ...
    @property
    def calibration(self) -> Mapping[str, Json]: ...

    async def vector(self, text: str) -> np.ndarray: ...
    async def search(self, vector: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]: ...
    def cosines(self, vector: np.ndarray, rows: np.ndarray) -> np.ndarray: ...
    def close(self) -> None: ...


class Attachment(Protocol):
    """Files made from a generation and kept beside it. `manifest` states them with sizes and digests, and what they are.

    `place` is the path of a file for libraries that open it themselves, or None where it is not on a disk.
    """

    id: str
    manifest: Mapping[str, Json]

    def array(self, name: str) -> np.ndarray: ...
    def blob(self, name: str) -> memoryview: ...
    def place(self, name: str) -> str | None: ...


class Attachments(Protocol):
    """What is attached to generations: made later than they are, with digests of its own, and no part of their ids.

    `attached` lists manifests, the one that serves first; `attachment` opens that one, its digests verified (those of more than
    1 GB only with `whole`), or gives None; `attach` makes files visible all at once, and the one that serves. `attachment_stamp` changes whenever another one serves.
    Raises BrokenGeneration, NotFound, Unwritable.
    """

    def attached(self, id: str) -> Sequence[Mapping[str, Json]]: ...
    def attachment(self, id: str, *, whole: bool = False) -> Attachment | None: ...
    def attach(self, id: str, files: Mapping[str, bytes | np.ndarray], facts: Mapping[str, Json]) -> str: ...
    def attachment_stamp(self, id: str) -> str | None: ...


class Clock(Protocol):
    """Time, passed in so that tests decide it."""

    def now(self) -> datetime: ...
    def monotonic(self) -> float: ...


class GenerationKeeper(GenerationStore, Attachments, Protocol):
    """A store as its operator uses it: ids by their beginnings, going back, removing, and what is attached.

    `about` holds what is known of a generation and not sealed into it; `remove` refuses what is current, previous or held open.
    """

    def about(self, id: str) -> Mapping[str, Json]: ...
    def resolve(self, text: str) -> str: ...
    def rollback(self) -> str: ...
    def remove(self, id: str) -> None: ...


class AnswerBook(Protocol):
    """What models were asked and what they said, kept so that no answer is paid for twice.

    A call is one attempt of a request, which `key` names. `sending` writes a call down before it goes out; it gives the call's
    number, and whether the same attempt went out before and nothing was heard of it. `heard` writes down how the call ended, and
    the answer where there is one; `answers` gives those of a request, in the order of their attempts. What either writes is on
    the disk when it returns. `ledger` gives every call in the order of sending: number, key, attempt, repeated, what was written
    down of it, and `heard`, false where nothing was. One holder at a time, unless it is opened as shared; raises BadInput and Unwritable.
    """

    async def answers(self, key: str) -> Sequence[Mapping[str, Json]]: ...
    async def sending(self, key: str, attempt: int, call: Mapping[str, Json]) -> tuple[int, bool]: ...
    async def heard(self, number: int, how: Mapping[str, Json], answer: Mapping[str, Json] | None = None) -> None: ...
    def ledger(self) -> Iterator[Mapping[str, Json]]: ...
    async def aclose(self) -> None: ...


class Shards(Protocol):
    """Where independent pieces of work are done. `work` is a function of a module that is given one piece; function, pieces and
    results can be pickled. Results come in the order of the pieces; what `work` raises is raised where its result would come.
    """

    def map(self, work: Callable[[Piece], Done], pieces: Sequence[Piece]) -> Iterator[Done]: ...
    def close(self) -> None: ...


Read = Callable[[View, int, Said], Reading]
"""Reads one turn: what was kept before it, the number that it gets, and the turn."""


class Kept(NamedTuple):
    """What became of one turn: its number, and "new", "known" (it was there) or "gone" (it was deleted, and stays so)."""

    turn: int
    state: str


class Since(NamedTuple):
    """What a conversation was: the number of its beginning, 0 where it had none, and how much of it had been deleted."""

    beginning: int = 0
    deleted: int = 0


class Memories(Protocol):
    """Where conversations are kept, each under its caller and its name: nothing is found, changed or deleted without both.

    `append` keeps turns, all or none, and what `read` finds in each; the same turn again changes nothing. What it acknowledges
    outlives the process. With what `since` gave for a scope, `append` keeps nothing and gives nothing where any of that conversation
    was deleted after it: what is on its way does not outlive a deletion that came in between. `look` gives what `work` makes of one state of the conversation; it runs in a thread, and its view is of
    use until it returns. A conversation that was never kept is an empty one.

    `forget` deletes turns by their ids (they do not come back when they are sent again), `forget_subject` all that a subject said and
    every sentence about it, `forget_conversation` and `forget_caller` everything; they give the number of turns that changed. When
    they return, no file of the store holds the text. Where that cannot be had now they raise Unwritable, and are to be called again.

    `export` gives JSON lines; `restore` keeps such lines under a caller, whole conversations or none, and gives their names.
    Raises BadInput and Unwritable.
    """

    async def since(self, scope: MemoryScope) -> Since: ...
    async def append(
        self, scope: MemoryScope, turns: Sequence[Said], read: Read, since: Since | None = None
    ) -> Sequence[Kept]: ...
    async def look(self, scope: MemoryScope, work: Callable[[View], Given]) -> Given: ...
    async def forget(self, scope: MemoryScope, ids: Sequence[str]) -> int: ...
    async def forget_subject(self, scope: MemoryScope, subject: str, read: Read) -> int: ...
    async def forget_conversation(self, scope: MemoryScope) -> int: ...
    async def forget_caller(self, caller: str) -> int: ...
    async def conversations(self, caller: str) -> Sequence[str]: ...
    def export(self, scope: MemoryScope) -> AsyncIterator[bytes]: ...
    async def restore(self, caller: str, lines: Iterable[bytes]) -> Sequence[str]: ...
    async def aclose(self) -> None: ...
