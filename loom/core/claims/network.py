"""The network: a state, and the one door through which it changes.

A commit applies a batch, follows what it moved, judges acceptances, and returns a `Change`: everything a store has to write so that
readers see the batch whole. A write that cannot be applied is a refusal in that change and leaves no trace; nothing else fails.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from loom.core.claims import writes as w
from loom.core.claims.acceptance import AcceptanceRule
from loom.core.claims.applying import APPLIED, Refused, Touched, accept, migrate
from loom.core.claims.history import Cause, Move
from loom.core.claims.propagation import Visits, decided, follow
from loom.core.claims.records import Precondition
from loom.core.claims.standing import Standing
from loom.core.claims.state import State
from loom.core.errors import BadInput, NotFound


@dataclass(frozen=True, slots=True)
class Rehomed:
    """A claim whose home changed: its entries in the index of domains go from `before` to `after`."""

    claim: str
    before: frozenset[str]
    after: frozenset[str]


@dataclass(frozen=True, slots=True)
class Change:
    """What one batch came to. `moved` are the nodes whose own support the batch may have changed (the X of §3), `supports` those
    whose support did change; `lifted` are the claims that the network wrote for signals."""

    batch: int
    at: str
    moves: tuple[Move, ...]
    refusals: tuple[w.Refusal, ...]
    homes: tuple[Rehomed, ...]
    lifted: tuple[str, ...]
    moved: frozenset[str]
    supports: frozenset[str]
    visits: Visits


_INSTEAD = {
    Standing.ACCEPTED: "nothing is to be done",
    Standing.CONTESTED: "resolve its conflict first",
    Standing.RETRACTED: "readmit it where a person rejected it, else bring its evidence back first",
    Standing.SUPERSEDED: "accept the claim in its place, or take that back first",
}
"""What is to be done about a claim that cannot be accepted as it stands."""


class Network:
    """Standing of every claim, kept up with what is written. `rule` is the automatic acceptance, None where it is off."""

    __slots__ = ("_due", "rule", "state")

    def __init__(self, state: State | None = None, *, rule: AcceptanceRule | None = None) -> None:
        self.state = State() if state is None else state
        self.rule = rule
        self._due: frozenset[int] = frozenset()

    def commit(self, batch: w.Batch) -> Change:
        """Apply a batch and decide every label that it moves. Raises BadInput, before anything, where something is no write."""
        for write in batch.writes:
            if not isinstance(write, w.Write):
                raise BadInput(f"Expected a write of a claims network, but got {type(write).__name__}.", param="writes")
        state = self.state
        state.batch += 1
        touched = Touched()
        refusals: list[w.Refusal] = []
        for position, write in enumerate(batch.writes):
            try:
                self._apply(touched, write, position, batch.at)
            except Refused as refused:
                refusals.append(w.Refusal(position, write, refused.reason, refused.why))
        former = state.homes.follow(state.graph, touched.homes)
        followed = follow(state.graph, state.sources, state.disputes, state.labels, touched.support, touched.conflicts)
        moves = [
            move
            for claim in sorted(followed.looked)
            if (move := self._decide(claim, batch.at, _cause(claim, touched, followed.changed)))
        ]
        for position, each in touched.accepted:
            claim = state.numbers[each.claim]
            standing = Standing(state.labels.standing[claim])
            if standing is Standing.PROPOSED:
                moves.append(self._move(claim, Standing.ACCEPTED, batch.at, "accepted"))
            else:
                why = f"Only a proposed claim is accepted, but {each.claim} is {standing.word}; {_INSTEAD[standing]}."
                refusals.append(w.Refusal(position, each, "standing", why))
        moves += self._automatic(followed.looked | touched.evidence, batch.at)
        return Change(
            batch=state.batch,
            at=batch.at,
            moves=tuple(moves),
            refusals=tuple(sorted(refusals, key=lambda each: each.position)),
            homes=tuple(Rehomed(state.names[each], former[each], state.homes.domains(each)) for each in sorted(former)),
            lifted=tuple(state.names[each] for each in touched.lifted),
            moved=frozenset(state.names[each] for each in touched.support | touched.conflicts),
            supports=frozenset(state.names[each] for each in followed.changed),
            visits=followed.visits,
        )

    def _apply(self, touched: Touched, write: w.Write, position: int, at: str) -> None:
        if isinstance(write, w.Accept):
            accept(self.state, touched, write, position)
        elif isinstance(write, w.Migrate):
            migrate(self.state, touched, write, at)
        else:
            APPLIED[type(write)](self.state, touched, write)

    def _decide(self, claim: int, at: str, cause: Cause) -> Move | None:
        now = decided(self.state.disputes, self.state.labels, claim)
        return None if now == self.state.labels.standing[claim] else self._move(claim, now, at, cause)

    def _move(self, claim: int, to: Standing, at: str, cause: Cause) -> Move:
        state = self.state
        return Move(state.batch, at, state.names[claim], state.labels.move(claim, to), to, cause)

    def _automatic(self, looked: Iterable[int], at: str) -> Iterator[Move]:
        """What the rule accepts. A claim waits one whole batch, and one that was ever retracted waits for a person."""
        state, labels = self.state, self.state.labels
        touched = frozenset(looked)
        asked, self._due = sorted(touched | self._due), touched
        if self.rule is None:
            return
        for claim in asked:
            fresh = state.since[claim] >= state.batch or claim in state.lifted
            if (
                labels.standing[claim] == Standing.PROPOSED
                and not labels.fallen[claim]
                and not fresh
                and self.rule(state, claim)
            ):
                yield self._move(claim, Standing.ACCEPTED, at, "automatic")

    def standing(self, claim: str) -> Standing:
        """Raises NotFound where there is no such claim."""
        return Standing(self.state.labels.standing[self._claim(claim)])

    def supported(self, node: str) -> bool:
        """Whether a signal or claim is supported. Raises NotFound where there is none of this id."""
        return bool(self.state.labels.supported[self._node(node)])

    def home(self, node: str) -> frozenset[str]:
        """The domains of a signal or claim."""
        return self.state.homes.domains(self._node(node))

    def readable(self, claim: str) -> bool:
        """Whether a claim may be in an index, and so in any result (I11)."""
        return self.state.readable(self._claim(claim))

    def preconditions(self, claim: str) -> tuple[Precondition, ...]:
        """What a claim assumes without evidence; it is printed wherever the claim is cited."""
        return self.state.context.get(self._claim(claim), ())

    def partners(self, claim: str) -> tuple[str, ...]:
        """The claims that conflict with a claim, in the order of their ids; some may be retracted."""
        return tuple(sorted(self.state.names[each] for each in self.state.disputes.partners(self._claim(claim))))

    def justifications(self, claim: str) -> tuple[tuple[str, ...], ...]:
        """The antecedents of each justification, sorted, in the order in which the justifications were written."""
        state = self.state
        found = sorted(state.graph.justifications(self._claim(claim)))
        return tuple(tuple(sorted(state.names[node] for node in state.graph.antecedents(just))) for just in found)

    def claims(self) -> Iterator[str]:
        """The ids of all claims, in the order in which they were written."""
        return (name for name, claim in zip(self.state.names, self.state.graph.claim, strict=True) if claim)

    def _node(self, name: str) -> int:
        number = self.state.numbers.get(name)
        if number is None:
            raise NotFound(f"There is no signal or claim {name}; give the id of one that is kept.", param="id")
        return number

    def _claim(self, name: str) -> int:
        number = self._node(name)
        if not self.state.graph.claim[number]:
            raise NotFound(f"There is no claim {name}, that is a signal; give the id of a claim.", param="id")
        return number


def _cause(claim: int, touched: Touched, changed: frozenset[int]) -> Cause:
    return touched.cause.get(claim) or ("support" if claim in changed else "conflict")
