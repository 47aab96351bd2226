"""Ontologies and thesauri in files: OWL, RDFS and SKOS in Turtle, RDF/XML, N-Triples, JSON-LD, N3, TriG and N-Quads."""

import bz2
import gzip
import io
import lzma
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from urllib.parse import quote
from xml.etree import ElementTree

import pyoxigraph

from loom.core.errors import BadSource
from loom.core.rdf.blank import blank_names
from loom.core.rdf.describe import Describing
from loom.core.rdf.faults import Unreadable
from loom.core.rdf.formats import check_json_depth, detect, text_of, without_declaration
from loom.core.rdf.graph import Graph
from loom.core.rdf.labels import DEFAULT_LANGUAGES
from loom.core.rdf.lines import lines_of
from loom.core.rdf.owl import Ontology
from loom.core.rdf.statements import Statements
from loom.core.rdf.terms import LANG_STRING, STRING, Literal, Node, Term, is_blank, line
from loom.core.rdf.vocab import KNOWN, LABEL, OWL, SKOS, TYPE
from loom.core.rdf.xml import checked
from loom.core.reason.axioms import text as axiom_text
from loom.core.report import Report
from loom.core.text import slug_of
from loom.core.values import Concept, Iri, Where
from loom.ports import SourceFile, SourceFiles

MAX_UNPACKED = 1024 * 1024 * 1024
BASE = "https://loom.invalid/"
CATALOG = "catalog-v001.xml"

Beside = Callable[[Iri], SourceFile | None]

_FORMATS = {
    "turtle": pyoxigraph.RdfFormat.TURTLE,
    "n-triples": pyoxigraph.RdfFormat.N_TRIPLES,
    "n-quads": pyoxigraph.RdfFormat.N_QUADS,
    "trig": pyoxigraph.RdfFormat.TRIG,
    "n3": pyoxigraph.RdfFormat.N3,
    "rdf/xml": pyoxigraph.RdfFormat.RDF_XML,
    "json-ld": pyoxigraph.RdfFormat.JSON_LD,
}
_IN_MESSAGE = re.compile(r"'([^']+)'|`([^`]+)`|prefix ([\w.-]+:)")


class RdfFiles:
    """Reads every file of a source into one graph, and its classes, individuals and SKOS concepts as concepts.

    A file that cannot be read is a remark, and left out. `beside` finds the file of an import that the source does not hold.
    `rename` maps IRIs of a second namespace onto the first one. `statements` is known after `read` has ended.
    """

    def __init__(
        self,
        files: SourceFiles,
        *,
        languages: Sequence[str] = DEFAULT_LANGUAGES,
        beside: Beside = lambda iri: None,
        rename: Callable[[Iri], Iri] | None = None,
    ) -> None:
        self._files = files
        self._languages = languages
        self._beside = beside
        self._rename = rename
        self._statements: Statements | None = None

    def read(self, report: Report) -> Iterator[Concept]:
        reading = _Reading(report, self._rename)
        faults: list[str] = []
        for file in self._files.files(report):
            reading.take(file, faults)
        if not reading.names:
            seen = f": {faults[0]}" if faults else "; check the path"
            raise BadSource(f"Expected an ontology in Turtle, RDF/XML, N-Triples or JSON-LD, but no file could be read{seen}.")
        reading.imports(self._beside, faults)
        names, circular = blank_names(reading.graph)
        if circular:
            report.note("blank-node-circle", f"{circular:,} blank nodes", Where(reading.names[0]))
        ontology = Ontology(reading.graph, names)
        describing = Describing(ontology, self._languages, reading.places(), report.note)
        yield from describing.concepts()
        self._statements = _stated(reading, names, ontology, describing)

    def statements(self) -> Statements:
        """Axioms and triples of the source; raises BadSource where it was not read."""
        if self._statements is None:
            raise BadSource("Expected an ontology that has been read, but it was not; read it first.")
        return self._statements


def _stated(reading: "_Reading", names: Mapping[Node, str], ontology: Ontology, describing: Describing) -> Statements:
    graph = reading.graph

    def named(term: Term) -> Term:
        return names[term] if isinstance(term, str) and is_blank(term) else term

    asserted = {line(str(named(subject)), predicate, named(obj)) for subject, predicate, obj in graph}
    implied = {line(*edge) for edge in describing.edges()} - asserted
    return Statements(
        axioms=sorted(ontology.axioms(), key=axiom_text),
        asserted=sorted(asserted),
        implied=sorted(implied),
        prefixes=reading.prefixes,
        relations=describing.properties,
        about=frozenset(describing.all),
        broader=frozenset(describing.skos),
        members=frozenset(describing.individuals),
    )


