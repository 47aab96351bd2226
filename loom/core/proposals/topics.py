"""What the ledger holds of each topic, and of each term that no page answers to."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from loom.core.names import fold_name
from loom.core.proposals.assertion import Assertion
from loom.core.values import Iri, Json

EVIDENCE, THIN = "evidence", "thin"
"""Why a topic is a candidate: what the ledger holds of it, or that its page says little."""

EXAMPLES = 5
"""Example spans of an unresolved term."""

Resolve = Callable[[str], Iri | None]


@dataclass(frozen=True, slots=True)
class Bars:
    """When a topic is a candidate: `fingerprints` assertions from `sources` documents, of those that are verified where `verified`
    is set; of a page of at most `thin` served words, one assertion is enough (0: never)."""

    fingerprints: int = 3
    sources: int = 2
    thin: int = 0
    verified: bool = True


@dataclass(frozen=True, slots=True)
class Topic:
    """A concept, what the ledger says of it that no proposal has had, why it is a candidate ("" where it is none), and how many words
    it has as it is served."""

    iri: Iri
    assertions: tuple[Assertion, ...]
    reason: str = ""
    words: int = 0

    @property
    def sources(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.source for each in self.assertions))

    def as_json(self) -> dict[str, Json]:
        return {
            "iri": self.iri,
            "fingerprints": [each.fingerprint for each in self.assertions],
            "sources": list(self.sources),
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Had:
    """Statements that proposals have: `taken` by one that is open or approved, whatever its topic, since nothing is promoted twice;
    `declined` of a topic by a person."""

    taken: AbstractSet[str] = frozenset()
    declined: Mapping[Iri, AbstractSet[str]] = field(default_factory=dict)


def about(assertion: Assertion, resolve: Resolve) -> tuple[Iri, ...]:
    """The concepts of an assertion: those that it landed with, and those that its open terms resolve to by now."""
    later = (resolve(term) for term in assertion.unresolved)
    return tuple(sorted({*assertion.resolved, *(iri for iri in later if iri)}))


def topics(
    ledger: Iterable[Assertion],
    resolve: Resolve,
    had: "Had",
    bars: Bars,
    words: Callable[[Iri], int | None],
) -> list[Topic]:
    """The topics of the ledger, candidates first, then by the number of assertions. `words` tells how much a concept says as it is served, None where it is not served, and then is no topic."""
    held: dict[Iri, dict[str, Assertion]] = {}
    for each in ledger:
        if bars.verified and not each.verified:
            continue
        for iri in about(each, resolve):
            if (statement := each.statement) not in had.taken and statement not in had.declined.get(iri, frozenset()):
                held.setdefault(iri, {}).setdefault(statement, each)
    found = []
    for iri, statements in held.items():
        served = words(iri)
        if served is not None:
            assertions = tuple(sorted(statements.values(), key=lambda one: (one.source, one.fingerprint)))
            found.append(Topic(iri, assertions, _reason(assertions, served, bars), served))
    return sorted(found, key=lambda topic: (not topic.reason, topic.reason != EVIDENCE, -len(topic.assertions), topic.iri))


def _reason(assertions: Sequence[Assertion], served: int, bars: Bars) -> str:
    if len(assertions) >= bars.fingerprints and len({each.source for each in assertions}) >= bars.sources:
        return EVIDENCE
    return THIN if served <= bars.thin else ""


def apart(found: Iterable[Topic], bars: Bars) -> list[Topic]:
    """The candidates among topics, each without the statements that one before it has: what is said of several goes to one."""
    taken: set[str] = set()
    kept: list[Topic] = []
    for topic in found:
        left = tuple(each for each in topic.assertions if each.statement not in taken)
        if topic.reason and left and (reason := _reason(left, topic.words, bars)):
            kept.append(replace(topic, assertions=left, reason=reason))
            taken.update(each.statement for each in left)
    return kept


@dataclass(frozen=True, slots=True)
class OpenTerm:
    """A term that no page answers to: as it is written most often, how often and in which sources, and what was said with it.
    `iri` is the concept that it resolves to by now."""

    term: str
    count: int
    sources: tuple[str, ...]
    examples: tuple[str, ...]
    nearest: tuple[str, ...] = ()
    iri: Iri = ""

    def as_json(self) -> dict[str, Json]:
        return {
            "term": self.term,
            "count": self.count,
            "sources": list(self.sources),
            "examples": list(self.examples),
            "nearest": list(self.nearest),
            "iri": self.iri or None,
        }


def open_terms(ledger: Iterable[Assertion], resolve: Resolve, nearest: Callable[[str], Sequence[str]]) -> list[OpenTerm]:
    """The queue of page proposals: every term that resolved to nothing when it landed, those still open first, then the most
    frequent. A statement counts once, whatever it was delivered with."""
    written: dict[str, Counter[str]] = {}
    said: dict[str, dict[str, Assertion]] = {}
    for each in ledger:
        for term in each.unresolved:
            key = fold_name(term) or term
            if each.statement not in said.setdefault(key, {}):
                said[key][each.statement] = each
                written.setdefault(key, Counter())[term] += 1
    found = []
    for key, counts in written.items():
        term = min(counts, key=lambda spelling: (-counts[spelling], spelling))
        statements = list(said[key].values())
        sources = tuple(sorted({each.source for each in statements}))
        examples = tuple(dict.fromkeys(each.span.text or each.text for each in statements))[:EXAMPLES]
        iri = resolve(term) or ""
        found.append(OpenTerm(term, sum(counts.values()), sources, examples, () if iri else tuple(nearest(term)), iri))
    return sorted(found, key=lambda each: (bool(each.iri), -each.count, each.term))
