"""Names of relations: which are known, which known one a misspelt name is nearest to."""

import difflib
import re

from loom.core.concepts import RELATIONS

_LETTERS = re.compile(r"[^a-z]+")
_PLAIN = {_LETTERS.sub("", name.lower()): name for name in RELATIONS}
PARENT_NAMES = frozenset({"parent", "parents", "isa", "subclassof", "issubclassof", "broader", "kindof"})


def plain(name: str) -> str:
    """Letters of a name in lower case: the form in which `depends-on`, `dependsOn` and `Depends on` are one."""
    return _LETTERS.sub("", name.lower())


def known(name: str) -> str | None:
    """The known relation that a name spells in another way, or None."""
    return name if name in RELATIONS else _PLAIN.get(plain(name))


def nearest(name: str) -> str:
    """The known name that an unknown one is nearest to, "" where none is near; `subClassOf` stands for a parent."""
    letters = plain(name)
    if letters in PARENT_NAMES:
        return "subClassOf"
    close = difflib.get_close_matches(letters, _PLAIN, n=1, cutoff=0.7)
    return _PLAIN[close[0]] if close else ""
