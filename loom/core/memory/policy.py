"""Every choice in reading, recalling and answering, as frozen values: an arm or a control of the benchmark is one of them."""

from dataclasses import dataclass, field

SPAN, TURN = "span", "turn"
FIRST, FULL, SPEAKER = "first", "full", "speaker"
BM25, COSINE = "bm25", "cosine"


@dataclass(frozen=True, slots=True)
class Reads:
    """How turns become pieces.

    `unit` is what a piece holds: the sentences about its subject, or the whole turn (filed for each of its subjects, with date and
    speaker beside it). `subjects` is how a sentence finds them: FIRST, by the first word that means a person (seed 004 §2); FULL,
    by all that speak of people, with quotes and pronouns; SPEAKER, always who speaks. `told` files what is said of somebody who does
    not speak here under the teller as well. `known` says whether names other than the speakers' are known. `you` whether the second
    person means somebody, `captions` whether shared pictures are read, `questions` whether questions assert something,
    `adjacent` whether the questions before a turn stand beside its speaker's pieces, `common` whether words that carry nothing are
    terms, too, `verbs` whether a sentence must say something behind its verb.
    """

    unit: str = SPAN
    subjects: str = FULL
    told: bool = False
    known: bool = True
    you: bool = True
    captions: bool = True
    questions: bool = False
    adjacent: bool = True
    common: bool = False
    verbs: bool = False


@dataclass(frozen=True, slots=True)
class Recalls:
    """How a question finds pieces, and how sure it is of them.

    `scope` is whether only pieces of the question's subjects are found; `several` whether those are all whom it names, not the
    longest name alone. `named` keeps their names among what is asked, `common` ranks by the words that carry nothing, too. `whole`
    takes the cover of a hit from its turn, not from the piece. `contrast` is how much is taken off where another person's piece
    covers more (specs/memory.md §7). `timed` compares the times that a question names with when pieces were said, and with the dates
    they name; `inflected` finds irregular forms of the words asked for; `answering` counts what a piece answers as covered by it;
    `unfiled` also finds what was said of somebody before they were known.
    Below `floor` nothing is said; `k` hits are given, of the `most` that are ranked.
    """

    scope: bool = True
    several: bool = True
    ranking: str = BM25
    k1: float = 0.9
    b: float = 0.4
    named: bool = False
    common: bool = False
    whole: bool = False
    contrast: float = 1.0
    timed: bool = True
    inflected: bool = True
    answering: bool = True
    unfiled: bool = True
    floor: float = 0.37
    k: int = 5
    most: int = 50


@dataclass(frozen=True, slots=True)
class Answers:
    """How the extractive reader takes an answer from hits: at most `parts` of them, of those that score at least `band` of the best,
    and `span` words of each."""

    span: int = 4
    band: float = 0.9
    parts: int = 2


@dataclass(frozen=True, slots=True)
class Policy:
    """All three; the defaults are what serves."""

    reads: Reads = field(default_factory=Reads)
    recalls: Recalls = field(default_factory=Recalls)
    answers: Answers = field(default_factory=Answers)


PUBLISHED = Policy(
    Reads(subjects=FIRST, adjacent=False, common=True, verbs=True),
    Recalls(
        ranking=COSINE,
        named=True,
        several=False,
        common=True,
        whole=True,
        contrast=0.0,
        timed=False,
        inflected=False,
        answering=False,
        unfiled=False,
        floor=0.3,
    ),
)
"""The seed's graph memory (seed 004 §2, specs/memory.md §3)."""
