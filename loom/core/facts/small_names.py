"""Names in small letters, behind a word for a kind of source: "of the programme the row of mills" (R15).

Small letters tell no name from other words, so that a reference has to be set as a name is: an article before the kind, and behind it a
word for naming, an article of its own, or two words that tell something. It reaches up to the end of its clause, or to a word that
asks, measures, or belongs to a declared name.
"""

from collections.abc import Iterator, Sequence

from loom.core.facts import wording
from loom.core.facts.naming import METRIC, Match, Names
from loom.core.facts.tokens import Token
from loom.core.facts.values import KINDS

LONGEST = 8
"""Words of such a name."""
SHORTEST = 4
"""Characters of a single word that is a name."""
_KINDS = wording.KIND_WORDS | frozenset(KINDS)


_IDLE = wording.ALL_FUNCTION | wording.CALENDAR
_ASKING = _IDLE | wording.MEASURING | wording.WHENEVER


def in_small_letters(tokens: Sequence[Token], names: Names, taken: Sequence[bool], language: str) -> Iterator[tuple[int, int]]:
    """Places [start, end) of the words behind a kind that are set as a name is. In English a kind stands before other nouns, too
    ("the film festival"): there two words are a name only where a metric is asked."""
    kinds = [
        place
        for place, token in enumerate(tokens[:-1])
        if place and token.folded in _KINDS and tokens[place - 1].folded in wording.BEFORE_KIND
    ]
    owned = names.find(tokens, taken) if kinds else []
    measured = any(match.owners(METRIC) for match in owned)
    for place in kinds:
        start = place + 1
        called = not tokens[start].parted and tokens[start].folded in wording.CALLED
        start += called
        if start >= len(tokens) or (tokens[start].parted and not called):
            continue
        end = reach(tokens, start, names, taken, owned)
        own = tokens[start].folded in wording.ARTICLES
        telling = [one for one in tokens[start:end] if one.folded not in wording.ALL_FUNCTION]
        if called or (own and tokens[start].capital):
            enough = bool(telling)
        elif len(telling) > 1:
            enough = own or measured or language not in ("en", "")
        else:
            enough = bool(telling) and _alone(tokens, place, end, telling[0], owned)
        if enough:
            yield (start, end)


def reach(tokens: Sequence[Token], start: int, names: Names, taken: Sequence[bool], owned: Sequence[Match]) -> int:
    """Where a name that begins at a word ends; `start` where none does."""
    end = start
    begin = {match.start for match in owned}
    for place in range(start, min(len(tokens), start + LONGEST)):
        token = tokens[place]
        if taken[place] or place in begin or (place > start and token.parted):
            break
        if token.folded in wording.LINKING | wording.ARTICLES:
            continue
        named = token.capital and not token.opens
        if token.folded in names.generic or (token.folded in _ASKING and not named):
            break
        end = place + 1
    return end


def _alone(tokens: Sequence[Token], kind: int, end: int, word: Token, owned: Sequence[Match]) -> bool:
    """Whether one word is the name: what a metric is asked *of*, at the end of its clause, and nothing else is named."""
    return (
        len(word.raw) >= SHORTEST
        and (end == len(tokens) or tokens[end].parted)
        and _of(tokens, kind - 1)
        and bool(owned)
        and all(match.owners(METRIC) for match in owned)
    )


def _of(tokens: Sequence[Token], place: int) -> bool:
    """Whether a word says whose something is, itself or with the one before it."""
    return any(tokens[at].folded in wording.WHOSE for at in (place, place - 1) if at >= 0)


def single_capitals(tokens: Sequence[Token], names: Names, taken: Sequence[bool], language: str) -> Iterator[tuple[int, int]]:
    """One unknown word with a capital of which a metric is asked, where nothing else is named. German nouns all have one."""
    strange = [
        place
        for place, token in enumerate(tokens)
        if place
        and not (taken[place] or token.opens or token.parted or token.folded in _IDLE or token.folded in names.generic)
        and token.capital
        and len(token.raw) >= SHORTEST
        and not names.knows(token.folded)
        and _of(tokens, place - 1)
    ]
    owned = names.find(tokens, taken) if strange and language != "de" else []
    if owned and all(match.owners(METRIC) for match in owned):
        yield from ((one, one + 1) for one in strange if not any(match.start <= one < match.end for match in owned))
