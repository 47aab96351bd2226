"""Knowledge bases among the sources: joined with their content, described, and written as parts and statements of their own.

Without a base nothing is written, and a generation is what it was before.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from loom.build.stage import Stage, Work
from loom.core.errors import BadSource
from loom.core.facts.content import BaseContent
from loom.core.facts.describing import described
from loom.core.facts.lines import alignments, base_lines, fact_lines, span_lines, told
from loom.core.facts.linking import linked
from loom.core.facts.part_mentions import press_mentions
from loom.core.facts.part_series import SeriesPart, press_series
from loom.core.facts.placing import Placed
from loom.core.facts.sealed import findables, joined, press
from loom.core.rdf.statements import Statements
from loom.core.report import Report
from loom.core.values import Concept
from loom.ports import BaseReader


def take(work: Work) -> None:
    contents = _contents(work)
    if not contents:
        return
    contents = linked(contents, work.concepts)
    ordered, found = joined(contents)
    documents = findables(contents, ordered, found)
    mentions = press_mentions(documents)
    contents = described(contents, documents, mentions)
    del documents
    facts = list(told(fact for one in found for fact in one.facts))
    stated = chain(*(base_lines(content.base) for content in contents), fact_lines(facts), span_lines(ordered))
    work.statements.append(Statements(asserted=sorted(set(stated)), implied=sorted(set(alignments(facts)))))
    work.notes["bases"] = {
        content.base.iri: {
            "title": content.base.title,
            "sources": len(content.base.sources),
            "facts": len(content.facts),
            "spans": len(content.spans),
            "readings": sum(len(one.columns) for one in content.series),
        }
        for content in contents
    }
    del facts, stated
    # Readings may be most of what is held: they are let go of before anything else is written.
    series = [one for each in found for one in each.series]
    found = [Placed(each.facts, []) for each in found]
    contents = [replace(content, series=()) for content in contents]
    work.sources = [replace(one, reader=TAKEN) if isinstance(one.reader, BaseReader) else one for one in work.sources]
    pressed = press_series(series)
    del series
    for part, files in press(contents, ordered, found, mentions):
        work.parts[part] = files
    work.parts[SeriesPart.KIND] = pressed


class _Taken:
    """A reader whose content was taken over."""

    def read(self, report: Report) -> Iterator[Concept]:
        yield from ()


TAKEN = _Taken()


def _contents(work: Work) -> Sequence[BaseContent]:
    """What the bases among the sources hold, by IRI."""
    found: dict[str, BaseContent] = {}
    for source in work.sources:
        if not isinstance(source.reader, BaseReader) or (content := source.reader.content()) is None:
            continue
        if content.base.iri in found:
            raise BadSource(
                f"{source.name}: expected a knowledge base with an IRI of its own, but {content.base.iri} is that of "
                f"{found[content.base.iri].base.title!r}, too; change `id` or `iri` in one of the two kb.toml."
            )
        found[content.base.iri] = content
    return [found[iri] for iri in sorted(found)]


STAGE = Stage("facts", ("read",), take)
