"""Copy ceilings of the retrievers of LangChain and Haystack, over the packages' own in-memory retrievers."""

import os
from typing import Any

import pytest

os.environ.setdefault("HAYSTACK_TELEMETRY_ENABLED", "False")

from haystack import Document as HaystackDocument
from haystack import Pipeline
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
from haystack.document_stores.in_memory import InMemoryDocumentStore
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import InMemoryVectorStore

from loom.core.errors import BadInput
from loom_adapters import haystack_ceiling, langchain_ceiling

TEXTS = {
    "What does raku firing need?": "Raku firing needs a raku kiln and sawdust.",
    "What hardens clay?": "A kiln hardens clay in a long bisque firing.",
}
GOLD = {
    "What does raku firing need?": ["Raku Kiln", "Sawdust", "Tongs"],
    "What hardens clay?": ["Kiln"],
}


class Fixed(BaseRetriever):
    """The text of each question, and nothing for others."""

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return [Document(TEXTS[query], metadata={"of": query})] if query in TEXTS else []


def test_a_langchain_retriever_is_accounted_and_left_as_it_was() -> None:
    retriever = langchain_ceiling.CeilingRetriever.over(Fixed(), GOLD)
    for query in TEXTS:
        assert retriever.invoke(query) == Fixed().invoke(query)
    assert retriever.invoke("What is glaze?") == []
    found = retriever.ceiling()
    assert [item.ceiling for item in found.items] == [pytest.approx(2 / 3), 1.0]
    assert found.items[0].hidden == ("Tongs",)
    assert (found.macro, found.micro, found.without_gold) == (pytest.approx(5 / 6), 3 / 4, ("What is glaze?",))


async def test_a_langchain_retriever_that_waits_is_accounted_too() -> None:
    retriever = langchain_ceiling.CeilingRetriever.over(Fixed(), GOLD, matcher="reference")
    documents = await retriever.ainvoke("What hardens clay?")
    assert [document.metadata for document in documents] == [{"of": "What hardens clay?"}]
    assert retriever.ceiling().micro == 1.0 and retriever.ceiling().matcher == "reference"


def test_a_vector_store_of_langchain_and_a_chain_over_it() -> None:
    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=16))
    store.add_texts(list(TEXTS.values()))
    retriever = langchain_ceiling.CeilingRetriever.over(store.as_retriever(search_kwargs={"k": 2}), GOLD)
    chain = retriever | (lambda documents: len(documents))
    assert chain.invoke("What does raku firing need?") == 2
    assert retriever.ceiling().items[0].exposed == (True, True, False)


@pytest.fixture
def store() -> InMemoryDocumentStore:
    made = InMemoryDocumentStore()
    made.write_documents([HaystackDocument(content=text, embedding=[1.0, float(at)]) for at, text in enumerate(TEXTS.values())])
    return made


def test_a_haystack_retriever_is_accounted_and_left_as_it_was(store: InMemoryDocumentStore) -> None:
    inner = InMemoryBM25Retriever(store, top_k=1)
    retriever = haystack_ceiling.CeilingRetriever(inner, GOLD)
    for query in TEXTS:
        assert retriever.run(query=query) == inner.run(query=query)
    assert [item.ceiling for item in retriever.ceiling().items] == [pytest.approx(2 / 3), 1.0]


def test_it_stands_in_a_pipeline_with_the_inputs_of_the_retriever(store: InMemoryDocumentStore) -> None:
    retriever = haystack_ceiling.CeilingRetriever(InMemoryBM25Retriever(store), GOLD)
    pipeline = Pipeline()
    pipeline.add_component("retriever", retriever)
    found = pipeline.run({"retriever": {"query": "What hardens clay?", "top_k": 1}})
    assert [document.content for document in found["retriever"]["documents"]] == [
        "A kiln hardens clay in a long bisque firing."
    ]
    assert retriever.ceiling().macro == 1.0


def test_a_retriever_by_embedding_is_told_the_query_besides(store: InMemoryDocumentStore) -> None:
    retriever = haystack_ceiling.CeilingRetriever(InMemoryEmbeddingRetriever(store, top_k=1), GOLD, kind="any")
    pipeline = Pipeline()
    pipeline.add_component("retriever", retriever)
    pipeline.run({"retriever": {"query_embedding": [1.0, 0.0], "query": "What does raku firing need?"}})
    item = retriever.ceiling().items[0]
    assert (item.symmetric, item.ceiling) == (1.0, pytest.approx(2 / 3))


def test_a_matcher_that_is_none_is_refused() -> None:
    with pytest.raises(BadInput, match="as matcher"):
        langchain_ceiling.CeilingRetriever.over(Fixed(), GOLD, matcher="loose")


@pytest.mark.parametrize(
    ("gold", "said"),
    [
        (None, "names by question, but got NoneType"),
        ([("What?", ["Kiln"])], "names by question, but got list"),
        ({"What?": 5}, "gold of 'What\\?' to be a list of names"),
        ({"What?": ["Kiln", 5]}, "gold of 'What\\?' to be a list of names"),
        ({"What?": [" "]}, "gold of 'What\\?' to be a list of names"),
    ],
)
def test_gold_that_is_no_names_is_refused(store: InMemoryDocumentStore, gold: Any, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        langchain_ceiling.CeilingRetriever.over(Fixed(), gold)
    with pytest.raises(BadInput, match=said):
        haystack_ceiling.CeilingRetriever(InMemoryBM25Retriever(store), gold)


def test_one_text_is_one_name_and_a_kind_is_all_or_any() -> None:
    retriever = langchain_ceiling.CeilingRetriever.over(Fixed(), {"What hardens clay?": "Kiln"})
    retriever.invoke("What hardens clay?")
    assert retriever.ceiling().items[0].gold == ("Kiln",)
    with pytest.raises(BadInput, match="kind to be all or any"):
        langchain_ceiling.CeilingRetriever.over(Fixed(), GOLD, kind="some")


def test_a_pipeline_with_it_can_be_written_and_read(store: InMemoryDocumentStore) -> None:
    pipeline = Pipeline()
    pipeline.add_component("retriever", haystack_ceiling.CeilingRetriever(InMemoryBM25Retriever(store), GOLD, kind="any"))
    again = Pipeline.loads(pipeline.dumps(), allowed_modules=["loom_adapters.haystack_ceiling"])
    retriever = again.get_component("retriever")
    retriever.run(query="What hardens clay?")
    assert retriever.ceiling().items[0].kind == "any"
