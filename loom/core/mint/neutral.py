"""Corpus text is data: whatever in it could be read as the block's own frame or as a chat template's is made harmless."""

import re
import unicodedata
from functools import lru_cache

# The block's own delimiters, and the control tokens of chat templates.
_FRAME = re.compile(r"\[(\s*(?:END\s+)?ONTOLOGY\s+CONTEXT\s*)\]", re.IGNORECASE)
_TOKEN = re.compile(
    r"<\|([^|<>]{0,80})\|>"
    r"|<(/?(?:s|bos|eos|think|tools|tool_call|tool_response|system|assistant|user|start_of_turn|end_of_turn))>"
    r"|<<(/?SYS)>>"
    r"|\[(/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS))\]",
    re.IGNORECASE,
)
# Control, bidirectional and zero-width characters, without the two joiners that scripts and emoji need.
_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")
_SPACE = re.compile(r"\s+")
_HEADING = re.compile(r"^(?:[#>]+\s*|[-*+]+(?:\s+|$))+")


def neutral(text: str) -> str:
    """One line of plain text: white space folded, hidden characters gone, delimiters and control tokens defused."""
    text = _SPACE.sub(" ", text).strip()
    if text.isascii() and text.isprintable():
        return _defused(text)
    text = _SPACE.sub(" ", _HIDDEN.sub("", text)).strip()
    seen = _as_seen(text)
    return _defused(text if seen == text or _defused(seen) == seen else seen)


def _defused(text: str) -> str:
    before = ""
    while text != before and ("[" in text or "<" in text):
        before = text
        text = _FRAME.sub(r"(\1)", _TOKEN.sub(_in_brackets, text))
    return text


def _in_brackets(found: re.Match[str]) -> str:
    return f"({next(group for group in found.groups() if group is not None)})"


def _as_seen(text: str) -> str:
    """The text to a reader who takes wide and other compatibility forms for plain ones and passes over what is invisible."""
    plain = unicodedata.normalize("NFKC", text)
    if plain.isascii():
        return plain
    return "".join(letter for letter in plain if letter.isascii() or unicodedata.category(letter) not in ("Cf", "Mn", "Me"))


@lru_cache(maxsize=32_768)
def neutral_name(name: str) -> str:
    """As `neutral`, remembered: names come again and again."""
    return neutral(name)


def neutral_sentence(text: str) -> str:
    """As `neutral`, and without a beginning that would read as a heading, a quote or a list."""
    return _HEADING.sub("", neutral(text))
