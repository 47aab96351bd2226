"""What a build is made of: work that stages carry forward, each declaring what it needs."""

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter

import numpy as np

from loom.build.checks import KINDS
from loom.core.rdf.statements import Statements
from loom.core.report import Report
from loom.core.values import Concept, Iri, Json
from loom.ports import CorpusReader, Reasoner, Shapes

Pour = Callable[[Callable[[str], None]], Mapping[str, Json]]
"""Tells each statement of a graph as a line of N-Triples without blank nodes, in any order and perhaps more than once, and gives what
the manifest says of where they come from."""
Tick = Callable[[str, int, int | None], None]


def silent(stage: str, done: int, total: int | None) -> None:
    """A tick that shows nothing."""


@dataclass(frozen=True, slots=True)
class Source:
    """One source of a build: what it is called in remarks, and its reader."""

    name: str
    reader: CorpusReader


@dataclass(slots=True)
class Work:
    """A generation in the making. `concepts` is in the order of the sources; `parts` holds what stages add beside them.

    `statements` are those of the sources that consist of them; `shapes` what the corpus must fit,
    `reasoner` one to be asked beside the one in process. `graphs` are closed over with the rest, each a named graph by its IRI and
    no concept; `streams` are files of parts that are larger than memory.
    """

    sources: Sequence[Source]
    report: Report = field(default_factory=lambda: Report(KINDS))
    concepts: list[Concept] = field(default_factory=list)
    parts: dict[str, dict[str, bytes | np.ndarray]] = field(default_factory=dict)
    notes: dict[str, Json] = field(default_factory=dict)
    statements: list[Statements] = field(default_factory=list)
    shapes: Shapes | None = None
    reasoner: Reasoner | None = None
    graphs: Mapping[Iri, Pour] = field(default_factory=dict)
    streams: dict[str, dict[str, Iterable[bytes]]] = field(default_factory=dict)
    tick: Tick = silent


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of a build; it runs after every stage that it needs."""

    name: str
    needs: tuple[str, ...]
    run: Callable[[Work], None]


def ordered(stages: Iterable[Stage]) -> list[Stage]:
    """Stages in an order in which each has what it needs; where several could come next, by name."""
    by_name: dict[str, Stage] = {}
    for stage in stages:
        if stage.name in by_name:
            raise ValueError(f"Two stages are called {stage.name!r}; rename one.")
        by_name[stage.name] = stage
    for stage in by_name.values():
        if missing := [name for name in stage.needs if name not in by_name]:
            raise ValueError(f"The stage {stage.name!r} needs {', '.join(missing)}, and there is no such stage.")
    sorter = TopologicalSorter({name: stage.needs for name, stage in sorted(by_name.items())})
    try:
        sorter.prepare()
    except CycleError as error:
        raise ValueError(f"Stages need one another in a circle: {' → '.join(error.args[1])}.") from error
    order: list[Stage] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        order += [by_name[name] for name in ready]
        sorter.done(*ready)
    return order


def found() -> list[Stage]:
    """Every `STAGE` of a module in `loom.build.stages`: a new file there is a new stage."""
    package = importlib.import_module("loom.build.stages")
    modules = sorted(info.name for info in pkgutil.iter_modules(package.__path__))
    return ordered(importlib.import_module(f"loom.build.stages.{name}").STAGE for name in modules)


def run(work: Work, stages: Sequence[Stage], begin: Callable[[Stage], None] = lambda stage: None) -> None:
    """Run stages in the order given; `begin` is told of each."""
    for stage in stages:
        begin(stage)
        stage.run(work)


def by_iri(concepts: Iterable[Concept]) -> Mapping[str, Concept]:
    return {concept.iri: concept for concept in concepts}
