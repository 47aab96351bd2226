"""The W3C's SPARQL 1.1 tests of queries and result formats, through the engine as a node sets it up."""

import asyncio

import pyoxigraph as ox
import pytest
from support.w3c import Evaluation, Table, canonical, csv_rows, evaluations, expected, path_of, quads, same_graph, table

from loom.core.errors import LoomError
from loom.core.sparql.asked import Asked
from loom.core.sparql.limits import Limits
from loom_adapters.sparql.memory import FakeTriples

QUERIES = (
    "aggregates", "bind", "bindings", "cast", "construct", "exists", "functions", "grouping", "negation",
    "project-expression", "property-path", "subquery", "syntax-query",
)  # fmt: skip
RESULTS = ("csv-tsv-res", "json-res")
DEFAULT = "urn:test:default"

SKIPPED = {
    "aggregates/agg-groupconcat-04": "the engine keeps a language tag that all members share, as SPARQL 1.2 has it",
    "aggregates/agg-groupconcat-06": "the engine keeps a language tag that all members share, as SPARQL 1.2 has it",
    "aggregates/agg-empty-group-count-graph": "the engine evaluates a subquery once for all graphs of GRAPH ?g",
    "bindings/graph": "the engine does not join the variable of GRAPH ?g with one that VALUES leaves undefined",
    "functions/bnode01": "the engine makes one blank node of BNODE(text) for the whole result, not one a row",
    "negation/graph-minus": "the engine takes the variable of GRAPH ?g for one that both sides of MINUS share",
    "property-path/zero_or_more_set_start": "the engine finds no zero-length path from a term that no triple has",
    "property-path/zero_or_more_set_end": "the engine finds no zero-length path to a term that no triple has",
    "property-path/zero_or_one_set_start": "the engine finds no zero-length path from a term that no triple has",
    "property-path/zero_or_one_set_end": "the engine finds no zero-length path to a term that no triple has",
    "csv-tsv-res/tsv03": "the engine keeps whole numbers of derived types (negativeInteger) as xsd:integer",
}
"""Tests that are left out, each with its reason."""


async def answer(evaluation: Evaluation, accept: str) -> tuple[dict, bytes]:
    data = quads(evaluation, DEFAULT)
    files = {"asserted.nt": b"", "inferred.nt": b"", "prefixes.json": b"{}", "graphs.nq": data.encode()}
    store = FakeTriples(files, "sha256:" + "0" * 64, Limits())
    own = " FROM " in evaluation.query.upper().replace("\n", " ")
    asked = Asked(
        evaluation.query,
        default_graphs=(DEFAULT,) if f"<{DEFAULT}> .\n" in data and not own else (),
        named_graphs=() if own else tuple(name for name, _ in evaluation.graphs),
        accept=accept,
        endpoint=evaluation.base,
    )
    async with store.query(asked) as found:
        return dict(found.head), b"".join([piece async for piece in found.pieces()])


def fault_of(evaluation: Evaluation) -> str | None:
    """What is wrong with the answer; None where nothing is."""
    negative, syntax = evaluation.kind.startswith("Negative"), "Syntax" in evaluation.kind
    if evaluation.kind == "CSVResultFormatTest":
        _, body = asyncio.run(answer(evaluation, "text/csv"))
        wanted = path_of(str(evaluation.result)).read_text("utf-8")
        return None if csv_rows(body.decode()) == csv_rows(wanted) else f"{body!r} is not {wanted!r}"
    try:
        head, body = asyncio.run(answer(evaluation, "application/sparql-results+json, application/n-triples"))
    except LoomError as error:
        parsed = "cannot be parsed" not in error.message
        return None if negative != parsed and (syntax or negative) else error.message
    if negative:
        return "was accepted"
    if evaluation.result is None:
        return None
    wanted = expected(evaluation.result)
    if not isinstance(wanted, Table):
        got = ox.Dataset(ox.parse(body, ox.RdfFormat.N_TRIPLES))
        return None if same_graph(got, wanted) else f"{got} is not {wanted}"
    assert head["media"] == "application/sparql-results+json"
    found = table(body, ox.QueryResultsFormat.JSON)
    if found.boolean != wanted.boolean or canonical(found.rows) != canonical(wanted.rows):
        return f"{found} is not {wanted}"
    return None


@pytest.mark.data
@pytest.mark.parametrize("names", [QUERIES, RESULTS], ids=["queries", "results"])
def test_w3c_queries(names: tuple[str, ...]) -> None:
    faults, ran, skipped = {}, 0, 0
    for evaluation in evaluations(names):
        if evaluation.id in SKIPPED:
            skipped += 1
            continue
        ran += 1
        if fault := fault_of(evaluation):
            faults[evaluation.id] = fault[:300]
    print(f"w3c sparql11 {'+'.join(names)}: {ran - len(faults)} of {ran} pass, {skipped} skipped")
    assert ran > 8 and not faults


def test_what_is_skipped_fails() -> None:
    """A reason that no longer holds is taken off the list."""
    mended = [each.id for each in evaluations(QUERIES + RESULTS) if each.id in SKIPPED and fault_of(each) is None]
    assert not mended
