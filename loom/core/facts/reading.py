"""Reading a question by declared names alone: what it names, asks for, and states (R4, R5, R9, R10, R15 to R17)."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from loom.core.facts import phrases, wording
from loom.core.facts.asked import Ask, Edge, Position
from loom.core.facts.citing import cited
from loom.core.facts.edges import read_edges, read_offsets
from loom.core.facts.naming import BASE, ENTITY, METRIC, SOURCE, Match, Names, names_of
from loom.core.facts.positions import read_positions
from loom.core.facts.references import Judged, judged
from loom.core.facts.subjects import homes_of
from loom.core.facts.times_said import unplaced, years_of
from loom.core.facts.tokens import Token, folded, normal, tokens_of
from loom.core.facts.values import STATISTICS, Base, Held
from loom.core.facts.words_of_number import whole_number
from loom.core.values import Iri, Turn

FAR = 6
"""Words that may stand between a rank and its superlative, and one."""
MOST_POSITIONS = 400
"""Positions that are read, on all axes."""
LONGEST = 20_000
"""Characters of a question that are read: its first half of them, and its last."""


@dataclass(frozen=True, slots=True)
class _Read:
    """The words of a question with what was found in them."""

    tokens: tuple[Token, ...]
    matches: tuple[Match, ...]
    judgements: tuple[Judged, ...]
    taken: tuple[bool, ...]
    positions: tuple[tuple[Position, int, int], ...]
    edges: tuple[tuple[Edge, int, int], ...] = ()
    offsets: tuple[tuple[str, int, int], ...] = ()

    def followed(self, place: int) -> str:
        """The word at a place, "" behind the last."""
        return self.tokens[place].folded if place < len(self.tokens) else ""


def read(held: Held, text: str, before: Sequence[Turn] = ()) -> Ask:
    """What a question asks of the bases. `before` are the turns up to it, oldest first: they are looked at only where the question
    names nothing and points back (R16), so that a self-contained one reads the same with and without them."""
    text = read_of(text)
    bases = sorted(held.bases, key=lambda base: base.iri)
    if not bases:
        return Ask(text)
    names = names_of(held.bases)
    spoken = normal(text)
    tokens = tokens_of(spoken)
    words = tuple(token.folded for token in tokens)
    language = wording.language_of(words)
    held_in = _find(spoken, tokens, held.bases, names, language)
    found = {kind: _owners(held_in.matches, kind) for kind in (BASE, SOURCE, ENTITY)}
    unowned = tuple(dict.fromkeys(_written(spoken, tokens, one) for one in held_in.judgements if not one.owned))
    named = bool(found[BASE] or found[SOURCE] or found[ENTITY] or unowned)
    carried = () if named else _carried(bases, tokens, words, held_in, names, language, before)
    homes = homes_of(held.bases)
    owners = frozenset(homes.base_of[iri] for iri in (*found[BASE], *found[SOURCE], *found[ENTITY], *carried))
    metrics, loose = _metrics(held_in.matches, owners)
    addressed = (*found[SOURCE], *found[ENTITY], *carried)
    edges = _edges(bases, held_in.edges, owners, addressed)
    free = _free(held_in, edges)
    positions = _positions(bases, [position for position, _, _ in held_in.positions], owners, addressed)
    times = unplaced(spoken, positions, _places(held_in)) if metrics else ()
    positions += tuple(years_of(held, bases, times, metrics, frozenset(addressed)))
    return Ask(
        text=text,
        language=language,
        bases=found[BASE],
        sources=found[SOURCE],
        entities=found[ENTITY],
        metrics=metrics,
        statistics=_statistics(free, held_in),
        positions=positions,
        compares=wording.holds(free, wording.COMPARING) or _several(held_in.matches, homes.anchors_only) or len(unowned) > 1,
        passage=wording.holds(free, wording.PASSAGE) or _unread_place(names, held_in),
        unowned=unowned,
        carried=carried,
        loose=loose,
        edges=tuple(edge for edge, _, _ in edges),
        uncomputed=(*(said for said, _, _ in held_in.offsets), *_uncomputed(free)) if metrics else (),
        unplaced=tuple(said for said in times if all(said != one.text for one in positions)),
    )


def _places(read: _Read) -> list[tuple[int, int]]:
    """Where names stand in the text, and what looks like one."""
    spans = [(one.start, one.end) for one in read.matches]
    spans += [(one.reference.start, one.reference.end) for one in read.judgements]
    return [(read.tokens[start].start, read.tokens[end - 1].end) for start, end in spans]


def read_of(text: str) -> str:
    """What is read of a text: all of it, or its beginning and its end, between which a document may stand."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]}\n\n{text[-LONGEST // 2 :]}"


