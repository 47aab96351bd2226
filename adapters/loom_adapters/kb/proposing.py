"""A manifest proposed for a folder that has none: files by their endings and first lines, columns by names and values, entities by
what file names share. Its own check passes; names, words and aliases are for its author to complete."""

import itertools
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from loom.core.errors import BadInput, BadSource
from loom.core.facts.checks import KINDS
from loom.core.names import fold_name
from loom.core.report import Report
from loom.core.text import slugify
from loom.core.values import Json, Where
from loom_adapters.kb import found
from loom_adapters.kb.columns import AXES, Measured, Table, measured, told
from loom_adapters.kb.examined import examine
from loom_adapters.kb.manifest import manifest_of
from loom_adapters.kb.wording import sentence, shown

HEAD = """# A manifest proposed from what the folder holds. Complete names, words and aliases: a question finds only what stands here.
# Then run `loom kb check`, which explains every fault by file and line.
"""
DATE = "date"
"""The attribute that counts days."""
_CLOCKED = re.compile(r"\s*[\[(]?\d{1,4}:\d{2}(?::\d{2})?")
_HEADING = re.compile(r"#{1,6}\s+\S")
_LOOKED_AT = 40


@dataclass(slots=True)
class Proposal:
    """Entries of a manifest in the making. `dated` are attributes that count days; `left` are files that cannot be named, with the reason."""

    attributes: dict[str, tuple[str, dict[str, int], bool]] = field(default_factory=dict)
    entities: dict[str, str] = field(default_factory=dict)
    metrics: dict[str, Measured] = field(default_factory=dict)
    files: list[dict[str, Json]] = field(default_factory=list)
    dated: set[str] = field(default_factory=set)
    left: dict[str, str] = field(default_factory=dict)


def propose(folder: Path) -> str:
    """The text of a manifest. Raises BadSource where there is no folder, BadInput where no file in it can be read."""
    if not folder.is_dir():
        raise BadSource(f"Expected a folder with files of a knowledge base, but {folder} is none; check the path.")
    paths = found.listing(folder)
    misplaced = {path: found.place_fault(folder, path) for path in paths}
    left = {path: sentence(fault.expected, fault.came, fault.remedy) for path, fault in misplaced.items() if fault}
    while usable := [path for path in paths if path not in left]:
        text = _written(folder, _proposal(folder, usable, left))
        faults = _faults(text, folder)
        if not faults:
            return text
        if not (new := {path: why for path, why in faults.items() if path not in left}):
            break
        left.update(new)
    reason = f": {next(iter(left))}, {next(iter(left.values()))}" if left else ""
    endings = ", ".join(f".{one}" for one in found.READ)
    raise BadInput(f"Expected files that can be read ({endings}) in {folder}, but there are none{reason}; put some there.")


class _Faults(Report):
    """The errors of a proposal, by the file that they are about."""

    def __init__(self, text: str) -> None:
        super().__init__(KINDS)
        self.by_path: dict[str, str] = {}
        self._lines = text.splitlines()

    def note(self, kind: str, message: str, where: Where = Where("")) -> None:  # noqa: B008
        if KINDS[kind].severity == "error":
            self.by_path.setdefault(self._path(where), message)

    def _path(self, where: Where) -> str:
        """The file; of a line of the manifest, the one that its entry names."""
        if where.file != "kb.toml":
            return where.file
        above = [line for line in self._lines[: where.line + 1] if line.startswith("path = ")]
        path: str = json.loads(above[-1].removeprefix("path = ")) if above else ""
        return path


def _faults(text: str, folder: Path) -> dict[str, str]:
    faults = _Faults(text)
    manifest = manifest_of(text, folder, faults)
    if manifest is not None:
        examine(folder, manifest, faults)
    return faults.by_path


def _proposal(folder: Path, paths: Sequence[str], left: Mapping[str, str]) -> Proposal:
    made = Proposal(left=dict(left))
    owners = _owners(paths)
    tables = {path: told(folder, path) for path in paths if found.ending(path) in ("csv", "tsv", *found.PARQUET)}
    for path in paths:
        series = path in tables and tables[path].position and tables[path].numbers
        owner = owners[path] or (_tokens(path) if series else ())
        if owner and (id := "-".join(owner)) not in made.entities:
            made.entities[id] = " ".join(word.capitalize() for word in owner)
        owners[path] = owner
    known = {fold_name(name): id for id, name in made.entities.items()}
    for path in paths:
        entry: dict[str, Json] = {"path": path, "title": _title(path, paths)}
        if path in tables:
            _table(made, entry, tables[path], "-".join(owners[path]), known)
        else:
            _content(made, entry, folder, path, "-".join(owners[path]))
        made.files.append(entry)
    return made


def _table(made: Proposal, entry: dict[str, Json], table: Table, owner: str, known: Mapping[str, str]) -> None:
    series = bool(table.position and table.numbers)
    entry["kind"] = "series" if series else "table"
    column = next((name for name, cells in table.texts if any(fold_name(cell) in known for cell in cells)), "")
    if column and not series:
        entry["entities"] = sorted({known[fold_name(cell)] for cell in dict(table.texts)[column] if fold_name(cell) in known})
        entry["entity_column"] = column
    elif owner:
        entry["entity"] = owner
    if series and table.dates:
        axis = next(name for name in (DATE, f"calendar {DATE}") if name in made.dated or name not in made.attributes)
        made.attributes.setdefault(axis, ("", {}, False))
        made.dated.add(axis)
        entry.update(attribute=axis, position=table.position)
    elif series:
        axis = table.axis or fold_name(table.position) or "position"
        axis = f"{axis} number" if axis in made.dated else axis
        unit, words, _ = AXES.get(axis, ("", {axis: 1}, ""))
        called = fold_name(table.position)
        made.attributes.setdefault(axis, (unit, dict(words), axis == "second"))[1].setdefault(
            called if len(called) > 2 else axis, 1
        )
        entry.update(attribute=axis, position=table.position)
    if table.numbers:
        entry["values"] = {_metric(made, column): column for column in table.numbers}
    if table.decimal != ".":
        entry["decimal"] = table.decimal
    usual = "\t" if found.ending(str(entry["path"])) == "tsv" else ";" if table.decimal == "," else ","
    if table.delimiter != usual:
        entry["delimiter"] = table.delimiter
    if table.encoding != "utf-8":
        entry["encoding"] = table.encoding


