"""Terms of RDF, and how they are written as N-Triples: one canonical line a statement."""

import re
from functools import lru_cache
from typing import NamedTuple

from loom.core.rdf.vocab import RDF, XSD
from loom.core.represent import escape_iri
from loom.core.values import Iri

LANG_STRING, STRING = RDF + "langString", XSD + "string"


class Literal(NamedTuple):
    """A text with its language, or its datatype where that is not xsd:string."""

    text: str
    language: str = ""
    datatype: Iri = ""


Node = str
"""An IRI, or a blank node as `_:` and a name that is only good within its graph."""
Term = Node | Literal
Triple = tuple[Node, Iri, Term]

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}
_TO_ESCAPE = re.compile(r'[\\"\n\r\x00-\x08\x0b\x0c\x0e-\x1f\x7f]')
_SURROGATE = re.compile("[\ud800-\udfff]")


def is_blank(term: Term) -> bool:
    return isinstance(term, str) and term.startswith("_:")


def quoted(text: str) -> str:
    """A text between quotation marks, with what N-Triples cannot hold escaped; half a surrogate pair becomes U+FFFD."""
    if _TO_ESCAPE.search(text):
        text = _TO_ESCAPE.sub(lambda found: _ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04X}", text)
    return f'"{_SURROGATE.sub(chr(0xFFFD), text)}"'


@lru_cache(maxsize=1 << 16)
def _node(node: Node) -> str:
    return node if node.startswith("_:") else f"<{escape_iri(node)}>"


def written(term: Term) -> str:
    """A term in N-Triples."""
    if isinstance(term, str):
        return _node(term)
    if term.language:
        return f"{quoted(term.text)}@{term.language}"
    return f"{quoted(term.text)}^^<{term.datatype}>" if term.datatype else quoted(term.text)


def line(subject: Node, predicate: Iri, obj: Term) -> str:
    """One statement, without a line end."""
    return f"{_node(subject)} {_node(predicate)} {written(obj)} ."
