"""Names that are told from words by their capitals: OWL and SLAM, WebRTC and iPhone."""

from collections.abc import Sequence

from loom.core.text import words_as_written


def cased(name: str) -> bool:
    """Whether every word of a name has a capital after its first letter."""
    written = words_as_written(name)
    return bool(written) and all(map(_inner_capital, written))


def as_the_name(text: str, written: Sequence[str], start: int, covered: int) -> int:
    """1 where a text writes a word of a cased name so, -1 where it does not; 0 where that cannot be told, as in a text all in
    capitals. `written` are the text's words."""
    words = words_as_written(text)
    if len(words) != len(written) or text.isupper():
        return 0
    return 1 if any(map(_inner_capital, words[start : start + covered])) else -1


def _inner_capital(word: str) -> bool:
    return word[0].isalpha() and any(letter.isupper() for letter in word[1:])
