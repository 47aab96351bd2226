"""`from loom.lab import ceiling, decompose`: plain lists and data frames of people who have their own retrieval."""

import math
import os
import subprocess
import sys
from typing import Any

import pandas
import polars
import pytest

from loom.core.errors import BadInput
from loom.lab import ceiling, decompose

ITEMS: list[dict[str, Any]] = [
    {
        "id": "1",
        "question": "What does raku firing need?",
        "gold": ["Raku Kiln", "Sawdust", "Tongs"],
        "context": "Raku firing needs a raku kiln and sawdust.",
        "answer": "A raku kiln and tongs.",
        "domain": "firing",
    },
    {
        "id": "2",
        "question": "Name something that hardens clay.",
        "gold": ["Kiln", "Bonfire"],
        "gold_type": "any",
        "context": "A kiln hardens clay, as a bonfire does.",
        "answer": "A kiln.",
        "domain": "clay",
    },
]


def test_the_ceiling_of_plain_items() -> None:
    found = ceiling(ITEMS)
    assert [item.exposed for item in found.items] == [(True, True, False), (True, True)]
    assert (found.macro, found.micro) == (pytest.approx(5 / 6), 4 / 5)
    assert found.items[0].hidden == ("Tongs",)
    assert found.as_json()["items"][0] | {"tokens": 0} == {
        "id": "1",
        "template": "",
        "domain": "firing",
        "gold_type": "all",
        "n_gold": 3,
        "exposed": 2,
        "ceiling": 0.666667,
        "symmetric": 0.666667,
        "tokens": 0,
        "hidden": ["Tongs"],
    }
    assert "macro     0.8333" in str(found) and set(found.by("domain")) == {"clay", "firing"}


def test_the_decomposition_of_plain_items() -> None:
    found = decompose(ITEMS, resamples=200)
    whole = found.pooled[0]
    assert whole.counts.as_json() == {"n11": 2, "n10": 2, "n01": 1, "n00": 0}
    assert (whole.micro.compliant, whole.recall) == (1, pytest.approx(5 / 6))
    assert "grounded · model" in str(found) and found.as_json()["seed"] == 42


def test_frames_are_lists_of_their_rows() -> None:
    for frame in (pandas.DataFrame(ITEMS), polars.DataFrame(ITEMS)):
        assert decompose(frame, resamples=0).as_json() == decompose(ITEMS, resamples=0).as_json()
        assert ceiling(frame).as_json() == ceiling(ITEMS).as_json()


def test_holes_of_frames_are_nothing() -> None:
    frame = pandas.DataFrame([{**ITEMS[0], "answer": math.nan, "gold_type": None}])
    whole = decompose(frame, resamples=0).pooled[0]
    assert (whole.n, whole.flow.empty, whole.service.recall) == (0, 1, 0.0)


def test_contexts_may_be_lists_of_texts_or_of_documents() -> None:
    class Document:
        page_content = "Sawdust."

    item = ITEMS[0] | {"context": ["Raku kiln.", {"content": "Tongs."}, Document()]}
    assert ceiling([item]).macro == 1.0


