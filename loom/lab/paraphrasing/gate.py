"""The deterministic two thirds of the gate: no gold title, and no content word of the subject's names (§8).

Gold is looked for under both matchers, which read run-together, spaced, plural and Unicode forms as the same name. A subject's word
leaks where a word of the text equals it, begins with it or is its beginning, as written and with its ending taken off; where it is
spelled with gaps, invisible characters or letters of another alphabet that look alike; and where a longer word holds it. An
abbreviation that is spelled as an everyday word ("DID") leaks where it stands in capitals.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from loom.core.exposure.names import DefaultText, ReferenceText
from loom.core.matching.spelling import form
from loom.core.matching.stopwords import DEFAULT
from loom.core.retrieval.stem import stem
from loom.core.text import words
from loom.core.values import Json
from loom.lab.paraphrasing.subjects import Subject
from loom.lab.question import LabQuestion

EMPTY, UNCHANGED, GOLD, SUBJECT, RELATION = "empty", "unchanged", "gold", "subject", "relation"
REASONS = (EMPTY, UNCHANGED, GOLD, SUBJECT, RELATION)

PREFIX = 4
"""Letters from which one word that begins another leaks it; a shorter one must be the same word."""

HELD = 6
"""Letters from which a subject's word leaks inside a longer one."""

SHORT = 3
"""Letters of the longest gold that must stand as a word: "AI" is not in "maintain", whatever the reference matcher says."""

_LOOKALIKE = str.maketrans(
    "асеорхуіјѕһԁɡіАВЕКМНОРСТХУІЈЅαοεινκρτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aceopxyijshdgiABEKMHOPCTXYIJSaoeivkptuxABEZHIKMNOPTYX",
)
_CAPITALS = re.compile(r"\b[A-Z]{2,}(?=(?:['’]?s)?\b)")
_LATIN = re.compile(r"[A-Za-z]")
_RUN = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a paraphrase is refused: one of REASONS, what leaks (a gold title, a word), and where it was found."""

    reason: str
    what: str = ""
    found: str = ""

    @property
    def sentence(self) -> str:
        """What the writer is told."""
        return {
            EMPTY: "It was empty.",
            UNCHANGED: "It was the question as it stood.",
            GOLD: f"It names {self.what!r}, which is an answer to the question.",
            SUBJECT: f"It uses {self.found!r}, which gives away the word {self.what!r} of the subject's name.",
            RELATION: f"It does not ask for the same relation. {self.what}".strip(),
        }[self.reason]

    def as_json(self) -> dict[str, Json]:
        return {"reason": self.reason, "what": self.what, "found": self.found}


def leaks(text: str, question: LabQuestion, subject: Subject) -> tuple[Refusal, ...]:
    """Why a paraphrase of a question is refused without a model; nothing where it is not."""
    plain = readable(text)
    if not words(plain):
        return (Refusal(EMPTY),)
    found = [Refusal(GOLD, title, title) for title in _gold(plain, question.titles)]
    found += [Refusal(SUBJECT, word, where) for word, where in _subject(plain, subject)]
    if not found and words(plain) == words(question.prompt):
        found.append(Refusal(UNCHANGED))
    return tuple(found)


def readable(text: str) -> str:
    """The text as a reader sees it: no invisible characters, and in a word with Latin letters none of another alphabet that
    look like them."""
    shown = "".join(
        letter for letter in unicodedata.normalize("NFKC", text) if unicodedata.category(letter) not in ("Cf", "Mn")
    )
    return _RUN.sub(lambda run: run[0].translate(_LOOKALIKE) if _LATIN.search(run[0]) else run[0], shown)


def _gold(plain: str, titles: Sequence[str]) -> Iterator[str]:
    default, reference = DefaultText(plain), ReferenceText(plain)
    for title in dict.fromkeys(titles):
        short = len("".join(words(title))) <= SHORT
        several = title[:-1] if title.endswith("s") else f"{title}s"
        if default.names(title) or default.holds(several) or (not short and reference.names(title)):
            yield title


def content(name: str) -> list[str]:
    """The words of a name that say what it is; all of them where none does."""
    written = words(readable(name))
    return [word for word in written if word not in DEFAULT] or written


def _subject(plain: str, subject: Subject) -> Iterator[tuple[str, str]]:
    said = list(dict.fromkeys(word for word in words(plain) if word not in DEFAULT))
    every = frozenset(words(plain))
    spaced = DefaultText(plain)
    for word in dict.fromkeys(word for name in subject.names for word in content(name)):
        where = next((each for each in said if same(word, each)), "")
        if not where and (word in every or spaced.holds(word)):
            where = word
        if where:
            yield word, where
    capitals = frozenset(_CAPITALS.findall(plain))
    for word in dict.fromkeys(word for name in subject.names for word in _CAPITALS.findall(readable(name))):
        if word.lower() in DEFAULT and word in capitals:
            yield word.lower(), word


def same(word: str, said: str) -> bool:
    """Whether a word of a text gives away a word of a name: both folded."""
    if word == said or form(word) == form(said) or f"{word}s" == said or f"{said}s" == word:
        return True
    for one, other in ((word, said), (stem(word), stem(said))):
        shorter, longer = sorted((one, other), key=len)
        if len(shorter) >= PREFIX and longer.startswith(shorter):
            return True
    return len(word) >= HELD and word in said
