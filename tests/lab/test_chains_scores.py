"""Scores of chains: known models give known figures, Δ is read against its headroom."""

import asyncio
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import real
from support.kitchen import kitchen

from loom import compose
from loom.cli.lab.planning import ground
from loom.core.errors import BadInput
from loom.core.exposure import READERS
from loom.lab.chains import ARMS, ChainScore, Result, contrasted, mine, score, showings
from loom.lab.chains.check import FOLLOWED, answered, known
from loom.lab.chains.contrast import B_ONLY, BOTH
from loom.lab.ground import Ground
from loom.lab.question import LabQuestion, Target
from loom.lab.row import Row, row_of
from loom.lab.showing import PLANNED, Showing


async def _rows(planned: Sequence[Showing]) -> list[Row]:
    return [row async for row in answered(planned)]


def tried(vault: Ground, most: int, per_subject: int, matcher: str) -> tuple[list[Showing], Result]:
    """Every scripted model over the chains of a generation."""
    planned = list(showings(vault, mine(vault, most=most, per_subject=per_subject).chains))
    rows = asyncio.run(_rows(planned))
    return planned, contrasted(found for row in rows if (found := score(row, matcher)) is not None)


@pytest.fixture(scope="module")
def vault() -> Iterator[Ground]:
    with kitchen() as (node, pin):
        yield ground(node, pin)


def holds(planned: list[Showing], result: Result) -> None:
    """The bar: the composer follows every manipulation, guessers have no Δ, an enumerator is caught by precision."""
    composer, enumerator = result.rates["composer"], result.rates["enumerator"]
    assert list(composer) == list(ARMS)
    for arm, rate in composer.items():
        followed = arm.removeprefix("chain/") in FOLLOWED
        assert rate.recall == (1.0 if followed else 0.0), arm
        assert rate.precision == (1.0 if followed else None), arm
        assert rate.n == sum(showing.arm == arm and showing.status == PLANNED for showing in planned)
        if rate.old is not None:
            assert rate.old == 0.0
    deltas = {delta.model: delta for delta in result.deltas}
    for name in ("b-only guesser", "first guesser", "enumerator"):
        paired = deltas[name].paired
        assert paired is not None
        assert (paired.mean, paired.nonzero, paired.p_holm) == (0.0, 0, 1.0)
    assert result.rates["b-only guesser"][BOTH].recall == result.rates["b-only guesser"][B_ONLY].recall == 1.0
    assert deltas["b-only guesser"].verdict == deltas["enumerator"].verdict == "uninformative"
    assert deltas["first guesser"].verdict == "flat"
    assert (deltas["composer"].verdict, deltas["composer"].share) == ("positive", 1.0)
    for arm in ("chain/both", "chain/b-only", "chain/edge-swap", "chain/reversal", "chain/renamed"):
        assert enumerator[arm].recall == 1.0
        assert (enumerator[arm].precision or 0) < 0.25
        assert enumerator[arm].bounded == 0.0
    assert enumerator["chain/distractor"].recall == 0.0
    assert deltas["enumerator"].enumerates
    assert not deltas["composer"].enumerates
    assert known(result)
    assert all(truth.holds for truth in known(result))


@pytest.mark.parametrize("matcher", sorted(READERS))
def test_scripted_models_over_every_chain_of_the_vault(vault: Ground, matcher: str) -> None:
    holds(*tried(vault, 10_000, 1_000, matcher))


@pytest.mark.slow
def test_scripted_models_over_chains_of_the_real_corpus() -> None:
    with compose.opened(real.store()) as (node, pin):
        planned, result = tried(ground(node, pin), 30, 1, "default")
    holds(planned, result)
    assert result.rates["composer"]["chain/reversal"].n >= 8


def row(answer: str, *, gold: Sequence[str] = ("Rye Flour",), status: str = "answered") -> Row:
    notes = {
        "candidates": ["Baguette", "Flour", "Oven", "Rye", "Rye Flour", "Salt", "Sea Salt"],
        "route": ["Baguette", "Oven"],
        "old": ["Salt"],
    }
    question = LabQuestion("c1", "?", tuple(map(Target, gold)), set="chains")
    return Row(question, BOTH, "m", status, {"notes": notes}, {"answer": answer})


