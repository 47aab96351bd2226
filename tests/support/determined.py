"""What questions get of knowledge bases that are written and built in an order drawn from a seed; a process of its own prints it."""

import asyncio
import csv
import hashlib
import io
import json
import random
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from support.worked import CLASSES

from loom.answer.finders.facts import FactsFinder
from loom.answer.finders.ontology import OntologyFinder
from loom.answer.pipeline import prepare
from loom.answer.plan import Finder, Pin
from loom.build import seal, stage
from loom.compose import corpus_reader
from loom.core.facts.assembling import Ways
from loom.core.policy.policy import default
from loom.core.values import Question, Scope, Turn
from loom.lab.battery import corpus, questions, write
from loom_adapters.concept_list import FakeCorpus
from loom_adapters.generation_folder import GenerationFolder

FIXTURES = Path(__file__).parents[2] / "fixtures" / "kb"
CORPUS = 3
OWN = (
    "When was Harvest Evensong loudest, and what was sung then?",
    "Compare the peak loudness of Harvest Evensong and Carols by the Mill.",
    "Quanto costa la focaccia?",
    "Qual è stata la temperatura massima del pane nero?",
    "What happened at 0:40 in the Harvest Evensong rehearsal tape?",
    "What is in the kiln and the bakery?",
)


def finders(context: str = "full") -> tuple[Finder, ...]:
    return OntologyFinder(), FactsFinder(Ways(context=context))  # type: ignore[arg-type]


def asked() -> list[Question]:
    """The battery's questions on its corpus, and some on the fixtures."""
    made = [
        Question(one.prompt, Scope("t"), before=tuple(Turn(turn["role"], turn["content"]) for turn in one.messages[:-1]))
        for one in questions(corpus(CORPUS).truth)
    ]
    return [*made, *(Question(text, Scope("t")) for text in OWN)]


def written(folder: Path, draw: random.Random, *, rows: bool = False) -> list[Path]:
    """The folders of all bases. Files are created in an order drawn from `draw`; with `rows`, rows of series are shuffled, too."""
    write(corpus(CORPUS), folder / "made")
    whole = [path for root in (folder / "made", FIXTURES) for path in sorted(root.rglob("*")) if path.is_file()]
    draw.shuffle(whole)
    for path in whole:
        root = folder / "made" if path.is_relative_to(folder / "made") else FIXTURES
        target = folder / "bases" / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    bases = [path.parent for path in (folder / "bases").rglob("kb.toml")]
    if rows:
        for base in bases:
            for name in _series(base):
                _shuffle(base / name, draw)
    draw.shuffle(bases)
    return bases


def _series(base: Path) -> Iterator[str]:
    import tomllib

    for file in tomllib.loads((base / "kb.toml").read_text(encoding="utf-8")).get("file", ()):
        if file["kind"] == "series" and not file.get("encoding") and file["path"].endswith((".csv", ".tsv")):
            yield file["path"]


def _shuffle(path: Path, draw: random.Random) -> None:
    """Rows of a table in another order, but for those that share their cells' beginning with another: of two rows at one position,
    which stands first is told apart."""
    with path.open(newline="", encoding="utf-8") as file:
        head, *lines = file.read().splitlines(keepends=True)
    if any('"' in line for line in lines) or len(set(next(csv.reader(io.StringIO(line)), [""])[0] for line in lines)) < len(
        lines
    ):
        return
    lines = [line if line.endswith("\n") else f"{line}\n" for line in lines]
    draw.shuffle(lines)
    path.write_text("".join([head, *lines]), encoding="utf-8", newline="")


def built(bases: Sequence[Path], out: Path, draw: random.Random) -> str:
    """The id of the generation of these bases and some concepts, sources in an order drawn from `draw`."""
    sources = [stage.Source(base.name, corpus_reader(base)) for base in bases]
    sources.append(stage.Source("concepts", FakeCorpus(CLASSES)))
    draw.shuffle(sources)
    work = stage.Work(sources)
    stage.run(work, stage.found())
    store = GenerationFolder(out)
    with store.draft() as draft:
        seal.write(draft, work.concepts, work.report, work.parts)
        id = store.seal(draft)
    store.point(id)
    return id


async def context(question: Question, pin: Pin, made: Sequence[Finder]) -> str:
    plan = await prepare(question, pin, made, {"default": default()})
    return json.dumps(
        [plan.block.text, plan.decision.reason, [[one.iri for one in held] for _, held in plan.decision.admitted]]
    )


async def contexts(out: Path, id: str) -> list[str]:
    """What every question gets, in every mode."""
    generation, every = GenerationFolder(out).open(id), asked()
    try:
        return [
            await context(one, Pin(generation), made) for made in map(finders, ("full", "skeleton", "hydrate")) for one in every
        ]
    finally:
        generation.close()


def main(folder: Path, seed: str) -> None:
    draw = random.Random(seed)
    bases = written(folder, draw, rows=seed.startswith("rows"))
    id = built(bases, folder / "out", draw)
    said = asyncio.run(contexts(folder / "out", id))
    texts = [json.loads(one)[0] for one in said]
    digest = {name: hashlib.sha256("\0".join(held).encode()).hexdigest() for name, held in (("texts", texts), ("all", said))}
    print(json.dumps({"id": id, "count": len(said), "shown": sum(map(bool, texts)), **digest}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
