"""How names stand in a block: carried by a sentence or a stated relation, or bare. The signs of stuffing, and their limits.

The limits were set on the definitions, prose and pages of a corpus of 8,142 concepts with the targets of their own relations as
gold, so that what people and compilers write passes; see `reading` for when a piece carries its names.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from loom.core.values import Json
from loom.lab.completing.names import NameIndex
from loom.lab.completing.reading import Reading, read_piece
from loom.lab.completing.segments import HEADING, HIDDEN, RECORD, TYPED, Segment

STATED = (TYPED, RECORD)

DENSE = 0.5
"""Share of a run's words that are names from which it is little else."""

BARE, WORDS_A_BARE = 2, 1000
"""Bare names that are too many even where something else in the block carries them; one more for so many words of a long page."""

OVER = 0.5
"""Share of the words outside stated relations that are gold, of at least BARE names, from which a block is made of them."""

SAID_AGAIN = 3
"""Times that one short piece with names in it, or one frame filled with other names, may not be reached."""

TAUT = 0.35
"""Share of names in a piece from which saying it again is stuffing; a long sentence is merely copied."""

SHORT = 6
"""Words of a piece that is short enough to be stuffing when it is said again, however few of them are names."""

TOO_OFTEN = 5
"""Times that any piece with a name in it may not be reached, however long."""

IN_ONE = 4
"""Times that one sentence may not name the same thing."""

MOST = 60
"""Names in one stated relation from which it is out of proportion."""

LISTED = 12


@dataclass(frozen=True, slots=True)
class Sign:
    """Why a block is flagged: the kind of sign, a sentence, and the names that it is about."""

    kind: str
    sentence: str
    names: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Json]:
        return {"kind": self.kind, "reason": self.sentence, "names": list(self.names[:LISTED])}


@dataclass(frozen=True, slots=True)
class Standing:
    """What was counted. `density` is the share of words outside stated relations that are gold, `corpus_density` that are any name
    of the corpus; `bare` are gold names in dense runs without a sentence, `uncarried` those of them that nothing carries;
    `hidden` those that a reader does not see; `repeated` pieces said again and again; `crowded` relations with too many names."""

    words: int
    density: float
    corpus_density: float | None
    carried: tuple[str, ...]
    bare: tuple[str, ...]
    uncarried: tuple[str, ...]
    hidden: tuple[str, ...]
    repeated: tuple[str, ...]
    crowded: int
    names: int

    def as_json(self) -> dict[str, Json]:
        return {
            "words_outside_relations": self.words,
            "density": self.density,
            "corpus_density": self.corpus_density,
            "carried": len(self.carried),
            "bare": list(self.bare),
            "uncarried": list(self.uncarried),
            "hidden": list(self.hidden),
            "repeated": list(self.repeated),
        }

    def signs(self) -> tuple[Sign, ...]:
        """Why it is flagged, worst first; none for a block whose names stand in sentences and relations."""
        found = []
        if len(self.hidden) > 1 or not set(self.hidden) <= set(self.carried):
            found.append(Sign("hidden", f"{len(self.hidden)} names stand where a reader does not see them", self.hidden))
        if len(self.bare) >= BARE + self.words // WORDS_A_BARE:
            found.append(Sign("bare", f"{len(self.bare)} names stand outside any sentence or stated relation", self.bare))
        elif self.uncarried:
            found.append(
                Sign("uncarried", f"{len(self.uncarried)} names stand in no sentence or stated relation", self.uncarried)
            )
        if self.repeated:
            found.append(
                Sign("repeated", f"{len(self.repeated)} pieces or frames with names are said again and again", self.repeated)
            )
        if self.words and self.density >= OVER and self.names >= BARE:
            found.append(Sign("density", f"{self.density:.0%} of the words outside stated relations are gold names"))
        if self.crowded:
            found.append(Sign("proportion", f"{self.crowded} stated relations have {MOST} names and more"))
        return tuple(found)

    def warnings(self) -> tuple[str, ...]:
        if self.corpus_density is not None and self.corpus_density >= OVER:
            return (f"{self.corpus_density:.0%} of the words outside stated relations are names of the corpus",)
        return ()


