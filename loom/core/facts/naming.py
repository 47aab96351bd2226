"""The declared names of bases, files, entities and metrics, and where a question holds them (R4, R9, R10, R17).

Words are compared NFKC and case-folded, nothing else: there is no likeness. The longest match wins, and what it covers is read as
nothing else. A name anchors by

- two words of it that tell something, one of them longer than SHORT characters, as the whole name or side by side in a longer one;
- or one word of at least LONG characters that names of exactly one base hold, written as a name is: with a capital, where the
  question has capitals at all. An entity that is called by that one word needs none. Where several things have it in their names,
  it means their base;
- or by being quoted, or set behind a word such as "file", in full.

Words of at most SHORT characters only corroborate. Words that ask, and declared words of metrics and positions, are no names.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import heapify, heappop, heappush
from itertools import pairwise

from loom.core.facts.same import Same
from loom.core.facts.tokens import Token, folded, unspaced
from loom.core.facts.values import KINDS, Base
from loom.core.facts.wording import ALL_FUNCTION, GENERIC
from loom.core.values import Iri

SHORT, LONG = 3, 5
MANY = 100
"""Names beyond which words that they share tell none of them from the others."""
BASE, SOURCE, ENTITY, METRIC = "base", "source", "entity", "metric"


@dataclass(frozen=True, slots=True, order=True)
class Name:
    """A declared name of one of a base, source, entity or metric (`kind`). `content` are its words without small ones; a `path` is
    a name as a whole only, since its folders and ending call no file."""

    kind: str
    owner: Iri
    base: Iri
    words: tuple[str, ...]
    content: tuple[str, ...]
    path: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """Names at words [start, end) of a question; `whole` says that they stand there in full."""

    start: int
    end: int
    whole: bool
    names: tuple[Name, ...]

    def owners(self, kind: str) -> tuple[Iri, ...]:
        return tuple(dict.fromkeys(name.owner for name in self.names if name.kind == kind))


class Names:
    """An index of all names; the order of declarations tells nothing."""

    def __init__(self, bases: Iterable[Base]) -> None:
        bases = sorted(bases, key=lambda base: base.iri)
        self._names = sorted({name for base in bases for name in _declared(base)})
        self._reach = max((len(name.content) for name in self._names), default=0)
        self.kind_words = frozenset(attribute_word for base in bases for attribute_word in _kind_words(base))
        self.generic = GENERIC | self.kind_words | {n.words[0] for n in self._names if n.kind == METRIC and len(n.words) == 1}
        self._entities_of = {source.iri: frozenset(source.entities) for base in bases for source in base.sources}
        self.unit_words = frozenset(word for base in bases for word in _unit_words(base))
        words: dict[Iri, set[str]] = {}
        for name in self._names:
            words.setdefault(name.owner, set()).update(name.words)
        self._words = {owner: frozenset(found) for owner, found in words.items()}
        self._whole_names: dict[tuple[str, ...], list[Name]] = {}
        lengths: dict[str, set[int]] = {}
        self._pairs: dict[tuple[str, str], list[tuple[Name, int]]] = {}
        singles: dict[str, list[Name]] = {}
        for name in self._names:
            self._whole_names.setdefault(name.words, []).append(name)
            lengths.setdefault(name.words[0], set()).add(len(name.words))
            if name.kind != METRIC and not name.path:
                for place, pair in enumerate(pairwise(name.content)):
                    self._pairs.setdefault(pair, []).append((name, place))
                for word in dict.fromkeys(name.content):
                    singles.setdefault(word, []).append(name)
        self._lengths = {word: sorted(found) for word, found in lengths.items()}
        self._known = frozenset(singles)
        self._pairs = {pair: found for pair, found in self._pairs.items() if len(found) <= MANY}
        self._distinctive = {
            word: tuple(found) if len(found) <= MANY else (Name(BASE, found[0].base, found[0].base, (word,), (word,)),)
            for word, found in singles.items()
            if len(word) >= LONG and len({name.base for name in found}) == 1
        }

    def find(self, tokens: Sequence[Token], taken: Sequence[bool]) -> list[Match]:
        """All matches among the words that are not taken, longest first claimed, in the order of the question."""
        busy, found = list(taken), list[Match]()
        waiting = [(_rank(match), match) for match in (*self._whole(tokens, busy), *self._partial(tokens, busy))]
        known = {rank for rank, _ in waiting}
        heapify(waiting)
        while waiting:
            _, best = heappop(waiting)
            if any(busy[best.start : best.end]):
                # Another took some of its words: what is left of it is shorter, and comes later.
                for match in () if best.whole else self._partial(tokens, busy, best.start, best.end):
                    if _rank(match) not in known:
                        known.add(_rank(match))
                        heappush(waiting, (_rank(match), match))
                continue
            if not best.whole:
                # Names that reached further end here, too, once another took what is behind.
                best = next(one for one in self._partial(tokens, busy, best.start, best.start + 1) if one.end == best.end)
            found.append(self._settled(self._with_entities(best, tokens, busy)))
            busy[best.start : best.end] = [True] * (best.end - best.start)
        return sorted(found, key=lambda match: match.start)

    def inside(self, tokens: Sequence[Token], start: int, end: int, taken: Sequence[bool]) -> list[Match]:
        """The matches among the words [start, end) that are not taken, as if all others were."""
        found = self.find(tokens[start:end], taken[start:end])
        return [Match(one.start + start, one.end + start, one.whole, one.names) for one in found]

    def named(self, tokens: Sequence[Token]) -> Match | None:
        """The match that covers all of the words, however short they are: of a quoted name, or one behind "file"."""
        words = tuple(token.folded for token in tokens)
        whole = self._whole_names.get(words, ())
        return self._settled(Match(0, len(tokens), True, tuple(whole))) if whole else None

    def _with_entities(self, match: Match, tokens: Sequence[Token], busy: Sequence[bool]) -> Match:
        """One word that is the whole name of files, and a part of an entity's: the entity is meant as well."""
        if not match.whole or match.end - match.start > 1 or any(name.kind != SOURCE for name in match.names):
            return match
        others = (
            one
            for one in self._partial(tokens, busy, match.start, match.end)
            if (one.start, one.end) == (match.start, match.end)
        )
        entities = tuple(name for one in others for name in one.names if name.kind == ENTITY)
        return Match(match.start, match.end, True, (*match.names, *entities))

    def knows(self, word: str) -> bool:
        """Whether a name other than a metric's holds a word."""
        return word in self._known

    def words_of(self, owner: Iri) -> frozenset[str]:
        """All words of the names of one thing."""
        return self._words.get(owner, frozenset())

    def measured(self, tokens: Sequence[Token], taken: Sequence[bool]) -> bool:
        """Whether declared words of a metric stand among the words that are not taken."""
        return any(name.kind == METRIC for match in self._whole(tokens, taken) for name in match.names)

    def _whole(self, tokens: Sequence[Token], busy: Sequence[bool]) -> Iterator[Match]:
        for start, token in enumerate(tokens):
            if busy[start]:
                continue
            for length in self._lengths.get(token.folded, ()):
                written = tokens[start : start + length]
                names = self._whole_names.get(tuple(one.folded for one in written), ())
                if names and len(written) == length and not any(busy[start : start + length]):
                    anchored = tuple(name for name in names if self._anchors(name, written))
                    if anchored:
                        yield Match(start, start + length, True, anchored)

    def _anchors(self, name: Name, written: Sequence[Token]) -> bool:
        if name.kind == METRIC:
            return True
        telling = [word for word in name.content if word not in self.generic]
        if name.path and len(written) >= 2 and all(one.end + 1 == next.start for one, next in pairwise(written)):
            return True
        if len(telling) >= 2 and any(len(word) > SHORT for word in telling):
            return True
        if len(name.words) >= 2 and all(map(unspaced, name.words)):
            return True
        if name.kind == ENTITY and len(name.words) == 1:
            return any(word in self._distinctive for word in telling)
        # One telling word, beside words that only ask or articles: where it is written as a name is.
        named = [token for token in written if token.folded in telling]
        if any(token.folded in self._distinctive and token.as_name for token in named):
            return True
        titled = written[0].capital and all(token.capital for token in written if token.folded not in ALL_FUNCTION)
        return titled and len(name.words) >= 2 and any(len(word) > SHORT for word in telling)

    def _partial(
        self, tokens: Sequence[Token], busy: Sequence[bool], begin: int = 0, end: int | None = None
    ) -> Iterator[Match]:
        """Matches of parts of names that begin at words [begin, end)."""
        end = len(tokens) if end is None else end
        places = list(_telling(tokens, begin, end, self._reach))
        found: dict[tuple[int, int], list[Name]] = {}
        for first, place in enumerate(places):
            token = tokens[place]
            if place >= end:
                break
            if busy[place]:
                continue
            if token.as_name and token.folded in self._distinctive and token.folded not in self.generic:
                yield Match(place, place + 1, False, self._distinctive[token.folded])
            if not self._beside(tokens, busy, places, first):
                continue
            for name, at in self._pairs.get((token.folded, tokens[places[first + 1]].folded), ()):
                last = first + 1
                while (
                    at + last - first + 1 < len(name.content)
                    and self._beside(tokens, busy, places, last)
                    and tokens[places[last + 1]].folded == name.content[at + last - first + 1]
                ):
                    last += 1
                run = [tokens[one] for one in places[first : last + 1]]
                telling = [one for one in run if one.folded not in self.generic]
                two = len(telling) >= 2 and any(len(one.folded) > SHORT for one in telling)
                if two or any(one.folded in self._distinctive and one.as_name for one in telling):
                    found.setdefault((place, places[last] + 1), []).append(name)
        for (start, end), names in found.items():
            yield Match(start, end, False, tuple(names))

    @staticmethod
    def _beside(tokens: Sequence[Token], busy: Sequence[bool], places: Sequence[int], at: int) -> bool:
        """Whether the next telling word stands beside this one: free, and nothing but small words between."""
        if at + 1 >= len(places):
            return False
        start, end = places[at] + 1, places[at + 1] + 1
        return not any(busy[start:end]) and not any(token.parted for token in tokens[start:end])

    def _settled(self, match: Match) -> Match:
        """A metric's words name no file; who names an entity means it, not one of its files by the same words; and one word of the
        names of several things means their base."""
        names = match.names
        if match.whole and any(name.kind == METRIC for name in names):
            names = tuple(name for name in names if name.kind == METRIC)
        entities = {name.owner for name in names if name.kind == ENTITY}
        one_word = match.end - match.start == 1 and not (match.whole and entities)
        several = entities or {name.owner for name in names if name.kind == SOURCE}
        if one_word and len(several) > 1 and len({name.base for name in names}) == 1:
            base = names[0].base
            return Match(match.start, match.end, match.whole, (Name(BASE, base, base, names[0].words, names[0].content),))
        kept = (n for n in names if n.kind != SOURCE or not entities & self._entities_of.get(n.owner, frozenset()))
        return Match(match.start, match.end, match.whole, tuple(sorted(set(kept))))


