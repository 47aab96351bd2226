"""Ten knowledge bases that are made up, of any number of rows, and questions to them; the same every time.

Six hold series with transcripts, one many small files, two stated tables, one documents. A tenth of the rows, up to 100,000, is stated in tables.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from loom.bench.made import SEED, concepts, word
from loom.core.concepts import canonical

SERIES, SHOWS, MANY, TABLES, THINGS, SECTIONS, UNITS = 6, 8, 1_000, 2, 400, 240, 240
"""Bases of series, shows in each, files of the base of many, bases of tables, what each tells of, sections, units of a transcript."""
STATED = 10
"""One row in so many is stated."""
MOST_STATED = 100_000
CHUNK = 50_000
CONCEPTS = 2_000
"""Concepts of the ontology beside the bases."""
PREFIXES = "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"

ATTRIBUTE = """[[attribute]]
name = "second"
unit = "s"
words = { second = 1, seconds = 1, minute = 60, minutes = 60, secondo = 1, secondi = 1 }
clock = true
"""


@dataclass(frozen=True, slots=True)
class Made:
    """The folders of the bases, the file of the ontology, the rows that they hold, and names for questions: (metric, its Italian name, subject, its Italian
    name) of series, (metric, subject) of tables, names of bases."""

    folders: Sequence[Path]
    ontology: Path
    rows: int
    measured: Sequence[tuple[str, str, str, str]]
    stated: Sequence[tuple[str, str]]
    titles: Sequence[str]


def _name(draw: Random, words: int = 2) -> str:
    return " ".join(word(draw.randrange(2_000, 200_000)).capitalize() for _ in range(words))


def make(folder: Path, rows: int) -> Made:
    """Write the ten bases. `rows` is about how many rows all tables have together."""
    draw = Random(f"{SEED}:facts")
    stated = min(rows // STATED, MOST_STATED)
    measured: list[tuple[str, str, str, str]] = []
    told: list[tuple[str, str]] = []
    titles: list[str] = []
    folders: list[Path] = []
    many = min(MANY * 20, (rows - stated) // 10)
    each = (rows - stated - many) // (SERIES * SHOWS)
    written = 0

    def begun(number: int) -> tuple[Path, list[str]]:
        title = _name(draw)
        titles.append(title)
        path = folder / f"base-{number:02}"
        path.mkdir(parents=True)
        folders.append(path)
        return path, [f'id = "made-{number:02}"\ntitle = "{title}"\nlanguage = "en"\n', ATTRIBUTE]

    for number in range(SERIES + 1):
        path, manifest = begun(number)
        metric, italian = _name(draw, 1).lower(), _name(draw, 1).lower()
        unit = ("%", "dB", "kW")[number % 3]
        manifest.append(
            f'[[metric]]\nid = "m"\nname = "{metric}"\nunit = "{unit}"\nderived = ["difference"]\nwords = {{ it = ["{italian}"] }}\n'
        )
        count, length = (SHOWS, each) if number < SERIES else (MANY, max(1, many // MANY))
        for place in range(count):
            name, other = _name(draw), _name(draw)
            measured.append((metric, italian, name, other))
            manifest.append(f'[[entity]]\nid = "e{place}"\nname = "{name}"\naliases = {{ it = ["{other}"] }}\n')
            manifest.append(
                _file(f"s{place}.csv", f"{name} {metric}", "series", place, 'position = "t"\nvalues = { m = "v" }\n')
            )
            _series(path / f"s{place}.csv", length, draw)
            written += length
            if number < SERIES:
                manifest.append(_file(f"t{place}.txt", f"{name} transcript", "transcript", place))
                (path / f"t{place}.txt").write_text("".join(_units(draw)), encoding="utf-8")
        (path / "kb.toml").write_text("\n".join(manifest), encoding="utf-8")
    for number in range(SERIES + 1, SERIES + 1 + TABLES):
        path, manifest = begun(number)
        metric = _name(draw, 1).lower()
        manifest.append(f'[[metric]]\nid = "m"\nname = "{metric}"\nunit = "€"\n')
        names = [_name(draw) for _ in range(THINGS)]
        told += [(metric, name) for name in names]
        manifest += [f'[[entity]]\nid = "e{place}"\nname = "{name}"\n' for place, name in enumerate(names)]
        told_of = ", ".join(f'"e{place}"' for place in range(THINGS))
        manifest.append(
            f'[[file]]\npath = "rows.csv"\ntitle = "{metric} list"\nkind = "table"\nattribute = "second"\nposition = "t"\n'
            f'entity_column = "who"\nvalues = {{ m = "v" }}\nentities = [{told_of}]\n'
        )
        _table(path / "rows.csv", names, stated // TABLES, draw)
        written += stated // TABLES
        (path / "kb.toml").write_text("\n".join(manifest), encoding="utf-8")
    path, manifest = begun(SERIES + 1 + TABLES)
    manifest.append('[[file]]\npath = "notes.md"\ntitle = "Collected notes"\nkind = "document"\n')
    manifest.append('[[file]]\npath = "more.txt"\ntitle = "Further papers"\nkind = "text"\n')
    notes = (f"## {_name(draw)}\n\n{_said(draw, 60)}.\n\n" for _ in range(SECTIONS))
    (path / "notes.md").write_text("# Notes\n\n" + "".join(notes), encoding="utf-8")
    (path / "more.txt").write_text("\n\n".join(_said(draw, 60) for _ in range(SECTIONS)), encoding="utf-8")
    (path / "kb.toml").write_text("\n".join(manifest), encoding="utf-8")
    ontology = folder / "ontology.ttl"
    ontology.write_text(PREFIXES + "".join(_classes()), encoding="utf-8")
    return Made(folders, ontology, written, measured, told, titles)


def _classes() -> Iterator[str]:
    for one in concepts(CONCEPTS):
        title, told = (canonical(text) for text in (one.title, one.definition))
        yield f"<{one.iri}> a owl:Class ; rdfs:label {title} ; rdfs:comment {told} .\n"


def _file(path: str, title: str, kind: str, entity: int, more: str = "") -> str:
    return f'[[file]]\npath = "{path}"\ntitle = "{title}"\nkind = "{kind}"\nentity = "e{entity}"\nattribute = "second"\n{more}'


def _series(path: Path, rows: int, draw: Random) -> None:
    """One row a second; a chunk of values is drawn once and shifted, so that ten million rows are written in seconds."""
    values = [f"{draw.randrange(1_000, 9_999) / 100:.2f}" for _ in range(min(rows, 9_973))]
    with path.open("w", encoding="utf-8") as out:
        out.write("t,v\n")
        for first in range(0, rows, CHUNK):
            last = min(rows, first + CHUNK)
            out.write("".join(f"{at},{values[(at * 7 + first) % len(values)]}\n" for at in range(first, last)))


def _table(path: Path, names: Sequence[str], rows: int, draw: Random) -> None:
    with path.open("w", encoding="utf-8") as out:
        out.write("who,t,v,remark\n")
        for at in range(rows):
            out.write(
                f"{names[at % len(names)]},{at // len(names) * 10},{draw.randrange(100, 99_999) / 100:.2f},{_said(draw, 2)}\n"
            )


def _said(draw: Random, words: int) -> str:
    return " ".join(word(int(draw.paretovariate(0.8)) % 20_000) for _ in range(words))


def _units(draw: Random) -> Iterator[str]:
    for unit in range(UNITS):
        yield f"[{unit * 10 // 60:02}:{unit * 10 % 60:02}] {_said(draw, 14)}.\n"


KINDS: Mapping[str, str] = {
    "peak": "When did the {metric} of {name} peak?",
    "lowest": "What was the lowest {metric} of {name}?",
    "compared": "Compare the highest {metric} of {name} and {second}.",
    "at a position": "What was the {metric} of {name} at second {at}?",
    "passage": "What happened at {clock} in {name}?",
    "passage at a peak": "What was happening when the {metric} of {name} peaked?",
    "italian": "Quando ha raggiunto il massimo {italian} di {other}?",
    "stated": "What was the {price} of {thing}?",
    "stated at a position": "What was the {price} of {thing} at second {late}?",
    "of a metric": "What was the highest {metric}?",
    "stated of a metric": "Which {price} is the lowest?",
    "searched": "What is said about {words}?",
    "a base": "Give me a summary of {title}.",
    "absent": 'What was the {metric} of "{absent}"?',
    "whole": "Tell me everything about {name}.",
}
"""Questions by kind."""


def questions(made: Made, each: int, turn: int = 0) -> Iterator[tuple[str, str]]:
    """(kind, question), `each` of every kind, others in each turn but where a base has few names."""
    draw = Random(f"{SEED}:asked:{turn}")
    for kind, form in KINDS.items():
        for _ in range(each):
            metric, italian, name, other = draw.choice(
                made.measured[: SERIES * SHOWS] if kind.startswith("passage") else made.measured
            )
            price, thing = draw.choice(made.stated)
            second = draw.choice([each for each in made.measured if each[0] == metric])[2]
            yield (
                kind,
                form.format(
                    metric=metric, italian=italian, name=name, other=other, second=second, price=price, thing=thing,
                    at=draw.randrange(20), late=draw.randrange(20) * 10, clock=f"{draw.randrange(30)}:{draw.randrange(60):02}",
                    words=_said(draw, 4), title=draw.choice(made.titles), absent=_name(draw),
                ),
            )  # fmt: skip