def test_names_of_a_set_are_in_one_order_in_every_process() -> None:
    code = (
        "from loom.lab import ceiling; gold = {'Kiln', 'Sand', 'Sawdust', 'Tongs', 'Water'}; "
        "print(ceiling([{'question': 'What?', 'gold': gold, 'context': 'A kiln.'}]).items[0].hidden)"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert said[0] == said[1] == "('Sand', 'Sawdust', 'Tongs', 'Water')\n"


def test_names_may_be_objects_with_a_title() -> None:
    assert ceiling([ITEMS[0] | {"gold": [{"title": "Sawdust"}]}]).macro == 1.0


def test_members_may_be_named_as_other_tools_name_them() -> None:
    item = {"user_input": "What?", "references": ["Sawdust"], "retrieved_contexts": ["sawdust"], "response": "sawdust"}
    assert decompose([item], resamples=0).pooled[0].counts.n11 == 1


def test_models_and_arms_are_kept_apart_by_the_question() -> None:
    items = [{**ITEMS[0], "model": model, "answer": answer} for model, answer in (("a", "sawdust"), ("b", "tongs"))]
    for item in items:
        del item["id"]
    assert [cell.counts.recovered for cell in decompose(items, resamples=0).cells] == [1, 1]
    with pytest.raises(BadInput, match="has two"):
        decompose([*items, items[0]], resamples=0)


@pytest.mark.parametrize(
    ("items", "said"),
    [
        ([], "at least one item with gold"),
        ("text", "a list of objects"),
        ({"gold": []}, "a list of objects"),
        (7, "but got int"),
        ([3], "item 1 to be an object"),
        ([{"question": "What?", "context": "x", "answer": "y"}], "at least one item with gold"),
        ([{"question": "What?", "gold": [3], "context": "x"}], "each name of item 1"),
        ([{"question": "What?", "gold": [" "], "context": "x"}], "each name of item 1"),
        ([{"question": "What?", "gold": 3, "context": "x"}], "gold to be a list of names in item 1"),
        ([{"question": "What?", "gold": ["A"], "context": 3}], "the context of item 1 to be a text"),
        ([{"question": 3, "gold": ["A"], "context": "x"}], "question to be a text in item 1"),
        ([{"question": "What?", "gold": ["A"], "gold_type": "some"}], "all or any in item 1"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("door", [ceiling, decompose])
def test_what_is_no_item_is_refused_in_one_sentence(door: Any, items: Any, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        door(items)


def test_members_under_other_names_do_not_pass_for_empty_ones() -> None:
    items = [{"question": "What?", "gold": ["A"], "passages": "A", "reply": "A"}] * 2
    with pytest.raises(BadInput, match=r"context or contexts .* but they have question, gold, passages, reply"):
        ceiling(items)
    with pytest.raises(BadInput, match=r"answer or response .* but they have question"):
        decompose(items)
    assert ceiling([{**items[0], "context": None}]).macro == 0.0
    assert decompose([{**items[0], "answer": None}], resamples=0).pooled[0].flow.empty == 1


def test_groups_and_ids_may_be_whole_numbers() -> None:
    item = {"question": "What?", "gold": ["A"], "context": "A", "answer": "A"}
    items = [{**item, "id": 1.0, "model": 7, "domain": 3}, {**item, "id": 2, "model": 7, "domain": 4}]
    made = decompose(items, resamples=0)
    assert [dict(cell.group)["model"] for cell in made.cells] == ["7"]
    assert [dict(cell.group)["domain"] for cell in made.domains] == ["3", "4"]
    with pytest.raises(BadInput, match="id to be a text"):
        decompose([{**item, "id": 1.5}])


def test_gold_may_be_one_object_and_lazy_frames_are_read() -> None:
    item = {"question": "What?", "gold": {"title": "Kiln"}, "context": "A kiln.", "answer": ""}
    assert ceiling([item]).macro == 1.0
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame([{**item, "gold": ["Kiln", "Sand"]}]).lazy()
    assert ceiling(frame).macro == 0.5
    assert ceiling([{**item, "gold": polars.Series(["Kiln", "Sand"])}]).macro == 0.5


def test_a_matcher_that_is_none_is_refused() -> None:
    for door in (ceiling, decompose):
        with pytest.raises(BadInput, match="as matcher"):
            door(ITEMS, matcher="loose")


def test_the_library_loads_no_frames_and_no_scipy() -> None:
    code = (
        "import sys; from loom.lab import ceiling, decompose; "
        "decompose([{'question': 'q', 'gold': ['A'], 'context': 'a', 'answer': 'a'}], resamples=0); "
        "print([name for name in ('pandas', 'polars', 'scipy', 'fastapi', 'langchain_core', 'ray') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (run.stdout.strip(), run.stderr) == ("[]", "")
