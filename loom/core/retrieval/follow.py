"""What a message asks by itself, what it leans on, and which earlier turns may hold its topic.

Pure and cheap: a few microseconds for a message of some sentences, and nothing is read of the turns before it unless it leans.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from loom.core.values import Turn


class Leans(IntEnum):
    """How far a message can be understood without what was said before it.

    NOT: by itself; earlier turns must not change what it is given. PERHAPS: it may go on with the topic or name its own, as
    "so who provides the money?" and "what about Paxos?" do: earlier turns count only where its own words name nothing, and then
    only for units that its own words bear out. FULLY: it points back ("what does it need?") or says nothing of its own ("why?").
    """

    NOT = 0
    PERHAPS = 1
    FULLY = 2


@dataclass(frozen=True, slots=True)
class Reading:
    """One message, read by itself.

    `own` is the part that asks: without greeting or thanks before it, and from after a phrase that changes the topic; "" where
    nothing is asked. `first` is the place in `own` of the first word that points at something outside it, -1 where none does:
    a name that was used before that place may be what the word means. `carries`: what is asked of the thing stands in an
    earlier question ("and Paxos?").
    """

    own: str
    switched: bool = False
    leans: Leans = Leans.NOT
    first: int = -1
    carries: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """What retrieval reads of a message and of the turns before it.

    `text` is the message as given, or the part of it that asks. `topics` are texts with weights up to 1, most recent first; there
    are none where the message does not lean. `asked` holds the words in which to look for the relation that is asked for.
    """

    text: str
    leans: Leans = Leans.NOT
    first: int = -1
    topics: tuple[tuple[str, float], ...] = ()
    asked: str = ""


def reads(text: str) -> Reading:
    return Reading(text)


def topics(before: Sequence[Turn]) -> list[tuple[str, float]]:
    """Texts of earlier turns that may hold the topic, with weights, most recent first."""
    return []


def query(text: str, before: Sequence[Turn]) -> Query:
    """What retrieval reads of a message after the turns before it; the message as it is where it does not lean."""
    return Query(text, asked=text)
