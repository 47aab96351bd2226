"""A question of the battery: what it says, what has to be in the context that is assembled for it, and what must not be."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.lines import lines

Needle = tuple[str, ...]
"""Ways to write one thing; one of them is enough."""


@dataclass(frozen=True, slots=True)
class BatteryQuestion:
    """`battery` is its id in the battery (S1, X2, …), `kind` its class; `messages` are role and content, the last one the question.

    In a context: all of `needle`; of each group of `aligned` all needles in one line; nothing of `forbidden`; where it holds the
    second of a pair of `above`, the first stands before it. With `within`, sources of other bases are foreign. In an answer
    nothing of `unsaid` either. `bases` are those that own what is asked for, `sources` the files, as base and path. `same_as` is
    the question whose context this one's equals in `same`: all of it ("context"), or its computed facts ("facts").
    """

    id: str
    battery: str
    kind: str
    language: str
    messages: tuple[Mapping[str, str], ...]
    needle: tuple[Needle, ...] = ()
    aligned: tuple[tuple[Needle, ...], ...] = ()
    forbidden: tuple[str, ...] = ()
    unsaid: tuple[str, ...] = ()
    above: tuple[tuple[str, str], ...] = ()
    within: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    same_as: str = ""
    same: str = ""
    more: Mapping[str, Json] = field(default_factory=dict)
    """What a class has of its own. `committed`: whether an address binds the route; `starved`: bases of high score that may get
    nothing; `hydrate`, `between`: the source and stretch that a directive has to fetch where the context has no prose; `concurrent`,
    `of`: how many of which questions are asked at once; `replies`: directives with what they may fetch; `named`: ends of a chain that
    the question names."""

    @property
    def prompt(self) -> str:
        return self.messages[-1]["content"]

    def as_json(self) -> dict[str, Json]:
        """A line of a question file; empty members are left out."""
        stated = asdict(self)
        stated["class"] = stated.pop("kind")
        return {**{name: value for name, value in stated.items() if name != "more" and value not in ("", (), [])}, **self.more}


_NAMED = frozenset(
    "id battery class language messages needle aligned forbidden unsaid above within bases sources same_as same".split()
)


def read(path: Path) -> Iterator[BatteryQuestion]:
    """The questions of a file. Raises BadInput with the line that is none."""
    for number, row in lines(path, "questions"):
        try:
            yield _question(row)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise BadInput(
                f"Expected a question of the battery in line {number} of {path}, with id, battery, class and messages; "
                "`loom lab battery generate` writes such a file.",
                param="questions",
            ) from None


def _question(row: Mapping[str, Json]) -> BatteryQuestion:
    messages = tuple({"role": str(one["role"]), "content": str(one["content"])} for one in row["messages"])
    if not messages:
        raise ValueError("Expected a message.")
    return BatteryQuestion(
        id=str(row["id"]),
        battery=str(row["battery"]),
        kind=str(row["class"]),
        language=str(row.get("language", "")),
        messages=messages,
        needle=_needles(row.get("needle")),
        aligned=tuple(map(_needles, row.get("aligned", ()))),
        forbidden=_texts(row.get("forbidden")),
        unsaid=_texts(row.get("unsaid")),
        above=tuple((str(first), str(second)) for first, second in row.get("above", ())),
        within=_texts(row.get("within")),
        bases=_texts(row.get("bases")),
        sources=_texts(row.get("sources")),
        same_as=str(row.get("same_as", "")),
        same=str(row.get("same", "")),
        more={name: value for name, value in row.items() if name not in _NAMED},
    )


def _texts(given: Json) -> tuple[str, ...]:
    if isinstance(given, str):
        raise TypeError("Expected a list of texts.")
    return tuple(map(str, given or ()))


def _needles(given: Json) -> tuple[Needle, ...]:
    return tuple(map(_texts, given or ()))
