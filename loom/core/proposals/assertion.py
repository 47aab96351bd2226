"""An assertion: one claim that a source makes, by which words of it, and about which concepts."""

import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from loom.core.errors import BadInput
from loom.core.values import Iri, Json

TIERS = (1, 2, 3)
LONGEST, LONGEST_NAME, MOST_TERMS = 10_000, 500, 100
"""Code points of a text or span; of a source, term or IRI; terms or IRIs of one assertion."""

_MEMBERS = frozenset("fingerprint text tier source span confidence terms iris verified".split())


@dataclass(frozen=True, slots=True)
class Span:
    """The words of the source that an assertion rests on, and where they stand in it in code points, where that is known."""

    text: str = ""
    start: int | None = None
    end: int | None = None

    def as_json(self) -> Json:
        return self.text if self.start is None else {"text": self.text, "start": self.start, "end": self.end}


NO_SPAN = Span()


@dataclass(frozen=True, slots=True)
class Assertion:
    """`source` is the document that says it. `terms` are names of what it is about, each with the concept that it resolves to, "" where
    it resolves to none; `iris` further concepts that it was delivered with. `confidence` is the extractor's own, from 0 to 1;
    `verified` says that somebody compared it with its source."""

    text: str
    source: str
    span: Span = NO_SPAN
    tier: int | None = None
    confidence: float | None = None
    terms: tuple[tuple[str, Iri], ...] = ()
    iris: tuple[Iri, ...] = ()
    verified: bool = False

    @property
    def resolved(self) -> tuple[Iri, ...]:
        """The concepts that it is about, sorted, each once."""
        return tuple(sorted({*self.iris, *(iri for _, iri in self.terms if iri)}))

    @property
    def unresolved(self) -> tuple[str, ...]:
        return tuple(term for term, iri in self.terms if not iri)

    @property
    def statement(self) -> str:
        """What was said by whom, whatever it resolves to: the same words of the same source are one statement."""
        return _digest((normalised(self.text), self.source))

    @property
    def fingerprint(self) -> str:
        """SHA-256 of normalised text, source and resolved IRIs: by it, what is delivered again is known."""
        return _digest((normalised(self.text), self.source, *self.resolved))

    def verify(self) -> "Assertion":
        return replace(self, verified=True)

    def as_json(self) -> dict[str, Json]:
        return {
            "fingerprint": self.fingerprint,
            "text": self.text,
            "tier": self.tier,
            "source": self.source,
            "span": self.span.as_json(),
            "confidence": self.confidence,
            "terms": [{"term": term, "iri": iri} if iri else {"term": term} for term, iri in self.terms],
            "iris": list(self.iris),
            "verified": self.verified,
        }


def cleaned(text: str) -> str:
    """A text on one line, without characters that are not shown."""
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(text.split())


def normalised(text: str) -> str:
    """The form in which two deliveries of one text are equal: NFKC, case folded, one blank between words, no mark at the end."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).rstrip(" .!")


def assertion_of(stated: Json, where: str) -> Assertion:
    """The assertion of a JSON object, which `where` names: `text` and `source` must be there. Raises BadInput, also where a
    fingerprint is stated that is not its own."""
    if not isinstance(stated, Mapping):
        raise _wrong("an object with text and source", where, "assertion", stated)
    for member in stated:
        if member not in _MEMBERS:
            raise BadInput(
                f"Expected only {', '.join(sorted(_MEMBERS))} in {where}, but got {str(member)[:60]!r}.", param="assertion"
            )
    made = Assertion(
        _text(stated, "text", where, LONGEST),
        _text(stated, "source", where, LONGEST_NAME),
        _span(stated.get("span"), where),
        _tier(stated.get("tier"), where),
        _confidence(stated.get("confidence"), where),
        _terms(stated.get("terms"), where),
        tuple(dict.fromkeys(_name(each, "iris", where) for each in _listed(stated.get("iris"), "iris", where))),
        _verified(stated.get("verified"), where),
    )
    if stated.get("fingerprint") not in (None, made.fingerprint):
        raise BadInput(
            f"Expected the fingerprint of {where} to be that of its text, source and IRIs, {made.fingerprint[:12]}…, but got "
            f"{str(stated['fingerprint'])[:12]!r}; leave it out, or mend what it was made of.",
            param="fingerprint",
        )
    return made


def resolving(assertion: Assertion, concepts: Sequence[Iri | None]) -> Assertion:
    """The assertion with its terms resolved: to each term the concept at its place, where it states none itself."""
    pairs = zip(assertion.terms, concepts, strict=True)
    return replace(assertion, terms=tuple((term, iri or found or "") for (term, iri), found in pairs))


def _digest(pieces: Iterable[str]) -> str:
    """No piece can end in another's place: each is led by its length."""
    found = sha256()
    for piece in pieces:
        data = piece.encode("utf-8", "surrogatepass")
        found.update(b"%d:" % len(data) + data)
    return found.hexdigest()


