"""The entries of some files, each read by what its name ends in."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from loom.core.claims.intake import lines
from loom.core.claims.intake.document import decoded, document
from loom.core.claims.intake.ids import entry
from loom.core.claims.records import Entry
from loom.core.report import Report
from loom.core.values import Where
from loom.ports import SourceFile, SourceFiles
from loom_adapters.entries.mail import read_mail, read_mailbox
from loom_adapters.entries.transcripts import looks_clocked, read_transcript

DOCUMENTS = (".md", ".markdown", ".txt", ".text")
SUBTITLES = (".srt", ".vtt")
MAIL, MAILBOX, LINES = ".eml", ".mbox", (".jsonl", ".ndjson")
READ = (*DOCUMENTS, *SUBTITLES, MAIL, MAILBOX, *LINES)
"""The endings of the files that are read."""

Read = Callable[[SourceFile, Report], Iterator[Entry]]


def is_entry(name: str) -> bool:
    """Whether a file of this name is read here."""
    return name.lower().endswith(READ)


class FileEntries:
    """An `EntryReader` over the files of a folder or an archive, in the order of their paths. A broken file is remarked on by its path
    and what is wrong with it, and the others are read."""

    def __init__(self, files: SourceFiles) -> None:
        self._files = files

    def entries(self, report: Report) -> Iterator[Entry]:
        for file in self._files.files(report):
            read = _reader(file.name.lower())
            if read is None:
                report.note("other-file", "not read", Where(file.name))
                continue
            yield from read(file, report)


def _reader(name: str) -> Read | None:
    table: Mapping[tuple[str, ...], Read] = {
        DOCUMENTS: _text,
        SUBTITLES: _transcript,
        (MAIL,): read_mail,
        (MAILBOX,): read_mailbox,
        LINES: _lines,
    }
    return next((read for endings, read in table.items() if name.endswith(endings)), None)


def _decoded(file: SourceFile, report: Report) -> str | None:
    """The text of a file that has one."""
    text = decoded(file.data)
    if text is None:
        report.note("not-text", "it is no UTF-8 text", Where(file.name))
    elif not text.strip():
        report.note("empty-file", "there is no text in it", Where(file.name))
        return None
    return text


def _text(file: SourceFile, report: Report) -> Iterator[Entry]:
    text = _decoded(file, report)
    if text is None:
        return
    if looks_clocked(text):
        yield from read_transcript(file.name, text, report)
        return
    found = document(text, file.name)
    if found.dated:
        report.note("bad-date", f"{found.dated[:40]!r} is no ISO date", Where(file.name))
    if not found.text.strip():
        report.note("empty-file", "there is no text behind its front matter", Where(file.name))
        return
    source = found.source or f"file:{file.name}"
    yield entry(source, found.text, kind=found.kind or "document", author=found.author, observed_at=found.observed_at)


def _transcript(file: SourceFile, report: Report) -> Iterator[Entry]:
    text = _decoded(file, report)
    if text is not None:
        yield from read_transcript(file.name, text, report)


def _lines(file: SourceFile, report: Report) -> Iterator[Entry]:
    text = _decoded(file, report)
    for line in lines.read(text, f"file:{file.name}") if text is not None else ():
        if line.why:
            report.note("broken-line", line.why, Where(file.name, line.number))
        if line.dated:
            report.note("bad-date", f"{line.dated[:40]!r} is no ISO date", Where(file.name, line.number))
        if line.replaces:
            report.note("replaces", "`replaces` is not read of a file", Where(file.name, line.number))
        if line.entry is not None:
            yield line.entry


@dataclass(slots=True)
class FakeEntries:
    """The in-memory `EntryReader`: entries as they are given, and remarks as (kind, message, where)."""

    given: Sequence[Entry] = ()
    remarks: Sequence[tuple[str, str, Where]] = ()

    def entries(self, report: Report) -> Iterator[Entry]:
        for kind, message, where in self.remarks:
            report.note(kind, message, where)
        yield from self.given
