"""The corpora of the battery as generations: written and built in a temporary folder, as `loom build` builds."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from loom import compose, compose_lab
from loom.build import seal, stage
from loom.compose import Node
from loom.core.errors import BadSource
from loom.lab import battery
from loom.lab.battery.answering import Counting
from loom.lab.battery.contexts import Bench
from loom.lab.battery.flat_text import Embed
from loom.lab.ground import Ground

PLANTED = frozenset({"kb-contradiction"})
"""Kinds of error that a corpus may hold on purpose: two stated values of one thing, which both have to be shown."""


@dataclass(frozen=True, slots=True)
class Made:
    """A corpus that is built, and the node that serves it."""

    corpus: battery.Corpus
    node: Node
    bench: Bench


@dataclass(frozen=True, slots=True)
class Making:
    """How corpora are made. `outline` is the characters of all outlines."""

    budget: int
    outline: int
    embed: Embed | None = None
    model: Counting = field(default_factory=lambda: Counting(compose_lab.model_of_study("script", script="fails")))
    """Stands in for the node's own model, and fails when it is called: no context needs one."""

    @contextmanager
    def corpus(self, seed: int, *, backwards: bool = False) -> Iterator[Made]:
        """The corpus of a seed, built; `backwards` writes and reads its bases in the opposite order. Raises BadSource where a base
        has errors: its truth would be none."""
        made = battery.corpus(seed)
        with tempfile.TemporaryDirectory(prefix="loom-battery-") as folder:
            root = Path(folder)
            bases = made.bases[::-1] if backwards else made.bases
            for base in bases:
                for path, text in list(base.contents().items())[:: -1 if backwards else 1]:
                    file = root / "bases" / base.id / path
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_bytes(text.encode())
            build(root / "generations", [root / "bases" / base.id for base in bases])
            with compose.opened(root / "generations") as (node, pin):
                node = replace(node, backend=self.model)
                ground = Ground(pin, node.finders, node.policies, budget=self.budget)
                texts = {f"{base.id}/{path}": text for base in made.bases for path, text in base.contents().items()}
                yield Made(made, node, Bench(ground, texts, self.outline, self.embed, time.perf_counter))


def build(out: Path, folders: list[Path]) -> str:
    """Build bases into a folder of generations, and make the result current."""
    work = stage.Work([stage.Source(folder.name, compose.corpus_reader(folder, kind="kb")) for folder in folders])
    stage.run(work, stage.found())
    if errors := {kind: count for kind, count in work.report.of("error").items() if kind not in PLANTED}:
        raise BadSource(f"Expected a corpus without errors, but got {errors}; this is a fault of the battery itself.")
    store = compose.store(out)
    with store.draft() as draft:
        seal.write(draft, work.concepts, work.report, work.parts)
        for key, value in work.notes.items():
            draft.note(key, value)
        id = store.seal(draft)
    store.point(id)
    return id
