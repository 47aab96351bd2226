"""Finds what knowledge bases hold on a question: addresses of facts, rows, readings and passages, by what is declared of them.

An address that resolves outranks every similarity: it is named, its confidence is 1, and where it binds the route, what any finder
discovers is held to its sources (seed 003 §5, §7; R11, R19).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from loom.answer.plan import Pin
from loom.answer.route import ROUTED
from loom.answer.second_round import single
from loom.core.concepts import remember
from loom.core.facts.asked import Ask, Route
from loom.core.facts.assembling import AS_USUAL, FULL, HYDRATE, SKELETON, Ways, assemble
from loom.core.facts.choosing import Chosen, choose
from loom.core.facts.fetching import covered, hydrated, offers
from loom.core.facts.hydrating import PREFIX
from loom.core.facts.inventory import inventory_of
from loom.core.facts.minting import row_of
from loom.core.facts.reading import read
from loom.core.facts.routing import route
from loom.core.facts.sealed import held_of
from loom.core.facts.values import Held, Reading
from loom.core.facts.wording import ARTICLES
from loom.core.generation import Generation
from loom.core.names import Names, fold_name
from loom.core.policy.gate import NO_PART
from loom.core.policy.policy import Policy
from loom.core.values import Candidate, Contract, Evidence, Finding, Iri, Question, Turn

SURE, EXCITED = 1.0, 0.6
"""Confidence in an address, and in bases that are routed because a question excites them."""
FACT, READING, ROW, SPAN, SEARCHED, OUTSIDE = "fact", "reading", "row", "span", "searched", "outside"
"""Why an address is proposed."""
REMEMBERED = 256
A_LINE = 8
"""Tokens that no line of a fact or a row has fewer of: so many fit at most."""

Bases = Callable[[Generation], Held | None]


@dataclass(frozen=True, slots=True)
class Looked:
    """A question as it was read, what it gets, and the addresses of that; in which kind of context, which files the model may ask
    for there, and whether it did."""

    ask: Ask
    chosen: Chosen
    candidates: tuple[Candidate, ...]
    context: str = FULL
    offers: tuple[Iri, ...] = ()
    fetched: bool = False


class FactsFinder:
    """Facts of the pinned generation's knowledge bases. Waits for nothing."""

    name = "facts"
    waits = False

    def __init__(
        self, ways: Ways = AS_USUAL, *, readout: str = "full", addressing: bool = True, bases: Bases = held_of
    ) -> None:
        """`readout` is full, core-only or off (R22); without `addressing` no name, position or fact counts (R20). `bases` gives those
        of a generation."""
        self._ways = ways
        self._readout = readout
        self._addressing = addressing
        self._bases = bases
        self._looked: dict[tuple[str, str, tuple[Turn, ...], str, str, str, int], Looked] = {}

    async def find(self, question: Question, pin: Pin, policy: Policy) -> Finding:
        held = self._bases(pin.generation)
        if held is None or not held.bases:
            return Finding(self.name, reason=NO_PART)
        looked = self._look(held, question, pin)
        chosen = looked.chosen
        if not looked.candidates:
            return Finding(self.name)
        addressed = bool(chosen.within or chosen.notes)
        computed = bool(chosen.facts or chosen.more or chosen.rows or chosen.more_rows or _read(chosen))
        return Finding(
            self.name,
            looked.candidates,
            confidence=SURE if addressed else EXCITED,
            named=addressed,
            reason="fact" if computed else "address" if addressed else "lexical",
            only=chosen.within | chosen.outside if chosen.committed else None,
            path="address" if addressed else "text",
            contract=self._contract(question, looked),
        )

    def warm(self, pin: Pin) -> None:
        """Open the bases, and make contexts for questions that name what is in them, and for one that names nothing."""
        held = self._bases(pin.generation)
        if held is None or not held.bases:
            return
        stock = inventory_of(held.bases)
        for base in held.bases:
            names = [base.title, *(one.name for one in base.entities[:1]), *(one.name for one in base.metrics[:1])]
            for text in (base.title, f"{' '.join(names)} 1:00"):
                ask = read(held, text)
                assemble(held, stock, ask, choose(held, stock, ask, route(held, ask)), self._ways)
        route(held, read(held, "what is there"))

    def forget(self) -> None:
        """Drop what questions were found to get."""
        self._looked.clear()

    def _contract(self, question: Question, looked: Looked) -> Contract | None:
        """In a first round; a reply of directives alone is taken for one whether they were offered or not (R29)."""
        if question.fetch or not single(question):
            return None
        return Contract(self.name, PREFIX, bool(looked.offers))

    def _ways_for(self, question: Question) -> tuple[Ways, str]:
        """How this question wants its context, and its readout. Who cannot ask for passages is shown them."""
        options = question.options
        budget = self._ways.budget if options.budget is None else options.budget
        context = options.context or self._ways.context
        if context == HYDRATE and not single(question):
            context = FULL
        return replace(self._ways, budget=budget, context=context), options.readout or self._readout

    async def mint(self, question: Question, pin: Pin, policy: Policy, admitted: Sequence[Candidate]) -> Sequence[Evidence]:
        held = self._bases(pin.generation)
        found = {candidate.iri: candidate for candidate in admitted if candidate.retriever == self.name}
        if held is None or not found:
            return ()
        looked = self._look(held, question, pin)
        chosen = looked.chosen if len(found) == len(looked.candidates) else _only(looked.chosen, found)
        ways = replace(self._ways_for(question)[0], context=looked.context)
        stock = inventory_of(held.bases)
        return assemble(held, stock, looked.ask, chosen, ways, found, offers=looked.offers, fetched=looked.fetched)

    def _look(self, held: Held, question: Question, pin: Pin) -> Looked:
        """What a question gets; kept, since it is minted right after it was found."""
        ways, readout = self._ways_for(question)
        fetch = "" if ways.context == SKELETON else question.fetch
        key = (
            pin.generation.id,
            question.text,
            tuple(question.before),
            ways.context,
            readout,
            fetch,
            ways.budget,
        )
        looked = self._looked.get(key)
        if looked is None:
            ask = read(held, question.text, question.before)
            ask = _beside_concepts(pin.generation, ask)
            if not self._addressing:
                ask = Ask(ask.text, ask.language)
            routed: Route = route(held, ask)
            looked = self._chosen(held, ask, routed, ways, readout, fetch)
            found = {each.iri: each for each in reversed(list(self._candidates(looked.chosen)))}
            looked = replace(looked, candidates=tuple(reversed(found.values())))
            remember(self._looked, key, looked, REMEMBERED)
        return looked

    def _chosen(self, held: Held, ask: Ask, routed: Route, ways: Ways, readout: str, fetch: str) -> Looked:
        """What a question gets as it was routed. Nothing is searched for but in a full context, or where a reply asked for what no
        file has (the starvation valve, R27)."""
        stock, most = inventory_of(held.bases), ways.budget // A_LINE
        if fetch:
            bare = choose(held, stock, ask, routed, "off", most)
            filled = hydrated(held, stock, ask, bare, fetch, ways.budget)
            if filled is not None:
                return Looked(ask, filled, (), HYDRATE, fetched=True)
            return Looked(ask, choose(held, stock, ask, routed, most=most), ())
        chosen = choose(held, stock, ask, routed, readout if ways.context == FULL else "off", most)
        offered = ways.context == HYDRATE and chosen.anything and not covered(ask, chosen)
        return Looked(ask, chosen, (), ways.context, offers(held, stock, chosen) if offered else ())

    def _candidates(self, chosen: Chosen) -> Iterator[Candidate]:
        """Addresses in the order of the tiers, the routed bases first."""

        def at(iri: Iri, why: str, home: Iri = "", score: float = 1.0) -> Candidate:
            return Candidate(iri, score, self.name, why, home)

        yield from (at(base, ROUTED, base, score) for base, score in chosen.bases)
        yield from (at(fact.iri, FACT, fact.source) for fact in (*chosen.facts, *chosen.more))
        yield from (at(row_of(one.source, one.row), READING, one.source) for one in _read(chosen))
        yield from (at(f"{row.source}#row={row.row}", ROW, row.source) for row in (*chosen.rows, *chosen.more_rows))
        yield from (at(span.iri, SPAN, span.source) for passage in chosen.passages for span in passage.spans)
        for one in chosen.found:
            why = OUTSIDE if one.outside else SEARCHED
            yield at(one.iri, why, one.source, one.score)
            yield from (at(span.iri, why, span.source, one.score) for span in one.after)
        yield from (at(f"urn:loom:facts:note:{number}", note.kind) for number, note in enumerate(chosen.notes, 1))


