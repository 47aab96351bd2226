"""Regression, calibration, filing and routing: optima, gates, thresholds."""

import numpy as np
import pytest
from hypothesis import strategies as st
from support.trying import many

from loom.core.claims.judging import filing, routing
from loom.core.claims.judging.asked import WAYS, Request
from loom.core.claims.judging.calibrating import BAR, Platt, out_of_fold, scaled
from loom.core.claims.judging.regression import RIDGE, fit, linked
from loom.core.claims.records import Domain
from loom.core.errors import BadInput
from loom_adapters.fake_embedder import FakeEmbedder
from loom_adapters.judges_plain import PlainJudges


def drawn(seed: int, count: int, width: int, classes: int) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(seed)
    return draw.normal(size=(count, width)), draw.integers(0, classes, size=count)


@many(st.integers(0, 10**6), st.integers(6, 40), st.integers(1, 5), st.integers(2, 4), st.sampled_from(["softmax", "sigmoid"]))
def test_a_fit_is_the_optimum(seed: int, count: int, width: int, classes: int, link: str) -> None:
    """The slope of the loss is zero there, up to the rounding of the weights."""
    vectors, labels = drawn(seed, count, width, classes)
    wanted = np.eye(classes)[labels]
    made = fit(vectors, wanted, link)  # type: ignore[arg-type]
    table = np.concatenate([vectors, np.ones((count, 1))], axis=1)
    slope = (linked(table @ made.weights.T, made.link) - wanted).T @ table / count + RIDGE * made.weights
    assert np.max(np.abs(slope)) < 2e-4 and made.weights.shape == (classes, width + 1)


def test_the_order_of_examples_changes_nothing() -> None:
    vectors, labels = drawn(3, 60, 8, 3)
    turn = np.random.default_rng(1).permutation(60)
    one, other = (fit(vectors[at], np.eye(3)[labels[at]], "softmax") for at in (np.arange(60), turn))
    assert np.allclose(one.weights, other.weights, atol=2e-5)


def test_what_cannot_be_learned_is_refused() -> None:
    with pytest.raises(BadInput, match="a vector for each example"):
        fit(np.zeros((0, 3)), np.zeros((0, 2)), "softmax")
    with pytest.raises(BadInput, match="finite"):
        fit(np.array([[np.nan]]), np.ones((1, 1)), "sigmoid")


def test_scores_out_of_fold_are_by_what_was_learned_from_the_others() -> None:
    asked: list[tuple[list[int], list[int]]] = []

    def learn(kept: np.ndarray) -> "Scorer":
        return Scorer(kept, asked)

    scores = out_of_fold(learn, 12)
    assert scores[:, 0].tolist() == list(range(12)), "each example's own score, in order"
    assert all(not set(kept) & set(out) and len(kept) + len(out) == 12 for kept, out in asked) and len(asked) == 5


class Scorer:
    def __init__(self, kept: np.ndarray, asked: list[tuple[list[int], list[int]]]) -> None:
        self.kept, self.asked = kept, asked

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        self.asked.append((self.kept.tolist(), rows.tolist()))
        return rows[:, None].astype(float)


def test_scaling_finds_the_probabilities_that_were_drawn_with() -> None:
    draw = np.random.default_rng(7)
    scores = draw.normal(size=4000)
    right = draw.random(4000) < 1 / (1 + np.exp(-(0.5 + 2.0 * scores)))
    made = scaled(scores.tolist(), right.tolist())
    assert made.shift == pytest.approx(0.5, abs=0.15) and made.slope == pytest.approx(2.0, abs=0.25)
    assert made.error < 0.03 and made.usable


def test_probabilities_over_the_bar_are_not_used() -> None:
    assert Platt(0, 1, BAR - 1e-6).usable and not Platt(0, 1, BAR).usable
    assert not scaled([0.1, 0.2], [True, False]).usable, "two examples measure nothing"


DOMAINS = [
    Domain("kilns", "Kilns", "Furnaces, ovens and firing of clay"),
    Domain("sales", "Sales", "Customers, orders, prices and revenue"),
    Domain("people", "People", "Hiring, staff, salaries and holidays"),
]
TEXTS = {
    "kilns": [
        "The kiln is a furnace.",
        "Clay is fired at night.",
        "The oven cracked.",
        "Firing takes a day.",
        "A furnace needs gas.",
    ],
    "sales": [
        "The order was paid.",
        "Prices rose.",
        "Two customers left.",
        "Revenue fell by 4 percent.",
        "A customer placed an order.",
    ],
    "people": [
        "Staff may take holidays.",
        "Salaries rose.",
        "Kolb is hiring.",
        "The hiring of Ana ended.",
        "Holidays are paid.",
    ],
}


def test_texts_are_filed_by_what_descriptions_have_in_common() -> None:
    for id, texts in TEXTS.items():
        for text, filed in zip(texts, filing.by_description(texts, DOMAINS), strict=True):
            assert id in filed.domains, text
            assert [each for each, _ in filed.probabilities] == [domain.id for domain in DOMAINS] and not filed.calibrated
    assert [each.domains for each in filing.by_description(["The moon is far.", ""], DOMAINS)] == [(), ()]


def test_a_text_may_be_filed_twice_and_a_threshold_decides() -> None:
    text = "Customers asked for prices of the kiln and the furnace."
    assert set(filing.by_description([text], DOMAINS)[0].domains) == {"kilns", "sales"}
    assert filing.by_description([text], DOMAINS, {"sales": 0.99})[0].domains == ("kilns",)


