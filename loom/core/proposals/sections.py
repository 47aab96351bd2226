"""Parts of a page that are made from the ledger: put in, made anew and taken out, with every other byte as it was.

A part stands between two comment lines of its own. The first names the part, tells a digest of its text, so that what a person
wrote into it is noticed, and how many line feeds were put before it, so that taking it out leaves the page as it was.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from loom.core.errors import BadInput
from loom.core.proposals.anchors import Unplaceable, headings, place
from loom.core.proposals.lines import lines

LAST = "last"
"""The key of the section behind everything else."""

_OPEN = re.compile(r"^<!-- loom:section ([0-9a-z]+) ([0-9a-f]{16}) ([0-2]) -->\r?$", re.M)
_CLOSE = re.compile(r"^<!-- /loom:section ([0-9a-z]+) -->\r?$", re.M)
_ANY = "loom:section"


@dataclass(frozen=True, slots=True)
class Section:
    """A part as it stands in a page: from `start` (the line feeds before it included) to `end`; its text, and whether it is as it was
    written."""

    key: str
    body: str
    untouched: bool
    start: int
    mark: int
    end: int


class Touched(BadInput):
    """A section that a person has written into."""

    code = "bad_input"


def key_of(anchor: str) -> str:
    """The name of the section under an anchor."""
    bare = " ".join(anchor.split())
    return sha256(bare.encode("utf-8", "surrogatepass")).hexdigest()[:12] if bare else LAST


def digest_of(body: str) -> str:
    return sha256(body.replace("\r\n", "\n").encode("utf-8", "surrogatepass")).hexdigest()[:16]


def text_of(page: bytes) -> str:
    """The text of a page, of which `encode` gives the same bytes. Raises Unplaceable for a page that is not UTF-8."""
    try:
        return page.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unplaceable(
            f"Expected a page in UTF-8, but byte {error.start} is none; save it as UTF-8.", param="page"
        ) from None


def sections(text: str) -> list[Section]:
    """The sections of a page. Raises Unplaceable where their marks are not in order: nothing is then certain."""
    opens, closes = list(_OPEN.finditer(text)), list(_CLOSE.finditer(text))
    disorder = Unplaceable(
        "Expected the marks of sections (<!-- loom:section … -->) to come in pairs, each whole and once, but they do not; restore the "
        "page, or take all of its marks out.",
        param="page",
    )
    if text.count(_ANY) != len(opens) + len(closes) or len(opens) != len(closes):
        raise disorder
    hidden = {line.start for line in lines(text) if line.inside} if opens else set()
    if any(opening.start() in hidden for opening in opens):
        raise Unplaceable(
            "Expected the marks of sections (<!-- loom:section … -->) in the text of the page, but some stand in code or a comment, "
            "where nothing is written; take them out, or spell them otherwise.",
            param="page",
        )
    found: list[Section] = []
    for opening, closing in zip(opens, closes, strict=True):
        if opening[1] != closing[1] or closing.start() <= opening.end() or (found and opening.start() < found[-1].end):
            raise disorder
        found.append(_section(text, opening, closing))
    if len({each.key for each in found}) < len(found):
        raise disorder
    return found


def _section(text: str, opening: re.Match[str], closing: re.Match[str]) -> Section:
    body = text[opening.end() + 1 : closing.start()].removesuffix("\n").removesuffix("\r")
    start, end = opening.start(), closing.end()
    for _ in range(int(opening[3])):
        if start and text[start - 1] == "\n":
            start -= 2 if text[start - 2 : start] == "\r\n" else 1
    if opening[3] != "2" and text[end : end + 1] == "\n":
        end += 1
    return Section(opening[1], body, digest_of(body) == opening[2], start, opening.start(), end)


def without(page: bytes, key: str | None = None) -> bytes:
    """The page without the section of a key, or without any; of one that only this module changed, the page as it was before."""
    text = text_of(page)
    for each in reversed(sections(text)):
        if key is None or each.key == key:
            text = text[: each.start] + text[each.end :]
    return text.encode("utf-8")


def with_section(page: bytes, anchor: str, body: str, *, overwrite: bool = False) -> bytes:
    """The page with this text as its section under an anchor, "" takes the section out. Raises Unplaceable where there is no one place
    for it, and Touched where the section there was written into and is not to be overwritten."""
    text, key = text_of(page), key_of(anchor)
    there = sections(text)
    feed = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    own = next((each for each in there if each.key == key), None)
    if own is not None and not own.untouched and not overwrite:
        raise Touched(
            "Expected the section of the ledger as it was written, but somebody has changed it; move what they wrote out of its marks, or "
            "overwrite it.",
            param="page",
        )
    if own is not None and body and own.body.replace("\r\n", "\n") == body:
        return page
    if not body:
        made = without(page, key)
    elif own is not None:
        lead = int(text[own.mark : text.index("\n", own.mark)].split()[4])
        block = _block(key, body, lead, feed) + ("" if lead == 2 else feed)
        made = (text[: own.mark] + block + text[own.end :]).encode("utf-8")
    else:
        made = _inserted(text, anchor, key, body, feed, there).encode("utf-8")
    if without(made, key) != without(page, key):
        raise Unplaceable(
            "Expected every byte outside the section to stay, but one would not; nothing was written.", param="page"
        )
    return made


def _block(key: str, body: str, lead: int, feed: str) -> str:
    lines = [f"<!-- {_ANY} {key} {digest_of(body)} {lead} -->", *body.split("\n"), f"<!-- /{_ANY} {key} -->"]
    return feed.join(lines)


def _inserted(text: str, anchor: str, key: str, body: str, feed: str, there: list[Section]) -> str:
    inside = frozenset(
        heading.start for heading in headings(text) if any(each.mark <= heading.start < each.end for each in there)
    )
    bounds = tuple(each.start for each in there if each.key == LAST)
    at = place(text, anchor, inside, bounds)
    lead = 0 if at == 0 else 1 if text[at - 1] == "\n" else 2
    block = _block(key, body, lead, feed) + ("" if lead == 2 else feed)
    return text[:at] + feed * lead + block + text[at:]


def bodies(page: bytes) -> Iterator[tuple[str, str]]:
    """Key and text of each section of a page."""
    for each in sections(text_of(page)):
        yield each.key, each.body.replace("\r\n", "\n")
