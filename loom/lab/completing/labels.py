"""Which labels state a relation: "requires: …" says what the names after it are, "keywords: …" does not."""

import re

from loom.core.concepts import RELATIONS

_LETTERS = re.compile(r"[\W_]+")

STRUCTURE = (
    "is-a subClassOf is-subclass-of type-of parent parents parent-concept ancestor ancestors broader narrower children child "
    "subclasses has-subclass subtopics part-of is-part-of part parts has-part component components part-of-relationships relations relationships "
    "related relates-to subclass superclass see-also cross-references cross-references-to-related-concepts "
    "same-as equivalent-to disjoint-with alias aliases synonym synonyms alt-label pref-label label title preferred-term name "
    "domain belongs-to-domain source sources source-domain physicality role belongs-to-layer implemented-in-layer is-required-by "
    "is-enabled-by is-used-by used-by used-in enabled-by required-by depends-on is-dependency-of extends implements implemented-by is-implemented-by standardized-by "
    "standardised-by bridges-to bridges bridges-from contrasts-with differs-from specialises specializes produces produced-by "
    "applies-to links includes included-in foundation-of outbound-wikilinks raw related-pages-verified"
).split()
"""Labels of pages and of compiled units beside the relations of a corpus: what stands above, below and beside, and page properties."""

OWL = re.compile(
    r"^\(?(?:Declaration|SubClassOf|EquivalentClasses|DisjointClasses|Object\w+|Data\w+|\w*Assertion|AnnotationAssertion|Class)\s*[(:]"
)
"""A line of OWL in functional syntax."""


def folded(label: str) -> str:
    """A label as labels are compared: letters only, "hasPart", "has-part" and "Has part" alike."""
    return _LETTERS.sub("", label.rsplit(":", 1)[-1]).casefold()


KNOWN = frozenset(map(folded, [*RELATIONS, *STRUCTURE]))
_RELATED = re.compile(r"(?:core|key|main)?related(?:core|key|main)?(?:to|concepts?|terms?|topics?|pages?|technologies)?")
_REMARK = re.compile(r"\s*\([^()]*\)\s*$")
_AND = re.compile(r"\s+(?:and|or|&|/)\s+|\s*/\s*")


def states(label: str, further: frozenset[str] = frozenset()) -> bool:
    """Whether a label states a relation, or several ("Enables and supports"). `further` are folded labels that a generation adds.
    Brackets behind it are a remark: "Compositional Relationships (Components)"."""
    names = [folded(part) for part in _AND.split(_REMARK.sub("", label))]
    return all(
        name in KNOWN or name in further or bool(_RELATED.fullmatch(name)) or name.endswith("relationships") for name in names
    )


def lists(heading: str, further: frozenset[str] = frozenset()) -> bool:
    """Whether bare items under a heading are what the heading says. "Relationships" says nothing of any item: its lines must."""
    return states(heading, further) and not folded(heading).endswith(("relations", "relationships"))
