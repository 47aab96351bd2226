"""Words that stand nowhere else, turns that hold them, and where such words are left in files."""

import random
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from loom.core.memory.values import Said

FILLER = "tea with cups and a long walk by the river while it rained on the old stones of the town".split()


_STEM = re.compile(rb"zq[a-j]{6}x")
_WIDE_STEM = re.compile(rb"z\0q\0(?:[a-j]\0){6}x\0")


def canary(number: int) -> str:
    """A word for each number, which nothing else holds and whose stem is a part of it."""
    return f"Zq{''.join(chr(ord('a') + int(digit)) for digit in f'{number:06}')}xings"


def turns(count: int, draw: random.Random, first: int = 0) -> list[Said]:
    """Turns of many lengths; each names a person of its own, and holds a word of its own in its text, id, caption and its questions."""
    made = []
    for number in range(first, first + count):
        word = canary(number)
        words = draw.choices(FILLER, k=draw.choice((3, 10, 30, 120)))
        text = f"I saw {word} {' '.join(words)}. Do you like {word}?"
        made.append(
            Said(draw.choice(("Anna", "Ben")), text, "2024-05-01", f"id-{word}", f"a picture of {word}" * draw.randrange(2))
        )
    return made


def left(folder: Path, words: Iterable[str]) -> list[tuple[str, str]]:
    """(file, word) of every word, or its stem, that some file holds in whatever case, in UTF-8 or UTF-16."""
    wanted = {word.lower().removesuffix("ings"): word for word in words}
    found = set()
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            held = file.read_bytes().lower()
            forms = {each.decode() for each in _STEM.findall(held)}
            forms |= {each.decode("utf-16-le") for each in _WIDE_STEM.findall(held)}
            found |= {(file.name, wanted[each]) for each in forms & wanted.keys()}
    return sorted(found)


def words_of(numbers: Sequence[int]) -> list[str]:
    return [canary(number) for number in numbers]
