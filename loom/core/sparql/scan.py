"""What a query's text shows before it is parsed: where it would reach out, what it would change, how deep it is nested.

A scan over tokens, in time linear in the text. Strings, comments, IRIs, variables and prefixed names are told from keywords, so
a label that holds the word "service" is not a call. It is stricter than the grammar where the two could disagree.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from urllib.parse import urljoin

from loom.core.sparql.errors import BadQuery, NoUpdates

DEPTH_MOST = 200
"""Most levels of brackets; the engine's parser is recursive and would run out of stack at a few thousand."""

UPDATES = frozenset("INSERT DELETE LOAD CLEAR DROP CREATE COPY MOVE ADD WITH".split())

_TOKEN = re.compile(
    r"""
    (?P<space>\s+|\#[^\r\n]*)
  | (?P<long>\"\"\"(?:[^"\\]|\\.|"(?!""))*\"\"\"|'''(?:[^'\\]|\\.|'(?!''))*''')
  | (?P<open>\"\"\"|''')
  | (?P<string>"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*')
  | (?P<iri><[^<>"{}|^`\\\x00-\x20]*>)
  | (?P<variable>[?$]\w+|@[A-Za-z][A-Za-z0-9-]*|_:[\w.\-]+)
  | (?P<name>(?:[^\W\d_](?:[\w.\-\u00b7]*[\w\-\u00b7])?)?:(?:[\w:\-\u00b7.]|%[0-9A-Fa-f]{2}|\\.)*)
  | (?P<word>[^\W\d]\w*)
  | (?P<bracket>[(){}\[\]])
  | (?P<other>\d+|.)
    """,
    re.X | re.S,
)


_CALL = re.compile(r"(?:\s|#[^\r\n]*)*(?:\{|SILENT)", re.I)


@dataclass(slots=True)
class Scanned:
    """`graphs` are the IRIs of FROM and FROM NAMED; `undeclared` are prefixes that nothing declares; `first` is the first
    keyword after the prologue, in capitals."""

    first: str = ""
    graphs: list[str] = field(default_factory=list)
    undeclared: list[str] = field(default_factory=list)


def scan(text: str, known: Mapping[str, str], base: str = "") -> Scanned:
    """Scan a query; `known` are prefixes that hold without being declared, `base` resolves relative IRIs.

    Raises BadQuery for SERVICE, for nesting beyond DEPTH_MOST and for a long string without an end, NoUpdates for an update.
    """
    found = Scanned()
    prefixes = dict(known)
    depth = 0
    before = ""
    awaited = ""
    pending = ""
    for token in _TOKEN.finditer(text):
        kind, value = token.lastgroup, token[0]
        if kind == "space":
            continue
        if kind == "open":
            raise BadQuery(f"The string that begins at {place(text, token.start())} does not end.")
        word = value.upper() if kind == "word" else ""
        if kind == "bracket":
            depth += 1 if value in "({[" else -1
            if depth > DEPTH_MOST:
                raise BadQuery(
                    f"The query is nested more than {DEPTH_MOST} levels deep at {place(text, token.start())}; ask a flatter one."
                )
        elif word.startswith("SERVICE"):
            raise _service(text, token.start())
        elif kind == "name":
            prefix = value.partition(":")[0]
            called = prefix.upper().startswith("SERVICE") and before not in ("GRAPH", "NAMED", "FROM", "PREFIX")
            if called and _CALL.match(text, token.end()):
                raise _service(text, token.start())
            if awaited == "PREFIX":
                pending, awaited = prefix, "PREFIX IRI"
            elif prefix not in prefixes and prefix not in found.undeclared:
                found.undeclared.append(prefix)
        if kind == "iri" and awaited == "PREFIX IRI":
            prefixes[pending], awaited = urljoin(base, value[1:-1]), ""
        elif word == "PREFIX" and not found.first:
            awaited = "PREFIX"
        elif word == "BASE" and not found.first:
            awaited = "BASE"
        elif awaited == "BASE":
            base, awaited = urljoin(base, value[1:-1]), ""
        elif word and not found.first and not awaited:
            found.first = word
            if word in UPDATES:
                raise NoUpdates(
                    "This node answers queries and takes no updates; publish a new generation instead.", param="query"
                )
        elif depth == 0 and awaited == "FROM" and word != "NAMED":
            if kind == "iri":
                found.graphs.append(urljoin(base, value[1:-1]))
            elif kind == "name":
                prefix, _, local = value.partition(":")
                found.graphs.append(prefixes.get(prefix, prefix + ":") + local)
            awaited = ""
        if depth == 0 and word == "FROM":
            awaited = "FROM"
        before = word or kind or ""
    return found


def _service(text: str, at: int) -> BadQuery:
    return BadQuery(
        f"SERVICE at {place(text, at)} is not offered: this node asks no other endpoint. Ask that endpoint itself.",
        param="query",
    )


def place(text: str, at: int) -> str:
    """A position as people read it."""
    line = text.count("\n", 0, at) + 1
    return f"line {line}, column {at - (text.rfind(chr(10), 0, at) + 1) + 1}"


def refuse_unknown(graphs: Collection[str], known: Collection[str]) -> None:
    """Raises BadQuery unless every graph that is asked for is here."""
    for graph in graphs:
        if graph not in known:
            shown = ", ".join(f"<{each}>" for each in sorted(known)[:8]) or "none"
            raise BadQuery(
                f"There is no graph <{graph[:200]}> here, and none is fetched; the graphs of this generation are {shown}.",
                param="query",
            )
