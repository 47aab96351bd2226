"""One row, scored: what was shown of its gold, what the answer names, and what stands beside every recall.

`Scorer` remembers what it read: exposure depends on the messages and the gold alone, so that it is counted once for all models,
and equal answers are read once.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

from loom.core.concepts import remember
from loom.core.errors import BadInput
from loom.core.exposure import READERS
from loom.core.exposure.ceiling import checked_matcher, collapsed, found_in, share
from loom.core.values import Json
from loom.lab.question import LabQuestion
from loom.lab.row import ANSWERED, EMPTY, ERROR, Row
from loom.lab.scoring.attribution import Attribution, attribution
from loom.lab.showing import visible

REMEMBERED = 32_768
"""Readings that are kept: an entry is some hundred bytes, and rows of one question stand near one another."""

KEPT = 1_024
"""Lists of names that are kept: one a question and arm, and rows of one question stand near one another."""

Titles = Callable[[str, str], Sequence[str]]
"""The corpus titles that an answer names and the question does not: (answer, question) to titles."""

Hits = tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Scored:
    """A row without its texts.

    `exposed` and `recovered` are told by `matcher`, `beside` the same two by the other one, where it was asked for. `names` counts
    what the answer names (of the corpus with a generation, else of what was shown or asked for), leaving out what the question
    names itself, None where no name is known that it could state beside the gold; `right` is how many of them are gold or extra
    gold. `copied` is what the visible input scores as an answer, `truncated` whether the answer was cut at its allowance.
    """

    question: LabQuestion
    arm: str
    model: str
    status: str
    exposed: Hits
    recovered: Hits
    beside: tuple[Hits, Hits] | None = None
    names: int | None = None
    right: int | None = None
    chars: int = 0
    cited: Attribution | None = None
    truncated: bool = False
    retried: bool = False
    copied: float | None = None

    @property
    def asked(self) -> bool:
        """Whether a model was asked and answered, be it with nothing."""
        return self.status in (ANSWERED, EMPTY)

    @property
    def ceiling(self) -> float | None:
        """The share of the gold that was shown (the reference scorer's ceiling)."""
        return share(sum(self.exposed), len(self.exposed))

    @property
    def symmetric(self) -> float | None:
        """The ceiling of the symmetric scorer."""
        return collapsed(self.exposed, self.question.gold_type) if self.exposed else None

    @property
    def recall(self) -> float | None:
        """What the answer scores, the same under both scorers; 0 for an empty answer, None where nobody answered."""
        return collapsed(self.recovered, self.question.gold_type) if self.recovered and self.asked else None

    def as_json(self) -> dict[str, Json]:
        recall, ceiling, symmetric = self.recall, self.ceiling, self.symmetric
        gain: dict[str, Json] | None = None
        if recall is not None and ceiling is not None and symmetric is not None:
            gain = {"symmetric": recall - symmetric, "reference": recall - ceiling}
        return {
            "set": self.question.set,
            "id": self.question.id,
            "arm": self.arm,
            "model": self.model,
            "status": self.status,
            "template": self.question.template,
            "domain": self.question.domain,
            "gold_type": self.question.gold_type,
            "gold": list(self.question.titles),
            "exposed": [int(hit) for hit in self.exposed],
            "recovered": [int(hit) for hit in self.recovered],
            "beside": None if self.beside is None else [[int(hit) for hit in side] for side in self.beside],
            "ceiling": ceiling,
            "symmetric": symmetric,
            "recall": recall,
            "gain": gain,
            "names": self.names,
            "precision": share(self.right or 0, self.names or 0),
            "answer_chars": self.chars,
            "attribution": self.cited.as_json() if self.cited else None,
            "truncated": self.truncated,
            "retried": self.retried,
        }


class Scorer:
    """Scores rows under one matcher. `beside` names another under which exposure and recovery are counted as well; `titles` finds
    corpus titles in answers, where there is a generation to find them in. Raises BadInput for a matcher that is none."""

    def __init__(self, matcher: str = "default", *, beside: str | None = None, titles: Titles | None = None) -> None:
        self.matcher = checked_matcher(matcher)
        self.beside = checked_matcher(beside) if beside and beside != matcher else None
        self._titles = titles
        self._shown: dict[bytes, _Shown] = {}
        self._said: dict[bytes, _Said] = {}
        self._fresh: dict[bytes, tuple[str, ...]] = {}

    def __call__(self, row: Row) -> Scored:
        question, answer = row.question, row.answer
        asked = row.status in (ANSWERED, EMPTY, ERROR)
        status = EMPTY if row.status == ANSWERED and not answer.strip() else row.status
        answer = "" if status == EMPTY else answer
        shown = self._exposure(question, visible(row.messages))
        said = self._recovery(row, answer)
        return Scored(
            question,
            row.arm,
            row.model,
            status,
            shown.exposed,
            said.recovered,
            None if shown.beside is None or said.beside is None else (shown.beside, said.beside),
            said.names if status == ANSWERED else None,
            said.right if status == ANSWERED else None,
            len(answer),
            self._cited(row, answer) if status == ANSWERED else None,
            asked and row.said.get("finish_reason") == "length",
            asked and len(_list(row, row.said, "attempts", Mapping)) > 1,
            shown.copied,
        )

    def _exposure(self, question: LabQuestion, text: str) -> "_Shown":
        key = digest(text, question.gold_type, *question.titles)
        return self._shown.get(key) or remember(self._shown, key, self._look(question, text), REMEMBERED)

    def _recovery(self, row: Row, answer: str) -> "_Said":
        question, shown = row.question, shown_in(row)
        extra = tuple(target.title for target in question.gold_extra)
        key = digest(answer, question.prompt, *question.titles, "", *extra, "", *(shown if self._titles is None else ()))
        return self._said.get(key) or remember(self._said, key, self._read(question, answer, extra, shown), REMEMBERED)

    def _read(
        self, question: LabQuestion, answer: str, extra: tuple[str, ...], shown: tuple[str, ...], *, copy: bool = False
    ) -> "_Said":
        """What an answer names of the gold, and how many names it states beside those of the question: None where no other name is
        known that it could state, since the gold alone would make any list precise."""
        said = READERS[self.matcher](answer)
        recovered = found_in(question.titles, said)
        beside = found_in(question.titles, READERS[self.beside](answer)) if self.beside else None
        wanted = {name for name, hit in zip(question.titles, recovered, strict=True) if hit}
        wanted |= {name for name in extra if said.names(name)}
        if self._titles is not None and not copy:
            others = set(self._titles(answer, question.prompt))
        else:
            fresh = self._beside_question(question.prompt, shown)
            lacking = set(said.lacks(fresh))
            others = {name for name in fresh if name not in lacking}
            if not shown:
                return _Said(recovered, beside, None, None)
        return _Said(recovered, beside, len(wanted | others), len(wanted))

    def _beside_question(self, prompt: str, shown: tuple[str, ...]) -> tuple[str, ...]:
        """What a block shows and the question does not name, each once."""
        key = digest(prompt, *shown)
        known = self._fresh.get(key)
        if known is None:
            lacking = READERS[self.matcher](prompt).lacks(tuple(dict.fromkeys(shown))) if shown else ()
            known = remember(self._fresh, key, lacking, KEPT)
        return known

    def _look(self, question: LabQuestion, text: str) -> "_Shown":
        """What a text shows of the gold, and what it scores when it is read as an answer."""
        gold = question.titles
        exposed = found_in(gold, READERS[self.matcher](text))
        beside = found_in(gold, READERS[self.beside](text)) if self.beside else None
        copied = collapsed(self._read(question, text, (), (), copy=True).recovered, question.gold_type) if gold else None
        return _Shown(exposed, beside, copied)

    def _cited(self, row: Row, answer: str) -> Attribution | None:
        if "[" not in answer:
            return None
        names = dict.fromkeys((*row.question.titles, *shown_in(row)))
        units = _list(row, row.showing, "units", Mapping)
        return attribution(answer, str(row.showing.get("block") or ""), units, tuple(names), self.matcher)


def shown_in(row: Row) -> tuple[str, ...]:
    """The names that a row says its block shows. Raises BadInput where that is no list of texts."""
    return tuple(_list(row, row.showing, "names", str))


def _list(row: Row, of: Mapping[str, Json], member: str, kind: type) -> Sequence[Json]:
    """A member that is a list of one kind of thing, [] where there is none. Raises BadInput."""
    found = of.get(member) or []
    if not isinstance(found, list) or not all(isinstance(each, kind) for each in found):
        wanted = "texts" if kind is str else "objects"
        raise BadInput(
            f"Expected {member} to be a list of {wanted} in the row of question {row.question.id!r}, arm {row.arm!r}, but got "
            f"{str(found)[:40]!r}.",
            param="rows",
        )
    return found


class _Shown(NamedTuple):
    exposed: Hits
    beside: Hits | None
    copied: float | None


class _Said(NamedTuple):
    recovered: Hits
    beside: Hits | None
    names: int | None
    right: int | None


def digest(*texts: str) -> bytes:
    """Stands for texts that were read, so that a memory of readings holds no text."""
    return blake2b("\0".join(texts).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def score(row: Row, matcher: str = "default") -> Scored:
    """One row, scored by itself."""
    return Scorer(matcher)(row)
