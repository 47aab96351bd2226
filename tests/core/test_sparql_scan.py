"""What a query shows before it is parsed; the engine's own parser is the oracle for what is a query at all."""

import time

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.errors import LoomError
from loom.core.sparql.errors import BadQuery, NoUpdates
from loom.core.sparql.scan import refuse_unknown, scan

PIECES = [
    *"{}()<>?:.;,\"'#\\ \n", '"""', "'''", "SERVICE", "service", "SILENT", "<urn:x>", "?s", "SELECT", "*", "ex:service",
    "PREFIX ex: <urn:e>", "'a'", "GRAPH", "ASK", "WHERE", "FROM", "x",
]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        'ASK { ?service ex:service service:x ; ex:p "SERVICE <x> {}" , \'service\' , """a "SERVICE" b""" } # SERVICE <x> {}',
        "ASK { <http://x/SERVICE> ?p ?o . _:service ?q $service }",
        "ASK { GRAPH service:g { ?s ?p ?o } }",
        'ASK { ?s ?p "x"@service }',
    ],
)
def test_the_word_is_no_call_where_it_names_something(text: str) -> None:
    assert scan("PREFIX service: <urn:s> PREFIX ex: <urn:e> " + text, {}).first == "ASK"


@pytest.mark.parametrize(
    "text",
    ["SERVICE <x> {}", "service SILENT ?x {}", "{}SERVICE<x>{}", "?s ?p 'x'SERVICE <x> {}", "SERVICE:x {}", "service:x # c\n {}", "SERVICESILENT<x>{}"],
)  # fmt: skip
def test_a_call_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(BadQuery, match=r"SERVICE at line 2, column \d+"):
        scan("PREFIX service: <urn:s>\nASK { " + text + " }", {})


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_whatever_the_engine_would_call_is_refused(text: str) -> None:
    """Each query that the engine takes and that holds a call as the engine writes queries back is refused here."""
    query = "ASK { " + text + " }"
    try:
        scan(query, {})
    except LoomError:
        return
    try:
        ox.Store().query(query.replace("<urn:x>", "<urn:loom:unreachable>"))
    except SyntaxError:
        return
    except RuntimeError as error:
        raise AssertionError(f"{query!r} reached the service handler: {error}") from error


def test_graphs_of_the_dataset_are_resolved() -> None:
    text = "BASE <http://x/a/> PREFIX e: <urn:e:> SELECT * FROM <b> FROM NAMED e:c FROM NAMED <urn:d> { FILTER EXISTS { ?from ?p 'FROM <z>' } }"
    assert scan(text, {}).graphs == ["http://x/a/b", "urn:e:c", "urn:d"]
    with pytest.raises(BadQuery, match="urn:e:c"):
        refuse_unknown(["urn:d", "urn:e:c"], ["urn:d"])


def test_undeclared_prefixes_are_named() -> None:
    assert scan("PREFIX a: <urn:a> ASK { a:x b:y c:z ; rdfs:label ?l }", {"rdfs": "urn:r"}).undeclared == ["b", "c"]


@pytest.mark.parametrize("verb", ["INSERT DATA", "delete where", "LOAD <x> ;", "CLEAR ALL", "WITH <g> DELETE", "DROP ALL"])
def test_updates_are_told_by_their_first_word(verb: str) -> None:
    with pytest.raises(NoUpdates):
        scan(f"PREFIX ex: <urn:x> # ASK\nBASE <urn:y> {verb} {{ ?s ?p ?o }}", {})


def test_depth_and_unclosed_texts_are_refused_at_once() -> None:
    started = time.perf_counter()
    for text in ("(" * 300, "{" * 100_000, 'ASK { ?s ?p """x\\' * 10_000, "ASK { " + "'''" * 9_999):
        with pytest.raises(BadQuery):
            scan(text, {})
    assert time.perf_counter() - started < 2
