"""Oxigraph over the triples of one generation: loaded once, then asked."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO, cast

import pyoxigraph as ox

from loom.core.errors import LoomError
from loom.core.sparql import media
from loom.core.sparql.asked import Asked
from loom.core.sparql.description import description
from loom.core.sparql.errors import BadQuery, QueryDied
from loom.core.sparql.limits import Limits
from loom.core.sparql.loose import of_triples, with_rows
from loom.core.sparql.part import ASSERTED, INFERRED, Triples
from loom.core.sparql.scan import refuse_unknown, scan
from loom_adapters.sparql.cut import Cutter, Enough
from loom_adapters.sparql.outlet import Gone, Outlet

RESULTS = {
    "json": ox.QueryResultsFormat.JSON,
    "xml": ox.QueryResultsFormat.XML,
    "csv": ox.QueryResultsFormat.CSV,
    "tsv": ox.QueryResultsFormat.TSV,
}
GRAPHS = {
    "turtle": ox.RdfFormat.TURTLE,
    "ntriples": ox.RdfFormat.N_TRIPLES,
    "rdfxml": ox.RdfFormat.RDF_XML,
    "jsonld": ox.RdfFormat.JSON_LD,
}
SAID_MOST = 400


def file(value: object) -> IO[bytes]:
    """As the engine's types have it; it calls no more than read, or write and flush."""
    return cast("IO[bytes]", value)


class View:
    """A mapped file, read piece by piece, so that it is never copied whole."""

    def __init__(self, data: memoryview) -> None:
        self._data = data
        self._at = 0

    def read(self, size: int = -1) -> bytes:
        end = len(self._data) if size < 0 else min(len(self._data), self._at + size)
        piece = bytes(self._data[self._at : end])
        self._at = end
        return piece


