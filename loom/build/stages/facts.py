"""Knowledge bases among the sources: joined with their content, described, and written as parts and statements of their own.

Without a base nothing is written, and a generation is what it was before.
"""

from collections.abc import Sequence
from itertools import chain

from loom.build.stage import Stage, Work
from loom.core.errors import BadSource
from loom.core.facts.content import BaseContent
from loom.core.facts.describing import described
from loom.core.facts.lines import alignments, base_lines, fact_lines, span_lines, told
from loom.core.facts.part_mentions import press_mentions
from loom.core.facts.sealed import findables, joined, press
from loom.core.rdf.statements import Statements
from loom.ports import BaseReader


def take(work: Work) -> None:
    contents = _contents(work)
    if not contents:
        return
    ordered, found = joined(contents)
    documents = findables(contents, ordered, found)
    mentions = press_mentions(documents)
    contents = described(contents, documents, mentions)
    del documents
    facts = list(told(fact for one in found for fact in one.facts))
    stated = chain(*(base_lines(content.base) for content in contents), fact_lines(facts), span_lines(ordered))
    work.statements.append(Statements(asserted=sorted(set(stated)), implied=sorted(set(alignments(facts)))))
    for part, files in press(contents, ordered, found, mentions):
        work.parts[part] = files
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
