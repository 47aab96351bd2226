"""What the claims layer needs from outside: a store, entries, and judgements. `loom.ports` gives them all; they stand here since they are many."""

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from loom.core.claims.judging.asked import Brief, Inference, Inquiry, Pair, Placing, Request, Sample
from loom.core.claims.judging.calls import Judged
from loom.core.claims.judging.given import Artifact, Decided, Extract, Filed, Inferred, Opinion, Placed, Proposal, Way
from loom.core.claims.records import Domain, Entry
from loom.core.claims.stored import Ask, Commit, Lease, Notes
from loom.core.claims.view import ClaimView
from loom.core.report import Report

Given = TypeVar("Given")


class EntryReader(Protocol):
    """Reads one source of entries: documents, mail, transcripts, lines. What cannot be read becomes a remark with file and reason, and
    the rest is read; a source that cannot be opened at all raises BadSource. The same source gives the same entries, in one order."""

    def entries(self, report: Report) -> Iterator[Entry]: ...


class Extraction(Protocol):
    """Takes signals from entries: an extract an entry, in their order. Every span lies in its entry's text.

    All ports of judgement answer in the order of what they are asked, one answer each, with the calls that it took (none where no
    model was asked). A reply of a model that is no judgement is counted and never used: its answer is the one that writes nothing.
    They raise Unjudged, with the calls that were made, where a model cannot be asked.
    """

    async def extract(self, entries: Sequence[Entry]) -> Judged[Sequence[Extract]]: ...


class Entailment(Protocol):
    """Says whether a premise alone says what a proposition says."""

    async def entailed(self, asked: Sequence[Inference]) -> Judged[Sequence[bool]]: ...


class Verdicts(Protocol):
    """Says of each pair whether the new one supports or contradicts the candidate; else it is unrelated."""

    async def verdicts(self, pairs: Sequence[Pair]) -> Judged[Sequence[Opinion]]: ...


class Derivation(Protocol):
    """Derives propositions from evidence for a question; antecedents are among the ids that it was given, one or more."""

    async def derive(self, asked: Inquiry) -> Judged[Sequence[Inferred]]: ...


class Projecting(Protocol):
    """Places propositions on axes; a value is one of the axis, or None."""

    async def project(self, asked: Sequence[Placing]) -> Judged[Sequence[Placed]]: ...


class Filing(Protocol):
    """Files texts under domains: several or none, out of those that it is given."""

    async def file(self, texts: Sequence[str], domains: Sequence[Domain]) -> Judged[Sequence[Filed]]: ...


class Routing(Protocol):
    """Says what requests want: one of WAYS, with the probability of each."""

    async def route(self, requests: Sequence[Request]) -> Judged[Sequence[Way]]: ...


class Deciding(Protocol):
    """Says what requests want and which domains they fall under, as `Routing` and `Filing` do, in one call for both (§8)."""

    async def decide(self, requests: Sequence[Request], domains: Sequence[Domain]) -> Judged[Sequence[Decided]]: ...


class Proposing(Protocol):
    """Proposes axes for a domain; none may come."""

    async def propose(self, asked: Sample) -> Judged[Sequence[Proposal]]: ...


class Rendering(Protocol):
    """Writes an artifact. It cites only what it is given, and prints beside whatever it cites what that assumes and what disputes it."""

    async def render(self, asked: Brief) -> Judged[Artifact]: ...


class Supposing(Protocol):
    """Writes for each question the passage that would answer it, were there one (HyDE): it is searched by, and never shown. "" where
    nothing is supposed."""

    async def suppose(self, questions: Sequence[str]) -> Judged[Sequence[str]]: ...


class Reranking(Protocol):
    """Says how well each text answers a question, reading both together (a cross-encoder): more is better, on whatever scale. One call a
    question; as many scores as texts, or none where the reply was no judgement."""

    async def rerank(self, question: str, texts: Sequence[str]) -> Judged[Sequence[float]]: ...


class ClaimStore(Protocol):
    """Where claims are kept, one version behind the other.

    `lease` gives the right to commit, until another takes it: which is possible past its end, or once it was released. Times are
    seconds of the clock that all holders state. `commit` makes everything that it is given visible at once, as the next version, or
    nothing of it; what it acknowledged outlives the process. It raises Unwritable with the param `lease` where the lease was taken
    by another or the store is at another version than the commit was decided on. Whatever it raises, the network that the commit
    comes from is ahead of the store, or its last commit went unheard: it is to be opened again.

    `look` gives what `work` makes of one version, whole; it runs in a thread, and its view is of use until it returns. `at_least` is
    a version that was read before: an older store is refused (Unreachable), so that a reader never goes back.

    `enqueue` takes asks for the slow path, those of a key once, and gives their numbers; `note` takes what the fast path writes
    down. Neither needs the lease. What they acknowledged is on the disk.

    `export` gives one version as JSON lines; `restore` takes such lines into a store that holds nothing, all or none, and gives the
    version. Raises BadInput, Unreachable and Unwritable.
    """

    async def lease(self, holder: str, *, now: float, seconds: float) -> Lease: ...
    async def renew(self, lease: Lease, *, now: float, seconds: float) -> Lease: ...
    async def release(self, lease: Lease) -> None: ...
    async def commit(self, lease: Lease, commit: Commit) -> int: ...
    async def look(self, work: Callable[[ClaimView], Given], *, at_least: int = 0) -> Given: ...
    async def enqueue(self, asks: Sequence[Ask]) -> Sequence[int]: ...
    async def note(self, notes: Notes) -> None: ...
    def export(self) -> AsyncIterator[bytes]: ...
    async def restore(self, lines: Iterable[bytes]) -> int: ...
    async def aclose(self) -> None: ...
