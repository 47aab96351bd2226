"""What in a text may break a reader or mislead a model: found, named and located, never changed.

A finding is (kind, message, line): the kinds are declared in `loom.build.checks`. Each kind is reported once a text, with the
number of its places and the line of the first, so that a page full of one fault is one remark.
"""

import re
import unicodedata
from collections.abc import Iterator

Found = tuple[str, str, int]

_CONTROL = bytes([*range(0x00, 0x09), 0x0B, 0x0C, *range(0x0E, 0x20), 0x7F])
_ASTRAL = bytes(range(0xF0, 0xF5))
# Lead bytes of Cyrillic to Thai, Georgian to Khmer, kana, Han and Hangul; Greek is left out, as formulas are full of it.
_OTHER_SCRIPT = bytes([*range(0xD0, 0xE2), *range(0xE3, 0xEE)])
_UNUSUAL = _CONTROL + _ASTRAL + _OTHER_SCRIPT

_ZERO_WIDTH = re.compile(rb"\xe2(?:\x80[\x8b-\x8d]|\x81[\xa0-\xa4])|\xef\xbb\xbf|\xc2\xad")
_BIDI = re.compile(rb"\xe2(?:\x80[\x8e\x8f\xaa-\xae]|\x81[\xa6-\xa9])|\xd8\x9c")
_HTML = re.compile(rb"<(?:script|iframe|object|embed)\b")
_INSTRUCTION = re.compile(
    rb"(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+)?(?:of\s+)?(?:the\s+|your\s+|these\s+|those\s+)?"
    rb"(?:previous|prior|preceding|above|earlier|system)\s+(?:\w+\s+)?(?:instruction|prompt|message|direction|rule)s?"
)
_DELIMITER = re.compile(rb"\[(?:end )?ontology context\]|<\|[a-z_]+\|>|\[/?inst\]|<</?sys>>")


def hazards(text: str, data: bytes | None = None) -> Iterator[Found]:
    """Every hazard of a text, by kind. `data` is the text in UTF-8, where the caller has it already."""
    if data is None:
        data = text.encode("utf-8", "replace")
    plain = data.isascii()
    if len(data.translate(None, _UNUSUAL)) != len(data):
        yield from _found("control-character", "control characters", data, re.compile(b"[" + re.escape(_CONTROL) + b"]"))
        if not plain:
            yield from _found("astral-character", "characters beyond the basic plane", data, re.compile(b"[\xf0-\xf4]"))
            yield from _found("other-script", "words in another script", data, re.compile(b"(?:[\xd0-\xe1\xe3-\xed][\x80-\xbf]+)+"))
    if not plain:
        if b"\xe2\x80" in data or b"\xe2\x81" in data or b"\xef\xbb\xbf" in data or b"\xc2\xad" in data or b"\xd8\x9c" in data:
            yield from _found("zero-width", "zero-width characters", data, _ZERO_WIDTH)
            yield from _found("bidi-control", "bidirectional controls", data, _BIDI)
        if b"\xc2\xa0" in data:
            yield from _found("no-break-space", "no-break spaces", data, re.compile(b"\xc2\xa0"))
        if not unicodedata.is_normalized("NFC", text):
            yield "not-nfc", "the text is not in Unicode normal form C", _line_not_nfc(text)
    lower = data.lower()
    if b"<" in lower:
        yield from _found("script-html", "script or frame elements", lower, _HTML)
    if any(word in lower for word in (b"ignore", b"disregard", b"forget", b"override")):
        yield from _found("instruction-text", "sentences that tell a model to ignore its instructions", lower, _INSTRUCTION)
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
