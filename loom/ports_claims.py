"""What the claims layer needs from outside: entries, and judgements. `loom.ports` gives them all; they stand here since they are many."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from loom.core.claims.judging.asked import Brief, Inference, Inquiry, Pair, Placing, Request, Sample
from loom.core.claims.judging.calls import Judged
from loom.core.claims.judging.given import Artifact, Extract, Filed, Inferred, Opinion, Placed, Proposal, Way
from loom.core.claims.records import Domain, Entry
from loom.core.report import Report


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


class Proposing(Protocol):
    """Proposes axes for a domain; none may come."""

    async def propose(self, asked: Sample) -> Judged[Sequence[Proposal]]: ...


class Rendering(Protocol):
    """Writes an artifact. It cites only what it is given, and prints beside whatever it cites what that assumes and what disputes it."""

    async def render(self, asked: Brief) -> Judged[Artifact]: ...
