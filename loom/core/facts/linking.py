"""Where the things of knowledge bases are concepts of the ontology: their names there, which a question may use (seed 003 §6).

The link is declared, never guessed: a name of the concept is a further name of the entity, but where somebody declares it already.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from loom.core.facts.content import BaseContent
from loom.core.facts.tokens import folded
from loom.core.facts.values import Base, Entity
from loom.core.values import Concept, Iri


def linked(contents: Sequence[BaseContent], concepts: Iterable[Concept]) -> list[BaseContent]:
    """The same bases, entities with the names of their concepts, its title first; none where the ontology does not have it."""
    wanted = {entity.concept for content in contents for entity in content.base.entities if entity.concept}
    names = {one.iri: (one.title, *one.aliases) for one in concepts if one.iri in wanted and not one.deprecated}
    if not names:
        return list(contents)
    declared = frozenset(words for content in contents for words in _declared(content.base))
    return [
        replace(
            content, base=replace(content.base, entities=tuple(_named(one, names, declared) for one in content.base.entities))
        )
        for content in contents
    ]


def _named(entity: Entity, names: Mapping[Iri, Sequence[str]], declared: frozenset[tuple[str, ...]]) -> Entity:
    title, *aliases = names.get(entity.concept, ("",))
    if not title:
        return entity
    free = (name for name in dict.fromkeys(aliases) if folded(name) and folded(name) not in declared and name != title)
    called = (title,) if folded(title) and folded(title) not in declared else ()
    return replace(entity, titled=title, labels=(*called, *free))


def _declared(base: Base) -> Iterable[tuple[str, ...]]:
    texts = [base.title, base.id, *(alias for _, alias in base.aliases)]
    texts += [text for one in base.sources for text in (one.title, *(alias for _, alias in one.aliases))]
    texts += [text for one in base.entities for text in (one.name, *(alias for _, alias in one.aliases))]
    texts += [text for metric in base.metrics for text in (metric.name, *(word for _, word in metric.words))]
    texts += [text for one in base.attributes for text in (one.name, *(word for word, _ in one.words))]
    return map(folded, texts)
