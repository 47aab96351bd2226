"""Messages as entries: single ones (RFC 5322), and mailboxes of them. An author is a source: what they write later may replace it."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email import message_from_bytes
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import default
from email.utils import parseaddr, parsedate_to_datetime
from html.parser import HTMLParser

from loom.core.claims.intake.ids import entry
from loom.core.claims.intake.mail import own_words
from loom.core.claims.records import Entry
from loom.core.report import Report
from loom.core.values import Where
from loom.ports import SourceFile

KIND = "mail"
_BEGIN = re.compile(rb"(?:\A|\n\r?\n)From [^\r\n]*\r?\n")
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)


def read_mail(file: SourceFile, report: Report) -> Iterator[Entry]:
    """The one message of a file."""
    yield from _message(file.data, Where(file.name), report)


def read_mailbox(file: SourceFile, report: Report) -> Iterator[Entry]:
    """The messages of a mailbox in their order; a remark names the line on which its message begins."""
    begins = list(_BEGIN.finditer(file.data))
    if not file.data.strip():
        report.note("empty-file", "there is no message in it", Where(file.name))
    elif not begins or file.data[: begins[0].start()].strip():
        report.note("broken-mailbox", "its first line does not begin a message", Where(file.name))
    for at, begin in enumerate(begins):
        end = begins[at + 1].start() if at + 1 < len(begins) else len(file.data)
        line = file.data.count(b"\n", 0, begin.end())
        yield from _message(_ESCAPED.sub(rb"\1", file.data[begin.end() : end]), Where(file.name, line), report)


def _message(data: bytes, where: Where, report: Report) -> Iterator[Entry]:
    try:
        message = message_from_bytes(data, policy=default)
        text, flaw = _body(message)
        name, address = _author(message)
        stated = _header(message, "date")
    except (ValueError, LookupError, TypeError, AttributeError, IndexError, RecursionError) as error:
        report.note("broken-mail", f"it cannot be parsed ({type(error).__name__})", where)
        return
    if not message.keys():
        report.note("broken-mail", "it has no headers", where)
        return
    flaws = [flaw] if flaw else [type(defect).__name__ for defect in message.defects]
    if flaws:
        report.note("mail-defect", flaws[0], where)
    words = own_words(text)
    if not words:
        report.note("broken-mail", "there is no text in it that its author wrote", where)
        return
    when = _when(stated)
    if not when:
        report.note("bad-date", f"its date is {stated[:40]!r}" if stated else "it states no date", where)
    if not address:
        report.note("no-author", "it states no sender", where)
    source = f"mail:{address.lower()}" if address else f"file:{where.file}"
    yield entry(source, words, kind=KIND, author=name or address, observed_at=when)


def _author(message: EmailMessage) -> tuple[str, str]:
    """Name and address of who wrote a message."""
    header = message.get("from")
    addresses: tuple[Address, ...] = getattr(header, "addresses", ())
    if addresses and addresses[0].username:
        return " ".join(addresses[0].display_name.split()), addresses[0].addr_spec
    name, address = parseaddr(str(header or ""))
    return " ".join(name.split()), address if "@" in address else ""


def _header(message: EmailMessage, name: str) -> str:
    return " ".join(str(message.get(name) or "").split())


def _when(stated: str) -> str:
    """A date of RFC 5322 as ISO text in UTC; "" for anything else."""
    try:
        found: datetime = parsedate_to_datetime(stated)
        return found.replace(tzinfo=found.tzinfo or UTC).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""


def _body(message: EmailMessage) -> tuple[str, str]:
    """The text of a message, plain before HTML, and what was wrong with it."""
    part = message.get_body(("plain", "html"))
    if part is None:
        return "", ""
    flaw = ""
    try:
        text = str(part.get_content())
    except (LookupError, UnicodeError, ValueError):
        held = part.get_payload(decode=True)
        text = held.decode("utf-8", "replace") if isinstance(held, bytes) else ""
        flaw = "its character set is unknown"
    if not flaw and part.defects:
        flaw = type(part.defects[0]).__name__
    return (_plain(text) if part.get_content_type() == "text/html" else text), flaw


class _Words(HTMLParser):
    """The words of HTML; what is quoted, styled or scripted is left out."""

    LEFT_OUT = frozenset({"blockquote", "script", "style", "head", "title"})
    HEADING = frozenset("html head title meta link base style script noscript template".split())
    """What a head holds. Anything else ends it, whether its end is written or not."""
    LINES = frozenset("p div br li tr td th dt dd h1 h2 h3 h4 h5 h6 ul ol dl table".split())

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._out: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._out[:1] == ["head"] and tag not in self.HEADING:
            self._out.clear()
        quoted = tag == "div" and any(name == "class" and "gmail_quote" in (value or "") for name, value in attrs)
        if tag in self.LEFT_OUT or quoted or (self._out and tag == self._out[0]):
            self._out.append(tag)
        elif tag in self.LINES:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._out:  # an end that is not written is that of what it lies in
            while self._out.pop() != tag:
                pass
        elif tag in self.LINES:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._out:
            self.parts.append(" ".join(data.split("\n")))


def _plain(html: str) -> str:
    words = _Words()
    words.feed(html)
    words.close()
    return "\n".join(line for each in "".join(words.parts).split("\n") if (line := " ".join(each.split())))
