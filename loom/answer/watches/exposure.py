"""Counts what an answer delivers of what its block showed."""

from collections.abc import Iterator, Mapping

from loom.answer.plan import Plan
from loom.answer.shape import content_text
from loom.core.concepts import Concepts
from loom.core.exposure import READERS, Exposure, beyond, of_block, of_gold
from loom.core.exposure.names import Text
from loom.core.matching.default import DefaultLexicon
from loom.core.values import Json, Outcome


class ExposureWatch:
    """Exposure of one answer. Reports nothing where the answer has no text, since a tool call delivers no names."""

    key = "exposure"

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._pieces: list[str] = []
        self.counted: Exposure | None = None

    def feed(self, text: str) -> None:
        self._pieces.append(text)

    def report(self, outcome: Outcome) -> Mapping[str, Json] | None:
        answer = "".join(self._pieces)
        plan = self._plan
        gold = plan.question.options.gold
        if not answer.strip() or not (gold or plan.decision.engaged):
            return None
        matcher = plan.policy.matcher
        outside = self._beyond(answer)
        if gold is None:
            self.counted = of_block(plan.block, answer, outside, matcher)
        else:
            self.counted = of_gold(gold, plan.block.text, answer, outside, matcher)
        return self.counted.as_json()

    async def after(self, outcome: Outcome) -> None:
        """Nothing to write."""

    def _beyond(self, answer: str) -> tuple[str, ...]:
        generation = self._plan.pin.generation
        concepts, lexicon = generation.part(Concepts), generation.part(DefaultLexicon)
        if concepts is None or lexicon is None:
            return ()
        return beyond(concepts, lexicon, answer, self._known())

    def _known(self) -> Iterator[Text]:
        """The texts that had named it before the answer did: the block, the question, the conversation."""
        read = READERS["default"]
        yield read(self._plan.block.text)
        messages = self._plan.question.body.get("messages") or ()
        spoken = [content_text(message.get("content")) for message in messages]
        yield read("\n".join([*spoken, self._plan.question.text]))