def scored(answer: str, **more: object) -> ChainScore:
    found = score(row(answer, **more), "default")  # type: ignore[arg-type]
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("answer", "recall", "precision", "named"),
    [
        ("Rye Flour", 1.0, 1.0, 1),
        ("Baguette leads to Oven, and Oven to Rye Flour.", 1.0, 1.0, 1),
        ("Rye Flour, Sea Salt", 1.0, 0.5, 2),
        ("Sea Salt", 0.0, 0.0, 1),
        ("Salt and Sea Salt", 0.0, 0.0, 1),
        ("None that I know.", 0.0, None, 0),
        ("", 0.0, None, 0),
    ],
)
def test_precision_is_over_the_names_that_were_given_for_themselves(
    answer: str, recall: float, precision: float | None, named: int
) -> None:
    found = scored(answer)
    assert (found.recall, found.precision, found.named) == (recall, precision, named)


def test_a_wrong_name_that_the_right_ones_hold_is_not_counted() -> None:
    assert scored("Rye Flour, Oat Flour", gold=["Rye Flour", "Oat Flour"]).precision == 1.0


def test_an_answer_that_enumerates_does_not_count() -> None:
    assert scored("Rye Flour").bounded == 1.0
    assert scored("Rye Flour, Salt").bounded == 1.0
    many = row("Rye Flour, Salt, Yeast, Water")
    notes = {**many.showing["notes"], "candidates": ["Rye Flour", "Salt", "Water", "Yeast"]}
    found = score(Row(many.question, many.arm, many.model, many.status, {"notes": notes}, many.said), "default")
    assert found is not None
    assert (found.recall, found.precision, found.bounded, found.old) == (1.0, 0.25, 0.0, 1.0)


def test_what_was_not_asked_has_no_score_and_other_rows_are_refused() -> None:
    assert score(row("", status="no_donor"), "default") is None
    assert score(row("", status="error"), "default") is None
    with pytest.raises(BadInput, match="Expected rows of chains"):
        score(Row(LabQuestion("q", "?"), "raw", "m", "answered"), "default")
    with pytest.raises(BadInput, match="Expected gold"):
        score(row("x", gold=[]), "default")


def test_a_row_scores_the_same_when_it_is_read_back(vault: Ground) -> None:
    planned = list(showings(vault, mine(vault, most=3).chains))
    for each in asyncio.run(_rows(planned)):
        assert score(row_of(each.as_json(), "here"), "default") == score(each, "default")


def scores(model: str, both: Sequence[float | None], alone: Sequence[float | None]) -> Iterator[ChainScore]:
    """Two arms by chain; None is an empty answer."""
    for arm, values in ((BOTH, both), (B_ONLY, alone)):
        for at, value in enumerate(values):
            recall = value or 0.0
            yield ChainScore(model, arm, f"c{at}", f"d{at % 3}", value is not None, recall, recall, 1, None)


def test_a_flat_difference_says_nothing_where_there_was_no_room() -> None:
    result = contrasted([*scores("high", [1.0] * 20, [1.0] * 19 + [0.0]), *scores("low", [0.5] * 20, [0.5] * 20)])
    assert [delta.verdict for delta in result.deltas] == ["uninformative", "flat"]
    assert result.deltas[0].headroom == pytest.approx(0.05)
    assert contrasted(scores("worse", [0.0] * 20, [1.0] * 20)).deltas[0].verdict == "negative"


def test_holm_is_over_the_models() -> None:
    one = list(scores("one", [1.0] * 7, [0.0] * 7))
    alone = contrasted(one).deltas[0].paired
    beside = contrasted([*one, *scores("two", [1.0] * 5 + [0.0] * 2, [0.0] * 7)]).deltas[0].paired
    assert alone is not None
    assert beside is not None
    assert alone.p_holm == alone.p_exact == 2 / 2**7
    assert beside.p_holm == 2 * alone.p_exact


def test_empty_answers_are_left_out_in_pairs_and_count_nothing_in_the_service() -> None:
    delta = contrasted(scores("m", [1.0, None, 1.0, 1.0], [0.0, 0.0, None, 0.0])).deltas[0]
    assert delta.paired is not None
    assert (delta.paired.n, delta.paired.mean, delta.b_only, delta.service) == (2, 1.0, 0.0, 0.75)
    nothing = contrasted(scores("m", [None], [None])).deltas[0]
    assert (nothing.paired, nothing.verdict, nothing.as_json()["n"]) == (None, "none", 0)


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=12))
def test_delta_never_passes_its_headroom(pairs: list[tuple[float, float]]) -> None:
    delta = contrasted(scores("m", [a for a, _ in pairs], [b for _, b in pairs]), resamples=50).deltas[0]
    assert delta.paired is not None
    assert delta.headroom is not None
    assert delta.paired.mean <= delta.headroom + 1e-12
    assert delta.share is None or delta.share <= 1 + 1e-12
