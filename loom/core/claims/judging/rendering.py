"""An artifact as plain text: what is cited, with marks; beside each, in every register, what it assumes without evidence and what
disputes it (seed 001 §3.2)."""

import re
from collections.abc import Callable, Mapping

from loom.core.claims.judging.asked import Brief, Cited
from loom.core.claims.judging.given import Artifact
from loom.core.mint.neutral import neutral

ASSUMES, DISPUTES = "Assumed without evidence", "Disputed by"
_MARK = re.compile(r"\[(\d+)\]")


def render(brief: Brief) -> Artifact:
    """The text of a brief: every source cited once, in its order, with its assumptions and disputes."""
    parts = [_part(brief.register, number, cited) for number, cited in enumerate(brief.cited, 1)]
    sources = "\n".join(_source(number, each) for number, each in enumerate(brief.cited, 1))
    head = _HEADS[brief.register](shown(brief.request), shown(brief.audience))
    body = "\n".join(parts) or "Nothing that may be cited was found."
    text = "\n\n".join(part for part in (head, body, f"Sources\n{sources}" if sources else "") if part)
    return Artifact(text + "\n", tuple(each.id for each in brief.cited))


def shown(text: str) -> str:
    """A text as one line in which nothing reads as a citation mark or a control token."""
    return _MARK.sub(r"(\1)", neutral(text))


def notes(cited: Cited) -> list[str]:
    """What has to be printed beside a source, a line each."""
    found = [f"{ASSUMES}: {shown(each)}" for each in cited.preconditions]
    return found + [f"{DISPUTES} {shown(id)}: {shown(text)}" for id, text in cited.conflicts]


def missing(text: str, brief: Brief) -> list[tuple[int, str]]:
    """The notes that a text does not print though it cites their source: (number of the source, line)."""
    held = " ".join(text.split())
    marks = {int(mark) for mark in _MARK.findall(text)}
    return [
        (number, note)
        for number, cited in enumerate(brief.cited, 1)
        if number in marks
        for note in notes(cited)
        if note.partition(": ")[2] not in held
    ]


def completed(text: str, brief: Brief) -> Artifact:
    """A text that a model wrote, with the notes that it left out and its sources: marks of no source are taken out."""
    known = range(1, len(brief.cited) + 1)
    text = _MARK.sub(lambda mark: mark[0] if int(mark[1]) in known else "", text).strip()
    marks = list(dict.fromkeys(int(mark) for mark in _MARK.findall(text)))
    left = [f"- [{number}] {note}" for number, note in missing(text, brief)]
    sources = [_source(number, brief.cited[number - 1]) for number in marks]
    parts = [text, "\n".join(left), "Sources\n" + "\n".join(sources) if sources else ""]
    return Artifact("\n\n".join(part for part in parts if part) + "\n", tuple(brief.cited[number - 1].id for number in marks))


def _part(register: str, number: int, cited: Cited) -> str:
    text = shown(cited.text)
    said = f"{text.removesuffix('.')} [{number}]."
    lead = {"specification": f"R{number}. ", "message": ""}.get(register, "- ")
    return "\n".join((lead + said, *(f"  - {note}" for note in notes(cited))))


def _source(number: int, cited: Cited) -> str:
    return f"[{number}] {shown(cited.id)}" + (f" ({shown(cited.standing)})" if cited.standing else "")


_HEADS: Mapping[str, Callable[[str, str], str]] = {
    "report": lambda request, audience: f"# {request}\n\nFor {audience}." if audience else f"# {request}",
    "specification": lambda request, audience: f"# Specification: {request}" + (f"\n\nFor {audience}." if audience else ""),
    "summary": lambda request, audience: f"{request}",
    "message": lambda request, audience: f"To {audience}: {request}" if audience else request,
}
