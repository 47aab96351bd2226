"""Rows of the tables put together into the records that they are of."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from loom.core.claims.history import Move
from loom.core.claims.records import Agent, Claim, Derivation, Entry, Justification, Migration, Precondition, Signal
from loom.core.claims.standing import Standing
from loom.core.claims.stored import StoredClaim, StoredSignal
from loom_adapters.claims.session import In, Row, Session
from loom_adapters.claims.texts import heard


def entry(row: Row) -> Entry:
    return Entry(
        id=row["id"],
        source=row["source"],
        text=row["body"],
        kind=row["kind"],
        author=row["author"],
        observed_at=row["observed_at"],
        ingested_at=row["ingested_at"],
        withdrawn_at=row["withdrawn_at"] or ("unknown" if row["withdrawn"] else ""),
    )


def move(claim: str, row: Row, by: str = "") -> Move:
    return Move(row["batch"], row["at"], claim, Standing(row["former"]), Standing(row["standing"]), row["cause"], by)


DECIDES = {
    "accepted": "Accept", "rejected": "Reject", "readmitted": "Readmit", "superseded": "Supersede", "unsuperseded": "DropSupersede",
    "conflict": "DropConflict",
}  # fmt: skip
"""The write by which a person brings a move about, by its cause."""


def deciders(session: Session, claim: str, moves: Sequence[Row]) -> dict[tuple[int, str], str]:
    """Who decided what moved a claim, by version and kind of write."""
    versions = sorted({row["version"] for row in moves if row["cause"] in DECIDES})
    found: dict[tuple[int, str], str] = {}
    for side in ("subject", "object"):
        for row in session.rows("journal", In("version", versions), In(side, [claim])) if versions else ():
            if row["agent"] == "person" and not row["reason"]:
                found[row["version"], row["kind"]] = row["by"]
    return found


def signals(session: Session, nodes: Sequence[Row]) -> list[StoredSignal]:
    """The signals of these nodes, in their order."""
    numbers = [node["number"] for node in nodes]
    texts = _one(session, "signals", "number", numbers)
    entries = _one(session, "entries", "number", [node["entry"] for node in nodes])
    homes = _homes(session, nodes)
    replaced = _all(session, "replacements", "old", numbers, "new")
    names = _names(session, (row["new"] for rows in replaced.values() for row in rows))
    made = []
    for node in nodes:
        text, source = texts[node["number"]], entries[node["entry"]]
        signal = Signal(
            id=node["id"],
            entry=source["id"],
            proposition=text["body"],
            span=(text["begins"], text["ends"]),
            observed_at=text["observed_at"],
            extractor=text["extractor"],
            domains=homes[node["home"]],
            checked=text["checked"],
        )
        later = tuple(names[row["new"]] for row in replaced.get(node["number"], ()))
        made.append(StoredSignal(signal, source["source"], node["supported"], later, node["version"]))
    return made


def claims(session: Session, nodes: Sequence[Row]) -> list[StoredClaim]:
    """The claims of these nodes, in their order, with everything that justifies them."""
    numbers = [node["number"] for node in nodes]
    texts = _one(session, "claims", "number", numbers)
    homes = _homes(session, nodes)
    justifications = _justifications(session, numbers)
    contexts = _all(session, "preconditions", "claim", numbers, "place", In("open", [True]))
    rejected = _one(session, "overrides", "claim", numbers)
    superseded = _all(session, "supersedes", "old", numbers, "new")
    others = [row["new"] for rows in superseded.values() for row in rows]
    names = _names(session, [*others, *(node["lifted"] for node in nodes if node["lifted"] >= 0)])
    made = []
    for node in nodes:
        number = node["number"]
        claim = Claim(
            id=node["id"],
            justifications=tuple(justifications[number]),
            proposition=texts[number]["body"],
            context=tuple(Precondition(row["id"], row["body"]) for row in contexts.get(number, ())),
            lifted=node["lifted"] >= 0,
        )
        made.append(
            StoredClaim(
                claim=claim,
                standing=Standing(node["standing"]),
                supported=node["supported"],
                home=homes[node["home"]],
                rejected=number in rejected,
                superseded_by=tuple(names[row["new"]] for row in superseded.get(number, ())),
                lifted=names.get(node["lifted"], ""),
                at=texts[number]["at"],
                since=node["since"],
                version=node["version"],
            )
        )
    return made


def _justifications(session: Session, claims: Sequence[int]) -> dict[int, list[Justification]]:
    rows = _all(session, "justifications", "claim", claims, "number")
    numbers = [row["number"] for found in rows.values() for row in found]
    antecedents = _all(session, "antecedents", "justification", numbers, "number")
    names = _names(session, (row["node"] for found in antecedents.values() for row in found))
    migrations = _all(session, "migrations", "justification", numbers, "place")
    return {
        claim: [
            Justification(
                antecedents=tuple(names[each["node"]] for each in antecedents[row["number"]]),
                derivation=Derivation(row["kind"], Agent(row["agent"], row["by"]), row["at"], row["request"], row["run"]),
                migrations=tuple(
                    Migration(each["precondition"], each["node"], each["run"], each["at"])
                    for each in migrations.get(row["number"], ())
                ),
            )
            for row in found
        ]
        for claim, found in rows.items()
    }


def _homes(session: Session, nodes: Sequence[Row]) -> Mapping[int, frozenset[str]]:
    rows = _one(session, "homes", "number", [node["home"] for node in nodes])
    return {number: frozenset(heard(row["names"])) for number, row in rows.items()}


def _names(session: Session, numbers: Iterable[int]) -> Mapping[int, str]:
    return {number: row["id"] for number, row in _one(session, "nodes", "number", numbers).items()}


def _one(session: Session, table: str, column: str, values: Iterable[int]) -> dict[int, Row]:
    wanted = sorted(set(values))
    return {row[column]: row for row in session.rows(table, In(column, wanted))} if wanted else {}


def _all(session: Session, table: str, column: str, values: Iterable[int], order: str, *more: In) -> dict[int, list[Row]]:
    """Rows by what they have in a column, in the order of another one."""
    found: dict[Any, list[Row]] = {}
    wanted = sorted(set(values))
    for row in session.rows(table, In(column, wanted), *more, order=[column, order]) if wanted else ():
        found.setdefault(row[column], []).append(row)
    return found
