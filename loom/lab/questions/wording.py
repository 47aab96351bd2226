"""How questions are put. The wording names a concept and a relation and nothing else, least of all the corpus: a template that
names a concept of its own would make that concept a seed of every question (reference §10). It is short, since a gate reads an
everyday word as a name only where it is most of what was asked."""

from loom.core.mint.asked import pieces

PLAIN = {
    "requires": "What does {a} require?",
    "uses": "What does {a} use?",
    "dependsOn": "What does {a} depend on?",
    "enables": "What does {a} enable?",
    "hasPart": "What is {a} made up of?",
}
"""The five relations of T-REL, each with its question."""

PARENT = "What is the parent of {a}, and which ancestors are above that?"
COMMON = "What are {a} and {b} both kinds of?"

_CLOSING = frozenset("as at by for from in into of on over through to under upon with".split())
_BESIDE = frozenset("has is".split())


def relation_question(name: str, a: str) -> str:
    """A question for what `a` points at by a relation, in the words of the relation's name where it is not one of the five."""
    if name in PLAIN:
        return PLAIN[name].format(a=a)
    words = pieces(name)
    return _of(words, a) if words else f"What does {a} lead to by {name}?"


def parent_question(a: str) -> str:
    return PARENT.format(a=a)


def common_question(a: str, b: str) -> str:
    return COMMON.format(a=a, b=b)


def _of(words: list[str], a: str) -> str:
    """`has topping` → Which topping does … have; `derives from` → What does … derive from; `raised by` → What is … raised by;
    `exact match` → What is the exact match of …"""
    if len(words) > 1 and words[0] == "has":
        return f"Which {' '.join(words[1:])} does {a} have?"
    if len(words) > 1 and words[0] == "is":
        words = words[1:]
    elif _is_verb(words[0]):
        return f"What does {a} {' '.join([_bare(words[0]), *words[1:]])}?"
    if words[-1] in _CLOSING:
        return f"What is {a} {' '.join(words)}?"
    return f"What is the {' '.join(words)} of {a}?"


def _is_verb(word: str) -> bool:
    """Whether the first word of a name is a verb in the third person, as far as its ending tells."""
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) and word not in _BESIDE


def _bare(verb: str) -> str:
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    if verb.endswith(("ches", "shes", "sses", "xes", "zes", "oes")):
        return verb[:-2]
    return verb[:-1]