class _Reading:
    """The graph of a source while its files are taken into it."""

    def __init__(self, report: Report, rename: Callable[[Iri], Iri] | None) -> None:
        self.graph = Graph()
        self.names: list[str] = []
        self.prefixes: dict[str, Iri] = {}
        self._report = report
        self._rename = rename
        self._lines: dict[str, dict[Iri, int]] = {}
        self._files_of: dict[Node, str] = {}
        self._catalog: dict[Iri, str] = {}
        self._import_lines: dict[tuple[str, Iri], int] = {}
        self._labelled: dict[tuple[Node, str], tuple[str, str]] = {}

    def take(self, file: SourceFile, faults: list[str]) -> bool:
        """Add one file; what is wrong with it is a remark."""
        try:
            data = _unpacked(file)
            if file.name.rsplit("/", 1)[-1] == CATALOG:
                self._catalog.update(catalog(data))
                return True
            self._add(file.name, data)
        except Unreadable as fault:
            where = Where(file.name, fault.line)
            self._report.note(fault.kind, fault.message, where)
            faults.append(f"{where}: {fault.message}")
            return False
        return True

    def _add(self, name: str, data: bytes) -> None:
        text = text_of(data)
        format = detect(name, text)
        prefixes: dict[str, Iri] = {}
        if format == "rdf/xml":
            text, prefixes = checked(without_declaration(text))
        elif format == "json-ld":
            check_json_depth(text)
        base = BASE + quote(name)
        triples, parser = _parsed(text, format, base)
        number = len(self.names)
        self.names.append(name)
        prefixes.update(parser.prefixes)
        for prefix, namespace in prefixes.items():
            self.prefixes.setdefault(prefix, self._renamed(namespace))
        stated = str(parser.base_iri or "")
        self._lines[name] = lines_of(text, format, prefixes, stated.rstrip("#"))
        relative = 0
        for subject, predicate, obj in triples:
            node = self._node(subject, number)
            value = self._term(obj, number)
            relative += node.startswith(BASE)
            if predicate.value == TYPE and value == OWL + "Ontology" and node.startswith(BASE):
                relative -= 1
            self._files_of.setdefault(node, name)
            self._note_label(node, predicate.value, value, name)
            if predicate.value == OWL + "imports" and isinstance(value, str):
                found = re.search(rf"imports\b[^\n]*{re.escape(value)}", text) or re.search(re.escape(value), text)
                self._import_lines[name, value] = text[: found.start()].count("\n") + 1 if found else 0
            self.graph.add(node, self._renamed(predicate.value), value)
        if relative:
            self._report.note("relative-iri", f"{relative:,} statements about IRIs that are relative to no base", Where(name))

    def _note_label(self, node: Node, predicate: Iri, value: Term, name: str) -> None:
        """One language, one label: a second one in another file means that two files describe different things by one IRI."""
        if predicate in (LABEL, SKOS + "prefLabel") and isinstance(value, Literal):
            first, file = self._labelled.setdefault((node, value.language), (value.text, name))
            if file != name and first != value.text:
                where = Where(name, self._lines[name].get(node, 0))
                self._report.note("label-collision", f"{node} is {first!r} in {file} and {value.text!r} here", where)

    def _renamed(self, iri: Iri) -> Iri:
        return self._rename(iri) if self._rename else iri

    def _node(self, node: "pyoxigraph.NamedNode | pyoxigraph.BlankNode", number: int) -> Node:
        if isinstance(node, pyoxigraph.BlankNode):
            return f"_:f{number}{node.value}"
        return self._renamed(node.value)

    def _term(self, term: object, number: int) -> Term:
        if isinstance(term, pyoxigraph.Literal):
            datatype = term.datatype.value
            return Literal(term.value, term.language or "", "" if datatype in (STRING, LANG_STRING) else datatype)
        if isinstance(term, pyoxigraph.NamedNode | pyoxigraph.BlankNode):
            return self._node(term, number)
        return Literal(str(term))

    def places(self) -> dict[Node, Where]:
        """File and line of each subject that has an IRI."""
        return {
            node: Where(name, self._lines[name].get(node, 0)) for node, name in self._files_of.items() if not is_blank(node)
        }

    def imports(self, beside: Beside, faults: list[str]) -> None:
        """Read what is imported and lies beside the source; say what is missing. Circles end, as each is read once."""
        tried: set[Iri] = set()
        while True:
            held = self._held()
            wanted = {
                (iri, subject)
                for subject in list(self.graph.subjects())
                for iri in self.graph.nodes(subject, OWL + "imports")
                if not self._has(iri, held) and iri not in tried and _bare(iri) not in KNOWN
            }
            if not wanted:
                return
            for iri, subject in sorted(wanted):
                if iri in tried:
                    continue
                tried.add(iri)
                file = beside(iri)
                if file is None:
                    name = self._files_of.get(subject, self.names[0])
                    self._report.note(
                        "missing-import", f"{iri} is imported and not here", Where(name, self._import_lines.get((name, iri), 0))
                    )
                elif file.name not in self.names:
                    self.take(file, faults)

    def _held(self) -> set[Iri]:
        ontologies = [one for one in self.graph.subjects() if OWL + "Ontology" in self.graph.nodes(one, TYPE)]
        held = {_bare(one) for one in ontologies}
        held |= {_bare(version) for one in ontologies for version in self.graph.nodes(one, OWL + "versionIRI")}
        held |= {_bare(iri) for iri, path in self._catalog.items() if path in self.names}
        return held

    def _has(self, iri: Iri, held: set[Iri]) -> bool:
        stem = slug_of(iri)
        return _bare(iri) in held or any(
            name.rsplit("/", 1)[-1] in (stem, *(stem + end for end in (".ttl", ".owl", ".rdf"))) for name in self.names
        )


