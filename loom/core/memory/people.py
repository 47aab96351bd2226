"""Who a conversation knows: names, and which of them are one person's."""

from collections.abc import Iterable

from loom.core.memory.values import Person
from loom.core.text import fold


def key_of(name: str) -> str:
    """The key of a person: the name folded, words apart by one space."""
    return " ".join(fold(name).split())


def merged(people: Iterable[Person]) -> tuple[Person, ...]:
    """One person a key, by key: the first name that was given, all aliases in the order in which they came."""
    found: dict[str, Person] = {}
    for person in people:
        before = found.get(person.key)
        if before is None:
            found[person.key] = person
            continue
        names = dict.fromkeys((*before.aliases, person.name, *person.aliases))
        names.pop(before.name, None)
        found[person.key] = Person(person.key, before.name, tuple(names), before.speaks or person.speaks)
    return tuple(found[key] for key in sorted(found))