def standing(pieces: Sequence[Segment], gold: Sequence[str], titles: Sequence[str] = ()) -> Standing:
    """How gold stands in the pieces of a block; `titles` are further names of the corpus, for the density."""
    index, corpus = NameIndex(gold), NameIndex([*titles, *gold]) if titles else None
    read = [read_piece(piece, index) for piece in pieces]
    free = [each for each in read if each.segment.kind not in (*STATED, HIDDEN) and not each.states]
    carried = {name for each in read if each.segment.kind in STATED or (each.is_text and each.carries) for name in each.named}
    runs = _runs(read)
    bare = list(dict.fromkeys(name for run in runs for name in run.names))
    alone = {name for run in runs if run.alone for name in run.names}
    uncarried = [name for name in bare if name not in carried]
    if alone.isdisjoint(bare) and len(bare) <= BARE:
        bare = []
    words = sum(len(each.words) for each in free)
    return Standing(
        words,
        sum(each.name_words for each in free) / words if words else 0.0,
        _share(corpus, free, words) if corpus else None,
        tuple(sorted(carried)),
        tuple(bare),
        tuple(uncarried),
        tuple(dict.fromkeys(name for each in read if each.segment.kind == HIDDEN for name in each.named)),
        tuple(_repeated(read)),
        sum(each.distinct >= MOST for each in read if each.segment.kind == TYPED or each.states),
        len({name for each in free for name in each.named}),
    )


def _share(corpus: NameIndex, free: Iterable[Reading], words: int) -> float:
    return sum(place.words for each in free for place in corpus.places(each.words)) / words if words else 0.0


@dataclass(frozen=True, slots=True)
class _Run:
    """Bare names that stand together; `alone` says that they are whole lines, not the rest of one."""

    names: tuple[str, ...]
    alone: bool


def _runs(read: Sequence[Reading]) -> list[_Run]:
    """The bare names of each run of pieces that are no sentences, where the run is little else than names; and those of each
    sentence that only enumerates. Other short items of a list thin a run out; a sentence ends it."""
    found: list[_Run] = []
    run: list[Reading] = []

    def close() -> None:
        names = [name for each in run if each.bare for name in each.named]
        words = sum(len(each.words) for each in run if each.named or not each.segment.text.endswith(":"))
        if names and sum(each.name_words for each in run) >= DENSE * words:
            found.append(_Run(tuple(names), any(each.bare and each.segment.whole for each in run)))
        run.clear()

    for at, each in enumerate(read):
        kind = each.segment.kind
        if kind in (*STATED, HIDDEN) or (kind == HEADING and not _empty(read, at)):
            close()
        elif each.enumerates or each.of_itself:
            close()
            found.append(_Run(each.named, True))
        elif each.is_text and (each.sentence or each.states):
            close()
        else:
            run.append(each)
    close()
    return found


def _empty(read: Sequence[Reading], at: int) -> bool:
    """Whether nothing stands under a heading: the next piece is a heading of its level or above, or there is none."""
    following = read[at + 1] if at + 1 < len(read) else None
    if following is None or following.segment.kind == HIDDEN:
        return True
    return following.segment.kind == HEADING and following.segment.level <= read[at].segment.level


def _repeated(read: Sequence[Reading]) -> list[str]:
    """What is said again and again: whole pieces, frames that are filled with other names, one name inside one sentence."""
    section = 0
    wholes: Counter[tuple[int, tuple[str, ...]]] = Counter()
    often: Counter[tuple[int, tuple[str, ...]]] = Counter()
    named: list[Reading] = []
    for each in read:
        section += each.segment.kind == HEADING
        if each.named and (each.is_text or each.segment.kind == TYPED):
            often[0 if each.is_text else section, each.words] += 1
        typed = each.segment.kind == TYPED and each.distinct > 1
        if each.named and (each.is_text or typed):
            named.append(each)
            if each.name_words >= TAUT * len(each.words) or len(each.words) <= SHORT:
                # Units beside one another may state the same of themselves; one that states it thrice repeats itself.
                wholes[section if typed else 0, each.words] += 1
    empty: set[tuple[str, ...]] = set()
    frames: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for each in named:
        if each.is_text and not each.states and each.own <= 3 and (each.own <= 1 or each.name_words >= TAUT * len(each.words)):
            frames.setdefault(each.frame, []).append(each.named)
            empty |= {each.frame} if each.own <= 1 else set()
    found = [" ".join(words) for (_, words), times in wholes.items() if times >= SAID_AGAIN]
    found += [" ".join(words) for (_, words), times in often.items() if times >= TOO_OFTEN]
    found += [each.segment.text for each in named if each.is_text and each.twice]
    found += [
        " ".join(frame)
        for frame, filled in frames.items()
        if len(frame) > 1 and len(filled if frame in empty else set(filled)) >= SAID_AGAIN
    ]
    found += [
        name
        for each in named
        if each.is_text
        for name, times in Counter(each.named).items()
        if times >= IN_ONE and times * 2 > each.own
    ]
    return [text[:80] for text in dict.fromkeys(found)]
