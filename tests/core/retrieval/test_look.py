"""What is read of a question before anything is looked for."""

import pytest

from loom.core.retrieval.look import SPEAKS_OF


@pytest.mark.parametrize(
    "clause",
    ["According to the harbour handbook, ", "In the DreamLab knowledge graph, ", "Based on our notes, ", "From the docs, "],
)
def test_a_clause_that_says_where_to_look_is_not_what_is_looked_for(clause: str) -> None:
    assert SPEAKS_OF.sub("", f"{clause}what is a kiln?", count=1) == "what is a kiln?"


@pytest.mark.parametrize(
    "text", ["In the kitchen, what is a stock pot?", "With the tide kiln, how is salt glazed?", "In the end, why?"]
)
def test_a_clause_that_names_something_else_stays(text: str) -> None:
    assert SPEAKS_OF.match(text) is None
