"""Transcripts as entries: subtitles, and text whose lines begin with a time. Cues are read as those of knowledge bases are."""

import re
from collections.abc import Iterator

from loom.core.claims.intake.document import day_in
from loom.core.claims.intake.ids import entry
from loom.core.claims.intake.transcript import turns
from loom.core.claims.records import Entry
from loom.core.report import Report
from loom.core.values import Where
from loom_adapters.kb.clocked import read_clocked
from loom_adapters.kb.cues import read_cues

KIND = "transcript"
_CLOCKED = re.compile(r"^\s*[\[(]\s*\d{1,4}:\d{2}(?::\d{2})?(?:[.,]\d+)?\s*(?:(?:-->|[-–—])\s*[\d:.,]+\s*)?[\])]", re.MULTILINE)
FEWEST = 2
"""Lines with a time in brackets from which a text is a transcript."""


def looks_clocked(text: str) -> bool:
    """Whether a text is a transcript: its first line with words begins with a time, and so does another."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    return bool(_CLOCKED.match(first)) and len(_CLOCKED.findall(text)) >= FEWEST


def read_transcript(name: str, text: str, report: Report) -> Iterator[Entry]:
    """The one entry of a transcript; a cue that cannot be read is remarked on with its line."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    subtitles = name.lower().endswith((".srt", ".vtt"))
    units, faults = read_cues(text, name.lower().endswith(".vtt")) if subtitles else read_clocked(text)
    for fault in faults:
        report.note("broken-cue", fault.message, Where(name, fault.line))
    said = turns(unit.text for unit in units)
    if not said.strip():
        report.note("no-cues", "no line of it has a time and words", Where(name))
        return
    yield entry(f"file:{name}", said, kind=KIND, observed_at=day_in(name))
