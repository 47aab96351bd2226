"""Saved verdicts of a relational audit, read back for computing: no model is asked, and quotes are checked again where the answer
is there to check them in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.exposure import READERS
from loom.core.values import Json
from loom.lab.judging.auditing import KIND
from loom.lab.judging.quotes import UNCITED, Cited, cited
from loom.lab.judging.relation import ABSENT, LABELS
from loom.lab.judging.units import CELLS
from loom.lab.lines import lines
from loom.lab.row import DEFAULT_MATCHER

OMITTED = "omitted"
"""The cell of a hit of an arm on an item that another arm's input did not expose."""

WORD, AS_ABSENT, DROPPED = "at_its_word", "counted_absent", "dropped"
READINGS = (WORD, AS_ABSENT, DROPPED)
"""The three readings of an unresolved verdict."""

AS_RUN, STRICT = "as_run", "verbatim_only"
RULES = (AS_RUN, STRICT)
"""Which quotes are accepted: verbatim or under the matcher's normalisation, or verbatim ones only."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One verdict. `label` is what the judge said at its word, None where nothing could be read; `resolved` as the audit ran."""

    key: tuple[str, ...]
    cell: str
    label: str | None
    resolved: bool
    quotes: Cited = UNCITED
    citation: str = ""
    role: str = "required"
    instead: bool = False
    template: str = ""
    gold_type: str = ""
    judge: str = ""

    @property
    def question(self) -> str:
        return "\0".join(self.key[:2])

    @property
    def arm(self) -> str:
        return self.key[2]

    @property
    def model(self) -> str:
        return self.key[3]

    def standing(self, rule: str) -> bool:
        """Whether the verdict may be relied on under a rule."""
        return self.resolved and (rule == AS_RUN or self.label == ABSENT or self.quotes.verbatim)

    def read(self, rule: str, reading: str) -> str | None:
        """The label under a rule and a reading; None where the verdict is out. A reply that could not be read has no word to be
        taken at, and is absent there."""
        if self.standing(rule) or (reading == WORD and self.label is not None):
            return self.label
        return None if reading == DROPPED else ABSENT

    def substitutes(self, rule: str, reading: str) -> bool:
        """Whether the answer asserts another accepted item in place of this one."""
        return self.instead and (self.standing(rule) or reading == WORD)


@dataclass(frozen=True, slots=True)
class Saved:
    """The verdicts of a file, the frame that they were drawn from, and how many of their quote flags turned out otherwise."""

    verdicts: tuple[Verdict, ...]
    frame: Mapping[str, int]
    corrected: int = 0


def read_verdicts(path: Path, judge: str | None = None, kind: str = KIND) -> Saved:
    """The verdicts of a file of JSON lines, those of one judge where several gave some. Raises BadInput.

    A line has at least `cell` and `label`; a line without a label that has `frame` states the frame's counts. `resolved` is true
    where it is not stated.
    """
    found: list[Verdict] = []
    frames: list[Mapping[str, Json]] = []
    corrected = 0
    for number, row in lines(path, "verdicts"):
        where = f"line {number} of {path}"
        if isinstance(row.get("frame"), Mapping) and row["frame"] not in frames:
            frames.append(row["frame"])
        if "frame" in row and "label" not in row:
            continue
        if row.get("kind", kind) != kind:
            raise BadInput(f"Expected verdicts of kind {kind}, but {where} is {row['kind']!r}.", param="verdicts")
        if judge is None or row.get("judge", judge) == judge:
            verdict, changed = _verdict(row, where)
            found.append(verdict)
            corrected += changed
    _checked(found, frames, path, judge)
    return Saved(tuple(found), _frame(frames[0], path) if frames else {}, corrected)


def _checked(found: Sequence[Verdict], frames: Sequence[Mapping[str, Json]], path: Path, judge: str | None) -> None:
    if not found:
        raise BadInput(
            f"Expected verdicts{f' of judge {judge!r}' if judge else ''} in {path}, but there are none.", param="verdicts"
        )
    judges = sorted({verdict.judge for verdict in found})
    if len(judges) > 1:
        raise BadInput(f"Expected the verdicts of one judge, but {path} has {', '.join(judges)}; choose with --by.", param="by")
    if len(frames) > 1:
        raise BadInput(f"Expected one frame, but {path} states {len(frames)}: it is of several audits.", param="verdicts")
    seen: set[tuple[str, ...]] = set()
    for verdict in found:
        if verdict.key in seen:
            raise BadInput(f"Expected one verdict a unit, but {' / '.join(verdict.key)} has two in {path}.", param="verdicts")
        seen.add(verdict.key)


def _frame(stated: Mapping[str, Json], path: Path) -> dict[str, int]:
    counts = {cell: stated.get(cell, 0) for cell in CELLS}
    if any(isinstance(count, bool) or not isinstance(count, int) or count < 0 for count in counts.values()):
        raise BadInput(f"Expected the frame of {path} to be whole numbers of units by cell, but got {stated!r}.", param="frame")
    return counts


def _verdict(row: Mapping[str, Json], where: str) -> tuple[Verdict, bool]:
    cell, label = row.get("cell"), row.get("label")
    if cell not in (*CELLS, OMITTED):
        raise BadInput(f"Expected cell to be one of {', '.join(CELLS)} in {where}, but got {cell!r}.", param="verdicts")
    if label is not None and label not in LABELS:
        raise BadInput(f"Expected label to be one of {', '.join(LABELS)} in {where}, but got {label!r}.", param="verdicts")
    resolved = row.get("resolved", label is not None)
    if not isinstance(resolved, bool):
        raise BadInput(f"Expected resolved to be true or false in {where}, but got {resolved!r}.", param="verdicts")
    quotes, changed = _quotes(row, label)
    if quotes is not None and isinstance(row.get("quote"), str) and isinstance(row.get("answer"), str):
        resolved = resolved and quotes.stands
    item = row.get("item", row.get("title", ""))
    key = (
        str(row.get("set") or ""),
        str(row.get("id") or where),
        str(row.get("arm") or ""),
        str(row.get("model") or ""),
        str(item),
    )
    return (
        Verdict(
            key,
            str(cell),
            label,
            resolved and label is not None,
            Cited(resolved, resolved) if quotes is None else quotes,
            str(row.get("citation") or ""),
            str(row.get("role") or "required"),
            row.get("instead") is True,
            str(row.get("template") or ""),
            str(row.get("gold_type") or ""),
            str(row.get("judge") or ""),
        ),
        changed,
    )


def _quotes(row: Mapping[str, Json], label: Json) -> tuple[Cited | None, bool]:
    """What is known of the quote of a verdict, and whether its flags say otherwise: looked up where answer and quote are there, else
    as stated; None where the line says nothing of quotes, so that only `resolved` can be gone by."""
    answer, quote, matcher = row.get("answer"), row.get("quote"), row.get("matcher")
    stated = None
    if "quote_verbatim" in row or "quote_normalised" in row:
        verbatim = row.get("quote_verbatim") is True
        stated = Cited(verbatim, row.get("quote_normalised", verbatim) is True)
    if label in (None, ABSENT) or not isinstance(answer, str) or not isinstance(quote, str):
        return stated, False
    found = cited(quote, answer, matcher if isinstance(matcher, str) and matcher in READERS else DEFAULT_MATCHER)
    return found, stated not in (None, found)
