"""Copy ceilings of questions: over what the serving path shows for them, or over contexts that somebody else made."""

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.exposure import READERS, Ceilings, CopyCeiling
from loom.core.exposure.ceiling import checked_matcher, found_in
from loom.core.values import Json, tokens_of
from loom.lab.ground import Ground
from loom.lab.lines import lines
from loom.lab.question import LabQuestion
from loom.lab.scoring.invariant import Invariant
from loom.lab.scoring.records import text
from loom.lab.showing import Asking, user, visible


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown for a question: the whole visible input, its messages joined by a blank, and the tokens of the block in it."""

    question: LabQuestion
    text: str
    tokens: int


@dataclass(slots=True)
class Measuring:
    """Ceilings as they are counted, each checked against the invariant. Raises BadInput for a matcher that is none."""

    matcher: str = "default"
    invariant: Invariant = field(default_factory=Invariant)
    _items: list[CopyCeiling] = field(default_factory=list)
    _without: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        checked_matcher(self.matcher)

    def add(self, shown: Shown) -> CopyCeiling | None:
        """Count one question; None where it asks for no name."""
        asked = shown.question
        if not asked.gold:
            self._without.append(asked.id)
            return None
        exposed = found_in(asked.titles, READERS[self.matcher](shown.text))
        item = CopyCeiling(asked.id, asked.titles, exposed, asked.gold_type, asked.template, asked.domain, shown.tokens)
        self.invariant.check(item, shown.text, self.matcher)
        self._items.append(item)
        return item

    def made(self) -> Ceilings:
        """Raises BadInput where no question had gold."""
        if not self._items:
            raise BadInput("Expected at least one question with gold, the names that a full answer states.", param="questions")
        return Ceilings(tuple(self._items), self.matcher, tuple(self._without))


async def grounded(ground: Ground, questions: Iterable[LabQuestion]) -> AsyncIterator[Shown]:
    """What the serving path shows for each question, with the wrapper of the ground around the block."""
    for question in questions:
        plan = await ground.plan(question.prompt)
        asking = Asking(question.prompt, user(question.prompt), plan.block, ground.wrapper)
        yield Shown(question, visible(asking.sent), plan.block.tokens)


def read_contexts(path: Path) -> dict[str, str]:
    """Contexts by the id of their question: a JSON object a line with `id` and `context` (a text or a list). Raises BadInput."""
    found: dict[str, str] = {}
    for number, row in lines(path, "contexts"):
        where = f"line {number} of {path}"
        if "id" not in row or "context" not in row:
            raise BadInput(
                f"Expected id and context in {where}, but got {', '.join(sorted(row)) or 'nothing'}.", param="contexts"
            )
        id = str(row["id"])
        if id in found:
            raise BadInput(
                f"Expected one context a question in {path}, but {id!r} comes again in line {number}.", param="contexts"
            )
        found[id] = text(row["context"], f"the context of {where}")
    if not found:
        raise BadInput(f"Expected at least one context in {path}, but it has none.", param="contexts")
    return found


def given(contexts: Mapping[str, str], questions: Iterable[LabQuestion]) -> Iterator[Shown]:
    """Contexts as they would be shown: each before its question. Raises BadInput for a question that has none."""
    for question in questions:
        context = contexts.get(question.id)
        if context is None:
            raise BadInput(
                f"Expected a context for every question, but {question.id!r} has none; give an empty one where nothing is shown.",
                param="contexts",
            )
        shown = [{"role": "system", "content": context}, *user(question.prompt)]
        yield Shown(question, visible(shown if context else shown[1:]), tokens_of(context))


async def ceilings(ground: Ground, questions: Iterable[LabQuestion], matcher: str | None = None) -> tuple[Ceilings, Invariant]:
    """The ceilings of questions under the serving path, and the invariant over them; the matcher is the policy's own by default."""
    measuring = Measuring(matcher or ground.matcher)
    async for shown in grounded(ground, questions):
        measuring.add(shown)
    return measuring.made(), measuring.invariant


def as_json(made: Ceilings, invariant: Invariant, **facts: Json) -> dict[str, Json]:
    """The result of `loom lab ceiling`."""
    return {**facts, **made.as_json(), "invariant": invariant.as_json()}
