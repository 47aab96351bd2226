"""The assertion ledger: pages on which assertions land, one a source document, each only ever added to.

A page is for its readers: an assertion is a list item, with wikilinks to what it is about. The same line holds the assertion as JSON in
a comment, from which the ledger is read. The front matter says `loom: ledger`; by that, wherever the page lies, the readers of a
build pass it over, so that nothing of it enters a generation.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from loom.core.errors import BadInput
from loom.core.pages.resolve import slug_name
from loom.core.proposals.assertion import Assertion, assertion_of
from loom.core.proposals.plain import linked, plain
from loom.core.values import Iri, Json

FOLDER = "assertion-ledger"
"""Where in a vault the pages are written."""

OWN = ".loom-"
"""What names of files begin with that the node itself makes beside pages while it writes; no build looks at them."""

HEAD = 1 << 16
"""Bytes of a file in which its front matter must say that it is of the ledger."""

_FRONT = re.compile(
    rb"(?:\xef\xbb\xbf)?---[ \t]*\r?\n(?:(?!(?:---|\.\.\.)[ \t]*\r?$).*\n)*?"
    rb"[\"']?loom[\"']?[ \t]*:[ \t]*(?:\[[ \t]*|\r?\n[ \t]*-[ \t]+)?[\"']?ledger[\"']?[ \t]*(?:\][ \t]*)?(?:(?<=[ \t])#.*)?\r?$",
    re.M,
)
"""However an editor of properties writes the line: quoted or not, as a list of one, with a remark behind it."""
_SOURCE = re.compile(r"^[\"']?source[\"']?[ \t]*:(.*)$", re.M)
_END = re.compile(r"\n(?:---|\.\.\.)[ \t]*\r?$", re.M)
_QUOTED = re.compile(r"'((?:[^']|'')*)'")
_ENTRY = re.compile(r"^.*<!-- loom:assertion (\{.*\}) -->[ \t]*$")
_MARK = "loom:assertion"

_INSIDE = (("<", "\\u003c"), (">", "\\u003e"), ("[[", "[\\u005b"), ("{{", "{\\u007b"), ("((", "(\\u0028"), ("%%", "%\\u0025"))
"""What would end the comment, or be a link, macro or comment for the programs that people read pages with; none of it is JSON's own."""

Titles = Callable[[Iri], str]
"""The title of a concept, "" where it is not known."""


@dataclass(frozen=True, slots=True)
class LedgerPage:
    """What a page holds: its source, its assertions in the order in which they landed, and the lines that cannot be read, with why."""

    source: str
    assertions: tuple[Assertion, ...]
    faults: tuple[tuple[int, str], ...]


def is_ledger(data: bytes) -> bool:
    """Whether a file, or its beginning, is a page of the ledger."""
    return _FRONT.match(data[:HEAD]) is not None


def page_name(source: str) -> str:
    """The path of the page of a source: its name as a slug, and so much of a digest that no two sources share a page."""
    slug = slug_name(source)[:60].strip("-") or "source"
    portable = slug if slug.isascii() else "source"
    return f"{FOLDER}/{portable}-{sha256(source.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}.md"


def begun(source: str) -> str:
    """A page without an assertion yet."""
    shown = json.dumps(source, ensure_ascii=False)
    title = json.dumps(f"Ledger of {plain(source)}", ensure_ascii=False)
    return (
        f"---\nloom: ledger\ntitle: {title}\nsource: {shown}\npublic: false\n---\n"
        f"What was said in {plain(source)}, as it was extracted. Nothing of this page is served, and no line of it is changed: what is "
        "approved is written into the pages that it is about.\n\n"
    )


def entry(assertion: Assertion, titles: Titles) -> str:
    """The line of one assertion."""
    about = [linked(title) for iri in assertion.resolved if (title := titles(iri))]
    about += [f"*{plain(term)}*" for term in assertion.unresolved]
    stated = json.dumps(assertion.as_json(), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    for mark, written in _INSIDE:
        stated = stated.replace(mark, written)
    links = f" ({', '.join(about)})" if about else ""
    return f"- {plain(assertion.text)}{links} <!-- {_MARK} {stated} -->\n"


def read_page(text: str, name: str) -> LedgerPage:
    """Read a page. Whatever people wrote between the entries is passed over; an entry that was changed is a fault. Raises BadInput
    where the page does not say whose it is."""
    source = _source(text[:HEAD])
    if not source:
        raise BadInput(
            f"Expected the page {name} of the ledger to state its source in its front matter; restore it.", param="ledger"
        )
    assertions: list[Assertion] = []
    faults: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if _MARK not in line:
            continue
        try:
            assertions.append(_read(line.rstrip("\r"), source, f"line {number} of {name}"))
        except BadInput as error:
            faults.append((number, error.message))
    return LedgerPage(source, tuple(assertions), tuple(faults))


def _source(head: str) -> str:
    """The source that front matter states, "" where it states none; editors write a text with quotes of either kind, or without."""
    end = _END.search(head)
    found = _SOURCE.search(head, 0, end.start() if end else len(head))
    stated = found[1].strip() if found else ""
    if stated.startswith("'"):
        quoted = _QUOTED.match(stated)
        return quoted[1].replace("''", "'") if quoted else ""
    if not stated.startswith('"'):
        return stated.partition(" #")[0].rstrip()
    try:
        source, _ = json.JSONDecoder().raw_decode(stated)
    except ValueError:
        return ""
    return str(source)


def _read(line: str, source: str, where: str) -> Assertion:
    match = _ENTRY.match(line)
    try:
        stated: Json = json.loads(match[1]) if match else None
    except ValueError:
        stated = None
    if not isinstance(stated, dict) or "fingerprint" not in stated:
        raise BadInput(f"Expected an assertion with its fingerprint in {where}, but it cannot be read.", param="ledger")
    made = assertion_of(stated, where)
    if made.source != source:
        raise BadInput(f"Expected an assertion of {source!r} in {where}, but it is of {made.source[:60]!r}.", param="ledger")
    return made


def added(page: str | None, source: str, new: Sequence[Assertion], titles: Titles) -> str:
    """The page with further assertions at its end: what was there is its beginning, byte for byte."""
    text = begun(source) if page is None else page
    if text and not text.endswith("\n"):
        text += "\n"
    return text + "".join(entry(each, titles) for each in new)


def unknown(page: LedgerPage | None, delivered: Iterable[Assertion]) -> list[Assertion]:
    """Those of delivered assertions that a page does not hold, each once."""
    known = {each.fingerprint for each in page.assertions} if page else set()
    found: dict[str, Assertion] = {}
    for each in delivered:
        if (fingerprint := each.fingerprint) not in known:
            found.setdefault(fingerprint, each)
    return list(found.values())
