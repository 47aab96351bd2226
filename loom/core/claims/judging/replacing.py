"""Which earlier signals of the same source a new one may replace (specs/claims.md §4): those of the same subject. Whether it does is
a verdict: where the two contradict, or the entry names what it replaces."""

from collections.abc import Iterable, Iterator

from loom.core.claims.judging.asked import Known, Pair, Stated
from loom.core.claims.judging.statement import read


def opening(text: str) -> str:
    """The first term of a proposition, which all of one subject share; "" where it has none."""
    return next(iter(read(Stated(text)).order), "")


def of_one_subject(one: str, other: str) -> bool:
    """Whether two propositions begin with one subject. Where no auxiliary ends it, only its first words are sure ("The feed pump
    leaks"), so that it is enough that the subject of one begins the other."""
    first, second = read(Stated(one)), read(Stated(other))
    if not first.head or not second.head:
        return False
    return first.order[: len(second.head)] == second.head or second.order[: len(first.head)] == first.head


def replaceable(new: Known, earlier: Iterable[Known]) -> Iterator[tuple[str, Pair]]:
    """The id of each earlier signal of one source that speaks of the same subject, with the pair to be judged."""
    for old in earlier:
        if old.id != new.id and of_one_subject(new.text, old.text):
            yield old.id, Pair(Stated(new.text, new.at), Stated(old.text, old.at))
