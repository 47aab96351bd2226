"""One request of the SPARQL 1.1 protocol (query side), read from method, query string, content type and body.

https://www.w3.org/TR/sparql11-protocol/. Beside the protocol's three forms there is a fourth, for convenience: a JSON object with
`query`, sent as JSON or without a content type.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl

from loom.core.errors import BadInput, LoomError
from loom.core.sparql.errors import BadQuery, NoUpdates, WrongMedia
from loom.core.values import Json

QUERY_MOST = 256 * 1024
"""Most bytes of one query."""

BODY_MOST = 4 * QUERY_MOST
"""Most bytes of a body: percent-encoding triples a query."""

FIELDS_MOST = 1000

FORM = "application/x-www-form-urlencoded"
DIRECT = "application/sparql-query"
UPDATE = "application/sparql-update"


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked. Without `text` it is the service description that is wanted.

    `accept` is the Accept header; `format` names a format and wins over it. `loose` is set for the JSON convenience, whose
    answer has columns and rows beside the standard members. `endpoint` is the address that a description gives of itself.
    """

    text: str | None
    default_graphs: tuple[str, ...] = ()
    named_graphs: tuple[str, ...] = ()
    accept: str | None = None
    format: str | None = None
    loose: bool = False
    endpoint: str = ""

    def as_json(self) -> dict[str, Json]:
        return {name: getattr(self, name) for name in self.__slots__}


def restored(value: Mapping[str, Json]) -> Asked:
    """The inverse of `as_json`, after a journey as JSON."""
    return Asked(**{**value, "default_graphs": tuple(value["default_graphs"]), "named_graphs": tuple(value["named_graphs"])})


def read(
    method: str, query_string: bytes, content_type: str | None, body: bytes, *, accept: str | None = None, endpoint: str = ""
) -> Asked:
    """The request; raises BadInput, BadQuery, NoUpdates or WrongMedia. `method` is GET, HEAD or POST."""
    url = _fields(query_string, "query string")
    if method != "POST":
        return _asked(url, accept, endpoint, described=True)
    if len(body) > BODY_MOST:
        raise BadQuery(f"Expected a query of at most {QUERY_MOST} bytes; the body has {len(body)}; ask in several parts.")
    media, charset = _media(content_type)
    if charset not in ("", "utf-8", "utf8", "us-ascii"):
        raise WrongMedia(f"Expected a body in UTF-8, not {charset}; SPARQL queries are sent as UTF-8.")
    if media == UPDATE:
        raise NoUpdates("This node answers queries and takes no updates; publish a new generation instead.")
    if media == FORM and not body.lstrip().startswith(b"{"):
        return _asked([*_without_query(url), *_fields(body, "form")], accept, endpoint)
    if media == DIRECT:
        return _asked([*_without_query(url), ("query", _decoded(body, "query"))], accept, endpoint)
    # What `curl -d` sends is called a form whatever it is; no form begins with a brace.
    if media in ("", FORM, "application/json") or media.endswith("+json"):
        return _loose(_without_query(url), body, accept, endpoint)
    raise WrongMedia(f"Expected a query as {DIRECT}, {FORM} or application/json, not as {media}.")


def _fields(data: bytes, where: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(
            data.decode("ascii" if where == "query string" else "utf-8"), keep_blank_values=True, errors="strict",
            max_num_fields=FIELDS_MOST,
        )  # fmt: skip
    except UnicodeDecodeError as error:
        raise BadQuery(f"The {where} is not UTF-8 ({error.reason}); send the query as UTF-8, percent-encoded.") from error
    except ValueError as error:
        raise BadQuery(f"The {where} has more than {FIELDS_MOST} fields; send fewer.") from error


def _decoded(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadQuery(
            f"The {where} is not UTF-8: byte {data[error.start]:#04x} at offset {error.start} ({error.reason}); send it as UTF-8."
        ) from error


def _media(content_type: str | None) -> tuple[str, str]:
    media, *parameters = [part.strip().lower() for part in (content_type or "").split(";")]
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "charset":
            return media, value.strip().strip('"')
    return media, ""


def _without_query(fields: list[tuple[str, str]]) -> list[tuple[str, str]]:
    for name, _ in fields:
        if name == "query":
            raise BadQuery("Expected the query in the body of a POST only; it is in the query string too.", param="query")
    return fields


def _asked(fields: list[tuple[str, str]], accept: str | None, endpoint: str, *, described: bool = False) -> Asked:
    by_name: dict[str, list[str]] = {}
    for name, value in fields:
        by_name.setdefault(name, []).append(value)
    if "update" in by_name or "using-graph-uri" in by_name or "using-named-graph-uri" in by_name:
        raise NoUpdates("This node answers queries and takes no updates; publish a new generation instead.", param="update")
    queries = by_name.get("query", [])
    if len(queries) > 1:
        raise BadQuery(f"Expected one query, but {len(queries)} came; send them one after the other.", param="query")
    bare = Asked(None, accept=accept, format=by_name.get("format", [""])[-1] or None, endpoint=endpoint)
    if not queries:
        if described:
            return bare
        raise BadQuery("Expected a query as the form field `query`; there is none.", param="query")
    text = checked(queries[0])
    graphs = (tuple(by_name.get(name, ())) for name in ("default-graph-uri", "named-graph-uri"))
    return replace(bare, text=text, default_graphs=next(graphs), named_graphs=next(graphs))


def checked(text: str) -> str:
    """A query's text; raises BadQuery where it is empty, too long, or no Unicode."""
    if not text.strip():
        raise BadQuery("Expected a query, but it is empty.", param="query")
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError as error:
        raise BadQuery(
            f"The query holds an unpaired surrogate at position {error.start}, which is no character; leave it out.",
            param="query",
        ) from error
    if size > QUERY_MOST:
        raise BadQuery(
            f"Expected a query of at most {QUERY_MOST} bytes, but it has {size}; ask in several parts.", param="query"
        )
    return text


def _loose(url: list[tuple[str, str]], body: bytes, accept: str | None, endpoint: str) -> Asked:
    if not body.strip():
        raise BadQuery("Expected a query; the body is empty.", param="query")
    try:
        given = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise _no_json(body) from error
    if not isinstance(given, dict):
        raise BadInput("Expected a JSON object with `query` as the request body.")
    text = given.get("query")
    if not isinstance(text, str):
        raise BadInput("Expected a query as text in `query`.", param="query")
    fields = [*url, ("query", text)]
    for name in ("default-graph-uri", "named-graph-uri"):
        graphs = given.get(name, [])
        graphs = [graphs] if isinstance(graphs, str) else graphs
        if not isinstance(graphs, list) or not all(isinstance(graph, str) for graph in graphs):
            raise BadInput(f"Expected an IRI, or a list of IRIs, as {name}.", param=name)
        fields += [(name, graph) for graph in graphs]
    if isinstance(given.get("format"), str):
        fields.append(("format", given["format"]))
    return replace(_asked(fields, accept, endpoint), loose=True)


def _no_json(body: bytes) -> LoomError:
    head = body.lstrip()[:1]
    if head in (b"{", b"["):
        return BadInput("Expected JSON as the request body; it cannot be parsed.")
    return WrongMedia(f"Expected a content type: {DIRECT} for a query, {FORM} for a form; a body without one is read as JSON.")
