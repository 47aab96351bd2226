"""Arms that rank by an embedding instead of words: does the scope carry over (seed 004 §9, specs/memory.md §6)?

What is embedded is what the lexical arms index: a turn's line, or a piece headed by its owner ("Petra: …"), since a sentence in the
first person alone says too little. Confidence is the lexical cover, as in every arm.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from hashlib import sha256

import numpy as np

from loom.core.errors import BadInput
from loom.core.memory.asking import asked
from loom.core.memory.calendar import spoken
from loom.core.memory.finding import Floats, found
from loom.core.memory.policy import TURN, Policy
from loom.core.memory.recall import Ranked, top
from loom.core.memory.values import NOBODY
from loom.lab.locomo.arms import ARMS, Arm
from loom.lab.locomo.bench import UNBOUNDED, Bench
from loom.lab.locomo.views import Read

Embed = Callable[[Sequence[str]], np.ndarray]
BATCH = 256
DENSE = tuple(replace(ARMS[name], name=f"dense {name}") for name in ("vector", "scoped", "span", "graph"))
"""The four cells with another ranking."""


class Vectors:
    """Unit vectors of texts, each embedded once; `kept` are those of before, by the SHA-256 of model and text."""

    def __init__(self, embed: Embed, model: str, kept: dict[str, Floats] | None = None) -> None:
        self._embed = embed
        self._model = model
        self.kept = kept if kept is not None else {}

    def of(self, texts: Sequence[str], watch: Callable[[range], Iterable[int]] = iter) -> Floats:
        """One row a text. Raises BadInput where the embedder gives anything else than finite vectors of one length."""
        keys = [sha256(f"{self._model}\0{text}".encode("utf-8", "surrogatepass")).hexdigest() for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self.kept}
        names = list(new)
        for start in watch(range(0, len(names), BATCH)):
            part = names[start : start + BATCH]
            rows = np.asarray(self._embed([new[key] for key in part]), dtype=np.float64)
            if rows.ndim != 2 or len(rows) != len(part) or not np.isfinite(rows).all():
                raise BadInput(f"Expected {len(part)} finite vectors of {self._model}, but got {rows.shape}.", param="embed")
            rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
            self.kept.update(zip(part, rows.astype(np.float32), strict=True))
        return np.array([self.kept[key] for key in keys], dtype=np.float64)


def rank_dense(bench: Bench, arm: Arm, vectors: Vectors, watch: Callable[[range], Iterable[int]] = iter) -> None:
    """Rank an arm's pieces by their vectors; the bench then runs it as any other."""
    policy = arm.policy
    talks = bench.reads(policy.reads)
    asking = vectors.of([question.text for question in bench.data.questions])
    texts = [_texts(talk, policy) for talk in talks]
    vectors.of([text for _, each in texts for text in each], watch)
    held = [(keys, vectors.of(each)) for keys, each in texts]
    made = []
    for question, vector in zip(bench.data.questions, asking, strict=True):
        keys, rows = held[question.talk]
        made.append(_ranked(talks[question.talk], question.text, policy, keys, rows @ vector))
    bench.hand(arm, made)


def _texts(talk: Read, policy: Policy) -> tuple[list[tuple[int, str]], list[str]]:
    """The keys of what is embedded, and its texts."""
    whole = policy.reads.unit == TURN
    keys, texts = [], []
    for key, piece in talk.view.every():
        said = talk.view.said([piece.turn])[piece.turn]
        if whole:
            text = f"{spoken(said.date)} {said.speaker}: {said.whole}" if said.date else f"{said.speaker}: {said.whole}"
        elif piece.subject == NOBODY:
            continue
        else:
            owner = talk.names.people[piece.subject].name
            text = f"{owner}: " + " ".join(said.whole[each.start : each.end] for each in piece.sentences)
        keys.append(key)
        texts.append(text)
    return keys, texts


def _ranked(talk: Read, text: str, policy: Policy, keys: Sequence[tuple[int, str]], likeness: Floats) -> Ranked:
    question = asked(text, talk.names, named=policy.recalls.named, several=policy.recalls.several)
    subjects = tuple(sorted({subject for _, subject in keys}))
    turn = np.array([number for number, _ in keys], dtype=np.int64)
    who = np.array([subjects.index(subject) for _, subject in keys], dtype=np.int64)
    scoped = policy.recalls.scope and bool(question.subjects)
    if scoped:
        mine = np.array([subject in question.subjects for subject in subjects], dtype=bool)[who]
    else:
        mine = np.diff(turn, prepend=-1) != 0 if policy.reads.unit == TURN else np.ones(len(turn), dtype=bool)
    # Every piece is a hit, however unlike: likeness is moved above zero, which changes neither order nor reach.
    best = top(np.where(mine, likeness + 2.0, 0.0), UNBOUNDED)
    pieces = found(talk.view, question.focus, question.focus)
    covers = dict(zip(pieces.turn.tolist(), pieces.cover_of_turns().tolist(), strict=True))
    cover = np.array([covers.get(number, 0.0) for number in turn[best].tolist()])
    return Ranked(question, turn[best], who[best], subjects, likeness[best], cover)
