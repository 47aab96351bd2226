"""Facts, readings, rows and units of content as lines of evidence (seed 003 §3, §4; R3, R7, R14).

Values and positions stand to the letter as their source writes them, and every line ends in its file's citation. A line is in its
base's language whatever the question's is, so that one fact has one text.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation

from loom.core.facts import citing
from loom.core.facts.choosing import Passage
from loom.core.facts.days import iso
from loom.core.facts.inventory import Inventory
from loom.core.facts.labels import Labels, labels
from loom.core.facts.numerals import plain
from loom.core.facts.series import Window
from loom.core.facts.values import Fact, Reading, SourceFile, Span, StatedRow
from loom.core.mint.neutral import neutral, neutral_name
from loom.core.values import Iri, Role, Stated

Line = tuple[str, tuple[str, ...], Stated | None]
LINE = 400
"""Characters up to which lines of a unit's text are set as one."""
_UNSAFE = frozenset(("Cc", "Cf", "Zl", "Zp", "Cs", "Cn"))


def exactly(text: str) -> str:
    """A cell to the letter; as `neutral` makes it only where it holds what a reader could take for a line end or a delimiter."""
    if text.isascii() and text.isprintable() and not ("[" in text or "<" in text):
        return text
    seen = unicodedata.normalize("NFKC", text)
    if any(mark in seen for mark in "[<") or any(unicodedata.category(letter) in _UNSAFE for letter in text):
        return neutral(text)
    return text


def amount(value: str, unit: str) -> str:
    """A value with its unit, which is not said twice."""
    shown = exactly(value)
    if not unit or shown.startswith(unit) or shown.endswith(unit):
        return shown
    return f"{shown} {neutral_name(unit)}"


def words_of(stock: Inventory, base: Iri) -> Labels:
    """The words of a base's language."""
    return labels(stock.bases[base].language if base in stock.bases else "")


def place(stock: Inventory, source: Iri, position: str, at: str) -> str:
    """How a position reads: with its attribute, and as a plain number beside what is written where that is none."""
    file = stock.sources.get(source)
    if not position or file is None:
        return ""
    words, attribute, written = words_of(stock, file.base), neutral_name(file.attribute), exactly(position)
    if at and not _is_number(position) and not _dated(stock, file):
        found = words.at_written.format(written=written, attribute=attribute, position=at)
    else:
        found = words.at.format(attribute=attribute, position=written)
    return found if attribute else found.replace("  ", " ").replace("( ", "(")


def _dated(stock: Inventory, file: SourceFile) -> bool:
    """Whether a file's positions are days."""
    attribute = stock.attributes.get((file.base, file.attribute))
    return attribute is not None and attribute.dates


def _is_number(text: str) -> bool:
    try:
        return Decimal(text).is_finite()
    except InvalidOperation:
        return False


def cite(stock: Inventory, source: Iri) -> str:
    file = stock.sources.get(source)
    return citing.cite(neutral_name(file.name if file else source))


def metric_name(stock: Inventory, metric: Iri) -> str:
    found = stock.metrics.get(metric)
    return neutral_name(found.name) if found else metric


def subject(stock: Inventory, one: Fact | Reading | StatedRow) -> str:
    return neutral_name(stock.about(one.source, one.entity))


def row_of(source: Iri, row: int) -> Iri:
    """The address of a row of a table."""
    return f"{source}#row={row}"


def stated_fact(stock: Inventory, fact: Fact, role: Role) -> Stated:
    """What a line about a fact states: the value to the letter, and where it stands."""
    return Stated(
        fact.iri,
        role,
        fact.source,
        _name(stock, fact.source),
        fact.row,
        metric=fact.metric,
        statistic=fact.statistic,
        value=fact.value,
        unit=fact.unit,
        position=fact.position,
        start=fact.at,
    )


def _name(stock: Inventory, source: Iri) -> str:
    return stock.sources[source].name if source in stock.sources else ""


