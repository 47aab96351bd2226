"""Ids that follow from content."""

from hashlib import sha256

from loom.core.claims.records import Entry

DIGITS = 24


def content_id(prefix: str, *parts: str) -> str:
    """`prefix:` and the first hexadecimal digits of the SHA-256 of some texts, each with its length before it."""
    digest = sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(f"{len(data)}:".encode() + data)
    return f"{prefix}:{digest.hexdigest()[:DIGITS]}"


def entry(source: str, text: str, *, kind: str = "", author: str = "", observed_at: str = "", id: str = "") -> Entry:
    """An entry, under an id that follows from what it holds where it has none of its own."""
    made = id or content_id("entry", source, kind, author, observed_at, text)
    return Entry(made, source, text, kind, author, observed_at)


def signal_id(entry: str, start: int, end: int, proposition: str) -> str:
    """The id of a proposition that was taken from a span of an entry."""
    return content_id("signal", entry, str(start), str(end), proposition)