def _wrong(expected: str, where: str, param: str, came: Json) -> BadInput:
    return BadInput(f"Expected {expected} in {where}, but got {str(came)[:60]!r}.", param=param)


def _text(stated: Mapping[str, Json], name: str, where: str, most: int) -> str:
    value = stated.get(name)
    text = cleaned(value) if isinstance(value, str) else ""
    if not 0 < len(text) <= most or not any(map(str.isalnum, text)):
        raise _wrong(f"{name} to be text with a letter or digit, of at most {most:,} code points,", where, name, value)
    return text


def _name(value: Json, name: str, where: str) -> str:
    text = cleaned(value) if isinstance(value, str) else ""
    if not 0 < len(text) <= LONGEST_NAME:
        raise _wrong(f"{name} to hold names of at most {LONGEST_NAME} code points", where, name, value)
    return text


def _listed(value: Json, name: str, where: str) -> list[Json]:
    if value is None:
        return []
    if not isinstance(value, list) or len(value) > MOST_TERMS:
        raise _wrong(f"{name} to be a list of at most {MOST_TERMS}", where, name, value)
    return value


def _terms(value: Json, where: str) -> tuple[tuple[str, Iri], ...]:
    found: dict[str, Iri] = {}
    for each in _listed(value, "terms", where):
        stated = {"term": each} if isinstance(each, str) else each
        if not isinstance(stated, Mapping) or not stated.keys() <= {"term", "iri"}:
            raise _wrong('terms to hold names, or objects such as {"term": …, "iri": …}', where, "terms", each)
        iri = stated.get("iri")
        found.setdefault(_name(stated.get("term"), "terms", where), _name(iri, "terms", where) if iri else "")
    return tuple(found.items())


def _span(value: Json, where: str) -> Span:
    stated: Json = {"text": value} if isinstance(value, str) else {} if value is None else value
    if not isinstance(stated, Mapping) or not stated.keys() <= {"text", "start", "end"}:
        raise _wrong("span to be the words of the source, or an object with text, start and end,", where, "span", value)
    text = stated.get("text", "")
    text = cleaned(text) if isinstance(text, str) else None
    if text is None or len(text) > LONGEST:
        raise _wrong(f"the text of span to be of at most {LONGEST:,} code points", where, "span", value)
    start, end = stated.get("start"), stated.get("end")
    if start is None and end is None:
        return Span(text)
    if type(start) is not int or type(end) is not int or not 0 <= start < end < 1 << 53:
        raise _wrong("span to begin before it ends", where, "span", value)
    return Span(text, start, end)


def _tier(value: Json, where: str) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value not in TIERS):
        raise _wrong("tier to be 1, 2 or 3", where, "tier", value)
    return value


def _confidence(value: Json, where: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or not 0 <= value <= 1:
        raise _wrong("confidence to be a number from 0 to 1", where, "confidence", value)
    return float(value)


def _verified(value: Json, where: str) -> bool:
    if value is not None and not isinstance(value, bool):
        raise _wrong("verified to be true or false", where, "verified", value)
    return bool(value)
