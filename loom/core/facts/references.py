"""What looks like the name of a source in a question, and whether anybody owns it (R15).

Quoted text, a run of at least two capitalised words, and what follows a word such as "programme" or a declared kind, in
small letters too where it is set as a name is. It is owned
where declared names cover it, or where it is a part of one that anchors; a name that is only a part of *it* is no owner: what is
asked for then is something else, and nothing may be presented under its name.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from loom.core.facts import wording
from loom.core.facts.naming import Match, Names
from loom.core.facts.small_names import in_small_letters, reach, single_capitals
from loom.core.facts.tokens import Token, normal, tokens_of

_QUOTED = re.compile(
    r"\"([^\"\n]{1,200})\"|“([^”\n]{1,200})”|«([^»\n]{1,200})»|„([^“”\n]{1,200})[“”]|‘([^’\n]{1,200})’(?!\w)|(?<!\w)'([^'\n]{2,200})'(?!\w)"
)
_FILE = re.compile(r"[\w./\\-]*\w\.[A-Za-z][A-Za-z0-9]{1,4}\b")
LONGEST = 12
"""Words of a quoted name; what has more is a quotation."""
LONGEST_NAME = 24
"""Words of any name."""
FEWEST_ALL_CAPITAL = 4
"""From so many words on, a text all of whose words are capitalised tells nothing by capitals."""


@dataclass(frozen=True, slots=True)
class Reference:
    """Words [start, end) that look like a name. `strict` ones, quoted or behind a word such as "file", may be short."""

    start: int
    end: int
    strict: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """A reference with the match that owns it in full, if one does; not `owned` means that nobody does. Owned without a match:
    names inside it, or around it, own it."""

    reference: Reference
    owned: bool
    match: Match | None = None


def judged(text: str, tokens: Sequence[Token], names: Names, taken: Sequence[bool], language: str) -> list[Judged]:
    """References in the order of the question; none overlaps another or a word that is taken."""
    busy = list(taken)
    found: list[Judged] = []
    small = (Reference(start, end, True) for start, end in in_small_letters(tokens, names, taken, language))
    single = (Reference(start, end, True) for start, end in single_capitals(tokens, names, taken, language))
    run = _capitals(text, tokens, names, taken)
    for reference in (*_quoted(text, tokens), *_behind(text, tokens, names, taken), *small, *run, *single):
        if not 0 < reference.end - reference.start <= LONGEST_NAME or any(busy[reference.start : reference.end]):
            continue
        judgement = _judge(reference, tokens, names, taken, language)
        if judgement is not None:
            found.append(judgement)
            busy[reference.start : reference.end] = [True] * (reference.end - reference.start)
    return sorted(found, key=lambda one: one.reference.start)


def _within(tokens: Sequence[Token], start: int, end: int) -> tuple[int, int]:
    """The words that stand whole in a stretch of the text."""
    first = bisect_left(tokens, start, key=lambda token: token.start)
    behind = bisect_right(tokens, end, key=lambda token: token.end)
    return (first, behind) if first < behind else (0, 0)


def _quoted(text: str, tokens: Sequence[Token]) -> Iterator[Reference]:
    """Quoted texts, but for words that somebody is asked to have said."""
    for match in _QUOTED.finditer(text):
        start, end = _within(tokens, match.start(), match.end())
        if end - start > LONGEST:
            continue
        said = {token.folded for token in tokens[max(0, start - 3) : start]} & wording.SAYING
        if not said and any(character.isalpha() for character in match.group()):
            yield Reference(start, end, True)


def _behind(text: str, tokens: Sequence[Token], names: Names, taken: Sequence[bool]) -> Iterator[Reference]:
    """What stands behind a word for a kind of source: a run of capitalised words, or a file name."""
    owned: list[Match] | None = None
    kinds = wording.KIND_WORDS | names.kind_words
    for place, token in enumerate(tokens[:-1]):
        if token.folded not in kinds or (token.opens and token.capital):
            continue
        after = tokens[place + 1]
        if re.search(r"[^\s]", text[token.end : after.start]):
            continue
        if (file := _FILE.match(text, after.start)) is not None:
            start, end = _within(tokens, file.start(), file.end())
            yield Reference(start, end, True)
        elif after.capital and len(after.raw) > 1:
            end = _run_end(tokens, place + 1, names)
            if not _idle(tokens[end - 1], names) and not names.inside(tokens, place + 1, end, taken):
                # Of nobody: in many languages only the first word of a title has a capital.
                owned = names.find(tokens, taken) if owned is None else owned
                end = max(end, reach(tokens, place + 1, names, taken, owned))
            yield Reference(place + 1, end, True)


def _capitals(text: str, tokens: Sequence[Token], names: Names, taken: Sequence[bool]) -> Iterator[Reference]:
    written = [token for token in tokens if token.raw[0].isalpha()]
    if text.isupper() or (len(written) >= FEWEST_ALL_CAPITAL and all(token.capital for token in written)):
        return
    reaching = [match for match in names.find(tokens, taken) if match.whole and match.end - match.start > 1]
    place = 0
    while place < len(tokens):
        if not tokens[place].capital or taken[place]:
            place += 1
            continue
        end = _run_end(tokens, place, names, taken)
        # A name in full that goes on in small letters is no part of what stands before it and a small word.
        over = next((match.start for match in reaching if place < match.start < end < match.end), end)
        over = over if tokens[over - 1].folded in wording.LINKING else end
        for first, last in _parts(tokens, place, over, names):
            for start, stop in _apart(tokens, first, last, names, taken):
                capitals = [token for token in tokens[start:stop] if token.capital]
                titled = any(len(token.raw) > 3 and not token.raw.isupper() and not token.opens for token in capitals)
                if len(capitals) >= 2 and titled:
                    yield Reference(start, stop, False)
        place = end


def _run_end(tokens: Sequence[Token], start: int, names: Names, taken: Sequence[bool] = ()) -> int:
    """The end of a run of capitalised words, small words between them and numbers behind them. A possessive ending parts a name that
    is known from what follows; an unknown one goes on: Mercer's Almanac is one thing."""
    end = start + 1
    for place in range(start + 1, len(tokens)):
        token = tokens[place]
        goes_on = token.owned and token.capital and names.named(tokens[start:place]) is None
        if (token.parted and not goes_on) or (taken and taken[place]):
            break
        number = end == place and token.raw.isdigit() and len(token.raw) <= 2
        # A number that another is glued to by a mark is a time or a quantity, and no part of a name.
        glued = place + 1 < len(tokens) and tokens[place + 1].raw[0].isdigit() and tokens[place + 1].start == token.end + 1
        if token.capital or (number and not glued):
            end = place + 1
        elif token.folded not in wording.LINKING:
            break
    return end


