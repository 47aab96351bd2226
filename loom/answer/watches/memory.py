"""Says what memory gave a question, and keeps what was said once the answer is out.

Kept are the user's own words and, where that is asked for, the answer's; never what the node itself put before the model, nor any
turn of a request whose answer is not the model's own or not whole (seed 004; specs/memory.md §9).
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from hashlib import sha256

from loom.answer.finders.memory import told_of
from loom.answer.memory import Memory, scope_of
from loom.answer.plan import Plan
from loom.answer.second_round import single
from loom.core.errors import LoomError
from loom.core.memory.minting import PREFIX, quotes_of
from loom.core.memory.repeating import own_words
from loom.core.memory.values import Said
from loom.core.policy.merge import without_blocks
from loom.core.values import Json, Outcome, Remembering

log = logging.getLogger(__name__)

ASSISTANT = "Assistant"
KEPT_SHAPES = frozenset({"plain", "lookup"})
WHOLE, BEGUN = "answered", frozenset({"answered", "truncated"})
"""The class of a completion whose answer may be kept, and those behind which the question is."""
OWN_MODELS = "loom-"
"""How the names of models begin that only quote what they are shown: nothing of their answers is kept."""
LONGEST = 100_000
"""Characters of one turn that are kept at most."""
FAILED = "failed"

Count = Callable[[str, int], None]
"""Is told what became of so many turns: new, known, gone or failed."""


def _uncounted(result: str, turns: int) -> None:
    """Nobody counts."""


class MemoryWatch:
    """The memory of one answer. `today` is the ISO day; `count` is told what became of the turns."""

    key = "memory"

    def __init__(self, plan: Plan, memory: Memory, today: str, count: Count = _uncounted) -> None:
        self._plan = plan
        self._memory = memory
        self._today = today
        self._count = count
        self._coming: asyncio.Future[None] | None = None

    def feed(self, text: str) -> None:
        """The whole answer is known in the end."""

    def report(self, outcome: Outcome) -> Mapping[str, Json] | None:
        scope = scope_of(self._plan.question)
        if scope is None:
            return None
        told = told_of(self._plan.decision.told)
        turns = self._turns(outcome)
        if turns:
            self._coming = self._memory.coming(scope)
        if told is not None:
            return {**told, "written": [said.id for said in turns]}
        # The store did not answer: what is to be kept is tried, and not promised.
        return {
            "conversation": scope.conversation,
            "subjects": [],
            "confidence": None,
            "silent": None,
            "hits": [],
            "written": [],
        }

    async def after(self, outcome: Outcome) -> None:
        scope, turns = scope_of(self._plan.question), self._turns(outcome)
        if scope is None or not turns:
            return
        if self._coming is not None and self._coming.cancelled():
            # Somebody asked meanwhile, and was told that there is no such turn.
            self._count(FAILED, len(turns))
            return
        try:
            kept = await self._memory.add(scope, turns)
        except LoomError as error:
            log.error("What was said could not be kept: %s", error.message)
            self._count(FAILED, len(turns))
            return
        except Exception:
            self._count(FAILED, len(turns))
            raise
        finally:
            if self._coming is not None and not self._coming.done():
                self._coming.set_result(None)
        for each in kept:
            self._count(each.state, 1)

    def _turns(self, outcome: Outcome) -> list[Said]:
        """What is to be kept of this request."""
        question = self._plan.question
        memory = question.options.memory
        if memory is None or not memory.remember or question.options.off or question.shape not in KEPT_SHAPES:
            return []
        if outcome.completion not in BEGUN or outcome.instead:
            return []
        said = [(memory.speaker, without_blocks(question.text).strip())]
        quoting = (outcome.model_reported or "").startswith(OWN_MODELS)
        if memory.remember == "all" and outcome.completion == WHOLE and single(question) and not quoting:
            said.append((ASSISTANT, self._answer(outcome)))
        return [self._said(memory, speaker, text) for speaker, text in said if text]

    def _answer(self, outcome: Outcome) -> str:
        """The answer without what it repeats of the memory that it was shown."""
        shown = [each for each in self._plan.block.served if each.evidence.iri.startswith(PREFIX)]
        lines = [line for each in shown for line in each.lines[1:]]
        return own_words(without_blocks(outcome.text), [*lines, *quotes_of(lines)])

    def _said(self, memory: Remembering, speaker: str, text: str) -> Said:
        """A turn under an id that is the same when the same request comes again."""
        date = memory.date or self._today
        asked = sum(message.get("role") == "user" for message in self._plan.question.body.get("messages") or ())
        name = "\n".join((speaker, date[:10], str(asked), text))
        return Said(speaker, text[:LONGEST], date, f"chat-{sha256(name.encode('utf-8', 'replace')).hexdigest()[:24]}")
