"""Whether a term is a name of the corpus: equal to a title, an alias or a slug once case, accents and punctuation are folded."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from loom.core.concepts import Concepts
from loom.core.names import Names, fold_name
from loom.core.values import Iri

NEAREST = 3
CONSIDERED = 400
OPENING = 4
"""Letters by which names are looked for that hold no word of a term."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Looks terms up in a generation; remembers what it found."""

    concepts: Concepts
    names: Names
    _known: dict[str, Iri | None] = field(default_factory=dict)

    def resolve(self, term: str) -> Iri | None:
        """The concept of which a term is a name: by title before alias before slug; None for none. Link brackets are no part of
        a term."""
        folded = fold_name(term)
        if folded not in self._known:
            found = self.names.exactly(folded) if folded else []
            self._known[folded] = self.concepts.iri(found[0][1]) if found else None
        return self._known[folded]

    def nearest(self, term: str) -> list[str]:
        """Titles of the concepts whose names are most like a term: of those that share a word with it, else the beginning of one."""
        folded = fold_name(term)
        entries: list[int] = []
        for word in dict.fromkeys(folded.split()):
            entries += self.names.with_word(word.encode())[:CONSIDERED].tolist()
        if not entries:
            for word in dict.fromkeys(folded.split()):
                entries += self.names.with_word_beginning(word[:OPENING].encode())[:CONSIDERED].tolist()
        best: dict[int, float] = {}
        for entry in dict.fromkeys(entries):
            like = SequenceMatcher(None, folded, self.names.names[entry].decode()).ratio()
            row = int(self.names.rows[entry])
            best[row] = max(like, best.get(row, 0.0))
        ordered = sorted(best, key=lambda row: (-best[row], row))
        return [self.concepts.title(row) for row in ordered[:NEAREST]]

    def resolved(self, terms: tuple[str, ...]) -> Mapping[str, Iri | None]:
        return {term: self.resolve(term) for term in terms}