def _beside_concepts(generation: Generation, ask: Ask) -> Ask:
    """The question without the names that the ontology owns: it is one more owner beside the bases. What is asked of such a name
    alone is asked of no base, and no value of another thing is presented under it (R15)."""
    names = generation.part(Names)
    unowned = tuple(name for name in ask.unowned if not (names and _is_concept(names, name)))
    if unowned == ask.unowned:
        return ask
    named = unowned or ask.bases or ask.sources or ask.entities or ask.carried
    return replace(ask, unowned=unowned) if named else replace(ask, unowned=(), metrics=(), statistics=(), loose=())


def _is_concept(names: Names, name: str) -> bool:
    """Whether a concept is called so, with or without an article before its name."""
    words = name.split()
    spoken = [name, " ".join(words[1:])] if len(words) > 1 and words[0].casefold() in ARTICLES else [name]
    for needle in (fold_name(one).encode() for one in spoken):
        at = names.names.first(needle)
        if needle and at < names.count and names.names[at] == needle:
            return True
    return False


def _read(chosen: Chosen) -> tuple[Reading, ...]:
    """Every row of a series that is shown."""
    return (*chosen.readings, *chosen.more_readings, *(one for window in chosen.windows for one in window.readings))


def _only(chosen: Chosen, admitted: dict[Iri, Candidate]) -> Chosen:
    """What was admitted of it: a measurement may leave addresses out."""
    passages = (replace(one, spans=tuple(span for span in one.spans if span.iri in admitted)) for one in chosen.passages)
    windows = (
        replace(one, readings=tuple(row for row in one.readings if row_of(row.source, row.row) in admitted))
        for one in chosen.windows
    )
    return replace(
        chosen,
        facts=tuple(fact for fact in chosen.facts if fact.iri in admitted),
        more=tuple(fact for fact in chosen.more if fact.iri in admitted),
        readings=tuple(one for one in chosen.readings if row_of(one.source, one.row) in admitted),
        more_readings=tuple(one for one in chosen.more_readings if row_of(one.source, one.row) in admitted),
        windows=tuple(one for one in windows if one.readings),
        rows=tuple(row for row in chosen.rows if f"{row.source}#row={row.row}" in admitted),
        more_rows=tuple(row for row in chosen.more_rows if f"{row.source}#row={row.row}" in admitted),
        passages=tuple(one for one in passages if one.spans),
        found=tuple(one for one in chosen.found if one.iri in admitted),
        bases=tuple(one for one in chosen.bases if one[0] in admitted),
    )
