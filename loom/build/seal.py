"""The last stage: concepts and the check report become the parts of a generation."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

import numpy as np

from loom.build.calibrating import calibrate
from loom.core import concepts as concepts_part
from loom.core import facets as facets_part
from loom.core import names as names_part
from loom.core.concepts import canonical
from loom.core.matching.default import DefaultLexicon, press_default
from loom.core.matching.lexicon import Entry
from loom.core.matching.reference import ReferenceLexicon, press_reference
from loom.core.report import Report
from loom.core.retrieval.confidence import Calibration
from loom.core.retrieval.look import Views
from loom.core.retrieval.pressing import press_text
from loom.core.retrieval.text import TextIndex
from loom.core.text import slug_of
from loom.core.values import Concept, Json
from loom.ports import Draft

PartOf = tuple[str, Mapping[str, bytes | np.ndarray]]


NOTHING_SPOKEN: Mapping[str, float] = {}


class PressedFiles:
    """The files of a part as they were pressed, before they are written."""

    def __init__(self, files: Mapping[str, bytes | np.ndarray]) -> None:
        self._files = files

    def array(self, name: str) -> np.ndarray:
        return np.asarray(self._files[name])

    def blob(self, name: str) -> memoryview:
        return memoryview(bytes(self._files[name]))


def parts(concepts: Sequence[Concept], report: Report, everyday: Mapping[str, float] = NOTHING_SPOKEN) -> Iterable[PartOf]:
    """Every part of a named-concept generation, in turn, so that only one is in memory. The order of `concepts` is the
    source's: of several titles with one slug the first names it under `reference`. `everyday` gives the Zipf values of words
    that are common in speech."""
    ordered = sorted(concepts, key=lambda concept: concept.iri)
    rows = {concept.iri: row for row, concept in enumerate(ordered)}
    entries = [
        Entry("")
        if concept.deprecated
        else Entry(concept.title, concept.aliases, slug_of(concept.iri), concept.full or concept.definition)
        for concept in ordered
    ]
    yield concepts_part.Concepts.KIND, concepts_part.press(ordered)
    yield ReferenceLexicon.KIND, press_reference(entries, [rows[concept.iri] for concept in concepts])
    lexicon, text = press_default(entries), press_text(ordered, everyday)
    yield DefaultLexicon.KIND, lexicon
    yield TextIndex.KIND, text
    quality = np.array([concept.quality or 0.0 for concept in ordered])
    views = Views(
        DefaultLexicon.open(PressedFiles(lexicon)), quality, TextIndex.open(PressedFiles(text)), lambda row: ordered[row].title
    )
    if calibration := calibrate.lexical(ordered, views):
        yield Calibration.KIND, {"calibration.json": canonical(calibration).encode("utf-8") + b"\n"}
    yield names_part.Names.KIND, names_part.press(ordered)
    yield facets_part.Facets.KIND, facets_part.press(ordered)
    yield "report", {"report.json": canonical(report.as_json()).encode("utf-8") + b"\n"}


def summary(calibration: Mapping[str, bytes | np.ndarray]) -> dict[str, Json]:
    """What a manifest says of a calibration; the part has the rest."""
    stated = json.loads(bytes(calibration["calibration.json"]))
    model = stated["lexical"]
    measured = model["measured"]
    return {
        "ece": measured["ece"],
        "part": model["part"],
        "everyday": model["everyday"],
        "tested": measured["tested"],
        "spoke": measured["spoke"],
        "reliability": measured["reliability"],
        "left_out": stated["left_out"],
    }


def counts(concepts: Sequence[Concept]) -> dict[str, Json]:
    """What a manifest says of its size; `deprecated` only where there are such."""
    retired = sum(concept.deprecated for concept in concepts)
    return {
        **({"deprecated": retired} if retired else {}),
        "concepts": len(concepts),
        "edges": sum(len(targets) for concept in concepts for _, targets in concept.relations),
        "parents": sum(len(concept.parents) for concept in concepts),
        "ancestors": sum(len(concept.ancestors or ()) for concept in concepts),
    }


def write(
    draft: Draft,
    concepts: Sequence[Concept],
    report: Report,
    extra: Mapping[str, Mapping[str, bytes | np.ndarray]] | None = None,
    *,
    everyday: Mapping[str, float] = NOTHING_SPOKEN,
    streams: Mapping[str, Mapping[str, Iterable[bytes]]] | None = None,
) -> None:
    """Put every part and the counts into a draft; `extra` is parts that stages made beside the concepts, `streams` further files of
    theirs."""
    for part, files in chain((extra or {}).items(), parts(concepts, report, everyday)):
        for name, data in files.items():
            draft.put(part, name, data)
        if part == Calibration.KIND:
            draft.note(part, summary(files))
    for part, pieces in (streams or {}).items():
        for name, stream in pieces.items():
            draft.put(part, name, stream)
    draft.note("counts", counts(concepts))
