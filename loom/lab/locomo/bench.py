"""Arms run over all questions: what each finds, says and is worth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from loom.core.memory.answering import answer
from loom.core.memory.asking import Asked, asked
from loom.core.memory.finding import Floats, Truths, found
from loom.core.memory.policy import COSINE, TURN, Answers, Policy, Reads, Recalls
from loom.core.memory.ranking import bm25
from loom.core.memory.recall import Ranked, decided, ranked, sure
from loom.core.memory.values import DECLINED, Recall
from loom.lab.locomo.arms import CONSTANT, EDGE, ORACLE, Arm
from loom.lab.locomo.dataset import Dataset, Question
from loom.lab.locomo.edges import edge
from loom.lab.locomo.inference import facts_of, with_derived
from loom.lab.locomo.scorer import reach, score
from loom.lab.locomo.views import Read, cosine, parse, read

UNBOUNDED = 2000
"""More hits than any conversation has pieces that one subject is told of: reach without ranking."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """An arm's figures by question, in the order of the questions; `silent` is whether it declined."""

    score: Floats
    reach: Floats
    confidence: Floats
    silent: Truths
    replies: tuple[str, ...]

    def at(self, floor: float, declined: Floats) -> "Outcome":
        """The same where nothing is said below a floor; `declined` is what declining scores on each question."""
        silent = self.silent | (self.confidence < floor)
        replies = tuple(DECLINED if quiet else reply for quiet, reply in zip(silent.tolist(), self.replies, strict=True))
        return Outcome(np.where(silent, declined, self.score), self.reach, self.confidence, silent, replies)