def _metric(made: Proposal, column: str) -> str:
    """The id of a column's metric: the same of columns that are called alike and have one unit."""
    one = measured(column)
    whole = re.sub(r"[^a-z0-9]+", "_", fold_name(column)).strip("_")
    for id in itertools.chain((one.id, whole), (f"metric_{number}" for number in itertools.count(1))):
        if not id:
            continue
        if id in made.metrics and (made.metrics[id].name, made.metrics[id].unit) == (one.name, one.unit):
            return id
        if id not in made.metrics:
            taken = {fold_name(other.name) for other in made.metrics.values()}
            name = next(
                name for name in (one.name, column, id) if name == id or (fold_name(name) and fold_name(name) not in taken)
            )
            made.metrics[id] = Measured(id, name, one.unit)
            return id
    raise AssertionError("ids do not run out")


def _content(made: Proposal, entry: dict[str, Json], folder: Path, path: str, owner: str) -> None:
    kind, attribute = found.ending(path), ""
    if kind in ("md", "markdown", "txt"):
        encoding = found.encoding_of(folder, path)
        if encoding != "utf-8":
            entry["encoding"] = encoding
        lines = [line for line in _head(folder / path, encoding) if line.strip()]
        if lines and 2 * sum(_CLOCKED.match(line) is not None for line in lines) >= len(lines):
            kind = "transcript"
        else:
            kind = "document" if kind != "txt" and any(map(_HEADING.match, lines)) else "text"
    else:
        kind = "transcript"
    if kind == "transcript":
        attribute = "second"
        made.attributes.setdefault(attribute, (AXES[attribute][0], dict(AXES[attribute][1]), True))
    elif kind == "document":
        attribute = "section"
        made.attributes.setdefault(attribute, ("", {"section": 1, "sections": 1}, False))
    entry["kind"] = kind
    if owner:
        entry["entity"] = owner
    if attribute:
        entry["attribute"] = attribute


def _head(path: Path, encoding: str) -> list[str]:
    with open(path, encoding="utf-8-sig" if encoding == "utf-8" else encoding, errors="replace") as file:
        return list(itertools.islice(iter(lambda: file.readline(4096), ""), 20 * _LOOKED_AT))[:_LOOKED_AT]


def _tokens(path: str) -> tuple[str, ...]:
    return tuple(fold_name(PurePosixPath(path).stem).split())


def _owners(paths: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """For each file, the longest beginning of its name that another file's name shares, () where none does."""
    counts = Counter(tokens[:size] for path in paths for tokens in (_tokens(path),) for size in range(1, len(tokens) + 1))
    owners = {}
    for path in paths:
        tokens = _tokens(path)
        shared = (tokens[:size] for size in range(len(tokens), 0, -1) if counts[tokens[:size]] > 1)
        owner = next(shared, ())
        owners[path] = owner if any(not word.isdecimal() for word in owner) and slugify("-".join(owner)) else ()
    return owners


def _title(path: str, paths: Iterable[str]) -> str:
    def of(one: str) -> str:
        pure = PurePosixPath(one)
        words = re.split(r"[\s_-]+", pure.stem) + ([pure.parent.name] if pure.parent.name else [])
        return " ".join(words).strip()

    title = of(path)
    shared = sum(fold_name(of(one)) == fold_name(title) for one in paths) > 1
    return path if shared or not fold_name(title) else title[:1].upper() + title[1:]


def _written(folder: Path, made: Proposal) -> str:
    id = slugify(folder.resolve().name) or "base"
    lines = [
        HEAD,
        f"id = {_toml(id)}",
        f"title = {_toml(folder.resolve().name if folder.resolve().name.isprintable() else id)}",
    ]
    lines += ['# language = "en"           # of the names below', '# aliases = { it = ["…"] }  # further names of the base']
    for name, (unit, words, clock) in made.attributes.items():
        dates = {"dates": True} if name in made.dated else {"words": words}
        entry: dict[str, Json] = {"name": name, **({"unit": unit} if unit else {}), **dates}
        lines += _entry("attribute", {**entry, **({"clock": True} if clock else {})})
    for id, name in made.entities.items():
        lines += [*_entry("entity", {"id": id, "name": name}), '# aliases = { it = ["…"] }']
    for id, one in made.metrics.items():
        lines += [*_entry("metric", {"id": id, "name": one.name, **({"unit": one.unit} if one.unit else {})})]
        lines += ['# words = { en = ["…"] }     # what a question may call it']
    for file in made.files:
        lines += _entry("file", file)
    lines += ["", *(f"# left out: {shown(path)}. {why}" for path, why in sorted(made.left.items()))] if made.left else []
    return "\n".join(lines) + "\n"


def _entry(header: str, members: Mapping[str, Json]) -> list[str]:
    return ["", f"[[{header}]]", *(f"{key} = {_toml(value)}" for key, value in members.items())]


def _toml(value: Json) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_toml(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _toml(name)
