"""The official scorer of LoCoMo (`task_eval/evaluation.py`), held against the original by golden values (specs/memory.md §2)."""

import re
import string
from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache

from loom.core.memory.porter import stem

MULTI, TEMPORAL, OPEN, SINGLE, ADVERSARIAL = 1, 2, 3, 4, 5
CATEGORIES = {SINGLE: "single hop", MULTI: "multi hop", TEMPORAL: "temporal", OPEN: "open domain", ADVERSARIAL: "adversarial"}

_DROPPED = str.maketrans("", "", string.punctuation)
_ARTICLE = re.compile(r"\b(?:a|an|the|and)\b")
_SILENT = ("no information available", "not mentioned")


@lru_cache(maxsize=65_536)
def normalised(text: str) -> str:
    """Lower case without ASCII punctuation (words it parted are joined), articles and "and"; single spaces."""
    return " ".join(_ARTICLE.sub(" ", text.lower().translate(_DROPPED)).split())


@lru_cache(maxsize=65_536)
def _stems(text: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in normalised(text).split())


def f1(reply: str, reference: str) -> float:
    """F1 over the bags of stems; 0 where they share none."""
    said, meant = _stems(reply), _stems(reference)
    same = sum((Counter(said) & Counter(meant)).values())
    if not same:
        return 0.0
    precision, recall = same / len(said), same / len(meant)
    return 2 * precision * recall / (precision + recall)


def f1_of_parts(reply: str, reference: str) -> float:
    """The mean over the reference's parts, parted by commas, of the F1 of the reply's best part."""
    parts = [part.strip() for part in reply.split(",")]
    wanted = [part.strip() for part in reference.split(",")]
    return sum(max(f1(part, each) for part in parts) for each in wanted) / len(wanted)


def declines(reply: str) -> bool:
    """Whether a reply says that there is no answer, as the scorer reads it."""
    lower = reply.lower()
    return any(phrase in lower for phrase in _SILENT)


def score(category: int, reply: str, reference: str) -> float:
    """The official score of a reply, from 0 to 1. An adversarial question's reference is not looked at."""
    if category == ADVERSARIAL:
        return float(declines(reply))
    if category == MULTI:
        return f1_of_parts(reply, reference)
    return f1(reply, reference.split(";")[0].strip() if category == OPEN else reference)


def reach(evidence: Sequence[str], returned: Collection[str]) -> float:
    """The share of the annotated turns that were returned; 1 where none is annotated."""
    return sum(each in returned for each in evidence) / len(evidence) if evidence else 1.0