def _find(spoken: str, tokens: tuple[Token, ...], bases: Sequence[Base], names: Names, language: str) -> _Read:
    """Positions first, then what looks like a name, then names and metrics among the rest."""
    edges = tuple(read_edges(spoken, tokens, bases))
    stated = _no_names(tokens, read_positions(spoken, tokens, bases, language), names)
    offsets = tuple(read_offsets(spoken, tokens, names.kind_words))
    at_ends = _held(tokens, [(start, end) for _, start, end in (*edges, *offsets)])
    positions = [one for one in stated if not any(_within(tokens, at_ends, one[1], one[2]))][:MOST_POSITIONS]
    taken = _held(tokens, [(start, end) for _, start, end in (*stated, *offsets)])
    references = judged(spoken, tokens, names, taken, language)
    matches: list[Match] = []
    for one in references:
        if one.match is not None:
            matches.append(one.match)
            taken[one.match.start : one.match.end] = [True] * (one.match.end - one.match.start)
        elif not one.owned:
            taken[one.reference.start : one.reference.end] = [True] * (one.reference.end - one.reference.start)
    matches += names.find(tokens, taken)
    matches += _within_titles(tokens, matches, names)
    for match in matches:
        taken[match.start : match.end] = [True] * (match.end - match.start)
    found = tuple(sorted(matches, key=lambda m: (m.start, m.end)))
    return _Read(tokens, found, tuple(references), tuple(taken), tuple(positions), edges, offsets)


def _no_names(
    tokens: tuple[Token, ...], stated: list[tuple[Position, int, int]], names: Names
) -> list[tuple[Position, int, int]]:
    """Positions without those in words that are names, known ones or such as are written with capitals: "The Eleventh Hour"."""
    worded = {(start, end) for one, start, end in stated if not any(letter.isdigit() for letter in one.text)}
    if not worded:
        return stated
    spans = [(tokens[one.start].start, tokens[one.end - 1].end) for one in names.find(tokens, [False] * len(tokens))]
    gone = {place for place in worded if any(first <= place[0] and place[1] <= last for first, last in spans)}
    for start, end in worded - gone:
        said = [tokens[at].raw for at in _touched(tokens, start, end)]
        if len(said) > 1 and all(word[:1].isupper() for word in said) and not all(token.raw.isupper() for token in tokens):
            gone.add((start, end))
    return [one for one in stated if one[1:] not in gone]


def _held(tokens: Sequence[Token], places: Iterable[tuple[int, int]]) -> list[bool]:
    """Which words stand in one of these stretches of the text, wholly or in part."""
    found = [False] * len(tokens)
    for start, end in dict.fromkeys(places):
        for at in _touched(tokens, start, end):
            found[at] = True
    return found


def _touched(tokens: Sequence[Token], start: int, end: int) -> range:
    return range(bisect_right(tokens, start, key=lambda one: one.end), bisect_left(tokens, end, key=lambda one: one.start))


def _within(tokens: Sequence[Token], held: Sequence[bool], start: int, end: int) -> Iterator[bool]:
    return (held[at] for at in _touched(tokens, start, end))


def _within_titles(tokens: Sequence[Token], matches: Sequence[Match], names: Names) -> list[Match]:
    """Words of metrics inside names of files: who says a title that holds one may be asking for it."""
    titles = [match for match in matches if match.names and all(name.kind == SOURCE for name in match.names)]
    found: list[Match] = []
    for title in titles:
        for length in range(title.end - title.start, 0, -1):
            for start in range(title.start, title.end - length + 1):
                inside = names.named(tokens[start : start + length])
                metrics = tuple(name for name in inside.names if name.kind == METRIC) if inside else ()
                if metrics and not any(one.start <= start < one.end for one in found):
                    found.append(Match(start, start + length, True, metrics))
    return found


def _owners(matches: Iterable[Match], kind: str) -> tuple[Iri, ...]:
    return tuple(dict.fromkeys(owner for match in matches for owner in match.owners(kind)))


def _written(spoken: str, tokens: Sequence[Token], one: Judged) -> str:
    """A reference as the question writes it."""
    return spoken[tokens[one.reference.start].start : tokens[one.reference.end - 1].end]


