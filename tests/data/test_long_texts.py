"""Texts of 20,000 characters over the real corpus: whatever they hold, matching stays far from what would be felt."""

import random
import time
from collections.abc import Callable
from itertools import cycle

import pytest
from support import oracle, real
from support.asking import matches
from support.oracle import Class

from loom.core.concepts import Concepts
from loom.core.matching.stopwords import DEFAULT
from loom.core.text import slug_of

pytestmark = pytest.mark.data

LENGTH = 20_000
MILLISECONDS = 30
"""Several times the bar that the bench holds, since tests run beside other work."""


def letters(choice: random.Random, *ranges: tuple[int, int]) -> str:
    return "".join(chr(choice.randint(*choice.choice(ranges))) for _ in range(choice.randint(3, 9)))


def texts() -> dict[str, str]:
    choice = random.Random(7)
    titles = [concept.title for concept in real.index()]
    words = sorted({word for title in titles for word in title.split()})
    every = cycle(titles)
    kinds: dict[str, Callable[[], str]] = {
        "words of titles": lambda: choice.choice(words),
        "parts of slugs": lambda: choice.choice(words).lower()[choice.randint(0, 2) :],
        "random letters": lambda: letters(choice, (97, 122)),
        "one title": lambda: titles[0],
        "every title": lambda: next(every),
        "words that ask": lambda: choice.choice(sorted(DEFAULT)),
        "digits": lambda: str(choice.randint(0, 10**8)),
        "unspaced script": lambda: letters(choice, (0x4E00, 0x9FFF)),
        "many scripts": lambda: letters(choice, (0xC0, 0x24F), (0x400, 0x4FF), (0x1F300, 0x1F5FF), (0x300, 0x36F)),
        "no space": lambda: "a",
    }
    return {
        kind: ("" if kind == "no space" else " ").join(make() for _ in range(LENGTH))[:LENGTH] for kind, make in kinds.items()
    }


@pytest.mark.parametrize("policy", ["default", "reference"])
def test_no_kind_of_long_text_is_slow(policy: str) -> None:
    pin = real.pin()
    slow = {}
    for kind, text in texts().items():
        spent = []
        for _ in range(3):
            began = time.thread_time()
            matches(pin, text, 4, policy)
            spent.append((time.thread_time() - began) * 1000)
        if min(spent) > MILLISECONDS:
            slow[kind] = min(spent)
    assert slow == {}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["parts of slugs", "every title"])
def test_long_texts_equal_the_oracle(kind: str) -> None:
    concepts = real.pin().generation.part(Concepts)
    assert concepts is not None
    classes = [Class(slug_of(each.iri), each.title, each.quality) for each in real.index()]
    text = texts()[kind][:6000]
    found = [(slug_of(concepts.iri(match.row)), match.score) for match in matches(real.pin(), text, 10, "reference")]
    assert found == oracle.seeds(classes, text, 10)
