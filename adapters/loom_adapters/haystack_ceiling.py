"""The copy ceiling of a Haystack retriever: what an answer that repeats the retrieved documents would score.

from loom_adapters.haystack_ceiling import CeilingRetriever

retriever = CeilingRetriever(my_retriever, gold={"What does raku need?": ["Kiln", "Sawdust"]})
pipeline.add_component("retriever", retriever)   # with the inputs and outputs of the retriever that it stands for
...
print(retriever.ceiling())
"""

from collections.abc import Mapping, Sequence
from typing import Any

from loom.core.errors import MissingExtra
from loom.core.exposure import Ceilings, CopyAccount

try:
    from haystack import component
    from haystack.dataclasses import Document
except ImportError as error:
    raise MissingExtra("Copy ceilings of Haystack retrievers need it; install it with `pip install haystack-ai`.") from error


@component
class CeilingRetriever:
    """Stands for another retriever: has its inputs, gives its documents untouched and counts which gold of the query they show.

    `gold` gives for a query the names that a full answer states; a query that it does not have is passed on and listed as being
    without gold. Shown is the text of the documents and the query itself. A retriever by embedding has no query among its inputs:
    this one then takes it as `query` besides.
    """

    def __init__(
        self, retriever: Any, gold: Mapping[str, Sequence[str]], *, matcher: str = "default", kind: str = "all"
    ) -> None:
        """`kind` is all, or any where one name is enough. Raises BadInput."""
        self.retriever, self.gold, self.matcher, self.kind = retriever, gold, matcher, kind
        self._account = CopyAccount(gold, matcher, kind=kind)
        sockets = retriever.__haystack_input__._sockets_dict
        self._by_query = "query" in sockets
        for name, socket in sockets.items():
            if socket.is_mandatory:
                component.set_input_type(self, name, socket.type)
            else:
                component.set_input_type(self, name, socket.type, socket.default_value)
        if not self._by_query:
            component.set_input_type(self, "query", str)

    def ceiling(self) -> Ceilings:
        """The account of all queries so far."""
        return self._account.ceiling()

    def warm_up(self) -> None:
        """Warm up the retriever, if it wants to be."""
        if hasattr(self.retriever, "warm_up"):
            self.retriever.warm_up()

    @component.output_types(documents=list[Document])
    def run(self, **inputs: Any) -> dict[str, Any]:
        """Whatever the retriever gives."""
        query = str(inputs.get("query") or "")
        passed = inputs if self._by_query else {name: value for name, value in inputs.items() if name != "query"}
        found: dict[str, Any] = self.retriever.run(**passed)
        self._account.add(query, "\n".join(document.content or "" for document in found["documents"]))
        return found