def _parts(tokens: Sequence[Token], start: int, end: int, names: Names) -> Iterator[tuple[int, int]]:
    """A run as it is where a name covers it; else cut at words that join names, without generic words at its ends."""
    if names.named(tokens[start:end]) is not None:
        yield start, end
        return
    cuts = [
        place for place in range(start, end) if tokens[place].folded in wording.AND | {"vs", "versus", "or", "o", "oder", "ou"}
    ]
    for first, last in zip((start, *(cut + 1 for cut in cuts)), (*cuts, end), strict=True):
        while first < last and names.named(tokens[first:last]) is None and _outside(tokens[first], names):
            first += 1
        while last > first and names.named(tokens[first:last]) is None and _outside(tokens[last - 1], names):
            last -= 1
        yield first, last


def _apart(tokens: Sequence[Token], start: int, end: int, names: Names, taken: Sequence[bool]) -> list[tuple[int, int]]:
    """A run cut where a name in full stands in it behind or before a word of place: somebody *in* a programme. A single unknown
    word before it is somebody too, unless a metric is asked for: of that, only sources have values."""
    for match in names.inside(tokens, start, end, taken):
        if not match.whole or (match.start, match.end) == (start, end):
            continue
        pieces = []
        if match.start > start:
            pieces.append((start, match.start - 1, tokens[match.start - 1].folded))
        if match.end < end:
            pieces.append((match.end + 1, end, tokens[match.end].folded))
        single = [tokens[first].folded for first, last, _ in pieces if last - first == 1]
        strange = [word for word in single if not names.knows(word) and word not in wording.CALENDAR]
        if all(word in wording.PLACING for *_, word in pieces) and not (strange and names.measured(tokens, taken)):
            return sorted([(match.start, match.end), *((first, last) for first, last, _ in pieces if first < last)])
    return [(start, end)]


def _idle(token: Token, names: Names) -> bool:
    return token.folded in wording.ALL_FUNCTION or token.folded in names.generic or token.folded in wording.CALENDAR


def _outside(token: Token, names: Names) -> bool:
    """Whether a word at an end of a run is no part of a name; an article with a capital in mid-sentence is."""
    return _idle(token, names) and not (token.capital and not token.opens and token.folded in wording.ARTICLES)


def insisted(text: str, name: str, names: Names) -> bool:
    """Whether a question quotes a name, or sets it behind a word such as "file"."""
    spoken = normal(text)
    before = spoken[: max(0, spoken.find(name))]
    words = tokens_of(before)
    behind = bool(words) and words[-1].folded in wording.KIND_WORDS | names.kind_words
    return before.rstrip()[-1:] in tuple("\"“«„‘'") or behind


def _judge(reference: Reference, tokens: Sequence[Token], names: Names, taken: Sequence[bool], language: str) -> Judged | None:
    """None where it is no reference: its words are all generic."""
    start, end = reference.start, reference.end
    inside = tokens[start:end]
    whole = names.named(inside)
    if whole is not None and reference.strict:
        return Judged(reference, True, Match(start, end, True, whole.names))
    if whole is not None:
        # It may be the beginning of a longer name: that is found among all words.
        return Judged(reference, True)
    if all(_idle(token, names) for token in inside):
        return None
    matches = names.inside(tokens, start, end, taken)
    if len(matches) == 1 and not matches[0].whole and _covers(matches[0], reference, tokens):
        return Judged(reference, True, matches[0])
    full = [match for match in matches if match.whole]
    left = [
        (place, token)
        for place, token in enumerate(inside, start)
        if not any(match.start <= place < match.end for match in full) and not _idle(token, names)
    ]
    if not left or (full and not reference.strict and (language == "de" or all(token.opens for _, token in left))):
        # Of German every noun is capitalised; and so is the first word of a sentence.
        return Judged(reference, True)
    return Judged(reference, False)


def _covers(match: Match, reference: Reference, tokens: Sequence[Token]) -> bool:
    outside = [*tokens[reference.start : match.start], *tokens[match.end : reference.end]]
    return all(token.folded in wording.ALL_FUNCTION or token.opens for token in outside)
