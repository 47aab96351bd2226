"""The figures of arms that a model read for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from loom.core.memory.values import DECLINED
from loom.core.values import Json
from loom.lab.locomo.arms import Arm
from loom.lab.locomo.bench import Bench, Outcome
from loom.lab.locomo.figures import figures
from loom.lab.locomo.intervals import differences
from loom.lab.locomo.model_reader import PROMPT, Replies, Shown, read_out, shown
from loom.lab.locomo.sample import drawn
from loom.lab.locomo.scorer import declines, score
from loom.lab.locomo.sweeps import realised

Ask = Callable[[Sequence[int], Mapping[str, Shown]], Replies]
"""Has a model reply to the questions at these places, for each arm."""


@dataclass(frozen=True, slots=True)
class Reader:
    """A model that reads, and of which questions: `limit` of them, drawn by `seed`; all where it is None."""

    model: str
    ask: Ask
    limit: int | None = None
    seed: int = 42


def read_by(
    bench: Bench,
    arms: Sequence[Arm],
    outcomes: Mapping[str, Outcome],
    reader: Reader,
    choices: Mapping[str, Sequence[Mapping[str, Json]]],
) -> dict[str, Json]:
    """`read`: the figures by arm, as the arm stands (below its floor it declines, whatever the model would say) and without a floor;
    `reading`: how they came about. Questions to which a reply is missing in some arm are left out of all arms."""
    places = drawn(bench.data.questions, reader.limit, reader.seed)
    by_arm = {
        arm.name: shown(bench, arm, places, outcomes[arm.name].confidence, choices.get(arm.name, ())) for arm in read_out(arms)
    }
    replies = reader.ask(places, by_arm)
    there = [at for at in range(len(places)) if all(replies.by_arm[name][at] is not None for name in by_arm)]
    part = Bench(replace(bench.data, questions=tuple(bench.data.questions[places[at]] for at in there)))
    found, frank = {}, {}
    for name, each in by_arm.items():
        said = [str(replies.by_arm[name][at]) for at in there]
        frank[name] = _outcome(part, outcomes[name], [places[at] for at in there], said)
        found[name] = _below(part, frank[name], np.array([each.below[at] for at in there], dtype=bool))
    return {
        "read": {
            name: {
                **_figures(part, found[name]),
                "asked": replies.asked[name],
                "below its floor": sum(each.below),
                "empty": sum(not reply for reply in frank[name].replies),
                "without a floor": _figures(part, frank[name]),
            }
            for name, each in by_arm.items()
        },
        "reading": {
            "model": reader.model,
            "prompt": PROMPT,
            "limit": reader.limit,
            "seed": reader.seed,
            "questions": len(places),
            "answerable": int(part.answerable.sum()),
            "left out": len(places) - len(there),
            "differences": differences(part, found),
            "differences without a floor": differences(part, frank),
        },
    }


def _outcome(part: Bench, before: Outcome, places: Sequence[int], replies: Sequence[str]) -> Outcome:
    """An arm's outcome with other replies; what it reached and how sure it was stay."""
    scores = [score(each.category, reply, each.reference) for each, reply in zip(part.data.questions, replies, strict=True)]
    quiet = np.array([declines(reply) for reply in replies], dtype=bool)
    at = np.array(places, dtype=np.int64)
    return Outcome(np.array(scores), before.reach[at], before.confidence[at], quiet, tuple(replies))


def _below(part: Bench, frank: Outcome, below: np.ndarray) -> Outcome:
    """The same where an arm says nothing below its floor."""
    replies = tuple(DECLINED if quiet else reply for quiet, reply in zip(below.tolist(), frank.replies, strict=True))
    return replace(frank, score=np.where(below, part.declined, frank.score), silent=frank.silent | below, replies=replies)


def _figures(part: Bench, outcome: Outcome) -> dict[str, Json]:
    return {**figures(part, outcome), "n": len(outcome.replies), "realised": realised(part, outcome)}