def key_of(stock: Inventory, one: Fact | Reading) -> Iri:
    """What a fact is told under: its entity, the only one of its file, else the file."""
    file = stock.sources.get(one.source)
    return one.entity or (file.entities[0] if file and len(file.entities) == 1 else one.source)


def fact_line(stock: Inventory, fact: Fact, role: Role = Role.BESIDE) -> Line:
    """One computed value: whose, of what, which, where."""
    words = words_of(stock, fact.base)
    about, shown = subject(stock, fact), amount(fact.value, fact.unit)
    told = f"{about}, {metric_name(stock, fact.metric)}, {words.statistic(fact.statistic)}: {shown}"
    if where := place(stock, fact.source, fact.position, fact.at):
        told += f" {where}"
    if fact.ties:
        told += f" ({words.ties.format(count=fact.ties)})"
    if fact.skipped and fact.statistic == "count":
        told += f" ({words.skipped.format(count=fact.skipped)})"
    return f"{told} {cite(stock, fact.source)}", (about, shown), stated_fact(stock, fact, role)


def reading_line(stock: Inventory, reading: Reading, role: Role = Role.BESIDE) -> Line:
    """One row of a series."""
    about, shown = subject(stock, reading), amount(reading.value, reading.unit)
    where = place(stock, reading.source, reading.position, reading.at)
    source = reading.source
    stated = Stated(
        row_of(source, reading.row),
        role,
        source,
        _name(stock, source),
        reading.row,
        metric=reading.metric,
        value=reading.value,
        unit=reading.unit,
        position=reading.position,
        start=reading.at or reading.position,
    )
    return f"{about}, {metric_name(stock, reading.metric)}: {shown} {where} {cite(stock, source)}", (about, shown), stated


def window_lines(stock: Inventory, window: Window, role: Role = Role.BESIDE) -> list[Line]:
    """The rows of a series within a window, under what they are, how many there are, and which of them are given."""
    file, first = stock.sources[window.source], window.readings[0]
    words, about, metric = words_of(stock, file.base), subject(stock, first), metric_name(stock, window.metric)
    shown = iso if _dated(stock, file) else plain
    where = words.passage.format(attribute=neutral_name(file.attribute), start=shown(window.start), end=shown(window.end))
    told = [about, metric, where, words.rows.format(count=window.count)]
    if len(window.readings) < window.count:
        told.append(words.ends if window.near is None else words.nearest)
    heading = Stated(
        window.source,
        Role.HEADING,
        window.source,
        file.name,
        metric=window.metric,
        start=plain(window.start),
        end=plain(window.end),
    )
    line = (f"{', '.join(told)} {cite(stock, window.source)}", (about,), heading)
    return [line, *(reading_line(stock, one, role) for one in window.readings)]


def row_lines(stock: Inventory, rows: Sequence[StatedRow], role: Role = Role.BESIDE) -> list[Line]:
    """Rows of one stated table under its header, cell by cell as they stand there."""
    if not rows:
        return []
    source = rows[0].source
    file = stock.sources.get(source)
    words, cited = words_of(stock, file.base if file else ""), cite(stock, source)
    title = neutral_name(file.title or file.name) if file else source
    header = " | ".join(exactly(cell) for cell in rows[0].header)
    name = file.name if file else ""
    heading = Stated(source, Role.HEADING, source, name)
    lines: list[Line] = [(f"{title}, {words.header}: {header} {cited}", (title,), heading)]
    for row in rows:
        cells = tuple(exactly(cell) for cell in row.cells)
        text = f"{title}, {words.row.format(row=row.row)}: {' | '.join(cells)} {cited}"
        stated = Stated(row_of(source, row.row), role, source, name, row.row, value=" | ".join(row.cells))
        lines.append((text, tuple(filter(None, cells)), stated))
    return lines


