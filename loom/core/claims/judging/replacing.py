"""Which earlier signals of the same source a new one may replace (specs/claims.md §4): those of the same subject. Whether it does is
a verdict: where the two contradict, or the entry names what it replaces."""

from collections.abc import Iterable, Iterator

from loom.core.claims.judging.asked import Known, Pair, Stated
from loom.core.claims.judging.statement import read


def subject_key(text: str) -> frozenset[str]:
    """What a proposition is about, as terms: those before its verb, as far as that can be told."""
    return frozenset(read(Stated(text)).head)


def replaceable(new: Known, earlier: Iterable[Known]) -> Iterator[tuple[str, Pair]]:
    """The id of each earlier signal of one source that speaks of the same subject, with the pair to be judged."""
    key = subject_key(new.text)
    if not key:
        return
    for old in earlier:
        if old.id != new.id and subject_key(old.text) == key:
            yield old.id, Pair(Stated(new.text, new.at), Stated(old.text, old.at))