def _bare(iri: Iri) -> Iri:
    return iri.rstrip("/#")


def catalog(data: bytes) -> dict[Iri, str]:
    """The files that an XML catalogue gives for IRIs: relative paths that stay below it."""
    try:
        root = ElementTree.fromstring(checked(without_declaration(text_of(data)))[0])
    except (Unreadable, ElementTree.ParseError):
        return {}
    found: dict[Iri, str] = {}
    for entry in root.iter():
        name, path = entry.get("name"), entry.get("uri", "").removeprefix("./")
        if (
            entry.tag.endswith("}uri")
            and name
            and path
            and ".." not in path.split("/")
            and ":" not in path
            and not path.startswith("/")
        ):
            found[name] = path
    return found


def _unpacked(file: SourceFile) -> bytes:
    """The bytes of a file that may be packed; raises Unreadable where it is damaged, or unfolds beyond the limit."""
    opener = next((one for ending, one in _OPENERS.items() if file.name.lower().endswith(ending)), None)
    if opener is None:
        return file.data
    try:
        with opener(io.BytesIO(file.data)) as packed:
            data = packed.read(MAX_UNPACKED + 1)
    except (OSError, EOFError, lzma.LZMAError, zlib.error, ValueError) as error:
        raise Unreadable("damaged-file", f"the packed file cannot be read ({error}); fetch it again") from None
    if len(data) > MAX_UNPACKED:
        raise Unreadable("file-too-large", f"it unpacks to more than {MAX_UNPACKED:,} bytes")
    return data


_OPENERS: Mapping[str, Callable[[io.BytesIO], "gzip.GzipFile | lzma.LZMAFile | bz2.BZ2File"]] = {
    ".gz": lambda data: gzip.GzipFile(fileobj=data),
    ".xz": lzma.LZMAFile,
    ".bz2": bz2.BZ2File,
}


def _parsed(text: str, format: str, base: Iri) -> "tuple[list[pyoxigraph.Triple], pyoxigraph.QuadParser]":
    """Every statement of a text, whichever graph it is in; raises Unreadable with the line."""
    parser = pyoxigraph.parse(text.encode("utf-8", "replace"), format=_FORMATS[format], base_iri=base)
    try:
        return [quad.triple for quad in parser], parser
    except (SyntaxError, ValueError, OSError) as error:
        said = re.sub(r"^Parser error.*?: (?=\S)", "", str(error.args[0] if error.args else error)).split("\n")[0]
        at = getattr(error, "lineno", None) or _found_at(text, said)
        raise Unreadable("bad-rdf", f"this is not {_called(format)}: {said[:300]}; {_remedy(said)}", at) from None


def _called(format: str) -> str:
    return {"rdf/xml": "RDF/XML", "json-ld": "JSON-LD", "trig": "TriG"}.get(format, format.title())


def _remedy(said: str) -> str:
    for words, remedy in (
        ("LoadDocumentCallback", "write the context into the file, as nothing is fetched"),
        ("prefix", "declare the prefix, or correct it"),
        ("parsing IRI", "correct the IRI (spaces and the like are written as %20)"),
        ("Invalid IRI", "correct the IRI (spaces and the like are written as %20)"),
        ("end of file", "the file ends early, fetch it again"),
        ("Unexpected end", "the file ends early, fetch it again"),
    ):
        if words in said:
            return remedy
    return "mend the line"


def _found_at(text: str, said: str) -> int:
    """The line that holds what a message without a line quotes; 0 where there is none."""
    if "LoadDocumentCallback" in said:
        return text[: max(text.find('"@context"'), 0)].count("\n") + 1
    for groups in _IN_MESSAGE.findall(said):
        quoted = next(filter(None, groups))
        at = text.find(quoted)
        if at >= 0:
            return text[:at].count("\n") + 1
    return 0
