"""Other shapes of a name, each made by a rule that a writer of English might follow, or a slip that one might make."""

import random
import re
import string
from collections.abc import Iterator

FRAMES = (
    "what is {}",
    "Tell me about {} please",
    "how does {} work?",
    "where would one use {}",
    "why do people care about {}",
    "I keep hearing about {} lately",
)
SMALL = frozenset("a an and as at by for from in of on or the to with".split())
SPELLINGS = (("isation", "ization"), ("ise", "ize"), ("our", "or"), ("tre", "ter"), ("elling", "eling"), ("logue", "log"))


def shapes(title: str, chance: random.Random) -> Iterator[tuple[str, str]]:
    """Kinds of shape and the name in it; none for what the rules do not fit."""
    if not re.fullmatch(r"[A-Za-z]+(?: [A-Za-z]+)*", title):
        return
    words = title.lower().split()
    plain = " ".join(words)
    if re.search(r"[bdgklmnprt]$", plain) and not re.search(r"(ing|ism)$", plain):
        yield "plural", plain + "s"
    if re.search(r"[bdgklmnprt]s$", plain):
        yield "singular", plain[:-1]
    if len(words) > 1:
        yield "hyphenated", plain.replace(" ", "-")
    if len(words) == 2:
        yield "joined", "".join(words)
    if len(words) == 1 and re.fullmatch(r"[A-Z][a-z]+[A-Z][a-z]+", title):
        yield "parted", re.sub("([a-z])([A-Z])", r"\1 \2", title)
    for one, other in SPELLINGS:
        for here, there in ((one, other), (other, one)):
            found = re.search(rf"(?<=[a-z]{{3}}){here}(?=s?\b)", plain)
            if found and here != "or" and (here, there) != ("ter", "tre"):
                yield "spelling", plain[: found.start()] + there + plain[found.end() :]
    if len(words) > 2:
        yield "initials", "".join(word[0] for word in words if word not in SMALL).upper()
    long = [at for at, word in enumerate(words) if len(word) > 5]
    if long and len("".join(words)) > 7:
        yield "slip", " ".join([*words[: long[0]], _slip(words[long[0]], chance), *words[long[0] + 1 :]])


def _slip(word: str, chance: random.Random) -> str:
    at = chance.randrange(1, len(word) - 1)
    letter = chance.choice(string.ascii_lowercase)
    return chance.choice(
        (
            word[:at] + letter + word[at:],
            word[:at] + word[at + 1 :],
            word[:at] + letter + word[at + 1 :],
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        )
    )
