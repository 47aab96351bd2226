"""The semantic re-score: spans, thresholds, and contexts that are admitted only if they expose what was exposed."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from support.scoring import made

from loom.core.errors import BadInput
from loom.core.exposure import Counts
from loom.lab.row import Row
from loom.lab.scoring import Scorer, decomposed
from loom.lab.scoring.semantic import reconstructed, semantic_scores, stated_exposure
from loom.lab.scoring.spans import spans
from loom_adapters.fake_embedder import FakeEmbedder


def pairs(*rows: Row):  # type: ignore[no-untyped-def]
    return [(row, Scorer()(row)) for row in rows]


def test_spans_are_short_runs_of_words_chunks_and_the_whole() -> None:
    assert spans("Raku kiln, sawdust") == ["Raku", "Raku kiln", "kiln", "sawdust", "Raku kiln, sawdust"]


def test_no_span_but_chunk_and_whole_is_longer_than_six_words_and_none_crosses_a_delimiter() -> None:
    found = spans("a b c d e f g h. i")
    assert "a b c d e f" in found and "a b c d e f g" not in found and "a b c d e f g h" in found and "h. i" not in found
    assert found[-1] == "a b c d e f g h. i"


def test_an_empty_text_has_no_spans() -> None:
    assert spans(" \n ") == []


def test_a_name_in_other_order_is_near_enough_for_meaning_and_not_for_the_matcher() -> None:
    row = made("q", ["Kiln of Raku"], ["Kiln of Raku"], "It is the raku of kiln.")
    found = semantic_scores(pairs(row), FakeEmbedder().embed)
    for scores in found.values():
        assert decomposed(scores, resamples=0).arm("scaffold").counts == Counts(1, 0, 0, 0)
    assert set(found) == {0.80, 0.85, 0.90}


def test_both_sides_are_read_by_the_same_matcher_and_a_threshold_moves_both() -> None:
    row = made("q", ["Raku Kiln Sawdust Tongs"], ["raku kiln sawdust"], "raku kiln sawdust")
    found = semantic_scores(pairs(row), FakeEmbedder().embed, (0.80, 0.95))
    assert decomposed(found[0.80], resamples=0).arm("scaffold").counts == Counts(1, 0, 0, 0)
    assert decomposed(found[0.95], resamples=0).arm("scaffold").counts == Counts(0, 0, 0, 1)


def test_an_empty_answer_recovers_nothing() -> None:
    row = made("q", ["Raku"], ["Raku"], "", status="empty")
    scores = semantic_scores(pairs(row), FakeEmbedder().embed, (0.8,))[0.8]
    assert decomposed(scores, resamples=0).arm("scaffold").service.micro.counts == Counts(0, 1, 0, 0)


def test_a_context_is_embedded_once_for_all_models() -> None:
    asked: list[str] = []

    def embed(texts: Sequence[str]) -> np.ndarray:
        asked.extend(texts)
        return FakeEmbedder().embed(texts)

    semantic_scores(pairs(*(made("q", ["Raku"], ["Raku"], ["Raku"], model=f"m{at}") for at in range(5))), embed)
    assert len(asked) == len(set(asked))


@pytest.mark.parametrize("threshold", [0.0, 1.2, -1.0])
def test_a_threshold_that_is_none_is_refused(threshold: float) -> None:
    with pytest.raises(BadInput, match="a threshold above 0"):
        semantic_scores([], FakeEmbedder().embed, (threshold,))


def stored(count: int | None, **showing: object) -> Row:
    row = made("q", ["Raku", "Kiln"], ["Raku"], ["Raku"])
    return row if count is None else replace(row, showing={**row.showing, "n_gold_exposed": count, **showing})


def test_contexts_made_again_are_admitted_where_every_count_is_the_stored_one() -> None:
    row = stored(1, messages=[])
    (again,) = reconstructed([row], {"q": "Raku is fired."}, "scaffold", "default")
    assert again.messages[0]["content"] == "Raku is fired."
    assert stated_exposure(stored(None), "default") == 1


@pytest.mark.parametrize("context", ["Raku in a kiln.", "Nothing."])
def test_one_context_that_exposes_something_else_refuses_all(context: str) -> None:
    with pytest.raises(BadInput, match="'q' to expose 1 of its gold"):
        list(reconstructed([stored(1)], {"q": context}, "scaffold", "default"))


def test_a_row_that_states_no_count_admits_no_context() -> None:
    row = stored(None)
    with pytest.raises(BadInput, match="n_gold_exposed"):
        list(reconstructed([replace(row, showing={})], {"q": "Raku"}, "scaffold", "default"))


def test_a_question_without_context_is_refused_and_other_arms_stay_as_they_are() -> None:
    with pytest.raises(BadInput, match="a context for every question"):
        list(reconstructed([stored(1)], {}, "scaffold", "default"))
    raw = replace(stored(1), arm="raw")
    assert list(reconstructed([raw], {}, "scaffold", "default")) == [raw]
