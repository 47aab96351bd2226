"""Names for blank nodes, made of what they say and of where they stand, so that no blank node has to be written.

A restriction below a class is named by the axiom that it is part of: the class, the property and the content. The same ontology
gives the same names in whatever order it is written. Nodes that refer to one another in a circle are told apart by several
rounds of what surrounds them; those that look alike even then become one.
"""

import hashlib
from collections import ChainMap
from collections.abc import Mapping

from loom.core.rdf.graph import Graph
from loom.core.rdf.terms import Node, Term, is_blank, written

AXIOM = "urn:loom:axiom:"
ROUNDS = 16


def _digest(*pieces: str) -> str:
    return hashlib.sha256("\n".join(pieces).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def blank_names(graph: Graph) -> tuple[dict[Node, str], int]:
    """An IRI for each blank node, and how many of them stand in circles."""
    referring: dict[Node, list[tuple[Node, str]]] = {one: [] for one in graph.subjects() if is_blank(one)}
    for subject, predicate, obj in graph:
        if is_blank(obj):
            referring.setdefault(str(obj), []).append((subject, predicate))
    content, circular = _contents(graph, list(referring))
    above = {blank: places[0] if len(places) == 1 else ("", "") for blank, places in referring.items()}
    below: dict[Node, list[Node]] = {}
    for blank, (node, _) in above.items():
        below.setdefault(node, []).append(blank)
    names: dict[Node, str] = {}
    roots = [blank for blank, (node, _) in above.items() if not is_blank(node)]
    for root in [*roots, *referring]:
        pending = [] if root in names else [root]
        while pending:
            blank = pending.pop()
            node, predicate = above[blank]
            names[blank] = AXIOM + _digest(names.get(node, "" if is_blank(node) else node), predicate, content[blank])
            pending += [one for one in below.get(blank, ()) if one not in names]
    return names, circular


def _contents(graph: Graph, blanks: list[Node]) -> tuple[dict[Node, str], int]:
    """A digest of what each blank node says, from the innermost outwards."""
    inner = {blank: [o for objects in graph.about(blank).values() for o in objects if is_blank(o)] for blank in blanks}
    waiting = {blank: len(nodes) for blank, nodes in inner.items()}
    outer: dict[Node, list[Node]] = {}
    for blank, nodes in inner.items():
        for node in nodes:
            outer.setdefault(str(node), []).append(blank)
    done: dict[Node, str] = {}
    ready = [blank for blank, count in waiting.items() if not count]
    while ready:
        blank = ready.pop()
        done[blank] = _content(graph, blank, done)
        for node in outer.get(blank, ()):
            waiting[node] -= 1
            if not waiting[node]:
                ready.append(node)
    left = [blank for blank in blanks if blank not in done]
    colours = dict.fromkeys(left, "")
    for _ in range(min(ROUNDS, len(left))):
        known = ChainMap(colours, done)
        colours = {blank: _content(graph, blank, known) for blank in left}
    return {**done, **colours}, len(left)


def _content(graph: Graph, blank: Node, known: Mapping[Node, str]) -> str:
    def shown(term: Term) -> str:
        return f"_{known[str(term)]}" if is_blank(term) else written(term)

    return _digest(*sorted(f"{predicate} {shown(obj)}" for predicate, objects in graph.about(blank).items() for obj in objects))
