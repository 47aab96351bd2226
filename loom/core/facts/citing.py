"""How an answer says which file a line is from, and how that is read back (R16): one form, written here and read here."""

import re

FORM = "[source: {}]"
"""With the name of the file in the inventory."""

_FOUND = re.compile(r"\[source: ([^\[\]\n]{1,400})\]")


def cite(name: str) -> str:
    """A citation of a file by its name; characters that would end it are left out."""
    return FORM.format(re.sub(r"[\[\]\s]+", " ", name).strip())


def cited(text: str) -> tuple[str, ...]:
    """The names that a text cites, in order, each once."""
    return tuple(dict.fromkeys(name.strip() for name in _FOUND.findall(text)))
