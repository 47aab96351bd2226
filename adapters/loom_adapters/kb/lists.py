"""Lists of tables in a manifest (`[[file]]`), and what the entries of one may not share."""

from collections.abc import Iterator

from loom_adapters.kb.entry import Entry
from loom_adapters.kb.locator import Place
from loom_adapters.kb.wording import shown

ID = r"[A-Za-z0-9][A-Za-z0-9_.-]*"
ID_FORM = "letters, digits, hyphens, underscores and dots"
IRI = r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|^`\\]*"


def tables(top: Entry, member: str) -> Iterator[Entry]:
    """The entries of a list of tables."""
    value = top.given(member)
    if value is None:
        return
    if not isinstance(value, list):
        remedy = f"write [[{member}]], in double brackets"
        top.note("kb-type", member, f"a list of tables `{member}`", f"got {shown(value)}", remedy)
        value = [value]
    for index, table in enumerate(value):
        place: Place = (member, index) if len(value) > 1 or isinstance(top.table[member], list) else (member,)
        if isinstance(table, dict):
            yield Entry(top.remarks, place, table)
        elif isinstance(top.table[member], list):
            top.remarks.note("kb-type", place, f"a table in `{member}`", f"got {shown(table)}", f"write it below [[{member}]]")


def duplicate(entry: Entry, member: str, value: str, seen: dict[str, Place]) -> bool:
    """Whether an earlier entry has the value; says so."""
    before = seen.setdefault(value, entry.place)
    if before == entry.place:
        return False
    came = f"{shown(value)} stands in line {entry.remarks.where((*before, member)).line} already"
    entry.note("kb-duplicate", member, f"a `{member}` of its own", came, "rename one of them, or remove it")
    return True
