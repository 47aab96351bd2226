"""Assertions from files: JSON lines of them, and what `loom lab extract` writes; compared with their documents where these are given."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.proposals.assertion import NO_SPAN, Assertion, Span, assertion_of
from loom.core.values import Json
from loom.lab.extraction.transcripts import SUFFIXES, read
from loom.lab.judging.quotes import cited
from loom.lab.lines import lines

QUOTE = "quote: "
"""What a source of an extraction says before the words that it cites."""


def assertions_in(path: Path, arm: str | None = None) -> Iterator[Assertion]:
    """The assertions of a file, in its order. Of an extraction in several arms those of `arm` are taken, or else those of the grounded
    arm where it has any: the same claim in two wordings is not two. Raises BadInput."""
    rows = list(lines(path, "assertions"))
    extracted = [row for _, row in rows if _is_extraction(row)]
    arms = dict.fromkeys(str(row.get("arm") or "") for row in extracted)
    if arm is not None and arm not in arms:
        raise BadInput(f"Expected --arm among {', '.join(arms) or 'those of an extraction'}, but got {arm!r}.", param="arm")
    chosen = arm if arm is not None else "grounded" if "grounded" in arms else None
    for number, row in rows:
        where = f"line {number} of {path}"
        if not _is_extraction(row):
            yield assertion_of(row, where)
        elif chosen is None or row.get("arm") == chosen:
            for each in row["assertions"]:
                yield _of_extraction(each, str(row["transcript"]), where)


def _is_extraction(row: Mapping[str, Json]) -> bool:
    return isinstance(row.get("assertions"), list) and isinstance(row.get("transcript"), str)


def _of_extraction(stated: Json, transcript: str, where: str) -> Assertion:
    if not isinstance(stated, Mapping):
        raise BadInput(f"Expected assertions of an extraction in {where}, but got {str(stated)[:60]!r}.", param="assertions")
    told = str(stated.get("source") or "")
    quote = told.partition(QUOTE)[2] or told
    made: dict[str, Json] = {
        "text": stated.get("claim"),
        "source": transcript,
        "span": quote or None,
        "tier": stated.get("tier"),
        "confidence": stated.get("confidence"),
        "terms": stated.get("ontology_terms"),
    }
    return assertion_of(made, where)


class Documents:
    """The documents that assertions were taken from, by the names of their files, with their suffix or without."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise BadInput(f"Expected a folder of documents, but {folder} is none.", param="documents")
        self._paths: dict[str, Path] = {}
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix.lower() in SUFFIXES:
                for name in (path.relative_to(folder).as_posix(), path.name, path.stem):
                    self._paths.setdefault(name, path)
        self._texts: dict[Path, str] = {}

    def text(self, source: str) -> str | None:
        path = self._paths.get(source)
        if path is None:
            return None
        if path not in self._texts:
            self._texts[path] = read(path).text
        return self._texts[path]


def compared(assertions: Iterable[Assertion], documents: Documents) -> Iterator[Assertion]:
    """Assertions, verified where their span (their text where they have none) stands in their document, and not where it does not,
    whatever was said before; of a document that is not there, as they came."""
    for each in assertions:
        text = documents.text(each.source)
        if text is None:
            yield each
            continue
        quote = each.span.text or each.text
        stands = cited(quote, text, "default").stands
        at = text.find(quote) if stands and each.span.start is None else -1
        span = each.span if each.span != NO_SPAN else Span(quote) if stands else NO_SPAN
        yield replace(each, verified=stands, span=Span(quote, at, at + len(quote)) if at >= 0 else span)
