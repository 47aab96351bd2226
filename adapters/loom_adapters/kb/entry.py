"""One table of a manifest, read member by member: what is asked for is given, or remarked on with its line and left out."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from loom.core.facts.values import Names
from loom.core.report import Report
from loom.core.values import Json, Where
from loom_adapters.kb.found import FILE
from loom_adapters.kb.languages import known, meant
from loom_adapters.kb.locator import Lines, Place
from loom_adapters.kb.wording import choices, closest, listed, sentence, shown


@dataclass(slots=True)
class Remarks:
    """Notes remarks on places of the manifest, each with what was expected, what came, and what to do."""

    report: Report
    lines: Lines

    def where(self, place: Place) -> Where:
        return Where(FILE, self.lines.line(place))

    def note(self, kind: str, place: Place, expected: str, came: str, remedy: str) -> None:
        self.report.note(kind, sentence(expected, came, remedy), self.where(place))

    def at(self, kind: str, line: int, expected: str, came: str, remedy: str) -> None:
        self.report.note(kind, sentence(expected, came, remedy), Where(FILE, line))


@dataclass(slots=True)
class Entry:
    """A table of the manifest at `place`. Members that nobody asks for are unknown: `close` says so."""

    remarks: Remarks
    place: Place
    table: Mapping[str, Json]
    _asked: set[str] = field(default_factory=set)

    def note(self, kind: str, member: str, expected: str, came: str, remedy: str) -> None:
        self.remarks.note(kind, (*self.place, member), expected, came, remedy)

    def has(self, member: str) -> bool:
        return member in self.table

    def text(self, member: str, *, required: str = "", pattern: str = "", form: str = "") -> str:
        """A text, "" where there is none. `required` is an example of what to write; `form` says in words what `pattern` wants."""
        value = self.given(member)
        if value is None:
            if required:
                self.note(
                    "kb-missing-member", member, f"a member `{member}`", "there is none", f"add {member} = {shown(required)}"
                )
            return ""
        if not isinstance(value, str):
            self.note("kb-type", member, f"a text for `{member}`", f"got {shown(value)}", f'write {member} = "…"')
            return ""
        value = value.strip()
        if not value or not value.isprintable():
            came = "it is empty" if not value else f"not all of {shown(value)} prints"
            self.note("kb-value", member, f"a text for `{member}`", came, f"write {member} = {shown(required or 'name')}")
            return ""
        if pattern and not re.fullmatch(pattern, value):
            example = f", as {shown(required)}" if required else ""
            self.note("kb-value", member, f"{form} for `{member}`", f"got {shown(value)}", f"write {form}{example}")
            return ""
        return value

    def choice(self, member: str, allowed: Sequence[str], *, default: str = "", required: str = "") -> str:
        value = self.text(member, required=required)
        if not value:
            return default
        if value not in allowed:
            near = closest(value, allowed)
            remedy = f"write {member} = {shown(near)}" if near else "choose one of them"
            self.note("kb-value", member, f"one of {choices(allowed)} for `{member}`", f"got {shown(value)}", remedy)
            return default
        return value

    def flag(self, member: str) -> bool:
        value = self.given(member)
        if value is not None and not isinstance(value, bool):
            remedy = f"write {member} = true, without quotes"
            self.note("kb-type", member, f"true or false for `{member}`", f"got {shown(value)}", remedy)
        return value is True

    def whole(self, member: str, default: int) -> int:
        """A whole number from 1."""
        value = self.given(member)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 1_000_000:
            kind = "kb-value" if isinstance(value, int | Decimal) and not isinstance(value, bool) else "kb-type"
            expected = f"a whole number from 1 to 1,000,000 for `{member}`"
            self.note(kind, member, expected, f"got {shown(value)}", f"write {member} = {default}, without quotes")
            return default
        return value

    def number(self, member: str, default: str) -> str:
        """A positive number as text."""
        value = self.given(member)
        if value is None:
            return default
        return self._positive(member, (), value) or default

    def factors(self, member: str) -> tuple[tuple[str, str], ...]:
        """A table of names and positive numbers."""
        return tuple(
            (name, factor) for name, value in self._table(member) if (factor := self._positive(member, (name,), value))
        )

    def texts(self, member: str) -> tuple[str, ...]:
        """A list of texts, without those that are none."""
        value = self.given(member)
        return () if value is None else tuple(text for text, _ in self._texts(member, (), value))

    def columns(self, member: str) -> tuple[tuple[str, str], ...]:
        """A table of names and texts."""
        given = []
        for name, value in self._table(member):
            if isinstance(value, str) and value:
                given.append((name, value))
            else:
                self._fault(
                    "kb-type",
                    (member, name),
                    "the name of a column",
                    f"got {shown(value)}",
                    f'write {member} = {{ {_key(name)} = "column" }}',
                )
        return tuple(given)

    def names(self, member: str, language: str) -> tuple[tuple[str, str, Place], ...]:
        """(language, name, place) of a table of languages, or of a plain list in the default language."""
        value = self.given(member)
        if value is None:
            return ()
        if isinstance(value, list):
            return tuple((language, text, place) for text, place in self._texts(member, (), value))
        given: list[tuple[str, str, Place]] = []
        for tag, texts in self._table(member):
            if not known(tag):
                remedy = f"write {meant(tag)} in place of {shown(tag)}"
                self._fault("kb-language", (member, tag), "a language code such as en or pt-BR", f"got {shown(tag)}", remedy)
                continue
            given += ((tag, text, place) for text, place in self._texts(member, (tag,), texts))
        return tuple(given)

    def aliases(self, language: str, member: str = "aliases") -> Names:
        return tuple(dict.fromkeys((tag, name) for tag, name, _ in self.names(member, language)))

    def close(self, *, known_elsewhere: Sequence[str] = (), of: str = "") -> None:
        """Remark on every member that was not asked for. `known_elsewhere` are members that other entries may have."""
        for member in self.table:
            if member in self._asked:
                continue
            came, near = f"got `{member}`", closest(member, sorted(self._asked))
            if member in known_elsewhere:
                remedy = "take it away, or correct `kind`"
            else:
                remedy = f"call it `{near}`, or take it away" if near else "take it away"
            self.note("kb-unknown-member", member, f"members {listed(sorted(self._asked))}{of}", came, remedy)

    def given(self, member: str) -> Json:
        """A member as it is stated; None where it is not."""
        self._asked.add(member)
        return self.table.get(member)

    def _fault(self, kind: str, path: Place, expected: str, came: str, remedy: str) -> None:
        self.remarks.note(kind, (*self.place, *path), expected, came, remedy)

    def _table(self, member: str) -> list[tuple[str, Json]]:
        value = self.given(member)
        if value is None:
            return []
        if not isinstance(value, dict):
            self.note("kb-type", member, f"a table for `{member}`", f"got {shown(value)}", f"write {member} = {{ … = … }}")
            return []
        return list(value.items())

    def _texts(self, member: str, path: Place, value: Json) -> list[tuple[str, Place]]:
        named = ".".join((member, *map(str, path)))
        if not isinstance(value, list):
            written = f"[{shown(value)}]" if isinstance(value, str) else '["…"]'
            self._fault(
                "kb-type",
                (member, *path),
                f"a list of texts for `{named}`",
                f"got {shown(value)}",
                f"write {named} = {written}",
            )
            return []
        given = []
        for index, text in enumerate(value):
            place = (member, *path, index)
            if not isinstance(text, str):
                self._fault("kb-type", place, f"texts in `{named}`", f"got {shown(text)}", "put it in quotes, or take it away")
            elif not text.strip() or not text.isprintable():
                self._fault("kb-value", place, f"names in `{named}`", f"got {shown(text)}", "write a name, or take it away")
            else:
                given.append((text.strip(), (*self.place, *place)))
        return given

    def _positive(self, member: str, path: Place, value: Json) -> str:
        named = ".".join((member, *map(str, path)))
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            remedy = f"write {named} = 60, without quotes"
            self._fault("kb-type", (member, *path), f"a number for `{named}`", f"got {shown(value)}", remedy)
            return ""
        if not Decimal(value).is_finite() or not 0 < value < 10**18:
            expected = f"a number above 0 and below 10^18 for `{named}`"
            self._fault("kb-value", (member, *path), expected, f"got {shown(value)}", "write how many units it is")
            return ""
        return str(value)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)
