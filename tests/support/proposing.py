"""The write path over the example vault: a desk in memory or on the disk, assertions by the hundred, judges that are told what to say."""

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from support.kitchen import VAULT, kitchen
from support.lab_judging import sections

from loom.core.proposals.assertion import Assertion, Span
from loom.core.proposals.dossier import Dossier
from loom.core.proposals.topics import Bars, Topic
from loom.lab.asking import FakeAsker
from loom.lab.judging.families import Judge
from loom.lab.judging.rule import Rule, read_rule
from loom.proposals.desk import Desk
from loom.proposals.drafting import Draft
from loom.proposals.prefilter import RULE, completed, judged, scored
from loom.proposals.served import Served, served
from loom_adapters.proposals.records import FakeRecords
from loom_adapters.proposals.vault_pages import FakeVault

JUDGES = (Judge("first", family="gpt"), Judge("second", family="claude"))
BASE = "urn:loom:kitchen:"


@cache
def pages() -> Mapping[str, bytes]:
    """The pages of the example vault."""
    return {path.relative_to(VAULT).as_posix(): path.read_bytes() for path in sorted(VAULT.rglob("*.md"))}


@contextmanager
def corpus() -> Iterator[Served]:
    with kitchen() as (_, pin):
        yield served(pin.generation)


def memory_desk(bars: Bars = Bars(), held: Mapping[str, bytes] | None = None) -> Desk:  # noqa: B008
    """A desk in memory; its clock stands still."""
    return Desk(FakeVault(pages() if held is None else held), FakeRecords(), bars, lambda: "2026-01-01T00:00:00+00:00")


def said(text: str, source: str, *terms: str, verified: bool = True, **more: Any) -> Assertion:
    return Assertion(text, source, Span(text), terms=tuple((term, "") for term in terms), verified=verified, **more)


def about(served: Served, draw: random.Random, count: int, sources: int = 3) -> list[Assertion]:
    """Assertions in the words of a rule about concepts of the corpus, from several sources."""
    concepts = served.terms.concepts
    titles = [concepts.title(draw.randrange(concepts.count)) for _ in range(4)]
    made = []
    for _ in range(count):
        one, other = draw.choice(titles), draw.choice(titles)
        text = f"{one} was {draw.choice(['served', 'measured', 'praised'])} with {other} on day {draw.randrange(400)}."
        made.append(said(text, f"episode-{draw.randrange(sources)}.txt", one, other))
    return made


def versions(messages: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    shown = sections(messages)
    return shown["first version"], shown["second version"]


def judging(likes: Callable[[str, str], int]) -> FakeAsker:
    """An asker whose judges score the second version by what it has more than the first: `likes` is told both, the longer one being
    the page with the section, and gives what the section is worth, whichever was shown first."""

    def answer(model: str, messages: Sequence[Mapping[str, Any]]) -> str:
        first, second = versions(messages)
        after_second = len(second) > len(first)
        worth = likes(*((first, second) if after_second else (second, first)))
        return json.dumps({"score": worth if after_second else -worth, "why": "By what was added."})

    return FakeAsker(answer)


def rule_in(folder: Path) -> Rule:
    path = folder / "rule.toml"
    path.write_text(RULE)
    return read_rule(path)


async def measured(drafts: Sequence[Draft], served: Served, folder: Path, asker: FakeAsker, **more: Any) -> list[Dossier]:
    """The drafts with what both halves of the pre-filter say."""
    told, worked = await judged(drafts, folder / "verdicts.jsonl", rule_in(folder), asker, JUDGES, **more)
    assert not worked.failed
    return [scored(draft, told[draft.dossier.id], completed(draft, served, (), 1.0)) for draft in drafts]


def passed(draft: Draft) -> Dossier:
    """The dossier of a draft as if nothing had stopped it, for what comes after the pre-filter."""
    return draft.dossier


def topic_of(title: str, topics: Sequence[Topic], served: Served) -> Topic:
    return next(each for each in topics if served.title(each.iri) == title)


def words_of(page: bytes) -> set[str]:
    return set(re.findall(r"\w+", page.decode()))
