"""What of a message its author wrote: without quoted replies, what was forwarded, and signature."""

import re

_WROTE = re.compile(
    r"^[ \t]*(?:On\b.{4,160}\bwrote:|Am\b.{4,160}\bschrieb\b.{0,80}:|Le\b.{4,160}\ba\s+écrit\s?:|Il\b.{4,160}\bha\s+scritto:|El\b.{4,160}\bescribió:)[ \t]*$",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
_CUT = re.compile(
    r"^[ \t]*(?:-{2,}\s*(?:Original Message|Forwarded message|Urspr[uü]ngliche Nachricht|Message d'origine)\s*-{2,}|_{10,}|Begin forwarded message:)",
    re.MULTILINE | re.IGNORECASE,
)
_HEADERS = re.compile(
    r"^\*?(?:From|Von|De)\*?:[ \t].+\n(?:\*?(?:Sent|Date|To|Cc|Subject|Gesendet|An|Betreff|Envoyé|À|Objet)\*?:.*\n){1,5}",
    re.MULTILINE,
)
_SIGNATURE = re.compile(r"^-- ?$", re.MULTILINE)
_SENT_FROM = re.compile(
    r"^[ \t]*(?:Sent from (?:my|Mail|Outlook|Yahoo|Proton)\b|Sent via\b|Get Outlook for\b|Von meinem\b.*\bgesendet\b|Gesendet von (?:meinem|Mail|Outlook)\b"
    r"|Envoyé de (?:mon|Mail|Outlook)\b|Inviato da\b|Enviado desde\b).{0,80}(?:\n|\Z)",
    re.MULTILINE | re.IGNORECASE,
)
_QUOTED = re.compile(r"^[ \t]*>.*(?:\n|\Z)", re.MULTILINE)
_BLANK = re.compile(r"\n{3,}")


def own_words(text: str) -> str:
    """The text of a message without what it quotes. What stands between quoted lines is the author's answer, and stays."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    ends = [found.start() for pattern in (_CUT, _HEADERS, _SIGNATURE) if (found := pattern.search(text))]
    text = text[: min(ends, default=len(text))]
    return _BLANK.sub("\n\n", _QUOTED.sub("", _SENT_FROM.sub("", _unannounced(text)))).strip()


def _unannounced(text: str) -> str:
    """The text without the lines that say whom it quotes. Where nothing below one is marked as quoted, all below it is a quote."""
    found = _wrote(text)
    while found:
        behind = text[found[1] :]
        text = text[: found[0]] + (behind if _QUOTED.search(behind) else "")
        found = _wrote(text)
    return text


def _wrote(text: str) -> tuple[int, int] | None:
    """The first announcement of a quote: it takes two lines at the most, and its last one ends in a colon."""
    for found in _WROTE.finditer(text):
        if found[0].strip().count("\n") <= 1:
            return found.span()
    return None