class Bench:
    """A data set with all that arms share: conversations by how they were read, rankings by how they were made."""

    def __init__(self, data: Dataset) -> None:
        self.data = data
        self.answerable: Truths = np.array([question.answerable for question in data.questions], dtype=bool)
        self.talk = np.array([question.talk for question in data.questions], dtype=np.int64)
        self.declined = np.array([score(each.category, DECLINED, each.reference) for each in data.questions], dtype=float)
        self._reads: dict[tuple[Reads, bool], list[Read]] = {}
        self._rankings: dict[tuple[Reads, Recalls, bool, bool], list[Ranked]] = {}
        self._handed: dict[str, list[Ranked]] = {}
        self._frank: dict[tuple[str, str, bool, Policy], Outcome] = {}

    def reads(self, reads: Reads, *, derived: bool = False) -> list[Read]:
        """All conversations as one policy reads them."""
        if (reads, derived) not in self._reads:
            if derived:
                made = [with_derived(talk, facts_of(talk), reads) for talk in self.reads(reads)]
            else:
                made = read(self.data, reads)
            self._reads[reads, derived] = made
        return self._reads[reads, derived]

    def rankings(self, policy: Policy, *, oracle: bool = False, derived: bool = False) -> list[Ranked]:
        """All that fits each question, best first."""
        recalls = replace(policy.recalls, floor=0.0, contrast=0.0, k=0, most=UNBOUNDED)
        key = (policy.reads, recalls, oracle, derived)
        if key not in self._rankings:
            talks = self.reads(policy.reads, derived=derived)
            rankers = [cosine(talk) if recalls.ranking == COSINE and not oracle else bm25 for talk in talks]
            made = []
            for question in self.data.questions:
                talk = talks[question.talk]
                read = asked(question.text, talk.names, named=recalls.named, several=recalls.several, timed=recalls.timed)
                if oracle:
                    made.append(_evidence(talk, question, read))
                else:
                    whole = policy.reads.unit == TURN
                    made.append(ranked(talk.view, read, recalls, rankers[question.talk], whole=whole))
            self._rankings[key] = made
        return self._rankings[key]

    def hand(self, arm: Arm, rankings: list[Ranked]) -> None:
        """Have an arm use these rankings, which were made elsewhere; they go by its name."""
        self._handed[arm.name] = rankings

    def handed(self, arm: Arm) -> list[Ranked] | None:
        """The rankings that an arm was handed."""
        return self._handed.get(arm.name)

    def outcome(self, arm: Arm, **changes: Any) -> Outcome:
        """What an arm comes to; `changes` replace fields of its recalling (k, floor) or answering (span, band, parts)."""
        policy = changed(arm.policy, changes)
        if arm.kind == CONSTANT:
            return self._constant()
        recalls = policy.recalls
        rankings = self.handed(arm) or self.rankings(policy, oracle=arm.kind == ORACLE, derived=arm.derived)
        spoken = self._spoken(arm, policy, rankings)
        confidence = [
            sure(float(each.cover[: recalls.k].max()) if len(each.cover) else 0.0, each.others, recalls.contrast)
            for each in rankings
        ]
        reached = []
        for question, ranking in zip(self.data.questions, rankings, strict=True):
            turns = self.data.talks[question.talk].turns
            reached.append(reach(question.evidence, {turns[turn].id for turn in ranking.turn[: recalls.k].tolist()}))
        frank = Outcome(spoken.score, np.array(reached), np.array(confidence), spoken.silent, spoken.replies)
        return frank.at(recalls.floor, self.declined)

    def _constant(self) -> Outcome:
        nothing = np.zeros(len(self.data.questions))
        quiet = np.ones(len(nothing), dtype=bool)
        found = np.array([float(not question.evidence) for question in self.data.questions])
        return Outcome(self.declined, found, nothing, quiet, (DECLINED,) * len(nothing))

    def _spoken(self, arm: Arm, policy: Policy, rankings: Sequence[Ranked]) -> Outcome:
        """Replies without a floor. They rest on the first few hits only, so that arms which differ behind those share them."""
        recalls = replace(policy.recalls, floor=0.0, contrast=0.0, k=min(policy.recalls.k, policy.answers.parts))
        policy = replace(policy, recalls=recalls)
        key = (arm.name if arm.name in self._handed else "", arm.kind, arm.derived, policy)
        if key not in self._frank:
            talks = self.reads(policy.reads, derived=arm.derived)
            say = edge if arm.kind == EDGE else _read_out
            replies = [
                say(talks[question.talk], ranking.question, decided(ranking, recalls), policy.answers)
                for question, ranking in zip(self.data.questions, rankings, strict=True)
            ]
            scores = [
                score(question.category, reply, question.reference)
                for question, reply in zip(self.data.questions, replies, strict=True)
            ]
            nothing = np.zeros(len(replies))
            silent = np.array([reply == DECLINED for reply in replies])
            self._frank[key] = Outcome(np.array(scores), nothing, nothing, silent, tuple(replies))
        return self._frank[key]


def _read_out(talk: Read, question: Asked, recall: Recall, answers: Answers) -> str:
    return answer(talk.view, question, recall, answers, parse)


def changed(policy: Policy, changes: Mapping[str, Any]) -> Policy:
    """A policy with fields of its recalling or answering replaced."""
    recalls = {name: value for name, value in changes.items() if name in Recalls.__slots__}
    answers = {name: value for name, value in changes.items() if name in Answers.__slots__}
    return replace(policy, recalls=replace(policy.recalls, **recalls), answers=replace(policy.answers, **answers))


def _evidence(talk: Read, question: Question, read: Asked) -> Ranked:
    """The annotated turns by how much of the question they cover, first come first among equals."""
    places = {said.id: number for number, said in enumerate(talk.talk.turns)}
    turns = sorted({places[each] for each in question.evidence if each in places})
    pieces = found(talk.view, read.focus, read.focus)
    covers = dict(zip(pieces.turn.tolist(), pieces.cover().tolist(), strict=True))
    cover = np.array([covers.get(turn, 0.0) for turn in turns])
    order = np.argsort(-cover, kind="stable")
    number = np.array(turns, dtype=np.int64)[order] if turns else np.zeros(0, dtype=np.int64)
    return Ranked(read, number, np.zeros(len(number), dtype=np.int64), ("",), cover[order], cover[order])
