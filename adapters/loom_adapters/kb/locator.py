"""Where each member of a TOML text stands: what a parser leaves out, and a remark needs."""

import re
from bisect import bisect_right

Place = tuple[str | int, ...]
"""Keys from the top of the document; an index where a list is entered."""

DEEPEST = 20
"""Keys of a dotted key that are told apart."""

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"""(?:"{0,2})' + r"|'''.*?'''(?:'{0,2})" + r'|"(?:[^"\\\n]|\\.)*"' + r"|'[^'\n]*'", re.DOTALL
)
_SCALAR = re.compile(r"[^,\]}\n#]*")
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPED = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r"}


class Lines:
    """Lines of the members of a document, from 1. The text must be TOML: a parser has read it before."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._at = 0
        self._found: dict[Place, int] = {}
        self._lists: dict[Place, int] = {}
        self._document()

    def line(self, place: Place) -> int:
        """The line of a member; of what it stands in where it is not stated itself, at last the first of the document."""
        while place and place not in self._found:
            place = place[:-1]
        return self._found.get(place, 1)

    def _document(self) -> None:
        table: Place = ()
        while self._skip():
            if self._text[self._at] == "[":
                line, several = self._line(), self._text.startswith("[[", self._at)
                self._at += 1 + several
                table = self._entered(self._key(), several)
                for depth in range(1, len(table) + 1):
                    self._found.setdefault(table[:depth], line)
                self._skip()
                self._at += 1 + several
            else:
                self._member(table)

    def _entered(self, keys: Place, several: bool) -> Place:
        """The place that a header opens: the last of each list of tables on the way, a further one of the last."""
        place: Place = ()
        for depth, key in enumerate(keys, 1):
            place = (*place, key)
            if several and depth == len(keys):
                self._lists[place] = self._lists.get(place, 0) + 1
            if place in self._lists:
                place = (*place, self._lists[place] - 1)
        return place

    def _member(self, table: Place) -> None:
        line, keys = self._line(), self._key()
        for depth in range(1, len(keys) + 1):
            self._found.setdefault((*table, *keys[:depth]), line)
        self._skip()
        self._at += 1  # the equals sign
        self._skip()
        self._value((*table, *keys))

    def _value(self, place: Place) -> None:
        opened = self._text[self._at : self._at + 1]
        if opened == "[":
            self._at += 1
            index = 0
            while self._skip() and self._text[self._at] != "]":
                self._found.setdefault((*place, index), self._line())
                self._value((*place, index))
                index += 1
                self._comma()
            self._at += 1
        elif opened == "{":
            self._at += 1
            while self._skip() and self._text[self._at] != "}":
                self._member(place)
                self._comma()
            self._at += 1
        elif found := _STRING.match(self._text, self._at):
            self._at = found.end()
        else:
            scalar = _SCALAR.match(self._text, self._at)
            self._at = max(scalar.end() if scalar else 0, self._at + 1)

    def _comma(self) -> None:
        if self._skip() and self._text[self._at] == ",":
            self._at += 1

    def _key(self) -> Place:
        """A dotted key."""
        keys: list[str] = []
        while True:
            self._skip()
            found = _STRING.match(self._text, self._at) or _BARE_KEY.match(self._text, self._at)
            if found is None:
                self._at += 1
                return tuple(keys)
            self._at = found.end()
            if len(keys) < DEEPEST:
                keys.append(_plain(found[0]))
            if not (self._skip() and self._text[self._at] == "."):
                return tuple(keys)
            self._at += 1

    def _skip(self) -> bool:
        """Pass blanks and comments; whether anything is left."""
        found = _BLANK.match(self._text, self._at)
        self._at = found.end() if found else self._at
        return self._at < len(self._text)

    def _line(self) -> int:
        return bisect_right(self._starts, self._at)


def _plain(key: str) -> str:
    if key.startswith("'"):
        return key[1:-1]
    if not key.startswith('"'):
        return key
    return _ESCAPE.sub(lambda m: chr(int(m[1] or m[2], 16)) if m[1] or m[2] else _ESCAPED.get(m[3], m[3]), key[1:-1])
