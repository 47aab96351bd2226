"""Shapes that a corpus must fit (SHACL), checked by pyshacl over its triples."""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from loom.core.errors import BadInput, MissingExtra
from loom.core.rdf.shapes import SEVERITIES, Violation
from loom.core.text import slug_of

SHACL = "http://www.w3.org/ns/shacl#"
_FORMATS = {".ttl": "turtle", ".nt": "nt", ".rdf": "xml", ".owl": "xml", ".xml": "xml", ".n3": "n3"}


class ShaclShapes:
    """The shapes of one file. Raises BadInput where it cannot be read or holds no shape, MissingExtra without pyshacl."""

    def __init__(self, path: Path) -> None:
        try:
            import pyshacl
            import rdflib
        except ImportError as error:
            raise MissingExtra("Shapes need pyshacl; install it with `pip install 'loom-node[shacl]'`.") from error
        logging.getLogger("pyshacl").setLevel(logging.ERROR)
        self._validate: Any = pyshacl.validate
        self._graph: Any = rdflib.Graph
        self._shapes = rdflib.Graph()
        format = _FORMATS.get(path.suffix.lower(), "turtle")
        try:
            self._shapes.parse(data=path.read_bytes(), format=format)
        except OSError as error:
            raise BadInput(
                f"Expected a file of shapes at {path}, but it cannot be read ({error.strerror}).", param="shapes"
            ) from error
        except Exception as error:  # rdflib's parsers raise whatever they come upon
            said = " ".join(str(error).split())[:300]
            raise BadInput(
                f"Expected shapes as {format} in {path.name}, but they cannot be read: {said}.", param="shapes"
            ) from error
        wanted = {rdflib.URIRef(SHACL + name) for name in ("NodeShape", "PropertyShape")}
        if not any(one in wanted for one in self._shapes.objects(None, rdflib.RDF.type)):
            raise BadInput(
                f"Expected shapes in {path.name}, but it states none (sh:NodeShape, sh:PropertyShape).", param="shapes"
            )

    def violations(self, triples: bytes) -> Iterator[Violation]:
        """What does not fit, in the order of nodes. `triples` is N-Triples."""
        data = self._graph()
        data.parse(data=triples, format="nt")
        try:
            _, results, _ = self._validate(data, shacl_graph=self._shapes, inference="none", advanced=False, meta_shacl=False)
        except Exception as error:  # a shape that is none ends in whatever pyshacl comes upon
            said = " ".join(str(error).split())[:300]
            raise BadInput(f"Expected shapes that can be checked, but they cannot: {said}.", param="shapes") from error
        from rdflib import RDF, URIRef

        found = []
        for result in results.subjects(RDF.type, URIRef(SHACL + "ValidationResult")):

            def value(name: str, result: Any = result) -> str:
                return str(results.value(result, URIRef(SHACL + name)) or "")

            severity = SEVERITIES.get(slug_of(value("resultSeverity")), "error")
            messages = sorted(str(one) for one in results.objects(result, URIRef(SHACL + "resultMessage")))
            path = slug_of(value("resultPath")).rsplit("#", 1)[-1]
            found.append(
                Violation(
                    value("focusNode"), severity, "; ".join(messages) or slug_of(value("sourceConstraintComponent")), path
                )
            )
        return iter(sorted(found))


class FakeShapes:
    """Says the same of any triples."""

    def __init__(self, violations: list[Violation]) -> None:
        self._violations = violations

    def violations(self, triples: bytes) -> Iterator[Violation]:
        return iter(self._violations)
