"""Corpus text is data: whatever in it could be read as the block's own frame or as a chat template's is made harmless."""

import re
from functools import lru_cache

# Brackets of the block's own delimiters, chat-template control tokens, and control, bidirectional and zero-width characters.
_FRAME = re.compile(r"\[(\s*(?:END\s+)?ONTOLOGY\s+CONTEXT\s*)\]", re.IGNORECASE)
_TOKEN = re.compile(r"<\|([^|<>]{0,40})\|>|<(/?(?:s|think|tool_call|system|assistant|user))>|\[(/?INST)\]", re.IGNORECASE)
_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")
_SPACE = re.compile(r"\s+")
_HEADING = re.compile(r"^[#>\-\s]+(?=\S)")


def neutral(text: str) -> str:
    """One line of plain text: white space folded, hidden characters gone, delimiters and control tokens defused."""
    text = _SPACE.sub(" ", text).strip()
    if not text.isascii() or not text.isprintable():
        text = _SPACE.sub(" ", _HIDDEN.sub("", text)).strip()
    if "[" in text or "<" in text:
        text = _TOKEN.sub(lambda found: f"({next(group for group in found.groups() if group is not None)})", text)
        text = _FRAME.sub(r"(\1)", text)
    return text


@lru_cache(maxsize=32_768)
def neutral_name(name: str) -> str:
    """As `neutral`, remembered: names come again and again."""
    return neutral(name)


def neutral_sentence(text: str) -> str:
    """As `neutral`, and without a beginning that would read as a heading, a quote or a list."""
    return _HEADING.sub("", neutral(text))
