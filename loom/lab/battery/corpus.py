"""Ten knowledge bases of made-up text and numbers, drawn from one seed, with what is true of them.

The same seed gives the same bytes; everything is drawn in a fixed order from generators that are seeded with texts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from loom.core.text import slugify
from loom.lab.battery.corpus_base import File, KnowledgeBase
from loom.lab.battery.corpus_broadcast import broadcasts
from loom.lab.battery.corpus_business import finance, projects, rights
from loom.lab.battery.corpus_clinic import clinic
from loom.lab.battery.corpus_names import Drawn, drawn
from loom.lab.battery.corpus_prose import SEGMENT_LINES, code, general, press
from loom.lab.battery.corpus_slots import slots
from loom.lab.battery.truth import Names, Truth
from loom.lab.files import write_bytes


@dataclass(frozen=True, slots=True)
class Corpus:
    seed: int
    bases: tuple[KnowledgeBase, ...]
    truth: Truth


def corpus(seed: int) -> Corpus:
    names = drawn(seed)

    def random(purpose: str) -> Random:
        return Random(f"{seed}:{purpose}:battery")

    shows = tuple(name for name, _ in (*names.italian, *names.british))
    planned = slots(shows, names.matches, random("slots"))
    italian, british, sports = broadcasts(names, planned, random("broadcasts"))
    segment = _segment(names)
    british_base = replace(british.base, files=(*british.base.files, segment))
    money, quarters, deck = finance(names, random("finance"))
    held = dict(
        zip(
            (f"Package {stone}" for stone in names.packages),
            (names.italian[0][0], names.british[0][0], names.italian[1][0], names.matches[0]),
            strict=True,
        )
    )
    licences, packages, amended = rights(held, random("rights"))
    restored, states = projects(names, held, random("projects"))
    cases, laboratory = clinic(names, random("clinic"))
    reading = File("notes/ai-reading.txt", "AI reading aid", "text", SEGMENT_LINES["clinic"] + "\n")
    cases = replace(cases, files=(*cases.files, reading))
    seconds = [planned[show].events[0] for show in shows]
    bases = (
        italian.base,
        british_base,
        money,
        cases,
        code(random("code")),
        general(names.shared, seconds, random("general")),
        licences,
        restored,
        sports.base,
        press((*italian.subjects, *british.subjects)),
    )
    owned = [(british_base.id, segment.path, segment.text.strip())]
    owned += [
        (base.id, file.path, file.text.strip())
        for base in bases
        for file in base.files
        if file.text.strip() in SEGMENT_LINES.values()
    ]
    truth = Truth(
        seed=seed,
        titles={base.id: {base.language: base.title, **{tag: one[0] for tag, one in base.aliases.items()}} for base in bases},
        sources={base.id: {file.path: file.title for file in base.files} for base in bases},
        subjects=(*italian.subjects, *british.subjects, *sports.subjects),
        series=(*italian.series, *british.series, *sports.series, *quarters, *laboratory),
        transcripts=(*italian.transcripts, *british.transcripts, *sports.transcripts),
        tables=(packages, deck, amended),
        projects=states,
        segments=tuple(owned),
        names=Names(names.absent, names.british[1][1], names.metric, names.shared, names.segment),
        held=held,
    )
    return Corpus(seed, bases, truth)


def _segment(names: Drawn) -> File:
    line = f"The AI {names.segment} segment ends with a blank screen and a long apology."
    title = f"AI {names.segment} segment"
    return File(f"segments/{slugify(title)}.txt", title, "text", line + "\n")


def write(made: Corpus, folder: Path) -> Mapping[str, str]:
    """The bases as folders; gives the SHA-256 of each file by its path. Raises BadInput where one cannot be written."""
    return {
        f"{base.id}/{path}": write_bytes(folder / base.id / path, [text.encode()])
        for base in made.bases
        for path, text in base.contents().items()
    }
