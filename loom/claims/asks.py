"""What may be asked of the slow path. Each is a value; in the queue it lies as JSON under a key, so that the same ask is done once.

Whoever asks may be another process: what comes out of the queue is read as strictly as what comes over the wire.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from loom.core.claims.dimensions.fitted import PREFIX
from loom.core.claims.dimensions.grades import Grade, grade_of
from loom.core.claims.intake.ids import content_id, entry
from loom.core.claims.records import Entry
from loom.core.claims.stored import Ask
from loom.core.errors import BadInput
from loom.core.values import Json

ACTS = ("accept", "reject", "readmit", "supersede", "unsupersede", "spurious", "conflict", "yield")
"""What a person may do to a claim: `supersede`, `unsupersede`, `spurious` (the conflict is none) and `conflict` (it is one) name another;
`yield`, a rejection that ends a conflict, may name it."""
PAIRED = ("supersede", "unsupersede", "spurious", "conflict")
STATES = ("pin", "unpin", "retire", "reconsider")
"""What a person may do to a dimension."""


@dataclass(frozen=True, slots=True)
class TakeIn:
    """An entry to be read. `replaces` are signals that it says it replaces."""

    entry: Entry
    replaces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Withdraw:
    """An entry that no longer counts, or (`back`) counts again."""

    entry: str
    by: str
    back: bool = False


@dataclass(frozen=True, slots=True)
class Derive:
    """A question to be reasoned about once, and its answer kept. `domains` bound what is read for it; `request` names the request it
    comes from. With `again`, a claim that lost its standing is derived anew."""

    question: str
    request: str = ""
    domains: tuple[str, ...] = ()
    again: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """A claim that a person enters, with what they cite for it and what it assumes."""

    proposition: str
    by: str
    cites: tuple[str, ...] = ()
    preconditions: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Act:
    """What a person does to a claim."""

    act: str
    claim: str
    by: str
    other: str = ""


@dataclass(frozen=True, slots=True)
class Describe:
    """A domain, new or with another name or description: signals are filed anew."""

    domain: str
    name: str
    description: str
    by: str
    derived_from: str = ""


@dataclass(frozen=True, slots=True)
class Shape:
    """A dimension, new or with another contract (JSON, as `dimensions.reading` reads it), or a change of its state by a person."""

    dimension: str
    by: str
    domain: str = ""
    contract: Json = None
    state: str = ""


@dataclass(frozen=True, slots=True)
class Cycle:
    """An evaluation of the dimensions: validation, distillation, screen and fit, from graded queries."""

    by: str
    grades: tuple[Grade, ...] = ()


Wish: TypeAlias = TakeIn | Withdraw | Derive | State | Act | Describe | Shape | Cycle


LONGEST = 86_400.0
"""Seconds that a person may have taken for something at most."""


def ask_of(wish: Wish, at: str, *, once: str = "", seconds: float = 0.0) -> Ask:
    """What lies in the queue for a wish. An entry, a question of a request and a statement are the same ask whenever they come;
    what a person does is one of its time, unless the client names it (`once`). `seconds` is how long it took them, up to `at`: it is
    kept with the ask, and changes nothing of what is done. Raises BadInput."""
    if not 0 <= seconds <= LONGEST:
        raise BadInput(f"Expected seconds from 0 to {LONGEST:,.0f}, but got {seconds!r}.", param="seconds")
    made = _ask(wish, at, once)
    return replace(made, body={**made.body, "seconds": seconds}) if seconds and isinstance(made.body, dict) else made


def seconds_of(ask: Ask) -> float | None:
    """How long a person took for what they asked, None where they did not say."""
    said = ask.body.get("seconds") if isinstance(ask.body, Mapping) else None
    if isinstance(said, bool) or not isinstance(said, int | float):
        return None
    return float(said) if 0 < said <= LONGEST else None


def _ask(wish: Wish, at: str, once: str) -> Ask:
    match wish:
        case TakeIn(entry=e, replaces=replaces):
            body: dict[str, Any] = {
                "id": e.id, "source": e.source, "text": e.text, "kind": e.kind, "author": e.author,
                "observed_at": e.observed_at, "replaces": list(replaces),
            }  # fmt: skip
            return Ask(_key("entry", e.id, e.source, e.text, e.kind, e.author, e.observed_at), "entry", body, at)
        case Withdraw(entry=id, by=by, back=back):
            kind = "restore" if back else "withdraw"
            return Ask(_key(kind, once or at, id), kind, {"entry": id, "by": by}, at)
        case Derive():
            body = {
                "question": wish.question,
                "request": wish.request,
                "domains": list(wish.domains),
                "again": wish.again,
            }
            return Ask(_key("question", once or wish.request or at, wish.question, wish.again), "question", body, at)
        case State():
            body = {
                "proposition": wish.proposition, "by": wish.by, "cites": list(wish.cites),
                "preconditions": list(wish.preconditions), "domains": list(wish.domains),
            }  # fmt: skip
            return Ask(_key("claim", once or at, wish.by, wish.proposition), "claim", body, at)
        case Act():
            body = {"act": wish.act, "claim": wish.claim, "by": wish.by, "other": wish.other}
            return Ask(_key("act", once or at, wish.act, wish.claim, wish.other, wish.by), "act", body, at)
        case Describe():
            body = {
                "domain": wish.domain, "name": wish.name, "description": wish.description, "by": wish.by,
                "derived_from": wish.derived_from,
            }  # fmt: skip
            return Ask(_key("domain", once or at, wish.domain, wish.name, wish.description), "domain", body, at)
        case Shape():
            body = {
                "dimension": wish.dimension,
                "by": wish.by,
                "domain": wish.domain,
                "contract": wish.contract,
                "state": wish.state,
            }
            return Ask(_key("dimension", once or at, wish.dimension, wish.state, repr(wish.contract)), "dimension", body, at)

        case Cycle():
            grades: list[Json] = [
                {"query": each.query, "domain": each.domain, "claim": each.claim, "grade": each.grade} for each in wish.grades
            ]
            return Ask(_key("cycle", once or at, wish.by), "cycle", {"by": wish.by, "grades": grades}, at)


def wish_of(ask: Ask) -> Wish:
    """The wish in the queue. Raises BadInput with what is wrong with it."""
    reader = _READERS.get(ask.kind)
    if reader is None:
        raise BadInput(f"Expected an ask of one of {', '.join(_READERS)}, but got {ask.kind!r}.", param="kind")
    if not isinstance(ask.body, Mapping):
        raise BadInput(f"Expected the ask as an object, but got {type(ask.body).__name__}.", param="body")
    return reader(_Members(ask.body))


class _Members:
    def __init__(self, body: Mapping[str, Any]) -> None:
        self._body = body

    def text(self, name: str, *, needed: bool = True) -> str:
        value = self._body.get(name)
        if value is None and not needed:
            return ""
        if not isinstance(value, str) or (needed and not value.strip()):
            raise BadInput(f"Expected {name} as a text, but got {_short(value)}; give one.", param=name)
        return _sound(value, name)

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._body.get(name) or []
        if (
            not isinstance(value, Sequence)
            or isinstance(value, str)
            or not all(isinstance(one, str) and one.strip() for one in value)
        ):
            raise BadInput(f"Expected {name} as a list of texts, but got {_short(value)}.", param=name)
        return tuple(dict.fromkeys(_sound(one, name) for one in value))

    def choice(self, name: str, among: Sequence[str]) -> str:
        value = self.text(name)
        if value not in among:
            raise BadInput(f"Expected {name} among {', '.join(among)}, but got {_short(value)}.", param=name)
        return value

    def grades(self) -> tuple[Grade, ...]:
        given = self._body.get("grades") or []
        if not isinstance(given, list):
            raise BadInput(f"Expected grades as a list, but got {_short(given)}.", param="grades")
        return tuple(grade_of(each, f"grades[{at}]") for at, each in enumerate(given))

    def json(self, name: str) -> Json:
        value: Json = self._body.get(name)
        return value


def printable(id: str) -> str:
    """An id that people give, of an entry, a domain or a dimension: it can be shown, and stand in an address. Raises BadInput."""
    if not id.isprintable():
        raise BadInput(f"Expected an id of printable characters, but got {_short(id)}; leave the others out.", param="id")
    return id


def _entry(body: _Members) -> TakeIn:
    made = entry(
        body.text("source"),
        body.text("text"),
        kind=body.text("kind", needed=False),
        author=body.text("author", needed=False),
        observed_at=body.text("observed_at", needed=False),
        id=printable(body.text("id", needed=False)),
    )
    return TakeIn(made, body.texts("replaces"))


def _act(body: _Members) -> Act:
    act = body.choice("act", ACTS)
    return Act(act, body.text("claim"), body.text("by"), body.text("other", needed=act in PAIRED))


def _shape(body: _Members) -> Shape:
    contract, state = body.json("contract"), body.text("state", needed=False)
    if (contract is None) == (not state):
        raise BadInput(f"Expected a contract or one of {', '.join(STATES)}, and not both.", param="dimension")
    if state:
        body.choice("state", STATES)
    if body.text("dimension").startswith(PREFIX):
        raise BadInput(
            f"Expected an id of a dimension that does not begin with {PREFIX}, which is for fits.", param="dimension"
        )
    dimension = printable(body.text("dimension"))
    return Shape(dimension, body.text("by"), body.text("domain", needed=contract is not None), contract, state)


_READERS: Mapping[str, Callable[[_Members], Wish]] = {
    "entry": _entry,
    "withdraw": lambda body: Withdraw(body.text("entry"), body.text("by")),
    "restore": lambda body: Withdraw(body.text("entry"), body.text("by"), back=True),
    "question": lambda body: Derive(
        body.text("question"), body.text("request", needed=False), body.texts("domains"), body.text("again", needed=False)
    ),
    "claim": lambda body: State(
        body.text("proposition"), body.text("by"), body.texts("cites"), body.texts("preconditions"), body.texts("domains")
    ),
    "act": _act,
    "domain": lambda body: Describe(
        printable(body.text("domain")), body.text("name"), body.text("description", needed=False), body.text("by"),
        body.text("derived_from", needed=False),
    ),
    "dimension": _shape,
    "cycle": lambda body: Cycle(body.text("by"), body.grades()),
}  # fmt: skip
KINDS = tuple(_READERS)


def _sound(text: str, name: str) -> str:
    """A text that every store takes: one that does not would hold up all that waits with it. Raises BadInput."""
    if "\0" in text:
        raise BadInput(f"Expected {name} as a text without a NUL character, but got {_short(text)}; take it out.", param=name)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadInput(f"Expected {name} as a text, but {_short(text)} has half a character; mend it.", param=name) from None
    return text


def _short(value: object) -> str:
    return f"{value!r:.60}"


def _key(kind: str, *parts: str) -> str:
    return content_id(kind, *parts)
