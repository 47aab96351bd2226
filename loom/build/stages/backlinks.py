"""Who links here: the reverse of the links in texts, where a source does not state it."""

from dataclasses import replace

from loom.build.stage import Stage, Work
from loom.core.values import Iri

KEPT = 20


def link_back(work: Work) -> None:
    known = {concept.iri for concept in work.concepts}
    linking: dict[Iri, set[Iri]] = {}
    for concept in work.concepts:
        for link in concept.links:
            if link.iri in known and link.iri != concept.iri:
                linking.setdefault(link.iri, set()).add(concept.iri)
    for at, concept in enumerate(work.concepts):
        if concept.backlinks or concept.iri not in linking:
            continue
        found = sorted(linking[concept.iri])
        if len(found) > KEPT:
            work.report.note("backlinks-cut", f"{concept.iri}: {len(found)} links", concept.where)
        work.concepts[at] = replace(concept, backlinks=tuple(found[:KEPT]))


STAGE = Stage("backlinks", ("read",), link_back)
