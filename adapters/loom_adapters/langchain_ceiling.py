"""The copy ceiling of a LangChain retriever: what an answer that repeats the retrieved documents would score.

from loom_adapters.langchain_ceiling import CeilingRetriever

retriever = CeilingRetriever.over(my_retriever, gold={"What does raku need?": ["Kiln", "Sawdust"]})
...                       # use it as the retriever that it stands for
print(retriever.ceiling())
"""

from collections.abc import Mapping, Sequence
from typing import Any

from loom.core.errors import MissingExtra
from loom.core.exposure import Ceilings, CopyAccount

try:
    from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from pydantic import PrivateAttr
except ImportError as error:
    raise MissingExtra(
        "Copy ceilings of LangChain retrievers need it; install it with `pip install langchain-core`."
    ) from error


class CeilingRetriever(BaseRetriever):
    """Stands for another retriever: gives its documents untouched and counts which gold of the query they show.

    `gold` gives for a query the names that a full answer states; a query that it does not have is passed on and listed as being
    without gold. Shown is the text of the documents and the query itself.
    """

    retriever: BaseRetriever
    _account: CopyAccount = PrivateAttr()

    @classmethod
    def over(
        cls, retriever: BaseRetriever, gold: Mapping[str, Sequence[str]], *, matcher: str = "default", kind: str = "all"
    ) -> "CeilingRetriever":
        """A retriever that keeps an account. `kind` is all, or any where one name is enough. Raises BadInput."""
        made = cls(retriever=retriever)
        made._account = CopyAccount(gold, matcher, kind=kind)
        return made

    def ceiling(self) -> Ceilings:
        """The account of all queries so far."""
        return self._account.ceiling()

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, **kwargs: Any
    ) -> list[Document]:
        found = self.retriever.invoke(query, config={"callbacks": run_manager.get_child()}, **kwargs)
        return self._counted(query, found)

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, **kwargs: Any
    ) -> list[Document]:
        found = await self.retriever.ainvoke(query, config={"callbacks": run_manager.get_child()}, **kwargs)
        return self._counted(query, found)

    def _counted(self, query: str, found: list[Document]) -> list[Document]:
        self._account.add(query, "\n".join(document.page_content for document in found))
        return found
