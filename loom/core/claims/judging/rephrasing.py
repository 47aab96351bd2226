"""A proposition in other words, without a model: what the check of stability compares positions under.

The words that carry the meaning stay; what changes is the frame, the order of a reason and what it explains, and short forms.
"""

import re
from hashlib import sha256

FRAMES = ("It is said that {}.", "According to the record, {}.", "What holds is this: {}.", "As things stand, {}.")
_REASON = re.compile(r"^(?P<what>[^,;]{8,}?) (?P<word>because|since|if|when|although) (?P<why>[^,;]{8,})$", re.I)
_SHORT = (
    ("isn't", "is not"), ("aren't", "are not"), ("doesn't", "does not"), ("don't", "do not"), ("won't", "will not"),
    ("can't", "cannot"), ("it's", "it is"), ("wasn't", "was not"), ("weren't", "were not"),
)  # fmt: skip


def rephrased(text: str) -> str:
    """The same in another frame: which one follows from the text."""
    said = " ".join(text.split()).rstrip(".")
    for short, long in _SHORT:
        said = re.sub(rf"\b{re.escape(short)}\b", long, said, flags=re.I)
    if found := _REASON.match(said):
        said = f"{found['word'].lower()} {_inner(found['why'])}, {_inner(found['what'])}"
    frame = FRAMES[sha256(text.encode("utf-8", "surrogatepass")).digest()[0] % len(FRAMES)]
    return frame.format(_inner(said))


def _inner(text: str) -> str:
    """A sentence as it stands inside another: a common first word is written small."""
    first, _, _ = text.partition(" ")
    return text[:1].lower() + text[1:] if first.lower() in _COMMON else text


_COMMON = frozenset(
    "the a an this that these those it there all no some every each our their his her its in on at if when".split()
)
