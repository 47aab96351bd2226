"""Says what memory gave a question, and keeps what was said once the answer is out.

Kept are the user's own words and, where that is asked for, the answer's; never what the node itself put before the model, nor any
turn of a request whose answer is not the model's own or not whole (seed 004; specs/memory.md §9).
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from hashlib import sha256

from loom.answer.finders.memory import told_of
from loom.answer.memory import Begun, Memory, scope_of
from loom.answer.plan import Plan
from loom.answer.second_round import single
from loom.answer.side_calls import side_call
from loom.core.errors import LoomError
from loom.core.memory.minting import PREFIX, quotes_of
from loom.core.memory.repeating import own_text, own_words
from loom.core.memory.values import Said
from loom.core.policy.merge import LEADING, without_blocks
from loom.core.policy.wrappers import WRAPPERS
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
FAILED, GONE = "failed", "gone"

Count = Callable[[str, int], None]
"""Is told what became of so many turns: new, known, gone or failed."""


def _uncounted(result: str, turns: int) -> None:
    """Nobody counts."""


class MemoryWatch:
    """The memory of one answer. `today` is the ISO day; `count` is told what became of the turns. Nothing is kept without `begun`,
    which `Memory.begin` gave before anything was looked up."""

    key = "memory"

    def __init__(self, plan: Plan, memory: Memory, today: str, begun: Begun | None = None, count: Count = _uncounted) -> None:
        self._plan = plan
        self._begun = begun
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
        turns = self._turns(outcome)
        if self._begun is None or not turns:
            return
        if self._coming is not None and self._coming.cancelled():
            # Somebody asked meanwhile, and was told that there is no such turn.
            self._count(FAILED, len(turns))
            return
        try:
            kept = await self._memory.finish(self._begun, turns)
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
        if not kept:
            self._count(GONE, len(turns))

    def _turns(self, outcome: Outcome) -> list[Said]:
        """What is to be kept of this request."""
        question = self._plan.question
        memory = question.options.memory
        if self._begun is None or self._begun.over or memory is None or not memory.remember:
            return []
        if question.options.off or question.shape not in KEPT_SHAPES or side_call(question.body):
            return []
        if outcome.completion not in BEGUN or outcome.instead:
            return []
        said = [(memory.speaker, _own(question.text))]
        quoting = (outcome.model_reported or "").startswith(OWN_MODELS)
        whole = outcome.completion == WHOLE and _ends_with_user(question.body) and single(question)
        if memory.remember == "all" and whole and not quoting:
            said.append((ASSISTANT, self._answer(outcome)))
        return [self._said(memory, speaker, text) for speaker, text in said if text]

    def _answer(self, outcome: Outcome) -> str:
        """The answer without what it repeats of the memory that it was shown."""
        shown = [each for each in self._plan.block.served if each.evidence.iri.startswith(PREFIX)]
        lines = [line for each in shown for line in each.lines[1:]]
        return own_words(_own(outcome.text), [*lines, *quotes_of(lines)])

    def _said(self, memory: Remembering, speaker: str, text: str) -> Said:
        """A turn under an id that is the same when the same request comes again."""
        date = (memory.date or self._today)[:10]
        asked = sum(message.get("role") == "user" for message in self._plan.question.body.get("messages") or ())
        name = "\n".join((speaker, date, str(asked), text))
        return Said(speaker, text[:LONGEST], date, f"chat-{sha256(name.encode('utf-8', 'replace')).hexdigest()[:24]}")


def _own(text: str) -> str:
    """What somebody said themselves: without blocks of this node, the sentences that introduce these, and memory that it showed."""
    text = own_text(without_blocks(text.replace("\r\n", "\n").replace("\r", "\n")))
    for sentence in filter(None, WRAPPERS.values()):
        text = text.replace(sentence, "")
    return text.strip()


def _ends_with_user(body: Mapping[str, Json]) -> bool:
    """Whether what is answered is what a user said; an answer that goes on with one that was begun is half an answer."""
    roles = [message.get("role") for message in body.get("messages") or ()]
    return next((role for role in reversed(roles) if role not in LEADING), "") == "user"
