"""The rows of a study: what each arm shows for each question, answered by each model, in the order of the plan."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Mapping, Sequence

from loom.core.values import Json
from loom.lab.asking import Asker, Said
from loom.lab.row import ANSWERED, EMPTY, ERROR, Row
from loom.lab.showing import PLANNED, Showing
from loom.lab.study.member import AGAIN, Member
from loom.lab.study.study import Study

AHEAD = 500
"""How many questions a model may be ahead of the slowest: what is answered and not yet written stays small."""
ANSWER = "answer"
"""The purpose of these calls in the ledger."""


async def answered(study: Study, showings: Sequence[Showing], asker: Asker, *, ahead: int = AHEAD) -> AsyncGenerator[Row, None]:
    """Ask every model of the study what the plan shows, and give the rows in the plan's order: question, arm, model. Models are
    asked side by side, each at its own pace. Leaving early stops the calls."""
    lines = [_Line(member, showings, asker, ahead) for member in study.models]
    shared = {member.name: facts_of(study, member) for member in study.models}
    try:
        for line in lines:
            line.fill()
        for showing in showings:
            stated = showing.as_json()
            for line in lines:
                said = await line.take() if showing.status == PLANNED else None
                yield row_of(showing, stated, line.member.name, said, shared[line.member.name])
    finally:
        for line in lines:
            await line.stop()


class _Line:
    """One model's questions: so many under way or answered, the rest not yet begun."""

    def __init__(self, member: Member, showings: Sequence[Showing], asker: Asker, ahead: int) -> None:
        self.member = member
        self._left = iter(showings)
        self._asker = asker
        self._ahead = ahead
        self._tasks: deque[asyncio.Task[Said]] = deque()

    def fill(self) -> None:
        while len(self._tasks) < self._ahead:
            showing = next((each for each in self._left if each.status == PLANNED), None)
            if showing is None:
                return
            asked = self._asker.ask(self.member.name, showing.asking, purpose=ANSWER)
            self._tasks.append(asyncio.ensure_future(asked))

    async def take(self) -> Said:
        said = await self._tasks[0]
        self._tasks.popleft()
        self.fill()
        return said

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def row_of(showing: Showing, stated: Mapping[str, Json], model: str, said: Said | None, facts: Mapping[str, Json]) -> Row:
    """A row; `said` is None where the arm shows nothing that could be asked."""
    if said is None:
        return Row(showing.question, showing.arm, model, showing.status, stated, {}, facts)
    status = ERROR if said.error is not None else EMPTY if said.empty else ANSWERED
    return Row(showing.question, showing.arm, model, status, stated, said.as_json(), facts)


def facts_of(study: Study, member: Member) -> dict[str, Json]:
    """What the rows of one model share."""
    return {
        "name": study.name,
        **study.facts,
        "policy": study.policy,
        "wrapper": study.wrapper,
        "matcher": study.matcher,
        "budget": study.budget,
        "seeds": {"study": study.seed},
        "model": {"requested": member.model, "kind": member.kind, "family": member.family or None},
        "request": {**member.request, "allowances": [member.allowance, member.allowance * AGAIN]},
    }
