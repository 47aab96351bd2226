"""The semantic re-score: is the ceiling an artefact of strict matching? (seed 000, §6)

A name is there when the best cosine of its title with any span of a text reaches a threshold. Contexts and answers are read by the
same matcher, so that the comparison stays even. It depends on an embedding model and on the spans: a probe of the sign of a gain,
not another scorer.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from loom.core.concepts import remember
from loom.core.errors import BadInput
from loom.core.exposure import READERS
from loom.core.exposure.ceiling import found_in
from loom.lab.row import ANSWERED, EMPTY, Row
from loom.lab.scoring.scored import REMEMBERED, Hits, Scored, digest
from loom.lab.scoring.scores import Scores
from loom.lab.scoring.spans import spans
from loom.lab.showing import user, visible

THRESHOLDS = (0.80, 0.85, 0.90)
BATCH = 512
VECTORS = 20_000
"""Vectors of spans that are kept: some thirty megabytes."""
SLACK = 1e-6
"""What single precision takes from a cosine of 1."""
STORED = ("n_gold_exposed", "exposed", "v1_exposed")
"""Members under which rows and questions state how many of the gold were shown."""

Embed = Callable[[Sequence[str]], np.ndarray]
"""f32 (texts, width) with rows of length 1."""


@dataclass(slots=True)
class Nearest:
    """The best cosine of titles with the spans of a text. A context is read once for all models."""

    embed: Embed
    _vectors: dict[str, np.ndarray] = field(default_factory=dict)
    _best: dict[bytes, np.ndarray] = field(default_factory=dict)

    def __call__(self, titles: tuple[str, ...], text: str) -> np.ndarray:
        """f64 (titles,); 0 where the text is empty."""
        key = digest(text, *titles)
        known = self._best.get(key)
        return remember(self._best, key, self._look(titles, text), REMEMBERED) if known is None else known

    def _look(self, titles: tuple[str, ...], text: str) -> np.ndarray:
        best = np.zeros(len(titles))
        if not titles:
            return best
        wanted = self._of(titles).T
        found = spans(text)
        for start in range(0, len(found), BATCH):
            best = np.maximum(best, (self._of(found[start : start + BATCH]) @ wanted).max(axis=0))
        return best

    def _of(self, texts: Sequence[str]) -> np.ndarray:
        made = [self._vectors.get(text) for text in texts]
        if new := list(dict.fromkeys(text for text, vector in zip(texts, made, strict=True) if vector is None)):
            fresh = dict(zip(new, np.asarray(self.embed(new), dtype=np.float32), strict=True))
            made = [fresh[text] if vector is None else vector for text, vector in zip(texts, made, strict=True)]
            for text, vector in fresh.items():
                remember(self._vectors, text, vector, VECTORS)
        return np.stack([vector for vector in made if vector is not None])


def semantic_scores(
    rows: Iterable[tuple[Row, Scored]], embed: Embed, thresholds: Sequence[float] = THRESHOLDS
) -> dict[float, Scores]:
    """Rows scored anew, once for each threshold; names, precision and citations are left to the lexical scorer. Raises BadInput."""
    for threshold in thresholds:
        if not 0 < threshold <= 1:
            raise BadInput(f"Expected a threshold above 0 and up to 1, but got {threshold:g}.", param="thresholds")
    nearest = Nearest(embed)
    made = {threshold: Scores(f"semantic {threshold:.2f}") for threshold in thresholds}
    for row, scored in rows:
        gold = row.question.titles
        shown = nearest(gold, visible(row.messages))
        said = nearest(gold, row.answer if scored.status in (ANSWERED, EMPTY) else "")
        for threshold, scores in made.items():
            scores.add(
                replace(scored, exposed=_hits(shown, threshold), recovered=_hits(said, threshold), beside=None, copied=None)
            )
    for scores in made.values():
        scores.check()
    return made


def _hits(best: np.ndarray, threshold: float) -> Hits:
    return tuple((best >= threshold - SLACK).tolist())


def reconstructed(rows: Iterable[Row], contexts: Mapping[str, str], arm: str, matcher: str) -> Iterator[Row]:
    """Rows of an arm with contexts that were made again in the place of what was shown; other rows as they are.

    Admitted only if every context exposes as many of its question's gold as the row states. Raises BadInput with the first that
    does not, or of which no count is stated.
    """
    for row in rows:
        if row.arm != arm or not row.question.gold:
            yield row
            continue
        context = contexts.get(row.question.id)
        if context is None:
            raise BadInput(
                f"Expected a context for every question of arm {arm!r}, but {row.question.id!r} has none.", param="contexts"
            )
        messages = [{"role": "system", "content": context}, *user(row.question.prompt)]
        stated, counted = stated_exposure(row, matcher), _exposed(row, visible(messages), matcher)
        if stated != counted:
            raise BadInput(
                f"Expected the context of {row.question.id!r} to expose {stated} of its gold, as its row states, but it exposes "
                f"{counted}: these are not the contexts that were shown, so nothing is scored on them.",
                param="contexts",
            )
        yield replace(row, showing={**row.showing, "messages": messages})


def stated_exposure(row: Row, matcher: str) -> int:
    """How many of the gold a row says were shown: a count that it states, else that of its own messages. Raises BadInput."""
    notes = row.showing.get("notes")
    for members in (row.showing, notes if isinstance(notes, Mapping) else {}, row.question.more):
        for name in STORED:
            if isinstance(members.get(name), int):
                return int(members[name])
    if not row.messages:
        raise BadInput(
            f"Expected the row of {row.question.id!r} to state how many of its gold were shown (n_gold_exposed), or its messages; "
            "without either no context can be checked.",
            param="rows",
        )
    return _exposed(row, visible(row.messages), matcher)


def _exposed(row: Row, text: str, matcher: str) -> int:
    return sum(found_in(row.question.titles, READERS[matcher](text)))