def rival_line(stock: Inventory, rivals: Sequence[Fact], role: Role = Role.BESIDE) -> Line:
    """Stated values that contradict one another, each with its source; none is preferred."""
    first = rivals[0]
    what = f"{subject(stock, first)}, {metric_name(stock, first.metric)}"
    if where := place(stock, first.source, first.position, first.at):
        what += f" {where}"
    shown = [amount(fact.value, fact.unit) for fact in rivals]
    told = "; ".join(f"{value} {cite(stock, fact.source)}" for value, fact in zip(shown, rivals, strict=True))
    return f"{words_of(stock, first.base).rivals.format(what=what)}: {told}", tuple(shown), stated_fact(stock, first, role)


def passage_lines(
    stock: Inventory, passage: Passage, role: Role = Role.BESIDE, *, prose: bool = True, mark: str = ""
) -> list[Line]:
    """A heading with file and resolved window, and the units; without `prose`, their coordinates alone. `mark` is what else the
    heading says of them."""
    file = stock.sources[passage.source]
    title = neutral_name(file.title or file.name)
    heading = Stated(
        passage.source,
        Role.HEADING,
        passage.source,
        file.name,
        start=plain(passage.start),
        end="" if passage.end is None else plain(passage.end),
    )
    where = f"{_window(stock, file, passage)}, {mark}" if mark else _window(stock, file, passage)
    lines: list[Line] = [(f"{title}, {where} {cite(stock, passage.source)}", (title,), heading)]
    one = passage.fact
    # Where a value led to a unit, the unit's line says at which position.
    led = f"{place(stock, one.source, one.position, one.at)}: " if one else ""
    for span in passage.spans:
        told = span_lines(stock, span, role)
        if not prose:
            told = [(f"{neutral_name(span.label)} {cite(stock, passage.source)}", (), told[0][2])]
        lines += [(f"{led}{told[0][0]}", *told[0][1:]), *told[1:]]
    return lines


def _window(stock: Inventory, file: SourceFile, passage: Passage) -> str:
    words, attribute = words_of(stock, file.base), neutral_name(file.attribute)
    one = passage.fact
    if one is not None:
        what = metric_name(stock, one.metric)
        if isinstance(one, Fact):
            what += f", {words.statistic(one.statistic)}"
        return f"{place(stock, one.source, one.position, one.at)} ({subject(stock, one)}, {what})"
    shown = iso if _dated(stock, file) else plain
    last = passage.start if passage.end is None else _last(stock, file, passage.start, passage.end)
    if passage.end is None or (last == passage.start and passage.end > last):
        told = words.at.format(attribute=attribute, position=shown(passage.start))
    else:
        told = words.passage.format(attribute=attribute, start=shown(passage.start), end=shown(last))
    return told if attribute else told.replace("  ", " ").strip()


def _last(stock: Inventory, file: SourceFile, start: Decimal, end: Decimal) -> Decimal:
    """Where [start, end) ends; where whole things are counted, the last of them."""
    attribute = stock.attributes.get((file.base, file.attribute))
    whole = attribute is None or not attribute.unit or attribute.dates
    return end - 1 if whole and end - 1 >= start and end == end.to_integral_value() else end


def span_lines(stock: Inventory, span: Span, role: Role = Role.BESIDE) -> list[Line]:
    """A unit's text behind its label; of a long one, whole lines of it are set together up to LINE characters."""
    label, cited = neutral_name(span.label), cite(stock, span.source)
    texts = list(_set(filter(None, (exactly(line.strip()) for line in span.text.splitlines())))) or [""]
    if label and not texts[0].startswith(label):
        texts[0] = f"{label} {texts[0]}".rstrip()
    stated = Stated(
        span.iri,
        role,
        span.source,
        _name(stock, span.source),
        line=span.where.line,
        position=span.label,
        start=plain(span.start),
        end="" if span.end is None else plain(span.end),
    )
    return [(f"{text} {cited}", (), stated) for text in texts]


def _set(lines: Iterable[str]) -> Iterator[str]:
    together = ""
    for line in lines:
        if together and len(together) + 1 + len(line) > LINE:
            yield together
            together = line
        else:
            together = f"{together} {line}" if together else line
    if together:
        yield together
