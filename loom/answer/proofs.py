"""Receipts of a block: for all that it shows, where that stands, and the digest of the words that were served.

A receipt covers lines of one unit that state one thing: a value, a row, a unit of content, a concept. Who holds one can look it up in
the same generation and compare.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import groupby
from urllib.parse import quote, urlencode

from loom.answer.plan import Plan
from loom.core.concepts import Concepts
from loom.core.values import Evidence, Json, Role, Served, Stated

STATED = "stated"


def digest(lines: Sequence[str]) -> str:
    """The SHA-256 of lines as a block sets them: UTF-8, a line feed between two."""
    return sha256("\n".join(lines).encode("utf-8", "replace")).hexdigest()


def receipts(plan: Plan) -> list[dict[str, Json]]:
    """The receipts of a block in its order; together they cover each of its lines once."""
    concepts = plan.pin.generation.part(Concepts)
    return [
        {**receipt, "generation": plan.pin.generation.id}
        for number, served in enumerate(plan.block.served, 1)
        for receipt in _of(number, served, concepts)
    ]


def place(evidence: Evidence) -> dict[str, Json]:
    """Where a unit as a whole stands: its file, and the line or row there; nothing for what stands in no file."""
    if evidence.source.file:
        return {"file": evidence.source.file, **_given(line=evidence.source.line)}
    placed = [stated for stated in evidence.stated if stated and stated.file]
    if not placed or len({stated.file for stated in placed}) > 1:
        return {}
    rows = {stated.row for stated in placed if stated.row}
    return {"file": placed[0].file, **_given(row=rows.pop() if len(rows) == 1 else 0)}


def _of(number: int, served: Served, concepts: Concepts | None) -> Iterator[dict[str, Json]]:
    evidence = served.evidence
    told = evidence.stated or (None,) * len(evidence.lines)
    numbered = list(enumerate(zip(served.lines, told, strict=False)))
    for stated, group in groupby(numbered, key=lambda one: one[1][1]):
        places = [at for at, _ in group]
        first, end = places[0], places[-1] + 1
        lines = served.lines[first:end]
        what = _concept(evidence, concepts) if stated is None else _stated(stated)
        yield {
            "number": number,
            "lines": [first, end],
            "tier": evidence.tier.name.lower(),
            **what,
            "sha256": digest(lines),
        }


def _concept(evidence: Evidence, concepts: Concepts | None) -> dict[str, Json]:
    check = f"/loom/units/{quote(evidence.iri, safe='')}" if concepts and concepts.row(evidence.iri) is not None else ""
    return {"iri": evidence.iri, **place(evidence), **_given(check=check)}


def _stated(stated: Stated) -> dict[str, Json]:
    window = {"start": stated.start, **_given(end=stated.end)} if stated.start else {}
    return {
        "iri": stated.iri,
        "role": stated.role.name.lower(),
        **_given(
            source=stated.source,
            file=stated.file,
            row=stated.row,
            line=stated.line,
            metric=stated.metric,
            statistic=stated.statistic,
            value=stated.value,
            unit=stated.unit,
            position=stated.position,
            at=window,
            check=_check(stated),
        ),
    }


def _check(stated: Stated) -> str:
    """The request that gives it by itself; "" where none does."""
    if stated.statistic and stated.source:
        return "/loom/facts?" + urlencode({"source": stated.source, "metric": stated.metric, "statistic": stated.statistic})
    if stated.source and stated.start and stated.role is not Role.HEADING:
        return f"/loom/spans/{quote(stated.source, safe='/:')}?{urlencode({'at': stated.start})}"
    if stated.row and not stated.metric:
        return "/loom/facts?" + urlencode({"source": stated.source, "statistic": STATED})
    return ""


def _given(**members: Json) -> dict[str, Json]:
    """Those that there are."""
    return {name: value for name, value in members.items() if value}