@dataclass(frozen=True)
class Engine:
    """`graphs` are the named graphs and their sizes; the default graph is the union of all of them."""

    store: ox.Store
    graphs: Mapping[str, int]
    prefixes: Mapping[str, str]
    generation: str
    limits: Limits

    @classmethod
    def load(cls, triples: Triples, generation: str, limits: Limits, *, further: bool = False) -> "Engine":
        """Load a part. `further` says that it has graphs beside the two."""
        store = ox.Store()
        graphs: dict[str, int] = {}
        for graph in (ASSERTED, INFERRED):
            before = len(store)
            store.bulk_load(file(View(triples.graph(graph))), ox.RdfFormat.N_TRIPLES, to_graph=ox.NamedNode(graph))
            graphs[graph] = len(store) - before
        if further:
            store.bulk_load(file(View(triples.quads())), ox.RdfFormat.N_QUADS)
            for name in store.named_graphs():
                if isinstance(name, ox.NamedNode) and name.value not in graphs:
                    graphs[name.value] = sum(1 for _ in store.quads_for_pattern(None, None, None, name))
        return cls(store, graphs, triples.prefixes(), generation, limits)

    def answer(self, asked: Asked, outlet: Outlet) -> None:
        """Write the result, or what went wrong. Raises Gone when nobody listens any more."""
        try:
            outlet.end(self._answer(asked, outlet))
        except LoomError as error:
            outlet.fault(error)
        except MemoryError:
            outlet.fault(QueryDied(OUT_OF_MEMORY))
        except Gone:
            raise
        except Exception as error:
            outlet.fault(
                QueryDied(f"The engine failed ({type(error).__name__}: {str(error)[:SAID_MOST]}); ask in another way.")
            )

    def _answer(self, asked: Asked, outlet: Outlet) -> str | None:
        outlet.head |= {"generation": self.generation}
        if asked.text is None:
            self._described(asked, outlet)
            return None
        scanned = scan(asked.text, self.prefixes, asked.endpoint)
        refuse_unknown([*scanned.graphs, *asked.default_graphs, *asked.named_graphs], self.graphs)
        try:
            found = self._query(asked, union=not scanned.graphs)
        except SyntaxError as error:
            raise _unparsed(asked.text, str(error), scanned.undeclared) from error
        except (RuntimeError, ValueError, OSError) as error:
            raise _unevaluated(error) from error
        if isinstance(found, ox.QueryTriples):
            return self._graph(asked, found, outlet)
        format = media.chosen(media.RESULTS, asked.accept, asked.format)
        if asked.loose and format.name == "json" and "sparql-results" not in (asked.accept or ""):
            return self._widened(found, outlet)
        outlet.head["media"] = format.media
        return self._rows(found, format.name, outlet)

    def _query(self, asked: Asked, *, union: bool) -> "ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples":
        assert asked.text is not None
        prefixes, base = dict(self.prefixes), asked.endpoint or None
        if asked.default_graphs or asked.named_graphs:
            return self.store.query(
                asked.text,
                base_iri=base,
                prefixes=prefixes,
                default_graph=[ox.NamedNode(graph) for graph in asked.default_graphs],
                named_graphs=[ox.NamedNode(graph) for graph in asked.named_graphs],
            )
        return self.store.query(asked.text, base_iri=base, prefixes=prefixes, use_default_graph_as_union=union)

    def _rows(self, found: "ox.QuerySolutions | ox.QueryBoolean", format: str, outlet: Outlet) -> str | None:
        if isinstance(found, ox.QueryBoolean):
            found.serialize(file(outlet), RESULTS[format])
            return None
        cutter = Cutter(format, self.limits.rows, self.limits.bytes, outlet.write)
        try:
            found.serialize(file(cutter), RESULTS[format])
        except Enough as enough:
            return enough.limit
        except (RuntimeError, ValueError, OSError) as error:
            raise _unevaluated(error) from error
        cutter.close()
        return None

    def _widened(self, found: "ox.QuerySolutions | ox.QueryBoolean", outlet: Outlet) -> str | None:
        held = _Held()
        truncated = self._rows(found, "json", held)  # type: ignore[arg-type]
        outlet.head["media"] = "application/json"
        outlet.write(json.dumps(with_rows(json.loads(held.data), bool(truncated)), ensure_ascii=False).encode())
        return truncated

    def _graph(self, asked: Asked, found: "ox.QueryTriples", outlet: Outlet) -> str | None:
        format = media.chosen(media.GRAPHS, asked.accept, asked.format)
        limit: list[str] = []
        written: Outlet | _Held = outlet

        def triples() -> Iterator[ox.Triple]:
            seen: set[ox.Triple] = set()
            for triple in found:
                if triple not in seen:
                    if len(seen) >= self.limits.rows or written.size >= self.limits.bytes:
                        limit.append("rows" if len(seen) >= self.limits.rows else "bytes")
                        return
                    seen.add(triple)
                    yield triple

        plain = asked.loose and asked.format is None and asked.accept in (None, "", "*/*", "application/json")
        if plain:
            lines = [f"{triple} ." for triple in _evaluated(triples())]
            outlet.head["media"] = "application/json"
            outlet.write(json.dumps(of_triples(lines, bool(limit)), ensure_ascii=False).encode())
        else:
            outlet.head["media"] = format.media
            prefixes = dict(self.prefixes) if format.name in ("turtle", "rdfxml") else None
            ox.serialize(_evaluated(triples()), file(outlet), GRAPHS[format.name], prefixes=prefixes)
        return limit[0] if limit else None

    def _described(self, asked: Asked, outlet: Outlet) -> None:
        format = media.chosen(media.GRAPHS, asked.accept, asked.format)
        counted = self.store.query("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }", use_default_graph_as_union=True)
        assert isinstance(counted, ox.QuerySolutions)
        total = int(str(next(counted)[0].value))
        said = description(asked.endpoint, self.graphs, total)
        outlet.head["media"] = format.media
        prefixes = {name: iri for name, iri in self.prefixes.items() if name in ("sd", "xsd")}
        ox.serialize(
            (quad.triple for quad in ox.parse(said, ox.RdfFormat.N_TRIPLES)), file(outlet), GRAPHS[format.name],
            prefixes={**prefixes, "void": "http://rdfs.org/ns/void#"},
        )  # fmt: skip


OUT_OF_MEMORY = "The query needed more memory than one query may have (LOOM_SPARQL_MEMORY); ask for less at once."


class _Held:
    """Collects instead of sending."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self.size = 0

    @property
    def data(self) -> bytes:
        return b"".join(self._pieces)

    def write(self, data: bytes) -> int:
        self.size += len(data)
        self._pieces.append(data)
        return len(data)

    def flush(self) -> None:
        """Nothing is sent."""


def _evaluated(triples: Iterator["ox.Triple"]) -> Iterator["ox.Triple"]:
    try:
        yield from triples
    except (RuntimeError, ValueError) as error:
        raise _unevaluated(error) from error


def _unevaluated(error: Exception) -> BadQuery:
    return BadQuery(f"The query cannot be evaluated: {str(error)[:SAID_MOST]}.", param="query")


def _unparsed(text: str, said: str, undeclared: list[str]) -> BadQuery:
    """The engine's words and position; what it says of an undeclared prefix is misleading, so that is said in ours."""
    position = ""
    head, _, rest = said.partition(": ")
    line, _, column = head.removeprefix("error at ").partition(":")
    if line.isdigit() and column.isdigit():
        said = rest
        lines = text.split("\n")
        shown = lines[int(line) - 1].strip()[:80] if int(line) <= len(lines) else ""
        position = f" at line {line}, column {column}" + (f", in `{shown}`" if shown else "")
    hint = f" The prefix `{undeclared[0]}:` is not declared; add PREFIX {undeclared[0]}: <…>." if undeclared else ""
    return BadQuery(f"The query cannot be parsed{position}: {' '.join(said.split())[:SAID_MOST]}.{hint}", param="query")
