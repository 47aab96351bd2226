"""What an answer writes in digits without stating a number: code, addresses, versions; and marks that only put it in order."""

import re
from collections.abc import Iterator

LIST, HEADING, CITATION, ORDINAL, COUNT = "list mark", "heading", "citation", "ordinal", "count"

_CODE = re.compile(r"^[ \t]*(?P<fence>```+|~~~+).*?(?:^[ \t]*(?P=fence)[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"(?<!`)`(?P<code>[^`\n]+)`(?!`)")
_PROGRAM = re.compile(r"[(){}=<>/;\\]|[^\W\d]\w*\d\w*")
_ADDRESS = re.compile(
    r"(?:\b(?:https?|ftp|urn|doi|file|mailto|sha256|data):|\bwww\.)[^\s<>\"')\]]+|\]\([^()\n]{0,400}\)|</?[A-Za-z][^<>\n]*>"
    r"|&\#?\w{1,10};|(?<![\w./])24/7(?![\w/])|(?<![\w.+-])[\w.+-]{1,64}@[\w-]+\.\w+",
    re.IGNORECASE,
)
_VERSION = re.compile(r"(?<![\w.,])[vV]?\.?\d{1,4}(?:\.\d{1,5}){2,}(?!\d)(?:-?[A-Za-z]\w*)?|(?<!\w)[vV]\d+(?:\.\d+)*(?!\w)")
_NO_VERSION = re.compile(
    r"[1-9]\d{0,2}(?:\.\d{3})+|\d{1,2}\.\d{1,2}\.\d{4}|(?:0[1-9]|[12]\d|3[01])\.(?:0[1-9]|1[0-2])\.\d\d|\d{4}\.\d{1,2}\.\d{1,2}"
)
_LIST = re.compile(
    r"^[ \t>]*(?:[-*+•][ \t]+)?(?:[*_]{1,3})?(?P<n>\d{1,3})(?P<how>[.)]|\\\.)(?=[*_]{0,3}[ \t]+\S)", re.MULTILINE
)
_HEADING = re.compile(
    r"^[ \t]{0,3}#{1,6}[ \t]+(?:[*_]{1,3})?(?P<n>\d{1,3}(?:\.\d{1,3}){0,3})(?=[.):]?[*_]{0,3}(?:[ \t]+(?![%\d])|[ \t]*$))",
    re.MULTILINE,
)
_STEP = re.compile(
    r"^[ \t>]*(?:[-*+•][ \t]+|\#{1,6}[ \t]+)?(?:[*_]{1,3})?(?:step|passo|point|punto|option|opzione|example|esempio)[ \t]+"
    r"(?P<n>\d{1,2})(?=[*_]{0,3}[ \t]*(?:[.:)–—]|$))",
    re.MULTILINE | re.IGNORECASE,
)
_CITATION = re.compile(
    r"(?<![\w\[])\[\^?\d{1,2}(?:[ ]?[,;–-][ ]?\d{1,2})*\](?![(\w])|【\d{1,2}[^】\n]{0,40}】|(?<=[\w.,;:!?”\"')])\[\^?\d{1,2}\](?!\()"
)
_RANK = re.compile(r"(?<![\w&])\#\d{1,3}(?![\w.,]\d)")
ORDINAL_END = re.compile(r"(?:st|nd|rd|th|º|ª|esimo|esima)(?!\w)")
SENTENCE = 600
"""Characters in which a sentence names what it has counted."""

_BULLET = re.compile(r"^(?P<indent>[ \t>]*)(?:[-*+•]|\d{1,3}[.)])[ \t]+\S")
_ROW = re.compile(r"^[ \t]*\|.*\|[ \t]*$")
_RULE = re.compile(r"^[ \t|:-]+$")


def unread(text: str) -> Iterator[tuple[int, int]]:
    """The places whose digits are no numbers: code, addresses, tags, versions. A number alone in code marks is one."""
    for match in _CODE.finditer(text):
        yield match.span()
    for match in _INLINE.finditer(text):
        if _PROGRAM.search(match["code"]):
            yield match.span()
    for match in _ADDRESS.finditer(text):
        yield match.span()
    for match in _VERSION.finditer(text):
        if not _NO_VERSION.fullmatch(match.group()):
            yield match.span()


def marks_in(text: str) -> Iterator[tuple[int, int, str]]:
    """The places of marks that put an answer in order. A list mark has to follow on another one, or begin the counting: a number
    that merely begins a line is none."""
    marked: set[int] = {-1, 0}
    for match in _LIST.finditer(text):
        number = int(match["n"])
        if number - 1 in marked:
            marked.add(number)
            yield *match.span("n"), LIST
    stepped: set[int] = {-1, 0}
    for match in _STEP.finditer(text):
        number = int(match["n"])
        if number - 1 in stepped:
            stepped.add(number)
            yield *match.span("n"), LIST
    for match in _HEADING.finditer(text):
        yield *match.span("n"), HEADING
    for match in _CITATION.finditer(text):
        yield *match.span(), CITATION
    for match in _RANK.finditer(text):
        yield *match.span(), ORDINAL


def counts_in(text: str) -> frozenset[int]:
    """How many items the lists of an answer have, and how many rows its tables."""
    counts: set[int] = set()
    open_at: dict[int, int] = {}
    rows = 0
    ruled = False
    for line in [*text.split("\n"), "."]:
        bullet = _BULLET.match(line)
        if bullet:
            indent = len(bullet["indent"])
            for deeper in [each for each in open_at if each > indent]:
                counts.add(open_at.pop(deeper))
            open_at[indent] = open_at.get(indent, 0) + 1
        elif line.strip() and not line.startswith((" ", "\t")):
            counts.update(open_at.values())
            open_at.clear()
        if _ROW.match(line):
            ruled = ruled or bool(_RULE.match(line))
            rows += 0 if _RULE.match(line) else 1
        elif rows:
            counts.add(rows - 1 if ruled else rows)
            rows, ruled = 0, False
    return frozenset(count for count in counts if count > 1)


_HEAD = re.compile(
    r"[ \u00a0]+(?:[^\W\d_][\w’'-]*[ ]+){0,4}?[^\W\d_][\w’'-]*[*_]{0,3}[ ]?(?P<how>[:(]|\b(?:are|were|namely|sono|erano|cioè)\b:?)"
)
_BETWEEN = re.compile(r"[,;]\s+(?:(?:and|or|e|o|ed)\s+)?|\s+(?:and|or|e|o|ed)\s+")


def named_after(text: str, end: int) -> int:
    """How many things a sentence names behind a number that ends at `end`: "3 rooms: A, B and C" are 3; 0 where it names none."""
    head = _HEAD.match(text, end)
    if head is None:
        return 0
    closing = r"[)\n]" if head["how"] == "(" else r"[.!?](?:\s|$)|\n"
    listed = text[head.end() : head.end() + SENTENCE]
    over = re.search(closing, listed)
    listed = listed[: over.start()] if over else listed
    return len(_BETWEEN.findall(listed)) + 1 if listed.strip() else 0
