"""Text of others inside a page: shown as it is, and unable to state, link, hide or end anything there."""

import re

_TAG = re.compile(r"<(?=[!/?A-Za-z])")
_FIELD = re.compile(r"^(?:\*\*)?[^\W_][\w /.-]*?(?:\*\*)?::")
_BEGINNING = re.compile(r"^(?=#{1,6}\s|[-*+]\s|\d+[.)]\s|>|\||`{3}|~{3}|---|===)")


def plain(text: str) -> str:
    """One line of text for the inside of a list item: no link, comment, tag, fence, formula, macro, field, heading or table, and no word of
    the marks of sections, by which a page would be refused."""
    text = " ".join(text.split())
    text = _TAG.sub("&lt;", text).replace("-->", "--&gt;").replace("loom:section", "loom: section")
    for mark in ("[[", "]]", "{{", "}}", "((", "))", "![", "](", "```", "~~~", "%%", "$$"):
        while mark in text:
            text = text.replace(mark, " ".join(mark))
    if _FIELD.match(text):
        text = f'"{text}"'
    return _BEGINNING.sub("\\\\", text)


def linked(title: str, shown: str = "") -> str:
    """A wikilink to a page; a title that no wikilink can hold is plain text."""
    if not title or any(mark in title for mark in "[]|#\n\r^"):
        return plain(shown or title)
    shown = plain(shown) if shown and shown != title else ""
    return f"[[{title}|{shown}]]" if shown and not any(mark in shown for mark in "[]|") else f"[[{title}]]"
