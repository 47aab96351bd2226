"""What the write path reads of a generation: which concept a term names, what it is called, where its page is, how much it says."""

from collections.abc import Sequence
from dataclasses import dataclass

from loom.core.concepts import Concepts
from loom.core.errors import BadInput
from loom.core.generation import Generation
from loom.core.matching.default import DefaultLexicon
from loom.core.matching.naming import places_of
from loom.core.names import Names, fold_name
from loom.core.text import words, words_as_written
from loom.core.values import Iri
from loom.lab.extraction.terms import Terms


@dataclass(frozen=True, slots=True)
class Served:
    """A generation as the write path sees it."""

    id: str
    terms: Terms
    lexicon: DefaultLexicon

    def resolve(self, term: str) -> Iri | None:
        return self.terms.resolve(term)

    def nearest(self, term: str) -> Sequence[str]:
        return self.terms.nearest(term)

    def title(self, iri: Iri) -> str:
        """The title of a concept, "" where there is none."""
        row = self._concepts.row(iri)
        return "" if row is None else self._concepts.title(row)

    def words(self, iri: Iri) -> int | None:
        """How many words a concept has as it is served, None where it is not."""
        row = self._concepts.row(iri)
        if row is None:
            return None
        record = self._concepts.record(row)
        said = record.get("full") or record.get("definition", "")
        return len(f"{said} {record.get('prose', '')}".split())

    def page(self, iri: Iri) -> str:
        """The file that a concept was read from, "" where that is not known."""
        row = self._concepts.row(iri)
        source = "" if row is None else str(self._concepts.record(row).get("source", ""))
        file, _, line = source.rpartition(":")
        return file if line.isdigit() else source

    def stated(self, iri: Iri) -> frozenset[Iri]:
        """The concepts that a concept is already related to, whatever the relation."""
        row = self._concepts.row(iri)
        if row is None:
            return frozenset()
        record = self._concepts.record(row)
        relations = record.get("relations", {})
        return frozenset({*record.get("parents", ()), *(target for targets in relations.values() for target in targets)})

    def known(self, name: str) -> bool:
        """Whether a name is one of the corpus."""
        return self.terms.resolve(name) is not None

    def named(self, text: str) -> list[tuple[str, Iri]]:
        """The concepts that a text names, each with the words that name it: the longest name at each place, of one word only where it is
        the title itself, since many a short alias is a common verb."""
        written, shown = words(text), words_as_written(text)
        if len(written) != len(shown):
            shown = written
        found: dict[Iri, str] = {}
        for row, start, n, inner in places_of(self.lexicon, written):
            name = " ".join(shown[start : start + n])
            if not inner and (n > 1 or fold_name(name).rstrip("s") == fold_name(self._concepts.title(row)).rstrip("s")):
                found.setdefault(self._concepts.iri(row), name)
        return [(name, iri) for iri, name in found.items()]

    @property
    def relations(self) -> Sequence[str]:
        return self._concepts.predicates

    @property
    def _concepts(self) -> Concepts:
        return self.terms.concepts


def served(generation: Generation) -> Served:
    """Raises BadInput for a generation without concepts and their names."""
    concepts, names, lexicon = generation.part(Concepts), generation.part(Names), generation.part(DefaultLexicon)
    if concepts is None or names is None or lexicon is None:
        raise BadInput(
            "Expected a generation with concepts and names, but this one lacks them; build it anew.", param="generation"
        )
    return Served(generation.id, Terms(concepts, names), lexicon)
