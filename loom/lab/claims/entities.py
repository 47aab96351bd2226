"""A graph of entities over the signals of a workspace, as graph-based pipelines index one (seed 001 §10.2 b): entities with what is said of
them, communities of entities that occur together, and a summary of each, written once by the model that reasons."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from loom.claims.drafting import row
from loom.core.claims.judging.asked import Cited, Inquiry, Known
from loom.core.claims.stored import CallRow, Wanted
from loom.core.claims.view import ClaimView
from loom.lab.claims.workspace import PAGE, Workspace, frontier_of

_NAME = re.compile(r"\b[A-Z][\w'-]+(?:\s+[A-Z][\w'-]+)*")
SUMMED = 12
"""Signals that a summary is written from."""
SHOWN = 3
"""Signals that stand for a community where the model says nothing of it."""


def names_in(text: str) -> list[str]:
    """Names of a text by their capital letters; a first word alone counts where it is no plain word at the start of a sentence."""
    found = [each for each in _NAME.findall(text) if " " in each or not text.startswith(each)]
    return list(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class Graph:
    """`said` are the signals of each entity, `texts` those of signals; `community` that of each entity, `summaries` by community. `calls` made
    the summaries, once."""

    said: Mapping[str, Sequence[str]]
    texts: Mapping[str, str]
    community: Mapping[str, int]
    summaries: Mapping[int, str]
    calls: Sequence[CallRow]

    def sources(self, hits: Sequence[tuple[str, str]], request: str, count: int) -> tuple[Cited, ...]:
        """What may be cited for a request: (id, text) of what was found, whatever is said of the entities that it or the best hit names, and the
        summary of their community; hits come first, each entity's signals in turn."""
        named = names_in(request) or [name for _, text in hits[:1] for name in names_in(text)]
        own = [name for name in named if name in self.said]
        near = [id for name in own for id in self.said[name]]
        found = dict(hits[: count // 2])
        for id in near:
            if len(found) < count - bool(own):
                found.setdefault(id, self.texts[id])
        for id, text in hits:
            if len(found) < count - bool(own):
                found.setdefault(id, text)
        made = [Cited(id, text) for id, text in found.items()]
        for at in dict.fromkeys(self.community[name] for name in own[:1]):
            made.append(Cited(f"community:{at}", self.summaries[at]))
        return tuple(made[:count])


async def indexed(workspace: Workspace) -> Graph:
    """The graph over all signals that count, whatever is derived from them."""
    texts = await workspace.store.look(_signals)
    said: dict[str, list[str]] = {}
    together: list[list[str]] = []
    for id, text in texts.items():
        names = names_in(text)
        together.append(names)
        for name in names:
            said.setdefault(name, []).append(id)
    community = _components(said, together)
    members: dict[int, list[str]] = {}
    for name, at in community.items():
        members.setdefault(at, []).append(name)
    summaries: dict[int, str] = {}
    calls: list[CallRow] = []
    for at, names in members.items():
        ids = list(dict.fromkeys(id for name in names for id in said[name]))[:SUMMED]
        inquiry = Inquiry(f"What do these say of {', '.join(names)}?", tuple(Known(id, texts[id]) for id in ids))
        judged = await frontier_of(workspace.judges).derive(inquiry)
        calls += [row(call, "once", "graph", "") for call in judged.calls]
        summaries[at] = " ".join(each.proposition for each in judged.value) or " ".join(texts[id] for id in ids[:SHOWN])
    return Graph(said, texts, community, summaries, calls)


def _signals(view: ClaimView) -> dict[str, str]:
    found: dict[str, str] = {}
    after = ""
    while page := view.list_signals(Wanted(after=after, limit=PAGE)):
        found.update((each.signal.id, each.signal.proposition) for each in page if each.supported)
        after = page[-1].signal.id
    return found


def _components(names: Mapping[str, object], together: Sequence[Sequence[str]]) -> dict[str, int]:
    """Connected parts, numbered in the order of their first entity."""
    parent = {name: name for name in names}

    def root(name: str) -> str:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for several in together:
        for other in several[1:]:
            parent[root(other)] = root(several[0])
    numbers: dict[str, int] = {}
    return {name: numbers.setdefault(root(name), len(numbers)) for name in names}