def _declared(base: Base) -> Iterator[Name]:
    yield from _names(BASE, base.iri, base.iri, (base.title, base.id, *(alias for _, alias in base.aliases)))
    for source in base.sources:
        leaf = source.name.rsplit("/", 1)[-1]
        stem = leaf.rsplit(".", 1)[0]
        spoken = (source.title, stem, *(alias for _, alias in source.aliases))
        yield from _names(SOURCE, source.iri, base.iri, spoken)
        for path in (source.name, leaf):
            if words := folded(path):
                yield Name(SOURCE, source.iri, base.iri, words, words, True)
    for entity in base.entities:
        yield from _names(ENTITY, entity.iri, base.iri, (entity.name, *(alias for _, alias in entity.aliases), *entity.labels))
    for metric in base.metrics:
        yield from _names(METRIC, metric.iri, base.iri, (metric.name, *(word for _, word in metric.words)))


def _names(kind: str, owner: Iri, base: Iri, texts: Iterable[str]) -> Iterator[Name]:
    for text in texts:
        if words := folded(text):
            yield Name(kind, owner, base, words, tuple(word for word in words if word not in ALL_FUNCTION))


def _kind_words(base: Base) -> Iterator[str]:
    for text in (*KINDS, *(source.kind for source in base.sources)):
        yield from folded(text)
    for attribute in base.attributes:
        yield from folded(attribute.name)
        for word, _ in attribute.words:
            yield from folded(word)


def _unit_words(base: Base) -> Iterator[str]:
    """Words of attributes without a unit: they count whole things, such as chapters."""
    for attribute in base.attributes:
        if not attribute.unit:
            for word in (attribute.name, *(word for word, _ in attribute.words)):
                yield from folded(word)


def _rank(match: Match) -> tuple[int, bool, int]:
    """Longer matches first, names in full before parts of them, then by place: no two matches have the same."""
    return match.start - match.end, not match.whole, match.start


def _telling(tokens: Sequence[Token], begin: int, end: int, reach: int) -> Iterator[int]:
    """The places of words that are not small from one place up to another, and of so many behind."""
    behind = 0
    for place in range(begin, len(tokens)):
        if tokens[place].folded not in ALL_FUNCTION:
            yield place
            behind += place >= end
            if behind > reach:
                return


@lru_cache(maxsize=8)
def _index(same: Same) -> Names:
    return Names(same.bases)


def names_of(bases: Sequence[Base]) -> Names:
    """The index of these bases; kept for those last asked for."""
    return _index(Same(bases))
