"""The part `triples`: what is stated and what follows from it, as two sorted files of N-Triples without blank nodes.

`asserted.nt` holds the statements of the sources: those of ontologies as they are, those of pages in the vocabulary of a
concept's Turtle form. `inferred.nt` holds what the closure adds: ancestors beyond the stated parents, and restrictions read as
relations. No line is in both. `prefixes.json` maps prefixes to namespaces, those of the corpus included. `graphs.nq` holds the graphs
that a build was given beside its sources, as sorted N-Quads; it is there only where there are any.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from loom.build.sorting import SortedLines
from loom.build.stage import Stage, Work
from loom.core.concepts import canonical
from loom.core.rdf.described import asserted, below, labelled
from loom.core.rdf.vocab import BROADER, BROADER_TRANSITIVE, SUB_CLASS, TYPE
from loom.core.represent import PREFIXES
from loom.core.text import slug_of
from loom.core.values import Concept, Iri, Json, Ref

PART = "triples"
MOST_PREFIXES = 8
_LEAST_SHARE = 0.02


def write(work: Work) -> None:
    stated = {line for one in work.statements for line in one.asserted}
    stated.update(_of_pages(work))
    inferred = {line for one in work.statements for line in one.implied}
    inferred.update(_inferred(work))
    inferred -= stated
    counts: dict[str, Json] = {"asserted": len(stated), "inferred": len(inferred)}
    work.notes[PART] = counts
    if work.graphs:
        work.streams[PART] = {"graphs.nq": _graphs(work, counts)}
    files: dict[str, bytes | np.ndarray] = {"asserted.nt": _lines(stated), "inferred.nt": _lines(inferred)}
    files["prefixes.json"] = canonical(_prefixes(work)).encode() + b"\n"
    work.parts[PART] = files


def _graphs(work: Work, counts: dict[str, Json]) -> SortedLines:
    """The named graphs beside the two, counted, and noted under the last word of their names."""
    found = SortedLines()
    for iri, pour in work.graphs.items():
        name, before = iri.rpartition(":")[2], len(found)
        end = f" <{iri}> ."

        def take(line: str, end: str = end) -> None:
            found.add(line.removesuffix(" .") + end)

        work.notes[name] = pour(take)
        found.settle()
        counts[name] = len(found) - before
    return found


def _lines(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in sorted(lines)).encode("utf-8", "replace")


def _of_pages(work: Work) -> Iterator[str]:
    """Concepts that no ontology describes, and the labels of what they refer to."""
    described = frozenset[Iri]().union(*(one.about for one in work.statements))
    known = {concept.iri for concept in work.concepts}
    labels: dict[Iri, str] = {}
    for concept in work.concepts:
        if concept.iri in described:
            continue
        yield from asserted(concept)
        for ref in _refs(concept):
            if ref.iri not in known and ref.label:
                labels.setdefault(ref.iri, ref.label)
    yield from (labelled(iri, label) for iri, label in labels.items())


def _refs(concept: Concept) -> Iterator[Ref]:
    yield from concept.parents
    for _, refs in concept.relations:
        yield from refs


def _inferred(work: Work) -> Iterator[str]:
    """Everything above a concept that is not stated to be directly above it. SKOS concepts are not classes."""
    broader = frozenset[Iri]().union(*(one.broader for one in work.statements))
    members = frozenset[Iri]().union(*(one.members for one in work.statements))
    for concept in work.concepts:
        if concept.iri in broader:
            for ref in concept.parents:
                yield below(concept.iri, ref.iri, BROADER)
            predicate = BROADER_TRANSITIVE
        else:
            predicate = TYPE if concept.iri in members else SUB_CLASS
        for ref in (*concept.parents, *(concept.ancestors or ())):
            yield below(concept.iri, ref.iri, predicate)


def _prefixes(work: Work) -> Mapping[str, Iri]:
    """Prefixes of the vocabulary, of the sources, and of the namespaces in which most concepts lie."""
    found = dict(PREFIXES)
    for one in work.statements:
        for prefix, namespace in one.prefixes.items():
            found.setdefault(prefix, namespace)
    spaces = Counter(concept.iri[: len(concept.iri) - len(slug_of(concept.iri))] for concept in work.concepts)
    for namespace, count in sorted(spaces.items(), key=lambda item: (-item[1], item[0]))[:MOST_PREFIXES]:
        name = slug_of(namespace.rstrip(":/#")).lower()
        name = name if name.isalnum() and name[0].isalpha() else "corpus"
        if count >= _LEAST_SHARE * len(work.concepts) and namespace not in found.values() and namespace:
            found.setdefault(name, namespace)
    return found


STAGE = Stage("triples", ("facts", "reason"), write)
