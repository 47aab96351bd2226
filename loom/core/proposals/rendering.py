"""The text of a section: one item for each assertion, with its source, and what it is related to in the markup of the ontology."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from loom.core.errors import BadInput
from loom.core.outline import links
from loom.core.proposals.assertion import Assertion
from loom.core.proposals.plain import linked, plain
from loom.core.values import Iri

HEADING = "Reported"
"""The heading of the section behind everything else."""

RELATION = "relatedTo"

LONGEST = 8_000
"""Code points of a text that somebody else wrote for a section."""

_INTO = r"^[ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]+)*"
"""What may stand before the words of a line: marks of lists and of quotes."""
_FIELD = re.compile(rf"{_INTO}(?:\*\*)?[^\W_][\w /.-]*?(?:\*\*)?::")
_LINE = re.compile(rf"{_INTO}(?:#{{1,6}}(?:[ \t]|$)|`{{3}}|~{{3}}|(?:-+|=+)[ \t]*$|([-*_])(?:[ \t]*\1){{2,}}[ \t]*$)")
_DEFINED = re.compile(rf"{_INTO}\[[^\]]+\]:")
_TAG = re.compile(r"<(?=[!/?a-z])", re.IGNORECASE)
_SCHEME = re.compile(r"\]\([ \t]*<?(?!https?:|mailto:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)

Titles = Callable[[Iri], str]


@dataclass(frozen=True, slots=True)
class Edit:
    """An anchored edit of a page: the heading under which the text goes, "" for the section behind everything else."""

    text: str
    anchor: str = ""


def items(assertions: Sequence[Assertion], topic: Iri, titles: Titles) -> str:
    """The assertions as a list: each with links where it names concepts, and with the source that says it."""
    return "\n".join(f"- {_linked(each, topic, titles)} (*{plain(each.source)}*)" for each in assertions)


def _linked(assertion: Assertion, topic: Iri, titles: Titles) -> str:
    """The text with a link at the first place of each term in it; what is quoted can hold no link of its own, nor make an embedded page
    or another link of this one by what stands beside it."""
    text = plain(assertion.text)
    for term, iri in sorted(assertion.terms, key=lambda pair: (-len(pair[0]), pair)):
        if not iri or iri == topic or not (title := titles(iri)):
            continue
        match = re.search(rf"(?<![\w\[|!])({re.escape(plain(term))})(?![\w\]|(\[])", _outside(text), re.IGNORECASE)
        if match:
            text = text[: match.start()] + linked(title, text[match.start() : match.end()]) + text[match.end() :]
    text = text if text.endswith((".", "!", "?", '"')) else f"{text}."
    linked_to = {target for target, _, _ in links(text)}
    left = [linked(title) for iri in assertion.resolved if iri != topic and (title := titles(iri)) and title not in linked_to]
    return f"{text} See {', '.join(left)}." if left else text


def _outside(text: str) -> str:
    """The text with links blanked, so that nothing inside them is found."""
    return re.sub(r"\[\[[^\[\]]*\]\]", lambda match: "\x00" * len(match[0]), text)


def related(assertions: Iterable[Assertion], topic: Iri, titles: Titles) -> tuple[str, ...]:
    """The titles of what the assertions are about beside the topic."""
    found = {title: None for each in assertions for iri in each.resolved if iri != topic and (title := titles(iri))}
    return tuple(sorted(found))


def body(anchor: str, texts: Iterable[str], names: Iterable[str], stated: Iterable[str] = ()) -> str:
    """A whole section: the texts in their order, then the relation to every name that the page does not state already. Behind
    everything else it has a heading of its own."""
    parts = ["\n".join(text for text in texts if text)]
    known = set(stated)
    listed = [linked(name) for name in dict.fromkeys(names) if name not in known]
    if listed := [name for name in listed if name.startswith("[[")]:
        parts.append(f"{RELATION}:: {', '.join(listed)}")
    made = "\n\n".join(part for part in parts if part)
    return f"## {HEADING}\n\n{made}" if made and not anchor else made


def checked(edit: Edit, known: Callable[[str], bool]) -> Edit:
    """An edit that somebody else wrote, refused where its text would do more than be read: begin a part, state a field, hide or fence
    something, or link to a page that is none. Raises BadInput."""
    text = "\n".join(line.rstrip() for line in edit.text.strip().replace("\r\n", "\n").split("\n"))
    if not text or len(text) > LONGEST:
        raise _refused(f"a text of 1 to {LONGEST:,} code points", f"{len(text):,}")
    for line in text.split("\n"):
        if _LINE.match(line) or _FIELD.match(line) or _DEFINED.match(line):
            raise _refused("a text without headings, fences, rules, fields and definitions", repr(line[:60]))
        if bad := next((mark for mark in ("-->", "%%", "$$", "{{", "((", "![", "loom:section") if mark in line), None):
            raise _refused("a text without comments, formulas, macros, pictures and marks of sections", repr(bad))
        if bad := next((found[0] for found in (_TAG.search(line), _SCHEME.search(line)) if found), None):
            raise _refused("a text without elements, and with links to the web alone", repr(bad))
        if not line.replace("\t", " ").isprintable():
            raise _refused("a text of characters that are shown", repr(line[:60]))
    if bad := next((target for target, _, _ in links(text) if not known(target)), None):
        raise _refused("a text that links to pages there are", f"[[{bad[:60]}]]")
    return Edit(text, " ".join(edit.anchor.split()))


def _refused(expected: str, came: str) -> BadInput:
    return BadInput(f"Expected {expected} as an edit, but got {came}; it was refused.", param="edit")