def _free(read: _Read, edges: Sequence[tuple[Edge, int, int]]) -> tuple[str, ...]:
    """The words outside of names, positions and stretches; what was taken out stands as an empty word, so that phrases do not reach
    over it."""
    at_ends = _held(read.tokens, [(start, end) for _, start, end in (*edges, *read.offsets)])
    gone = [taken or held for taken, held in zip(read.taken, at_ends, strict=True)]
    for one in read.judgements:
        if not one.owned:
            gone[one.reference.start : one.reference.end] = [True] * (one.reference.end - one.reference.start)
    return tuple("" if gone[place] else token.folded for place, token in enumerate(read.tokens))


def _statistics(free: tuple[str, ...], read: _Read) -> tuple[str, ...]:
    """The statistics asked for. Who asks how many of a metric there were asks for its value, not for a number of rows."""
    unranked = _unranked(free)
    found = [name for name, phrases in wording.STATISTIC.items() if name != "count" and wording.holds(unranked, phrases)]
    measured = {match.start: match.end for match in read.matches if match.owners(METRIC)}
    before = {free[start - 1] for start in measured if start}
    found += [name for name, words in phrases.SUPERLATIVE.items() if words & before]
    behind = {free[end] for end in measured.values() if end < len(free)}
    found += [name for name, words in phrases.BEHIND.items() if words & behind]
    if measured and not read.positions:
        found += [name for name, phrases in phrases.ENDS.items() if wording.holds(free, phrases)]
    for phrase in wording.STATISTIC["count"] if wording.holds(free, wording.STATISTIC["count"]) else ():
        ends = [at + len(phrase.split()) for at in range(len(free)) if wording.phrase_at(free, at, phrase)]
        ends = [end for end in ends if read.followed(end) not in phrases.SHARES]
        if any(end not in measured or read.followed(measured[end]) in phrases.COUNTED for end in ends):
            found.append("count")
            break
    return tuple(name for name in STATISTICS if name in found)


def _unranked(free: tuple[str, ...]) -> tuple[str, ...]:
    """The words without those that a rank stands before: the second highest is not the highest."""
    return tuple(
        "" if word in phrases.RANKED or _rank(free, at) or _several_of(free, at) else word for at, word in enumerate(free)
    )


def _several_of(free: tuple[str, ...], at: int) -> str:
    """Several values that one word asks for, as they are said: "the three highest", "the first three"."""
    behind, before = free[at + 1] if at + 1 < len(free) else "", free[at - 1] if at else ""
    if free[at] in phrases.NUMBERED and _few(behind):
        return f"{free[at]} {behind}"
    return f"{before} {free[at]}" if free[at] and _few(before) and _extreme(free, at) == free[at] else ""


def _few(word: str) -> bool:
    number = Decimal(word) if word.isdecimal() and len(word) < 3 else whole_number(word)
    return number is not None and 1 < number < 100


def _rank(free: tuple[str, ...], at: int) -> str:
    """The rank before a word; before a superlative of two words, as they stand behind their noun, it is one behind an article."""
    if at and free[at - 1].startswith(phrases.RANKS):
        return free[at - 1]
    if free[at] not in phrases.GRADES:
        return ""
    before = range(at - 2, max(0, at - FAR), -1)
    return next((free[one] for one in before if free[one].startswith(phrases.RANKS) and free[one - 1] in wording.ARTICLES), "")


def _uncomputed(free: tuple[str, ...]) -> tuple[str, ...]:
    """Statistics that nobody computes, as the question says them: sums and their like, and ranks."""
    said = [phrase for phrase in phrases.UNCOMPUTED if wording.holds(free, (phrase,))]
    found = [max(said, key=len)] if said else []
    for at, word in enumerate(free):
        if word in phrases.RANKED:
            found.append(word)
        elif several := _several_of(free, at):
            found.append(several)
        elif (rank := _rank(free, at)) and (extreme := _extreme(free, at)):
            found.append(f"{rank} {extreme}")
    return tuple(dict.fromkeys(found))


def _extreme(free: tuple[str, ...], at: int) -> str:
    """The phrase of a highest or lowest value that stands at a place."""
    phrases = (phrase for name in ("max", "min") for phrase in wording.STATISTIC[name] if wording.phrase_at(free, at, phrase))
    return max(phrases, key=len, default="")


