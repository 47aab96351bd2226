"""The answer to a query that was sent as JSON: the standard members, and beside them columns and rows of plain text.

Rows hold an IRI bare, a literal's text, a blank node as `_:id`, and "" for what is unbound; `bindings` keep what rows leave out.
"""

from collections.abc import Iterable, Mapping

from loom.core.values import Json


def with_rows(results: Mapping[str, Json], truncated: bool) -> dict[str, Json]:
    """SPARQL results in JSON, widened."""
    columns = list(results.get("head", {}).get("vars", []))
    bindings = results.get("results", {}).get("bindings", [])
    return {
        **results,
        "columns": columns,
        "rows": [[_plain(binding.get(column)) for column in columns] for binding in bindings],
        **({} if "boolean" in results else {"boolean": None}),
        "truncated": truncated,
    }


def of_triples(lines: Iterable[str], truncated: bool) -> dict[str, Json]:
    """A graph, one N-Triples line a row."""
    return {"columns": ["triple"], "rows": [[line] for line in lines], "boolean": None, "truncated": truncated}


def _plain(term: Mapping[str, Json] | None) -> str:
    if term is None:
        return ""
    value = str(term.get("value", ""))
    return f"_:{value}" if term.get("type") == "bnode" else value
