"""Content files of a knowledge base become spans: text, verbatim, with the stretch of its attribute that it lies at.

Subtitles by their cues, transcripts by their times, markdown by sections, other text by paragraphs. What cannot be read is
remarked on and left out; nothing is guessed.
"""

from loom.core.facts.iris import span_iri
from loom.core.facts.layout import Layout
from loom.core.facts.values import Attribute, Base, SourceFile, Span
from loom.core.report import Report
from loom.core.values import Where
from loom_adapters.kb.clocked import read_clocked
from loom_adapters.kb.cues import read_cues
from loom_adapters.kb.sections import read_paragraphs, read_sections
from loom_adapters.kb.units import Read
from loom_adapters.kb.wording import sentence

CONTENT = ("transcript", "document", "text")
MARKDOWN = (".md", ".markdown")
SECTION, PARAGRAPH = "section", "paragraph"
LARGEST = 64 * 1024 * 1024
_UNITS = {
    "transcript": "lines such as [02:26] words, or cues with their times",
    "document": "sections with words",
    "text": "paragraphs",
}


def attribute_of(layout: Layout, source: SourceFile) -> str:
    """What the positions of a content file are counted in: what the manifest says, else sections or paragraphs."""
    if source.attribute or layout.kind == "transcript":
        return source.attribute
    return SECTION if layout.path.lower().endswith(MARKDOWN) else PARAGRAPH


def spans_of(base: Base, source: SourceFile, layout: Layout, data: bytes, report: Report) -> list[Span]:
    """The spans of a content file, by start; numbered from 1 in that order."""
    where = Where(layout.path)
    if len(data) > LARGEST:
        report.note("kb-too-large", sentence(f"at most {LARGEST:,} bytes", "the file has more", "split it"), where)
        return []
    text = _text(data, layout, report)
    if text is None:
        return []
    units, faults = _read(text, base, source, layout)
    for fault in faults:
        report.note(fault.kind, fault.message, Where(layout.path, fault.line))
    if not units:
        said = sentence(_UNITS[layout.kind], "none was found in the file", "write it so, or correct `kind`")
        report.note("kb-empty", said, Where(layout.path, 1))
    return [
        Span(
            span_iri(base.iri, layout.path, number), base.iri, source.iri, unit.start, unit.end, unit.label, unit.text,
            Where(layout.path, unit.line),
        )
        for number, unit in enumerate(units, 1)
    ]  # fmt: skip


def _text(data: bytes, layout: Layout, report: Report) -> str | None:
    """The text with plain line ends; None where it is not in its encoding."""
    try:
        text = data.decode(layout.encoding)
    except (UnicodeDecodeError, LookupError) as error:
        line = data[: error.start].count(b"\n") + 1 if isinstance(error, UnicodeDecodeError) else 1
        said = sentence(f"text in {layout.encoding}", "it is none", "save it as UTF-8, or state its `encoding`")
        report.note("kb-encoding", said, Where(layout.path, line))
        return None
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _read(text: str, base: Base, source: SourceFile, layout: Layout) -> Read:
    ending = layout.path.lower()
    if ending.endswith((".srt", ".vtt")):
        return read_cues(text, vtt=ending.endswith(".vtt"))
    name = attribute_of(layout, source)
    dates = declared(base, name).dates
    if layout.kind == "transcript":
        return read_clocked(text, dates=dates)
    words = [word for one in base.attributes if one.name == name for word, _ in one.words]
    return read_sections(text, name, words, dates=dates) if ending.endswith(MARKDOWN) else read_paragraphs(text, name)


def declared(base: Base, name: str) -> Attribute:
    """An attribute of a base, made where no manifest declares it: sections and paragraphs are counted by their name alone."""
    return next((one for one in base.attributes if one.name == name), Attribute(name, words=((name, "1"), (f"{name}s", "1"))))
