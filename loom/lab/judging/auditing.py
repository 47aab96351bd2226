"""The relational audit: each sampled unit put to a judge, its quote checked, and asked for again once where it is not there."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from loom.core.values import Json
from loom.lab.asking import Asker
from loom.lab.judging.book import Book
from loom.lab.judging.consulting import ask, consult, signed
from loom.lab.judging.families import Judge, Writer
from loom.lab.judging.fences import LONGEST, asked_again, prompt_digest
from loom.lab.judging.quotes import UNCITED, Cited, cited
from loom.lab.judging.relation import ABSENT, FORMAT, RUBRIC_DIGEST, VERBATIM, Finding, prompt_of, read, read_again
from loom.lab.judging.units import Unit
from loom.lab.judging.working import Job, Step, Worked, work

KIND = "relation"
MEMBERS = ("set", "id", "arm", "model", "item", "judge")

FIRST, REPAIRED, CONCEDED, MISQUOTED, UNREADABLE, NONE_DUE = (
    "first",
    "repaired",
    "conceded",
    "misquoted",
    "unreadable",
    "none_due",
)
"""What became of a citation: it stood at once, or after being asked for again; the judge said that there is none, or named another
that is not there; the reply could not be read; or the verdict is absent and needs none."""


@dataclass(frozen=True, slots=True)
class Audited:
    """How an audit went, and the digest of its verdicts."""

    worked: Worked
    sha256: str


async def audit(
    units: Iterable[Unit],
    out: Path,
    asker: Asker,
    judge: Judge,
    *,
    matcher: str = "default",
    seed: int = 42,
    concurrency: int = 4,
    writers: Mapping[str, Writer] | None = None,
    facts: Mapping[str, Json] | None = None,
    kept: Step = lambda: None,
    only: bool = False,
) -> Audited:
    """Put units to a judge and leave their verdicts in `out`, in the order given; those that are there already are not asked for.

    `facts` go into every verdict (the frame's counts, for one), so that the file says all that computing again needs. A unit whose
    answer is empty is absent without a judge. `writers` are who wrote the answers, by their names in the study. With `only` the
    file ends with these units and facts, else further verdicts that lie there stay. Raises BadInput.
    """
    chosen = list(units)
    with Book(out, KIND, MEMBERS).open() as book:
        jobs, shared = [], {"matcher": matcher, "seed": seed, **(facts or {})}
        for unit in chosen:
            writer = (writers or {}).get(unit.model) or Writer(unit.model)
            prompt = prompt_digest(prompt_of(unit))
            jobs.append(Job((*unit.key, judge.name), prompt, _getting(asker, judge, unit, writer, shared)))
        worked = await work(jobs, book, seed, concurrency, kept)
        order = {(*unit.key, judge.name): unit for unit in chosen}
        if only:
            there = {key: unit for key, unit in order.items() if key in book.rows}
            book.rows = {key: {**book.rows[key], **unit.as_json(), **shared} for key, unit in there.items()}
        return Audited(worked, book.settle(order))


def _getting(
    asker: Asker, judge: Judge, unit: Unit, writer: Writer, shared: Mapping[str, Json]
) -> Callable[[], Awaitable[dict[str, Json] | str]]:
    async def get() -> dict[str, Json] | str:
        return await verdict(asker, judge, unit, writer, shared)

    return get


async def verdict(asker: Asker, judge: Judge, unit: Unit, writer: Writer, shared: Mapping[str, Json]) -> dict[str, Json] | str:
    """The verdict on one unit, or why there is none.

    `label` is what the judge said at first, whatever became of its quote; `resolved` whether it may be relied on. A quote that is
    asked for again repairs the verdict where it stands in the answer and the judge keeps to its label.
    """
    if not unit.answer.strip():
        return _row(unit, shared, _unasked(judge, unit), Finding(ABSENT), NONE_DUE, UNCITED, "")
    consulted = await consult(asker, judge, prompt_of(unit), read, FORMAT, purpose="audit", writer=writer)
    if consulted.error is not None:
        return consulted.error
    by = signed(judge, RUBRIC_DIGEST, consulted, writer)
    found = consulted.read
    if found is None:
        return _row(unit, shared, by, None, UNREADABLE, UNCITED, "")
    if found.label == ABSENT:
        return _row(unit, shared, by, found, NONE_DUE, UNCITED, "")
    shown = unit.answer[:LONGEST]
    stands = cited(found.quote, shown, str(shared["matcher"]))
    if stands.stands:
        return _row(unit, shared, by, found, FIRST, stands, found.quote)
    last = consulted.said[-1].text
    again = await ask(asker, judge, asked_again(consulted.sent, last, VERBATIM), "audit")
    if again.error is not None:
        return again.error
    by = {
        **by,
        "asks": len(consulted.said) + 1,
        "calls": [*(said.key for said in consulted.said), again.key],
        "replies": [*(said.text for said in consulted.said), again.text],
    }
    second = read_again(again.text)
    label, quote = second or (None, "")
    stands = cited(quote, shown, str(shared["matcher"]))
    if not quote or label == ABSENT:
        return _row(unit, shared, by, found, CONCEDED if second else UNREADABLE, UNCITED, quote)
    kept = stands.stands and label in (None, found.label)
    return _row(unit, shared, by, found, REPAIRED if kept else MISQUOTED, stands, quote)


def _row(
    unit: Unit,
    shared: Mapping[str, Json],
    by: Mapping[str, Json],
    found: Finding | None,
    citation: str,
    stands: Cited,
    quote: str,
) -> dict[str, Json]:
    resolved = citation in (FIRST, REPAIRED, NONE_DUE)
    return {
        "kind": KIND,
        **unit.as_json(),
        **by,
        "label": found.label if found else None,
        "role": (found.role if found else None) or ("alternative" if unit.gold_type == "any" else "required"),
        "instead": found.instead if found else None,
        "confidence": found.confidence if found else None,
        "quote": quote,
        "first_quote": found.quote if found else "",
        "citation": citation,
        "quote_verbatim": stands.verbatim,
        "quote_normalised": stands.normalised,
        "resolved": resolved,
        **shared,
    }


def _unasked(judge: Judge, unit: Unit) -> dict[str, Json]:
    """An empty answer is never judged: there is nothing in it."""
    return {
        "judge": judge.name,
        "judge_requested": None,
        "judge_reported": None,
        "judge_family": None,
        "kinship": None,
        "rubric": RUBRIC_DIGEST,
        "prompt": prompt_digest(prompt_of(unit)),
        "asks": 0,
        "calls": [],
        "replies": [],
    }
