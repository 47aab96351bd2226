"""What tells bases apart, and the activation that their regions must exceed."""

from dataclasses import replace
from decimal import Decimal

from loom.core.facts.content import BaseContent
from loom.core.facts.describing import PROBES, REGIONS, described
from loom.core.facts.likeness import findable
from loom.core.facts.memory_held import MemoryHeld
from loom.core.facts.values import Base, SourceFile, Span


def content(id: str, *texts: str) -> BaseContent:
    iri = f"urn:kb:{id}:"
    source = SourceFile(f"{iri}source/a", iri, "a", "Alpha", "text")
    spans = [
        Span(f"{iri}span/a/{at}", iri, source.iri, Decimal(at), Decimal(at + 1), str(at), text) for at, text in enumerate(texts)
    ]
    return BaseContent(Base(iri, id, id.title(), sources=(source,)), spans=spans)


def told(*contents: BaseContent) -> list[Base]:
    documents = findable([one.base for one in contents], [span for one in contents for span in one.spans], [], [])
    return [one.base for one in described(contents, documents)]


def test_words_of_more_than_half_of_the_bases_are_generic() -> None:
    bases = told(
        content("a", "common kiln glaze"), content("b", "common choir"), content("c", "kiln dough"), content("d", "common x")
    )
    terms = {base.id: {term for term, _ in base.descriptor} for base in bases}
    assert "common" not in terms["a"] | terms["b"] | terms["d"]
    assert terms["a"] == {"kiln", "glaze"} and "kiln" in terms["c"]


def test_what_a_base_alone_says_often_comes_first() -> None:
    (base, *_) = told(
        content("a", "kiln kiln glaze shared"), content("b", "shared"), content("c", "other"), content("d", "more")
    )
    assert [term for term, _ in base.descriptor] == ["kiln", "glaze", "shared"]
    assert [weight for _, weight in base.descriptor] == sorted((weight for _, weight in base.descriptor), reverse=True)


def test_one_base_and_two_keep_their_words() -> None:
    (base,) = told(content("one", "kiln"))
    assert "kiln" in {term for term, _ in base.descriptor}


def test_the_threshold_is_what_unrelated_probes_reach() -> None:
    words = "winter onions dog cactus mountains".split()
    touched = content("a", "The cat sat by the lighthouse and wrote a poem.", *(f"{word} and kilns" for word in words))
    untouched = content("b", "zirconium glaze")
    first, second = told(touched, untouched)
    held = MemoryHeld([first, second], spans=[*touched.spans, *untouched.spans])
    scores = sorted(
        score for probe in PROBES for _, score in held.search([probe], REGIONS, frozenset({f"{first.iri}source/a"}))
    )
    assert first.threshold in scores and scores[0] < first.threshold <= scores[-1]
    assert sum(score > first.threshold for score in scores) * 20 <= len(scores)
    assert second.threshold == 0


def test_descriptions_follow_from_content_alone() -> None:
    one, other = content("a", "kiln glaze", "glaze"), content("b", "choir")
    assert told(one, other) == told(one, other)
    turned = replace(one, spans=one.spans[::-1])
    assert told(turned, other)[0] == told(one, other)[0]
