"""The desk of the write path: what lands, what is proposed, what was decided, and the pages that follow from it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from loom.core.errors import BadInput, LoomError, NotFound
from loom.core.proposals import ledger, rendering, topics
from loom.core.proposals.assertion import Assertion, resolving
from loom.core.proposals.dossier import (
    APPROVED,
    FOLLOWS,
    PREFIX,
    PROPOSED,
    REJECTED,
    STOPPED,
    WITHDRAWN,
    Decision,
    Dossier,
    decision_of,
    dossier_of,
    had,
    state_of,
)
from loom.core.proposals.errors import Conflicting
from loom.core.proposals.ledger import LedgerPage
from loom.core.proposals.sections import text_of, with_section
from loom.core.proposals.topics import Bars, OpenTerm, Topic
from loom.core.values import Json
from loom.ports import ProposalRecords, VaultPages
from loom.proposals.served import Served

DOSSIERS, DECISIONS = "dossiers", "decisions"
LONGEST = 2_000
"""Code points of a reason."""


@dataclass(slots=True)
class Landed:
    """What became of a delivery: new assertions, those that were there, and the page of each source."""

    new: int = 0
    known: int = 0
    resolved: int = 0
    pages: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Json]:
        return {
            "new": self.new,
            "known": self.known,
            "resolved": self.resolved,
            "pages": [{"source": source, "page": page} for source, page in self.pages.items()],
            "faults": list(self.faults),
        }


@dataclass(frozen=True, slots=True)
class Standing:
    """A dossier, how it stands, and what was decided on it."""

    dossier: Dossier
    decisions: tuple[Decision, ...] = ()

    @property
    def state(self) -> str:
        return state_of(self.dossier, self.decisions)

    def as_json(self) -> dict[str, Json]:
        return {**self.dossier.as_json(), "state": self.state, "decisions": [each.as_json() for each in self.decisions]}

    def brief(self) -> dict[str, Json]:
        """A line of a list."""
        made = self.dossier
        return {
            "id": made.id,
            "state": self.state,
            "topic": {"iri": made.topic, "title": made.title},
            "page": made.page,
            "anchor": made.anchor,
            "reason": made.reason,
            "fingerprints": len(made.assertions),
            "sources": len({each.source for each in made.assertions}),
            "mean": made.judged.get("mean"),
            "ceiling": made.complete.get("ceiling", {}).get("macro"),
            "stopped": list(made.stopped),
        }


@dataclass(frozen=True, slots=True)
class Written:
    """What became of one section of one page: written, removed, same, or refused and why."""

    page: str
    anchor: str
    state: str
    why: str = ""

    def as_json(self) -> dict[str, Json]:
        return {"page": self.page, "anchor": self.anchor, "state": self.state, "why": self.why or None}


class Desk:
    """One vault, its ledger and its proposals. `now` gives the time as text, for people to read. Whatever changes a page or decides
    keeps other writers of the vault out while it does."""

    def __init__(self, pages: VaultPages, records: ProposalRecords, bars: Bars, now: Callable[[], str]) -> None:
        self.pages, self.records, self.bars = pages, records, bars
        self._now = now
        self._dossiers: dict[str, Dossier] = {}

    def ledger(self) -> Iterator[tuple[str, LedgerPage]]:
        """The pages of the ledger, with their paths."""
        for name in self.pages.names(ledger.FOLDER):
            data = self.pages.read(name)
            if data is not None and ledger.is_ledger(data):
                yield name, ledger.read_page(data.decode("utf-8", "replace"), name)

    def assertions(self) -> Iterator[Assertion]:
        for _, page in self.ledger():
            yield from page.assertions

    def land(
        self, delivered: Iterable[Assertion], served: Served, landed: Callable[[str], object] = lambda source: None
    ) -> Landed:
        """Put assertions on the pages of their sources, each once however often it is delivered. `landed` is told of each source. What
        was acknowledged is on the disk; broken off, the same delivery again goes on."""
        by_source: dict[str, list[Assertion]] = {}
        for each in delivered:
            made = resolving(each, [iri or served.resolve(term) for term, iri in each.terms])
            by_source.setdefault(made.source, []).append(made)
        result = Landed()
        with self.pages.held():
            for source, given in sorted(by_source.items()):
                self._land(source, given, served, result)
                landed(source)
        return result

    def _land(self, source: str, given: Sequence[Assertion], served: Served, result: Landed) -> None:
        name = ledger.page_name(source)
        was = self.pages.read(name)
        page: LedgerPage | None = None
        if was is not None:
            page = ledger.read_page(text_of(was), name)
            if not ledger.is_ledger(was) or page.source != source:
                raise Conflicting(f"Expected {name} to be the ledger page of {source[:80]!r}, but it is not; move it away.")
            result.faults += [message for _, message in page.faults]
        new = ledger.unknown(page, given)
        if new:
            text = ledger.added(None if was is None else text_of(was), source, new, served.title)
            self.pages.write(name, text.encode("utf-8"), was)
        result.new += len(new)
        result.known += len(given) - len(new)
        result.resolved += sum(bool(each.resolved) for each in new)
        result.pages[source] = name

    def open_terms(self, served: Served) -> list[OpenTerm]:
        return topics.open_terms(self.assertions(), served.resolve, served.nearest)

    def topics(self, served: Served, *, again: bool = False) -> list[Topic]:
        """The topics of the ledger, candidates first; `again` takes up what a person declined."""
        taken = had([(each.dossier, each.state) for each in self.proposals()], again=again)
        return topics.topics(self.assertions(), served.resolve, taken, self.bars, served.words)

    def proposals(self) -> list[Standing]:
        """Every dossier with its decisions, in the order of their ids."""
        decided: dict[str, list[Decision]] = {}
        for record in self.records.every(DECISIONS):
            decision = decision_of(record)
            decided.setdefault(decision.proposal, []).append(decision)
        return [
            Standing(self._dossier(record), tuple(sorted(decided.get(str(record.get("id")), ()), key=lambda each: each.number)))
            for record in self.records.every(DOSSIERS)
        ]

    def _dossier(self, record: Mapping[str, Json]) -> Dossier:
        """A dossier as it was read first: a record never changes."""
        id = str(record.get("id"))
        if id not in self._dossiers:
            self._dossiers[id] = dossier_of(record)
        return self._dossiers[id]

    def proposal(self, id: str) -> Standing:
        """The proposal of an id, or of the beginning of one. Raises NotFound and BadInput."""
        return _named(self.proposals(), id)

    def anew(self, dossier: Dossier) -> Dossier:
        """The dossier, or where people declined it, the same one for another turn, which nobody has decided on."""
        state = {each.dossier.id: each.state for each in self.proposals()}
        while state.get(dossier.id) in (REJECTED, WITHDRAWN):
            dossier = replace(dossier, turn=dossier.turn + 1)
        return dossier

    def file(self, dossier: Dossier) -> tuple[str, bool]:
        """Keep a dossier; gives how it stands and whether it is new. Raises Conflicting where another has its assertions by now."""
        with self.pages.held():
            standing = self.proposals()
            if (known := next((each for each in standing if each.dossier.id == dossier.id), None)) is not None:
                return known.state, False
            live = [each for each in standing if each.state in (PROPOSED, APPROVED)]
            if not dossier.stopped:
                self._alone(dossier, live)
            self.records.keep(DOSSIERS, dossier.id, dossier.as_json())
            return (STOPPED if dossier.stopped else PROPOSED), True

    def _alone(self, dossier: Dossier, others: Sequence[Standing]) -> None:
        own = {each.statement for each in dossier.assertions}
        for other in others:
            if other.dossier.id != dossier.id and not own.isdisjoint(each.statement for each in other.dossier.assertions):
                raise Conflicting(
                    f"An assertion is promoted at most once, and {other.dossier.id} ({other.state}) has one of {dossier.id}."
                )

    def decide(self, ids: Sequence[str], state: str, by: str, reason: str) -> list[Standing]:
        """Decide on proposals, all of which are looked at before the first decision is kept. Raises BadInput without a person and a reason, Conflicting where one does not stand so that
        it could be decided."""
        by, reason = " ".join(by.split()), " ".join(reason.split())
        if not by or not by.isprintable() or len(by) > 200:
            raise BadInput(
                "Expected who decides, a name of at most 200 characters; proposals are decided by people.", param="by"
            )
        if not reason or len(reason) > LONGEST:
            raise BadInput(f"Expected a reason of 1 to {LONGEST:,} characters; it is kept with the decision.", param="reason")
        with self.pages.held():
            standing = self.proposals()
            wanted = list({one.dossier.id: one for one in (_named(standing, id) for id in ids)}.values())
            number = max((each.number for one in standing for each in one.decisions), default=0)
            live = [each for each in standing if each.state == APPROVED]
            for each in wanted:
                if each.state not in FOLLOWS[state]:
                    raise Conflicting(_why_not(each, state))
                if state == APPROVED:
                    self._alone(each.dossier, live)
                    live.append(each)
            for each in wanted:
                number += 1
                decision = Decision(each.dossier.id, state, by, reason, number, self._now())
                if not self.records.keep(DECISIONS, f"{each.dossier.id}-{len(each.decisions)}", decision.as_json()):
                    raise Conflicting(f"{each.dossier.id} was decided by somebody else just now; look at it again.")
            after = self.proposals()
            return [_named(after, each.dossier.id) for each in wanted]

    def regenerate(self, *, overwrite: bool = False, written: Callable[[Written], object] = lambda one: None) -> list[Written]:
        """Make every section of every page that an approval has ever touched anew, in one go. Each is what the approved proposals say,
        in the order of their approval; of a withdrawn one nothing is left. A page on which it cannot be done safely is refused by
        itself. Made again, it changes nothing."""
        result: list[Written] = []
        with self.pages.held():
            for page, parts in sorted(self._parts().items()):
                related: set[str] = set()
                for anchor, dossiers in sorted(parts.items()):
                    names = [name for each in dossiers for name in each.names]
                    made = rendering.body(anchor, (each.text for each in dossiers), names, related)
                    related.update(names)
                    result.append(self._write(page, anchor, made, overwrite))
                    written(result[-1])
        return result

    def approved(self, page: str, anchor: str) -> Sequence[Dossier]:
        """The approved dossiers of a place, in the order of their approval."""
        return self._parts().get(page, {}).get(anchor, [])

    def _parts(self) -> Mapping[str, Mapping[str, list[Dossier]]]:
        """The approved dossiers of each page and anchor, in the order of their approval; an empty list where all were withdrawn."""
        found: dict[str, dict[str, list[Dossier]]] = {}
        touched = [each for each in self.proposals() if each.state in (APPROVED, WITHDRAWN)]
        for each in sorted(touched, key=lambda one: one.decisions[0].number):
            held = found.setdefault(each.dossier.page, {}).setdefault(each.dossier.anchor, [])
            if each.state == APPROVED:
                held.append(each.dossier)
        return found

    def _write(self, page: str, anchor: str, body: str, overwrite: bool) -> Written:
        try:
            was = self.pages.read(page)
            if was is None:
                return Written(
                    page, anchor, "refused", "The page is not there any more; move it back, or withdraw the proposal."
                )
            made = with_section(was, anchor, body, overwrite=overwrite)
            if made == was:
                return Written(page, anchor, "same")
            self.pages.write(page, made, was)
        except LoomError as error:
            return Written(page, anchor, "refused", error.message)
        return Written(page, anchor, "written" if body else "removed")


def _named(standing: Sequence[Standing], id: str) -> Standing:
    # What every id begins with names none, also where there is only one.
    found = [each for each in standing if each.dossier.id.startswith(id)] if len(id) > len(PREFIX) else []
    exact = [each for each in found if each.dossier.id == id]
    if len(found) > 1 and not exact:
        raise BadInput(f"Expected the id of one proposal, but {id!r} begins {len(found)}; give more of it.", param="id")
    if not found:
        raise NotFound(f"There is no proposal {id[:80]!r}; `loom proposals list` has them.")
    return (exact or found)[0]


def _why_not(standing: Standing, state: str) -> str:
    last = standing.decisions[-1] if standing.decisions else None
    by = f" by {last.by} ({last.reason[:80]})" if last else f" by the pre-filter ({', '.join(standing.dossier.stopped)})"
    wanted = " or ".join(FOLLOWS[state])
    return f"Expected {standing.dossier.id} to be {wanted} before it is {state}, but it is {standing.state}{by}."
