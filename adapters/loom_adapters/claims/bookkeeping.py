"""What is written without belonging to a version: the lease, the queue of asks, and what the fast path notes."""

from collections import Counter
from collections.abc import Iterable, Sequence

from loom.core.claims.stored import LEASE, Ask, CallRow, Lease, Notes, Queued
from loom.core.errors import Unwritable
from loom.core.values import Json
from loom_adapters.claims.session import Row, Session
from loom_adapters.claims.texts import heard, said, sound

ROW = 1


def taken(session: Session, holder: str, now: float, seconds: float) -> Lease:
    row = session.held()
    if row["holder"] and row["until"] > now:
        raise Unwritable(
            f"{row['holder']} writes the claims, for another {row['until'] - now:.0f} s at least; one process writes them at a time.",
            param=LEASE,
        )
    made = Lease(row["number"] + 1, holder, now + seconds)
    _lease(session, made)
    return made


def renewed(session: Session, lease: Lease, now: float, seconds: float) -> Lease:
    held(session, lease)
    made = Lease(lease.number, lease.holder, now + seconds)
    _lease(session, made)
    return made


def released(session: Session, lease: Lease) -> None:
    if session.held()["number"] == lease.number:
        _lease(session, Lease(lease.number, "", 0.0))


def held(session: Session, lease: Lease) -> None:
    """Raises Unwritable where the lease has gone to another, or was given back."""
    row = session.held()
    if row["number"] != lease.number or not row["holder"]:
        by = f"{row['holder']} writes them now" if row["holder"] else "it was given back"
        raise Unwritable(
            f"{lease.holder} no longer holds the lease of the claims ({by}); take it again, and open the network again.",
            param=LEASE,
        )


def _lease(session: Session, lease: Lease) -> None:
    session.put("lease", sound([{"id": ROW, "number": lease.number, "holder": lease.holder, "until": float(lease.until)}]))


def enqueued(session: Session, asks: Iterable[Ask]) -> Sequence[int]:
    numbers = []
    for ask in asks:
        row = {"key": ask.key, "kind": ask.kind, "body": said(ask.body), "at": ask.at, "version": 0, "outcome": "null"}
        numbers.append(session.add("queue", sound([row])[0], once="key"))
    return numbers


def queued(row: Row) -> Queued:
    ask = Ask(row["key"], row["kind"], heard(row["body"]), row["at"])
    return Queued(row["number"], ask, row["version"], heard(row["outcome"]))


def noted(session: Session, notes: Notes) -> None:
    shown = sorted(Counter(notes.shown).items())
    session.bump("shown", sound([{"claim": claim, "count": count, "at": notes.at} for claim, count in shown]))
    stale = sorted(Counter(notes.stale).items())
    session.bump("stale", sound([{"claim": c, "dimension": d, "count": count, "at": notes.at} for (c, d), count in stale]))
    session.insert("escalations", sound(escalated_rows(notes.escalated, notes.at)))
    session.insert("calls", sound([call_row(each, notes.at) for each in notes.calls]))


def escalated_rows(bodies: Iterable[Json], at: str) -> list[Row]:
    return [{"at": at, "body": said(each)} for each in bodies]


def call_row(call: CallRow, at: str) -> Row:
    return {
        "at": call.at or at,
        "component": call.component,
        "model": call.model,
        "tier": call.tier,
        "tokens_in": call.tokens_in,
        "tokens_out": call.tokens_out,
        "price": float(call.price),
        "cached": call.cached,
        "key": call.key,
        "body": said(call.of),
    }


def call_of(row: Row) -> CallRow:
    return CallRow(
        component=row["component"],
        model=row["model"],
        tier=row["tier"],
        tokens_in=row["tokens_in"],
        tokens_out=row["tokens_out"],
        price=row["price"],
        cached=row["cached"],
        key=row["key"],
        at=row["at"],
        of=heard(row["body"]),
    )
