"""Which format an Accept header asks for."""

import pytest

from loom.core.errors import BadInput
from loom.core.sparql.errors import NotAcceptable
from loom.core.sparql.media import GRAPHS, RESULTS, chosen


@pytest.mark.parametrize(
    ("accept", "rows", "graph"),
    [
        (None, "json", "turtle"),
        ("", "json", "turtle"),
        ("*/*", "json", "turtle"),
        ("text/csv", "csv", None),
        ("application/xml", "xml", "rdfxml"),
        ("text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8", "xml", "rdfxml"),
        ("application/json;q=0.5, text/tab-separated-values", "tsv", "jsonld"),
        ("text/*;q=0.3, application/n-triples;q=0.4", "xml", "ntriples"),
        ("application/sparql-results+json;q=0, */*;q=0.1", "json", "turtle"),
        ("application/sparql-results+json;q=0, application/json;q=0, */*;q=0.1", "xml", "turtle"),
        ("TEXT/CSV ; q=1.0", "csv", None),
        ("text/csv;q=x", None, None),
        ("image/png", None, None),
    ],
)
def test_by_header(accept: str | None, rows: str | None, graph: str | None) -> None:
    for offered, name in ((RESULTS, rows), (GRAPHS, graph)):
        if name is None:
            with pytest.raises(NotAcceptable):
                chosen(offered, accept)
        else:
            assert chosen(offered, accept).name == name


def test_by_name() -> None:
    assert chosen(RESULTS, "text/html", "csv").name == "csv"
    assert chosen(GRAPHS, None, "nt").name == "ntriples"
    assert chosen(GRAPHS, None, "application/rdf+xml").name == "rdfxml"
    assert chosen(RESULTS, None, "turtle").name == "json"
    with pytest.raises(BadInput):
        chosen(RESULTS, None, "yaml")
