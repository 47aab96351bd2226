"""What a person decides on: a section that is proposed for a page, with its scores, its provenance and its diff; and the decisions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import unified_diff
from hashlib import sha256

from loom.core.errors import BadInput
from loom.core.proposals.assertion import Assertion, assertion_of
from loom.core.proposals.topics import Had
from loom.core.values import Iri, Json

PROPOSED, STOPPED, APPROVED, REJECTED, WITHDRAWN = "proposed", "stopped", "approved", "rejected", "withdrawn"
STATES = (PROPOSED, STOPPED, APPROVED, REJECTED, WITHDRAWN)
JUDGED, COMPLETE = "judged", "complete"
"""The halves of the pre-filter."""

PREFIX = "prop-"


@dataclass(frozen=True, slots=True)
class Dossier:
    """One proposal. `text` goes under `anchor` of `page`, and relates the topic to `names`; `before` is the digest of the page that was
    judged. `judged` and `complete` are what the halves of the pre-filter found, `stopped` which of them stopped it."""

    topic: Iri
    title: str
    page: str
    reason: str
    text: str
    anchor: str
    names: tuple[str, ...]
    assertions: tuple[Assertion, ...]
    before: str = ""
    diff: str = ""
    generation: str = ""
    writer: str = ""
    judged: Mapping[str, Json] = field(default_factory=dict)
    complete: Mapping[str, Json] = field(default_factory=dict)
    stopped: tuple[str, ...] = ()
    turn: int = 0
    """How often people had declined the same proposal when it was made again."""

    @property
    def id(self) -> str:
        """The same section of the same assertions for the same page, measured in the same way, is the same proposal."""
        fingerprints = sorted(each.fingerprint for each in self.assertions)
        turn = (f"turn {self.turn}",) if self.turn else ()
        pieces = (self.topic, self.page, self.anchor, self.text, self.before, *fingerprints, *self._measured, *turn)
        return PREFIX + sha256("\0".join(pieces).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def _measured(self) -> tuple[str, ...]:
        """By which rule, judges and bars the proposal was measured; nothing where it was not."""
        if not self.judged and not self.complete:
            return ()
        rule, judges = self.judged.get("rule", {}), self.judged.get("judges", {})
        return (str(rule.get("sha256")), str(self.judged.get("seed")), str(self.complete.get("enough")), *sorted(judges))

    def as_json(self) -> dict[str, Json]:
        return {
            "id": self.id,
            "topic": {"iri": self.topic, "title": self.title},
            "page": self.page,
            "anchor": self.anchor,
            "reason": self.reason,
            "text": self.text,
            "names": list(self.names),
            "assertions": [each.as_json() for each in self.assertions],
            "sources": sorted({each.source for each in self.assertions}),
            "page_sha256": self.before,
            "diff": self.diff,
            "generation": self.generation,
            "writer": self.writer or None,
            "judged": dict(self.judged),
            "complete": dict(self.complete),
            "stopped": list(self.stopped),
            **({"turn": self.turn} if self.turn else {}),
        }


def dossier_of(stated: Mapping[str, Json]) -> Dossier:
    """The dossier of a record that was kept. Raises BadInput where it is damaged."""
    try:
        made = Dossier(
            stated["topic"]["iri"],
            stated["topic"]["title"],
            stated["page"],
            stated["reason"],
            stated["text"],
            stated["anchor"],
            tuple(stated["names"]),
            tuple(assertion_of(each, "a dossier") for each in stated["assertions"]),
            stated["page_sha256"],
            stated["diff"],
            stated["generation"],
            stated["writer"] or "",
            stated["judged"],
            stated["complete"],
            tuple(stated["stopped"]),
            stated.get("turn", 0),
        )
    except (KeyError, TypeError) as error:
        raise BadInput(
            f"Expected a whole dossier, but {error} of {str(stated.get('id'))[:40]!r} is missing.", param="dossier"
        ) from None
    if stated.get("id") != made.id:
        raise BadInput(
            f"Expected the dossier {str(stated.get('id'))[:40]!r} as it was kept, but it was changed.", param="dossier"
        )
    return made


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decided: `number` tells the order in which decisions fell; `at` is when, for people alone."""

    proposal: str
    state: str
    by: str
    reason: str
    number: int
    at: str

    def as_json(self) -> dict[str, Json]:
        return {
            "proposal": self.proposal,
            "state": self.state,
            "by": self.by,
            "reason": self.reason,
            "number": self.number,
            "at": self.at,
        }


def decision_of(stated: Mapping[str, Json]) -> Decision:
    """The decision of a record that was kept. Raises BadInput where it is damaged."""
    try:
        return Decision(*(stated[name] for name in ("proposal", "state", "by", "reason", "number", "at")))
    except KeyError as error:
        raise BadInput(f"Expected a whole decision, but {error} is missing.", param="decision") from None


def state_of(dossier: Dossier, decisions: Sequence[Decision]) -> str:
    """How a dossier stands, by the decisions on it."""
    last = max(decisions, key=lambda each: each.number, default=None)
    return last.state if last else STOPPED if dossier.stopped else PROPOSED


FOLLOWS = {APPROVED: (PROPOSED,), REJECTED: (PROPOSED,), WITHDRAWN: (APPROVED,)}
"""What a dossier must be before it can become each."""


def diff_of(page: str, before: bytes, after: bytes) -> str:
    """What changes in a page, as a unified diff."""
    old, new = (text.decode("utf-8", "replace").split("\n") for text in (before, after))
    return "\n".join(unified_diff(old, new, f"a/{page}", f"b/{page}", lineterm="", n=2))


def had(dossiers: Sequence[tuple[Dossier, str]], *, again: bool = False) -> Had:
    """The statements that proposals have, by the states of these: what was stopped is free; with `again`, so is what a person declined."""
    taken: set[str] = set()
    declined: dict[Iri, set[str]] = {}
    for dossier, state in dossiers:
        statements = {each.statement for each in dossier.assertions}
        if state in (PROPOSED, APPROVED):
            taken |= statements
        elif state in (REJECTED, WITHDRAWN) and not again:
            declined.setdefault(dossier.topic, set()).update(statements)
    return Had(taken, declined)
