"""Deriving by templates: chains of one relation (A → B, B → C), and a rule with its condition. For tests, and for claims that persons
enter; it knows nothing of what its words mean."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from loom.core.claims.judging.asked import Inference, Inquiry, Known
from loom.core.claims.judging.entailing import entailed
from loom.core.claims.judging.given import Inferred
from loom.core.claims.judging.likeness import terms_of

CHAINED = (
    "depends on", "is part of", "leads to", "requires", "reports to", "is located in", "causes", "comes before", "belongs to",
    "contains", "is owned by", "implies", "is a kind of",
)  # fmt: skip
"""Relations that go on: what holds from A to B and from B to C holds from A to C."""

_RELATION = re.compile(rf"(?P<from>\S.*?)\s+(?P<relation>{'|'.join(CHAINED)})\s+(?P<to>\S.*)")
_RULE = re.compile(r"(?:if|when|whenever)\s+(?P<given>\S.*?),?\s*(?:,|\bthen\b)\s*(?P<then>\S.*)", re.IGNORECASE)
_ASSUMING = re.compile(
    r",?\s+(?:provided(?:\s+that)?|assuming(?:\s+that)?|as\s+long\s+as|on\s+condition\s+that)\s+", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Read:
    known: Known
    text: str
    assumes: tuple[str, ...]


def derive(asked: Inquiry) -> tuple[Inferred, ...]:
    """What follows from two pieces of evidence together and bears on the question (all where it carries no term), in the order of the
    evidence. Nothing that one of its antecedents says alone."""
    about = terms_of(asked.question)
    read = [_read(each) for each in asked.evidence]
    held = {_key(each.text) for each in read}
    found: dict[str, Inferred] = {}
    for made in (*_chains(read), *_rules(read)):
        key = _key(made.proposition)
        apart = not any(restates(made.proposition, each.known) for each in read if each.known.id in made.antecedents)
        if key not in held and apart and (not about or about & terms_of(made.proposition)):
            found.setdefault(key, made)
    return tuple(found.values())


def restates(proposition: str, antecedent: Known) -> bool:
    """Whether one antecedent alone says what was derived, so that it is to be cited instead (§1)."""
    return entailed(Inference(antecedent.text, proposition, (), antecedent.at))


def _read(known: Known) -> _Read:
    """A text without its full stop, and what it says that it assumes."""
    text, *assumes = _ASSUMING.split(" ".join(known.text.split()).rstrip(".! "))
    return _Read(known, text, tuple(assumes))


def _chains(read: Iterable[_Read]) -> Iterator[Inferred]:
    found = [(each, match) for each in read if (match := _RELATION.fullmatch(each.text))]
    for one, first in found:
        for other, second in found:
            if one is other or first["relation"] != second["relation"] or _key(first["to"]) != _key(second["from"]):
                continue
            if _key(first["from"]) != _key(second["to"]):
                yield _made(f"{first['from']} {first['relation']} {second['to']}", one, other)


def _rules(read: Iterable[_Read]) -> Iterator[Inferred]:
    each = list(read)
    for rule in each:
        match = _RULE.fullmatch(rule.text)
        for fact in each if match else ():
            if match and fact is not rule and entailed(Inference(fact.text, match["given"])):
                yield _made(match["then"], rule, fact)


def _made(text: str, one: _Read, other: _Read) -> Inferred:
    assumes = tuple(dict.fromkeys((*one.assumes, *other.assumes)))
    return Inferred(f"{text[:1].upper()}{text[1:]}.", (one.known.id, other.known.id), assumes)


def _key(text: str) -> str:
    words = [word for word in re.findall(r"\w+", text.casefold()) if word not in ("a", "an", "the", "our")]
    return " ".join(words)