def _several(matches: Iterable[Match], anchors: frozenset[Iri]) -> bool:
    """Whether two addresses or more are named at different places; who only anchors is none."""
    subjects = {
        (*match.owners(SOURCE), *(entity for entity in match.owners(ENTITY) if entity not in anchors)) for match in matches
    }
    return len(subjects - {()}) > 1


def _metrics(matches: Iterable[Match], owners: frozenset[Iri]) -> tuple[tuple[Iri, ...], tuple[Iri, ...]]:
    """Metrics whose words stand there, of one wording those of the named bases where they have it; and loose ones."""
    found: list[Iri] = []
    loose: list[Iri] = []
    for match in matches:
        metrics = [name for name in match.names if name.kind == METRIC]
        ours = [name for name in metrics if name.base in owners]
        if owners and not ours and all(word in wording.GENERIC for name in metrics for word in name.words):
            # "its highest value" asks for no metric that somebody else calls so.
            loose += [name.owner for name in metrics]
            continue
        found += [name.owner for name in (ours or metrics)]
    return tuple(dict.fromkeys(found)), tuple(metric for metric in dict.fromkeys(loose) if metric not in found)


def _positions(
    bases: Sequence[Base], positions: Sequence[Position], owners: frozenset[Iri], addressed: Iterable[Iri]
) -> tuple[Position, ...]:
    """Positions on the axes of what is named: of the named bases, and there of the named files where one of them has it."""
    if not positions:
        return ()
    wanted = set(addressed)
    axes = {
        (base.iri, source.attribute)
        for base in bases
        if not owners or base.iri in owners
        for source in base.sources
        if source.attribute and (source.iri in wanted or not wanted.isdisjoint(source.entities))
    }
    ours = [position for position in positions if not owners or position.base in owners]
    by_text: dict[str, list[Position]] = {}
    for position in ours:
        by_text.setdefault(position.text, []).append(position)
    kept: set[Position] = set()
    for group in by_text.values():
        on_axes = [position for position in group if (position.base, position.attribute) in axes]
        kept.update(on_axes or group)
    return tuple(dict.fromkeys(position for position in ours if position in kept))


def _edges(
    bases: Sequence[Base], edges: Sequence[tuple[Edge, int, int]], owners: frozenset[Iri], addressed: Iterable[Iri]
) -> tuple[tuple[Edge, int, int], ...]:
    """Stretches on the axes that positions would be on, with their places."""
    places = [Position(edge.base, edge.attribute, edge.length, text=edge.text) for edge, _, _ in edges]
    kept = set(_positions(bases, places, owners, addressed))
    return tuple(one for one, place in zip(edges, places, strict=True) if place in kept)


def _unread_place(names: Names, read: _Read) -> bool:
    """Whether a whole unit of content is spoken of without its number, as chapters and their like are."""
    return any(token.folded in names.unit_words and not read.taken[place] for place, token in enumerate(read.tokens))


def _carried(
    bases: Sequence[Base],
    tokens: Sequence[Token],
    words: tuple[str, ...],
    read: _Read,
    names: Names,
    language: str,
    before: Sequence[Turn],
) -> tuple[Iri, ...]:
    """The files that the latest answer with citations cites, where the question points back."""
    if not _points_back(tokens, words, read, names, language):
        return ()
    by_name: dict[tuple[str, ...], set[Iri]] = {}
    for base in bases:
        for source in base.sources:
            for name in {source.name, source.title}:
                by_name.setdefault(folded(name), set()).add(source.iri)
    for turn in reversed(before):
        if turn.role != "assistant":
            continue
        found = [iri for name in cited(turn.text) for iri in sorted(by_name.get(folded(name), ()))]
        if found:
            return tuple(dict.fromkeys(found))
    return ()


def _points_back(tokens: Sequence[Token], words: tuple[str, ...], read: _Read, names: Names, language: str) -> bool:
    """A pronoun or demonstrative, an opening that leaves its subject out, or nothing but words that ask."""
    languages = (language,) if language else wording.LANGUAGES
    for each in languages:
        if wording.ANAPHORA[each] & set(words):
            return True
        if any(words[: len(opening)] == opening for opening in wording.OPENING[each]):
            return True
    if "en" in languages and any(
        word == "that" and (place == 0 or words[place - 1] in wording.THAT_AFTER or place == len(words) - 1)
        for place, word in enumerate(words)
    ):
        return True
    return not any(match.names for match in read.matches) and all(
        read.taken[place] or token.folded in wording.ALL_FUNCTION or token.folded in names.generic
        for place, token in enumerate(tokens)
    )
