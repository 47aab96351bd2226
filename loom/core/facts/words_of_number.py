"""Numbers that are written out, in English and Italian: "thirty-seven point five", "trentasette virgola cinque"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

SMALL = Decimal(12)
"""Number words up to this one are ordinary prose."""

_ENGLISH = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ITALIAN = (
    "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette "
    "diciotto diciannove"
).split()
_DECINE = "venti trenta quaranta cinquanta sessanta settanta ottanta novanta".split()

HUNDREDS = {"hundred": 100}
SCALES = {
    "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12,
    "mila": 10**3, "milione": 10**6, "milioni": 10**6, "miliardo": 10**9, "miliardi": 10**9,
}  # fmt: skip
_ORDINALS = (
    "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth "
    "eighteenth nineteenth"
).split()
_ORDINALI = "terz quart quint sest settim ottav non decim".split()
HALF = re.compile(r"[ \u00a0-](?:and[ -]a[ -]half|e mezz[oa]|y medi[oa]|et demie?|1[/⁄]2)(?!\w)", re.IGNORECASE)
"""What adds a half to the number before it."""
_POINTS = frozenset({"point", "virgola"})
_WORD = re.compile(r"[^\W\d_]+")
_JOINTS = (" ", "-", "\u00a0")


@dataclass(frozen=True, slots=True)
class Spelled:
    """A number written out at [start, end)."""

    start: int
    end: int
    value: Decimal


@cache
def _wholes() -> dict[str, int]:
    """Words that are numbers by themselves. Italian writes all below a million as one word."""
    found = {word: number for number, word in enumerate(_ENGLISH)}
    found |= {word: 20 + 10 * at for at, word in enumerate(_TENS)}
    below = list(_ITALIAN)
    for ten in _DECINE:
        for unit, word in enumerate(_ITALIAN[:10]):
            below.append(ten if not unit else (ten[:-1] if word[0] in "uo" else ten) + word)
    for hundred in range(1, 10):
        head = ("" if hundred == 1 else _ITALIAN[hundred]) + "cento"
        below += [head + (word if rest else "") for rest, word in enumerate(below[:100])]
    found |= {word: number for number, word in enumerate(below)}
    found |= {word + "mila": number * 1000 for number, word in enumerate(below) if number > 1}
    found |= {
        word.replace("tre", "tré"): number for word, number in list(found.items()) if number > 20 and word.endswith("tre")
    }
    return found | {"mille": 1000}


def whole_number(word: str) -> Decimal | None:
    """The number that one word is; articles are none."""
    number = None if word in ("un", "uno", "una") else _wholes().get(word)
    return None if number is None else Decimal(number)


@cache
def _ranks() -> tuple[dict[str, int], re.Pattern[str]]:
    """Words that say which one, from the third on, and a pattern of them."""
    found = {word: rank for rank, word in enumerate(_ORDINALS, 3)}
    found |= {word + end: rank for rank, word in enumerate(_ORDINALI, 3) for end in "oa"}
    for at, ten in enumerate(_TENS, 2):
        found[ten[:-1] + "ieth"] = 10 * at
        found |= {f"{ten}-{word}": 10 * at + unit for unit, word in enumerate(("first", "second", *_ORDINALS[:7]), 1)}
    longest = sorted(found, key=lambda word: (-len(word), word))
    any_of = "|".join(longest).replace("-", "[- ]")
    return found, re.compile(rf"(?<!\w)(?:{any_of})(?!\w)", re.IGNORECASE)


def ranked(text: str) -> Iterator[Spelled]:
    """The words of a text that say which one of many, "the third", "twenty-first"; first and second may be anything."""
    ranks, pattern = _ranks()
    for match in pattern.finditer(text):
        yield Spelled(match.start(), match.end(), Decimal(ranks[match.group().casefold().replace(" ", "-")]))


def spelled(text: str) -> Iterator[Spelled]:
    """The numbers that a text writes out, in order."""
    wholes = _wholes()
    words = [(each.start(), each.end(), each.group().casefold()) for each in _WORD.finditer(text)]
    at = 0
    while at < len(words):
        start, end, word = words[at]
        value = wholes.get(word)
        if value is None or (word == "cento" and text[:start].casefold().endswith("per ")):
            at += 1
            continue
        total, current, at, last = 0, value, at + 1, word
        while at < len(words) and (then := words[at])[2] and text[end : then[0]] in _JOINTS:
            step = then[2]
            if step == "and" and at + 1 < len(words) and last in HUNDREDS | SCALES and words[at + 1][2] in wholes:
                end, at = then[1], at + 1
                continue
            if step in HUNDREDS and 0 < current < 100:
                current *= 100
            elif step in SCALES:
                total, current = total + current * SCALES[step], 0
            elif step in wholes and _follows(last, wholes[step]):
                current += wholes[step]
            else:
                break
            end, last, at = then[1], step, at + 1
        number, end, at = _with_decimals(text, words, Decimal(total + current), end, at)
        yield Spelled(start, end, number)


def _follows(last: str, number: int) -> bool:
    """Whether a number word goes on with the one before: units after tens, anything smaller after hundreds and scales."""
    if last in SCALES:
        return number < SCALES[last]
    if last in HUNDREDS:
        return number < 100
    return last in _TENS and 0 < number < 10


def _with_decimals(text: str, words: list[tuple[int, int, str]], whole: Decimal, end: int, at: int) -> tuple[Decimal, int, int]:
    """A whole number with the digits behind its "point" ("virgola"), where there are any."""
    if at >= len(words) or words[at][2] not in _POINTS or text[end : words[at][0]] != " ":
        return whole, end, at
    wholes, digits, last, here = _wholes(), "", words[at][1], at + 1
    while here < len(words) and words[here][2] in wholes and text[last : words[here][0]] in _JOINTS:
        number = wholes[words[here][2]]
        if number > 9 and digits:
            break
        digits, last, here = digits + str(number), words[here][1], here + 1
    return (Decimal(f"{whole}.{digits}"), last, here) if digits else (whole, end, at)
