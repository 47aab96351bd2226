"""Reading a table of a TOML file, member by member, so that every fault is told by name, with what was expected."""

import math
from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from loom.core.errors import BadInput
from loom.core.values import Json


class Table:
    """One table. Members are taken by name; `end` refuses what nobody took. `where` says where it stands, for messages."""

    def __init__(self, stated: Mapping[str, Json], where: str) -> None:
        self._stated = dict(stated)
        self._known: list[str] = []
        self.where = where

    def has(self, name: str) -> bool:
        return name in self._stated

    def take(self, name: str) -> Json:
        """The member as it stands; None where there is none."""
        self._known.append(name)
        return self._stated.get(name)

    def wrong(self, name: str, expected: str, got: Json) -> BadInput:
        return BadInput(f"Expected {name} to be {expected} in {self.where}, but got {_shown(got)}.", param=name)

    def text(self, name: str, default: str = "", *, among: Sequence[str] = ()) -> str:
        value = self.take(name)
        if value is None:
            return default
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(name, "a text", value)
        if among and value not in among:
            raise self.wrong(name, f"one of {', '.join(among)}", value)
        return value

    def needed(self, name: str) -> str:
        """A text that must be there."""
        if not self.has(name):
            raise BadInput(f"Expected {name} in {self.where}, but there is none.", param=name)
        return self.text(name)

    def number(self, name: str, default: float, *, least: float = 0.0, most: float = math.inf) -> float:
        value = self.take(name)
        if value is None:
            return default
        if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most or math.isinf(value):
            upto = f" and at most {most:g}" if most < math.inf else ""
            raise self.wrong(name, f"a number of at least {least:g}{upto}", value)
        return float(value)

    def whole(self, name: str, default: int | None, *, least: int = 1) -> int | None:
        value = self.take(name)
        if value is None:
            return default
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise self.wrong(name, f"a whole number of at least {least}", value)
        return value

    def flag(self, name: str, default: bool | None) -> bool | None:
        value = self.take(name)
        if value is not None and not isinstance(value, bool):
            raise self.wrong(name, "true or false", value)
        return default if value is None else value

    def texts(self, name: str) -> tuple[str, ...] | None:
        """A list of texts, each once; None where there is none."""
        value = self.take(name)
        if value is None:
            return None
        if not isinstance(value, list) or not value or not all(isinstance(each, str) and each for each in value):
            raise self.wrong(name, "a list of texts", value)
        if len(set(value)) < len(value):
            raise self.wrong(name, "a list in which nothing comes twice", value)
        return tuple(value)

    def table(self, name: str) -> "Table":
        """A table inside this one, empty where there is none."""
        value = self.take(name)
        if value is not None and not isinstance(value, Mapping):
            raise self.wrong(name, f"a table, [{name}]", value)
        return Table(value or {}, f"[{name}] of {self.where}")

    def tables(self, name: str) -> list["Table"]:
        """A list of tables, numbered from 1 in messages."""
        value = self.take(name)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(each, Mapping) for each in value):
            raise self.wrong(name, f"a list of tables, each under [[{name}]]", value)
        return [Table(each, f"[[{name}]] {number} of {self.where}") for number, each in enumerate(value, 1)]

    def end(self) -> None:
        """Raises BadInput for a member that is not known here."""
        for name in self._stated:
            if name not in self._known:
                near = get_close_matches(name, self._known, 1)
                hint = f"; is {near[0]} meant?" if near else ""
                raise BadInput(f"Expected one of {', '.join(self._known)} in {self.where}, but got {name!r}{hint}", param=name)


def _shown(value: Json) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
