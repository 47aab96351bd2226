"""Models whose behaviour is known, to try the instrument on: each is a function from a model's name and the exact messages to an
answer, as `FakeAsker` takes it."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from loom.core.policy.packing import FOOTER, HEADER
from loom.core.values import Json

Messages = Sequence[Mapping[str, Json]]
Answering = Callable[[str, Messages], str]

NOTHING_TO_SAY = "I cannot tell."

_ASKED = re.compile(r'^Start from "(.*)", follow "(.*)", and from whatever that leads to follow "(.*)"\. Which names')
_FACETS = re.compile(r"(?: \([^()]*\))?")


class Section(NamedTuple):
    """One unit as it is read from a block: its heading, and the names of its lines by label, as written."""

    heading: str
    lines: Mapping[str, str]

    def is_of(self, name: str) -> bool:
        rest = self.heading.removeprefix(f"## {name}")
        return rest != self.heading and bool(_FACETS.fullmatch(rest))

    def names(self, label: str, name: str) -> bool:
        return f", {name}, " in f", {self.lines.get(label, '')}, "


def sections(messages: Messages) -> Iterator[Section]:
    """The units that the messages show."""
    text = "\n".join(str(message.get("content") or "") for message in messages)
    block = text.partition(f"{HEADER}\n")[2].partition(f"\n{FOOTER}")[0]
    for section in filter(None, block.split("\n\n")):
        heading, *lines = section.split("\n")
        yield Section(heading, {label: names for label, _, names in (line.partition(": ") for line in lines)})


def asked(messages: Messages) -> tuple[str, str, str]:
    """A and the two relations of the question; empty where it is none of a chain."""
    found = _ASKED.match(str(messages[-1].get("content") or "")) if messages else None
    return (found[1], found[2], found[3]) if found else ("", "", "")


def composer(model: str, messages: Messages) -> str:
    """Follows the first relation from A's unit, and the second from the units it leads to, in what is shown and nothing else."""
    a, first, second = asked(messages)
    shown = list(sections(messages))
    begins = next((section for section in shown if section.is_of(a)), None)
    if begins is None:
        return NOTHING_TO_SAY
    found = [
        section.lines[second]
        for section in shown
        if second in section.lines and any(begins.names(first, name) for name in _titles(section.heading))
    ]
    return ", ".join(found) or NOTHING_TO_SAY


def guesser(model: str, messages: Messages) -> str:
    """Answers from whatever states the second relation, whoever it is of: needs B's unit, and no route to it."""
    second = asked(messages)[2]
    return ", ".join(section.lines[second] for section in sections(messages) if second in section.lines) or NOTHING_TO_SAY


def first_guesser(model: str, messages: Messages) -> str:
    """Answers from the first unit that states the second relation."""
    second = asked(messages)[2]
    return next((section.lines[second] for section in sections(messages) if second in section.lines), NOTHING_TO_SAY)


def enumerator(model: str, messages: Messages) -> str:
    """Names all that is shown."""
    said = [", ".join([section.heading.removeprefix("## "), *section.lines.values()]) for section in sections(messages)]
    return ", ".join(said) or NOTHING_TO_SAY


def _titles(heading: str) -> tuple[str, ...]:
    """What a heading may name: all of it, or what stands before its last bracket."""
    name = heading.removeprefix("## ")
    before = re.sub(r" \([^()]*\)$", "", name)
    return (name,) if before == name else (before, name)


SCRIPTED: Mapping[str, Answering] = {
    "composer": composer,
    "b-only guesser": guesser,
    "first guesser": first_guesser,
    "enumerator": enumerator,
}
"""The models that `loom lab chains check` tries the instrument on."""
