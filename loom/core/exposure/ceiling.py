"""The copy ceiling: what an answer that repeats everything shown would score, and the counts that say what an answer did instead.

Source: seed 000, §5 and §7. Exposure x_t and recovery y_t are one matcher's word on one name and one text. A question of which any
name is enough collapses to 1 where one is there: the *symmetric* scorer collapses ceiling and answer, the *reference* scorer the
answer alone. Macro is the mean over questions, micro the share over names; they are never mixed.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from loom.core.errors import BadInput
from loom.core.exposure.names import READERS, Text
from loom.core.values import Json

ANY = "any"
KINDS = ("all", ANY)


@dataclass(frozen=True, slots=True)
class Counts:
    """Names by whether they were shown and whether the answer names them: n10 is shown and left out, n01 named though not shown."""

    n11: int = 0
    n10: int = 0
    n01: int = 0
    n00: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.n11 + other.n11, self.n10 + other.n10, self.n01 + other.n01, self.n00 + other.n00)

    @property
    def total(self) -> int:
        return self.n11 + self.n10 + self.n01 + self.n00

    @property
    def exposed(self) -> int:
        return self.n11 + self.n10

    @property
    def recovered(self) -> int:
        return self.n11 + self.n01

    @property
    def ceiling(self) -> float | None:
        """The share of names that were shown (micro)."""
        return share(self.exposed, self.total)

    @property
    def recall(self) -> float | None:
        """The share of names that answers name (micro)."""
        return share(self.recovered, self.total)

    @property
    def gain(self) -> float | None:
        """Recall less ceiling, which is (n01 − n10) / N."""
        return share(self.n01 - self.n10, self.total)

    @property
    def utilisation(self) -> float | None:
        """The share of shown names that answers name."""
        return share(self.n11, self.exposed)

    @property
    def unexposed_recovery(self) -> float | None:
        """The share of names not shown that answers name all the same."""
        return share(self.n01, self.n01 + self.n00)

    @property
    def omission(self) -> float | None:
        """The share of shown names that answers leave out."""
        return share(self.n10, self.exposed)

    def as_json(self) -> dict[str, Json]:
        return {"n11": self.n11, "n10": self.n10, "n01": self.n01, "n00": self.n00}


def share(part: float, whole: float) -> float | None:
    """A share; None of nothing."""
    return part / whole if whole else None


def mean(values: Iterable[float]) -> float | None:
    """The mean; None of nothing."""
    found = list(values)
    return share(sum(found), len(found))


def found_in(gold: Sequence[str], text: Text) -> tuple[bool, ...]:
    """Which of the names a text names, in their order."""
    return tuple([text.names(name) for name in gold])


def collapsed(hits: Sequence[bool], kind: str) -> float:
    """What an answer with these hits scores: the share of them, or, where any is enough, whether there is one."""
    return float(any(hits)) if kind == ANY else sum(hits) / len(hits)


@dataclass(frozen=True, slots=True)
class CopyCeiling:
    """One question: the names that it asks for and which of them are shown. `tokens` is the size of the block, where it is known."""

    id: str
    gold: tuple[str, ...]
    exposed: tuple[bool, ...]
    kind: str = "all"
    template: str = ""
    domain: str = ""
    tokens: int | None = None

    @property
    def ceiling(self) -> float:
        """The share of the gold that is shown: c of the paper, and of the reference scorer."""
        return sum(self.exposed) / len(self.exposed)

    @property
    def symmetric(self) -> float:
        """What a copy of everything shown scores as an answer."""
        return collapsed(self.exposed, self.kind)

    @property
    def hidden(self) -> tuple[str, ...]:
        """The names that are not shown."""
        return tuple(name for name, there in zip(self.gold, self.exposed, strict=True) if not there)

    def as_json(self) -> dict[str, Json]:
        return {
            "id": self.id,
            "template": self.template,
            "domain": self.domain,
            "gold_type": self.kind,
            "n_gold": len(self.gold),
            "exposed": sum(self.exposed),
            "ceiling": round(self.ceiling, 6),
            "symmetric": round(self.symmetric, 6),
            "tokens": self.tokens,
            "hidden": list(self.hidden),
        }


@dataclass(frozen=True, slots=True)
class Ceilings:
    """The copy ceilings of a set of questions. `without_gold` are ids of questions that ask for no name and have no ceiling."""

    items: tuple[CopyCeiling, ...]
    matcher: str = "default"
    without_gold: tuple[str, ...] = ()

    @property
    def macro(self) -> float | None:
        """The mean over questions, under the reference scorer."""
        return mean(item.ceiling for item in self.items)

    @property
    def symmetric(self) -> float | None:
        """The mean over questions, under the symmetric scorer."""
        return mean(item.symmetric for item in self.items)

    @property
    def micro(self) -> float | None:
        """The share of all names."""
        return share(self.exposed, self.n_gold)

    @property
    def n_gold(self) -> int:
        return sum(len(item.gold) for item in self.items)

    @property
    def exposed(self) -> int:
        return sum(sum(item.exposed) for item in self.items)

    @property
    def tokens(self) -> float | None:
        """Mean tokens of a block, over the questions of which they are known."""
        return mean(item.tokens for item in self.items if item.tokens is not None)

    def by(self, group: str) -> dict[str, "Ceilings"]:
        """The same for each template or each domain, in alphabetical order."""
        held: dict[str, list[CopyCeiling]] = {}
        for item in self.items:
            held.setdefault(getattr(item, group), []).append(item)
        return {name: Ceilings(tuple(held[name]), self.matcher) for name in sorted(held)}

    def summary(self) -> dict[str, Json]:
        return {
            "n": len(self.items),
            "n_gold": self.n_gold,
            "exposed": self.exposed,
            "macro": self.macro,
            "symmetric": self.symmetric,
            "micro": self.micro,
            "tokens": self.tokens,
        }

    def as_json(self) -> dict[str, Json]:
        """The whole of it: summary, groups, and an object for each question."""
        return {
            "matcher": self.matcher,
            **self.summary(),
            "without_gold": list(self.without_gold),
            "templates": {name: group.summary() for name, group in self.by("template").items()},
            "domains": {name: group.summary() for name, group in self.by("domain").items()},
            "items": [item.as_json() for item in self.items],
        }

    def __str__(self) -> str:
        lines = [f"copy ceiling of {len(self.items)} questions, matcher {self.matcher}"]
        lines += [f"  macro     {figure(self.macro)}   mean over questions of the share of their gold that is shown"]
        lines += [f"  symmetric {figure(self.symmetric)}   the same, where one name of an any-question is enough"]
        lines += [f"  micro     {figure(self.micro)}   {self.exposed:,} of {self.n_gold:,} names"]
        if self.without_gold:
            lines += [f"  {len(self.without_gold)} questions without gold are left out"]
        return "\n".join(lines)


def figure(value: float | None, places: int = 4) -> str:
    """A figure for a table; a dash where there is none."""
    return "—" if value is None else f"{value:.{places}f}"


class CopyAccount:
    """An account that is kept while texts are shown: what each question asked for, and which of it was there.

    `gold` gives for a question, as it is asked, the names that a full answer states. A question that comes again is counted again
    under the text that it got then.
    """

    def __init__(self, gold: Mapping[str, Sequence[str]], matcher: str = "default", *, kind: str = "all") -> None:
        """Raises BadInput for gold that is no names by question, and for a matcher or kind that is none."""
        self.gold = _names_by_question(gold)
        self.matcher = checked_matcher(matcher)
        if kind not in KINDS:
            raise BadInput(f"Expected kind to be all or any, but got {str(kind)[:40]!r}.", param="kind")
        self.kind = kind
        self._items: list[CopyCeiling] = []
        self._without: list[str] = []

    def add(self, question: str, context: str) -> CopyCeiling | None:
        """Count one question and the text that is shown for it, its own words included; None where nothing is asked for."""
        names = self.gold.get(question, ())
        if not names:
            self._without.append(question)
            return None
        text = READERS[self.matcher](f"{context} {question}")
        item = CopyCeiling(question, names, found_in(names, text), self.kind, tokens=(len(context) + 3) // 4)
        self._items.append(item)
        return item

    def ceiling(self) -> Ceilings:
        """What has been counted so far."""
        return Ceilings(tuple(self._items), self.matcher, tuple(self._without))


def _names_by_question(gold: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Gold as it was given, each list of names as a tuple; one text is one name. Raises BadInput."""
    if not isinstance(gold, Mapping):
        raise BadInput(f"Expected gold to give names by question, but got {type(gold).__name__}.", param="gold")
    made = {}
    for question, names in gold.items():
        listed = [names] if isinstance(names, str) else names
        if not isinstance(listed, Collection) or not all(isinstance(name, str) and name.strip() for name in listed):
            raise BadInput(
                f"Expected the gold of {str(question)[:60]!r} to be a list of names, but got {str(names)[:40]!r}.", param="gold"
            )
        made[question] = tuple(listed)
    return made


def checked_matcher(matcher: str) -> str:
    """The name of a matcher that there is. Raises BadInput."""
    if matcher not in READERS:
        raise BadInput(f"Expected one of {', '.join(READERS)} as matcher, not {str(matcher)[:40]!r}.", param="matcher")
    return matcher