def examples() -> tuple[list[str], list[frozenset[str]]]:
    """Words of a domain in many orders; one in six of two domains."""
    draw = np.random.default_rng(5)
    words = {id: " ".join(texts).lower().replace(".", "").split() for id, texts in TEXTS.items()}
    texts, labels = [], []
    for at in range(180):
        ids = draw.choice(sorted(words), size=1 + (at % 6 == 0), replace=False).tolist()
        texts.append(" ".join(str(draw.choice(words[id])) for id in ids for _ in range(8)))
        labels.append(frozenset(ids))
    return texts, labels


def test_a_learned_filer_files_what_it_has_not_seen() -> None:
    texts, labels = examples()
    vectors = FakeEmbedder().embed(texts)
    filer = filing.learned(vectors[:120], labels[:120], [each.id for each in DOMAINS])
    filed = filer.file(vectors[120:])
    exact = sum(frozenset(each.domains) == label for each, label in zip(filed, labels[120:], strict=True))
    assert exact >= 48
    assert all(each.calibrated == all(scale.usable for scale in filer.scaling) for each in filed)
    assert len(filer.thresholds) == 3 and all(0 <= least <= 1 for least in filer.thresholds)


def test_too_few_labels_are_refused() -> None:
    vectors = FakeEmbedder().embed(["a"] * 8)
    with pytest.raises(BadInput, match="at least 5 examples of kilns"):
        filing.learned(vectors, [frozenset({"kilns"})] * 4 + [frozenset()] * 4, ["kilns"])


@pytest.mark.parametrize(
    "text, way",
    [
        ("Who leads the Kenya programme?", "retrieve"),
        ("List all suppliers that passed the audit.", "retrieve"),
        ("When was the report written?", "retrieve"),
        ("What is the deadline for proposals?", "retrieve"),
        ("Why did sales fall in the north?", "reason"),
        ("How could we reach the county-level programme?", "reason"),
        ("Compare the two suppliers.", "reason"),
        ("Should we renew the contract?", "reason"),
        ("What are the trade-offs of moving to Hamburg?", "reason"),
        ("Write a memo about the supplier.", "author"),
        ("Please draft an email to the board.", "author"),
        ("Can you prepare a one-pager on the pilot?", "author"),
        ("I need a report on county programmes.", "author"),
        ("Help me write the specification of the catalogue.", "author"),
    ],
)
def test_requests_by_their_words(text: str, way: str) -> None:
    assert routing.by_words(Request(text)).way == way


def test_an_open_artifact_makes_an_edit_authoring() -> None:
    assert routing.by_words(Request("Shorten the second part.", artifact="memo")).way == "author"
    assert routing.by_words(Request("Shorten the second part.")).way == "retrieve"


def asked() -> tuple[list[str], list[str]]:
    draw = np.random.default_rng(11)
    words = {
        "retrieve": "who when list show find".split(),
        "reason": "why compare assess should weigh".split(),
        "author": "write draft memo report letter".split(),
    }
    texts, labels = [], []
    for _ in range(240):
        way = str(draw.choice(WAYS))
        noise = [str(draw.choice("kiln shop clay board north".split())) for _ in range(5)]
        own = [str(draw.choice(words[way if draw.random() < 0.85 else str(draw.choice(WAYS))])) for _ in range(2)]
        texts.append(" ".join(own + noise))
        labels.append(way)
    return texts, labels


def test_a_learned_router_is_calibrated_and_gives_way_when_unsure() -> None:
    texts, labels = asked()
    vectors = FakeEmbedder().embed(texts)
    router = routing.learned(vectors, labels, threshold=0.0)
    assert router.scaling.usable, router.scaling.error
    plain = router.route(vectors)
    careful = routing.learned(vectors, labels, threshold=0.9).route(vectors)
    assert not any(each.escalated for each in plain) and any(each.escalated for each in careful)
    for one, other in zip(plain, careful, strict=True):
        first = dict(one.probabilities)[one.way]
        slower = WAYS[min(WAYS.index(one.way) + 1, 2)]
        assert other.way == (slower if first < 0.9 else one.way) and other.escalated == (first < 0.9 and one.way != "author")
    assert sum(each.way == label for each, label in zip(plain, labels, strict=True)) > 180


def test_a_router_over_the_bar_takes_the_likeliest() -> None:
    texts, labels = asked()
    vectors = FakeEmbedder().embed(texts)
    made = routing.learned(vectors, labels, threshold=0.99)
    wild = routing.Router(made.linear, Platt(made.scaling.shift, made.scaling.slope, 0.3), 0.99)
    assert not any(each.escalated or each.calibrated for each in wild.route(vectors))


def test_a_router_wants_labels_of_every_way() -> None:
    vectors = FakeEmbedder().embed(["a"] * 30)
    with pytest.raises(BadInput, match="labelled author"):
        routing.learned(vectors, ["retrieve", "reason"] * 15)
    with pytest.raises(BadInput, match="among retrieve"):
        routing.learned(vectors, ["retrieve", "sing"] * 15)
    with pytest.raises(BadInput, match="from 0 to 1"):
        routing.learned(vectors, ["retrieve"] * 30, threshold=2)


async def test_plain_judges_use_what_was_learned_with_its_embedder() -> None:
    texts, labels = examples()
    embedder = FakeEmbedder()
    filer = filing.learned(embedder.embed(texts), labels, [each.id for each in DOMAINS])
    words, ways = asked()
    router = routing.learned(embedder.embed(words), ways)
    judges = PlainJudges(embedder, filer=filer, router=router)
    assert (await judges.file(texts[:3], DOMAINS)).value == filer.file(embedder.embed(texts[:3]))
    assert (await judges.route([Request(words[0])])).value == router.route(embedder.embed(words[:1]))
    fewer = (await judges.file(["Clay is fired at night."], DOMAINS[:1])).value
    assert fewer[0].domains == ("kilns",) and not fewer[0].calibrated, "other domains than it learned are told by description"
