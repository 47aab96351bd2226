"""What in a text may break a reader or mislead a model: found, named and located, never changed.

A finding is (kind, message, line): the kinds are declared in `loom.build.checks`. Each kind is reported once a text, with the
number of its places and the line of the first, so that a page full of one fault is one remark.
"""

import re
import unicodedata
from collections.abc import Iterator

Found = tuple[str, str, int]

_CONTROL = bytes([*range(0x00, 0x09), 0x0B, 0x0C, *range(0x0E, 0x20), 0x7F])
_ASCII = bytes(range(128))
_CONTROLS = re.compile(b"[" + re.escape(_CONTROL) + b"]")
# Patterns over UTF-8. Other scripts are Cyrillic to Thai, Georgian to Khmer, kana, Han and Hangul: not Greek, as formulas are
# full of it.
_BEYOND_ASCII = (
    ("astral-character", "characters beyond the basic plane", re.compile(rb"[\xf0-\xf4][\x80-\xbf]{3}")),
    (
        "other-script",
        "words in another script",
        re.compile(rb"(?:[\xd0-\xdf][\x80-\xbf]|(?:\xe1[\x80-\xb3]|[\xe0\xe3-\xed][\x80-\xbf])[\x80-\xbf])+"),
    ),
    ("zero-width", "zero-width characters", re.compile(rb"\xe2(?:\x80[\x8b-\x8d]|\x81[\xa0-\xa4])|\xef\xbb\xbf|\xc2\xad")),
    ("bidi-control", "bidirectional controls", re.compile(rb"\xe2(?:\x80[\x8e\x8f\xaa-\xae]|\x81[\xa6-\xa9])|\xd8\x9c")),
    ("no-break-space", "no-break spaces", re.compile(rb"\xc2\xa0")),
)

_HTML = re.compile(rb"<(?:script|iframe|object|embed)\b")
_TOLD = (
    rb"\s+(?:all\s+|any\s+)?(?:of\s+)?(?:the\s+|your\s+|these\s+|those\s+)?"
    rb"(?:previous|prior|preceding|above|earlier|system)\s+(?:\w+\s+)?(?:instruction|prompt|message|direction|rule)s?"
)
_INSTRUCTIONS = {verb: re.compile(verb + _TOLD) for verb in (b"ignore", b"disregard", b"forget", b"override")}
_DELIMITER = re.compile(rb"\[(?:end )?ontology context\]|<\|[a-z_]+\|>|\[/?inst\]|<</?sys>>")


def hazards(text: str, data: bytes | None = None) -> Iterator[Found]:
    """Every hazard of a text, by kind. `data` is the text in UTF-8, where the caller has it already."""
    if data is None:
        data = text.encode("utf-8", "replace")
    if len(data.translate(None, _CONTROL)) != len(data):
        yield from _found("control-character", "control characters", data, _CONTROLS)
    rest = data.translate(None, _ASCII)
    if rest:
        for kind, what, pattern in _BEYOND_ASCII:
            if pattern.search(rest):
                yield from _found(kind, what, data, pattern)
        if not unicodedata.is_normalized("NFC", text):
            yield "not-nfc", "the text is not in Unicode normal form C", _line_not_nfc(text)
    lower = data.lower()
    if b"<" in lower:
        yield from _found("script-html", "script or frame elements", lower, _HTML)
    told = [match for verb, pattern in _INSTRUCTIONS.items() if verb in lower for match in pattern.finditer(lower)]
    if told:
        first = min(match.start() for match in told)
        line = data.count(b"\n", 0, first) + 1
        yield "instruction-text", f"{len(told)} × sentences that tell a model to ignore its instructions", line
    if b"context]" in lower or b"|>" in lower or b"inst]" in lower or b"sys>>" in lower:
        yield from _found("delimiter-text", "delimiters of a block or of a chat template", lower, _DELIMITER)


def _found(kind: str, what: str, data: bytes, pattern: re.Pattern[bytes]) -> Iterator[Found]:
    places = [match.start() for match in pattern.finditer(data)]
    if places:
        yield kind, f"{len(places)} × {what}", data.count(b"\n", 0, places[0]) + 1


def _line_not_nfc(text: str) -> int:
    lines = text.split("\n")
    return next((at for at, line in enumerate(lines, 1) if not unicodedata.is_normalized("NFC", line)), 1)


def decode(data: bytes) -> tuple[str | None, list[Found]]:
    """The text of a file with line feeds only, and what had to be mended; None for a file that is no text."""
    found: list[Found] = []
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        found.append(("not-utf8", "the file is UTF-16; it was read as such; save it as UTF-8", 1))
        text = data.decode("utf-16", "replace")
    elif b"\0" in data:
        return None, [("binary-file", "the file holds zero bytes and is no text", 0)]
    else:
        if data.startswith(b"\xef\xbb\xbf"):
            found.append(("byte-order-mark", "the file begins with a byte order mark; it was left out", 1))
            data = data[3:]
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            found.append(("not-utf8", f"byte 0x{data[error.start]:02x} is no UTF-8; such bytes were read as U+FFFD", line))
            text = data.decode("utf-8", "replace")
    if "\r" in text:
        found.append(("carriage-return", "lines end in carriage returns; they were read as line feeds", 1))
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text, found
