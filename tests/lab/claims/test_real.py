"""What only a real workspace has: its log run again, prices of a file, artifacts that people rate, and a ledger of all of it."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest
from support.claim_worlds import SMALL, workspace
from support.judging_model import JudgingModel, by_rules

from loom.claims.asks import Act, Derive, TakeIn, ask_of
from loom.claims.judges import Judges
from loom.claims.workspace import Claims
from loom.compose_claims import entry_reader
from loom.compose_lab import claims_in_memory
from loom.core.claims.intake.remarks import KINDS
from loom.core.claims.judging.asked import Inquiry, Known
from loom.core.claims.judging.deriving import derive
from loom.core.claims.parts import Parts
from loom.core.claims.stored import CallRow
from loom.core.errors import BadInput
from loom.core.report import Report
from loom.lab.claims.labels import Labels, read_labels
from loom.lab.claims.measuring import RUNS, Results, measured, series
from loom.lab.claims.real.ground import ground
from loom.lab.claims.real.pricing import Price, Prices, Till, read_prices
from loom.lab.claims.real.rendering import firstly
from loom.lab.claims.worlds.planted import Labelled
from loom_adapters.answer_book import FakeAnswers
from loom_adapters.claims.kept import FakeClaims
from loom_adapters.clock import FakeClock
from loom_adapters.fake_embedder import FakeEmbedder
from loom_adapters.judges_plain import PlainJudges
from loom_adapters.judges_url import Prices as Paid
from loom_adapters.judges_url import UrlJudges

FIXTURES = Path(__file__).parents[3] / "fixtures" / "claims"
LABELS = FIXTURES / "boiler-house.labels.jsonl"
CLAIM = "claim:dc86989f2b62b1e9865cca02"
SIGNAL = "signal:dc60c256e1ed5a572e360149"
QUESTION = "What does the boiler depend on?"
PRICES = Prices({"small": Price(1.0, 2.0), "big": Price(100.0, 200.0, "large")}, 60.0)


def says(judge: str, data: Mapping[str, Any]) -> Any:
    """A model that derives by the templates, assumes something each time, and words signals as they stand."""
    if judge != "derivation":
        return by_rules(judge, data)
    known = tuple(Known(each["id"], each["text"]) for each in data["evidence"])
    return {
        "propositions": [
            {"proposition": each.proposition, "antecedents": list(each.antecedents), "preconditions": ["The pump is not by-passed."]}
            for each in derive(Inquiry(data["question"], known))
        ]
    }  # fmt: skip


def urls(book: FakeAnswers, model: JudgingModel) -> Judges:
    """Models by URL judge verdicts, entailments and derivations; rules the rest."""
    plain = PlainJudges(FakeEmbedder())
    small = UrlJudges(model, book, FakeClock(), model="small", prices=Paid(1.0, 2.0), tier="small")
    big = UrlJudges(model, book, FakeClock(), model="big", prices=Paid(100.0, 200.0), tier="large")
    return Judges(plain, small, small, big, plain, plain, plain, plain, plain, FakeEmbedder(), plain)


async def boiler_house(judges: Judges) -> Claims:
    """The workspace that the tour of the README makes."""
    at = [datetime(2026, 5, 4, tzinfo=UTC)]

    def now() -> datetime:
        at[0] += timedelta(minutes=15)
        return at[0]

    store = FakeClaims()
    made = Claims(lambda: store, judges, now, holder="test", parts=Parts(), penalty=0.002)
    entries = [TakeIn(each) for each in entry_reader(FIXTURES / "boiler-house").entries(Report(KINDS))]
    for wishes in (entries, [Derive(QUESTION)]):
        await store.enqueue([ask_of(each, made.at()) for each in wishes])
        await (await made.slow()).flush(now())
    return made


async def run(claims: Claims, labels: Labels, till: Till) -> Results:
    return await measured(claims, claims_in_memory, labels, till, 1)


def tokens_of(book: FakeAnswers) -> dict[str, list[tuple[int, int]]]:
    """Tokens in and out of each attempt of a request, by its key."""
    tokens: dict[str, list[tuple[int, int]]] = {}
    for each in book.ledger():
        tokens.setdefault(str(each["key"]), []).append((each["tokens"]["prompt"], each["tokens"]["completion"]))
    return tokens


async def test_a_copy_with_signals_alone_has_the_same_signals_and_no_claim() -> None:
    claims = await boiler_house(rules())
    base = await ground(claims, claims_in_memory, lambda calls: None)
    whole, fresh = await base.whole(), await base.fresh()
    assert set(await whole.claims()) == {CLAIM} and not await fresh.claims()

    def names(view: Any) -> set[str]:
        tables = view.network()
        return {name for name, entry in zip(tables.names, tables.entry.tolist(), strict=True) if entry >= 0}

    assert await whole.store.look(names) == await fresh.store.look(names)
    assert len(await fresh.store.look(names)) == 20


def rules() -> Judges:
    plain = PlainJudges(FakeEmbedder())
    return Judges(plain, plain, plain, plain, plain, plain, plain, plain, plain, FakeEmbedder(), plain)


def untimed(results: Results) -> bytes:
    """Results as JSON without what reads took: everything else is the same each time."""
    told = results.as_json()
    del told["experiments"]["replay"]["read"]
    return orjson.dumps(told)


async def test_the_tour_is_measured_with_models_by_url_and_its_ledger_is_its_log() -> None:
    book, model = FakeAnswers(), JudgingModel(says=says)
    claims = await boiler_house(urls(book, model))
    labels = read_labels(LABELS)
    before = [line async for line in (await claims.store()).export()]
    found = await run(claims, labels, Till(PRICES))
    assert [line async for line in (await claims.store()).export()] == before
    told = found.study.found
    assert told.contradiction is not None and told.contradiction.signal.recall.hits == told.contradiction.claim.recall.hits == 1
    assert told.replay is not None and told.replay.probes.n == 1 and not told.replay.probes.hits
    assert sum(told.replay.quality[1.0]) > sum(told.replay.quality[0.0]) and told.replay.gone == 0
    paces = told.replay.as_json()["read"]
    assert list(paces) == ["0", "0.25", "0.5", "0.75", "1"]
    assert all(0 < each["p50_ms"] <= each["p95_ms"] and each["supposed"] == 0 for each in paces.values())
    made = told.artifacts
    assert made is not None and made.with_preconditions > 0 and made.preconditions == 1.0 and made.recall["full"] == 1.0
    spent = told.spending
    assert spent is not None and spent.log > 0 and spent.log == pytest.approx(spent.ledger, rel=1e-12)
    assert spent.ledgers[0].work.once.frontier > 0 and found.log is not None and found.log.unknown == 0
    outcome = {each.part: (each.outcome, each.why) for each in found.study.verdicts}
    assert outcome["cost"][0] == "not judged" and str(RUNS) in outcome["cost"][1]
    # Every answer is kept by now: the second measurement asks nothing and comes to the same.
    asked = len(model.bodies)
    again = await run(claims, labels, Till(PRICES, tokens_of(book)))
    assert len(model.bodies) == asked and untimed(again) == untimed(found)


@pytest.mark.parametrize(
    ("grades", "left"),
    [
        ([{CLAIM: 3}], 0),  # it was derived in the session of the query
        ([{"claim:no-more": 3}], 0),
        ([{CLAIM: 3}, {SIGNAL: 2, CLAIM: 3}], 1),
        ([{SIGNAL: 2, "claim:no-more": 3}], 1),
    ],
)
async def test_queries_that_nothing_answers_any_more_are_left_out(
    grades: list[dict[str, int]], left: int, tmp_path: Path
) -> None:
    rows: list[dict[str, Any]] = [{"kind": "request", "id": "r", "text": QUESTION, "session": "s", "label": "reason"}]
    rows += [
        {"kind": "query", "id": f"q{at}", "text": "the boiler", "session": "s", "grades": each}
        for at, each in enumerate(grades)
    ]
    (tmp_path / "labels.jsonl").write_bytes(b"".join(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows))
    claims = await boiler_house(urls(FakeAnswers(), JudgingModel(says=says)))
    found = (await run(claims, read_labels(tmp_path / "labels.jsonl"), Till(PRICES))).study
    ranked = found.found.retrieval
    assert (0 if ranked is None else ranked.held) == left and (ranked is None or ranked.lost == len(grades) - left)
    outcome = {each.part: (each.outcome, each.why) for each in found.verdicts}
    assert outcome["claims"][0] == "not judged" and ("is answered by" in outcome["claims"][1]) is (left == 0)


async def test_a_model_that_words_signals_otherwise_is_still_measured() -> None:
    def words(judge: str, data: Mapping[str, Any]) -> Any:
        made = says(judge, data)
        if judge == "extraction":
            for each in made["signals"]:
                each["proposition"] = f"It is said that {each['quote']}"
        if judge == "verdicts":
            for each, item in zip(made["answers"], data["items"], strict=True):
                each["verdict"] = (
                    "contradicts" if "no longer" in item["new"] and "north valve" in item["claim"] else "unrelated"
                )
        if judge == "entailment":
            made = {"answers": [{"id": each["id"], "entailed": True} for each in data["items"]]}
        return made

    claims = await boiler_house(rules())
    url = UrlJudges(JudgingModel(says=words), FakeAnswers(), FakeClock(), model="small", prices=Paid(1.0, 2.0))
    plain = PlainJudges(FakeEmbedder())
    claims.judges = Judges(url, url, url, plain, plain, plain, plain, plain, plain, FakeEmbedder(), plain)
    labels = read_labels(LABELS)
    labels.requests.clear()
    found = (await run(claims, labels, Till(PRICES))).study.found.contradiction
    assert found is not None and found.signal.recall.hits == 1 and found.signal.precision.n == 1


async def test_what_people_accepted_is_a_target_and_what_they_rejected_is_none() -> None:
    claims = await boiler_house(rules())
    store = await claims.store()
    await store.enqueue([ask_of(Act("reject", CLAIM, "ben"), claims.at())])
    await (await claims.slow()).flush(datetime(2026, 5, 6, tzinfo=UTC))
    found = (await run(claims, read_labels(LABELS), Till(Prices({})))).study.found
    assert found.contradiction is not None and found.contradiction.targets == 0


async def test_minutes_that_nobody_labelled_are_those_of_the_log() -> None:
    book = FakeAnswers()
    claims = await boiler_house(urls(book, JudgingModel(says=says)))
    labels, store = read_labels(LABELS), await claims.store()
    labels.minutes.clear()
    unlabelled = (await run(claims, labels, Till(PRICES))).study.found
    assert unlabelled.spending is None and "nobody timed how long it takes to accept" in unlabelled.notes["cost"]
    for act, seconds in (("reject", 90.0), ("readmit", 12.0), ("accept", 24.0), ("accept", 0.0)):
        await store.enqueue([ask_of(Act(act, CLAIM, "ben"), claims.at(), seconds=seconds)])
        await (await claims.slow()).flush(datetime(2026, 5, 6, tzinfo=UTC))
    first = await run(claims, labels, Till(PRICES, tokens_of(book)))
    from_log = await run(claims, labels, Till(PRICES, tokens_of(book)))
    assert first.study.found.spending is not None
    labels.minutes |= {"accept": [0.2, 0.4], "resolve": [1.5]}
    stated = await run(claims, labels, Till(PRICES, tokens_of(book)))
    assert untimed(stated) == untimed(from_log)
    labels.minutes["accept"] = [7.0]
    other = await run(claims, labels, Till(PRICES, tokens_of(book)))
    assert untimed(other) != untimed(from_log), "labels win"


async def test_axes_are_looked_for_in_a_workspace_that_has_dimensions_and_claims_enough() -> None:
    world, held = await workspace(replace(SMALL, queries=8))
    labels = Labels(queries=list(world.queries), grades=dict(world.grades))
    for discovers in (True, False):
        parts = replace(held.parts, discovery=discovers)
        claims = Claims(lambda: held.store, held.judges, lambda: held.now, holder="test", parts=parts, penalty=0.002)
        found = (await run(claims, labels, Till(Prices({})))).study
        made = found.found.discovery
        assert (made is not None) is discovers
        if made is not None:
            assert made.proposed > 0 and made.unmoved and made.meaningful.n == 0 and made.sampled >= 30
        assert {each.part: each.outcome for each in found.verdicts}["discovery"] == "not judged"
    await held.aclose()


def test_runs_and_reads_share_no_session_with_what_is_fitted_on() -> None:
    labels = read_labels(LABELS)
    taken = [each.session for each in labels.queries]
    labels.requests += [Labelled(f"more-{at}", f"Why {at}?", "reason", session) for at, session in enumerate(taken)]
    given = series(labels, frozenset(), 1)
    fitted = set(taken) - {each.session for each in given.reads}
    assert fitted and not fitted & {each.group for each in given.runs} and len(given.runs) == 4 + len(taken) - len(fitted)


async def test_preferences_come_back_by_the_order_that_raters_saw() -> None:
    claims = await boiler_house(rules())
    labels = read_labels(LABELS)
    pairs = list((await run(claims, labels, Till(Prices({})))).to_rate())
    assert {each["against"] for each in pairs} == {"signals", "reasoned", "nothing"} and len(pairs) == 6
    assert not any("Sources" in each["first"] + each["second"] for each in pairs)
    for each in pairs:
        # Raters prefer whatever says anything: the control is won, wherever it stood.
        said = "first" if "north valve [" in each["first"] else "second"
        if each["against"] == "nothing":
            assert (said == "first") is firstly(each["request"], "nothing")
        labels.preferred[each["request"], each["against"]] = said if each["against"] == "nothing" else "tie"
    found = (await run(claims, labels, Till(Prices({})))).study.found.artifacts
    assert found is not None and (found.control.wins, found.control.losses) == (2, 0)
    assert all((one.wins, one.losses, one.ties) == (0, 0, 2) for one in found.preferred.values())


def call(key: str, tokens: tuple[int, int] = (0, 0), *, model: str = "small", cached: bool = False) -> CallRow:
    return CallRow("verdicts", model, "", *tokens, 0.0, cached, key, of={"line": "writes"})


def test_each_attempt_of_a_request_is_charged_once_though_it_was_kept() -> None:
    till = Till(PRICES, {"kept": [(10, 1), (20, 2)]})
    till.learn([call("new", (30, 3)), call("kept", (99, 9))])
    made = till.charged([call("kept", cached=True), call("kept", cached=True), call("kept", cached=True), call("new")])
    assert [each.tokens_in for each in made] == [10, 20, 0, 30] and [each.cached for each in made] == [
        False,
        False,
        True,
        False,
    ]
    assert sum(each.price for each in made) == pytest.approx((60 * 1.0 + 6 * 2.0) / 1e6)
    assert not till.unknown
    till.charged([call("lost", cached=True)])
    assert till.unknown == {"lost"}
    with pytest.raises(BadInput, match="other"):
        till.charged([call("kept", model="other")])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("wage = -1", "got -1; correct it"),
        ("wage = true", "got True; correct it"),
        ("unit = 1", "got 'unit'; write one of these"),
        ("models = 3", "got 3; write each"),
        ("[models.a]\nprompt = 1", "completion as a number of at least 0, but it is missing; add it"),
        ("[models.a]\nprompt = 1\ncompletion = nan", "got nan; correct it"),
        ("[models.a]\nprompt = 1\ncompletion = 1\ntier = 'huge'", "got 'huge'; write one"),
        ("[models.a]\nprompt = 1\ncompletion = 1\nper = 1", "got 'per'; write one"),
        ("= 1", "xpected"),
    ],
)
def test_prices_that_are_none_are_refused(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_text(text)
    with pytest.raises(BadInput, match=said):
        read_prices(tmp_path / "prices.toml")


@pytest.mark.parametrize(
    "row",
    [
        {"kind": "use", "session": "s", "reads": -1, "requests": 1},
        {"kind": "use", "session": "s", "reads": 1.5, "requests": 1},
        {"kind": "action", "action": "sleep", "minutes": 1},
        {"kind": "action", "action": "accept", "minutes": 0},
        {"kind": "action", "action": "accept", "minutes": float("inf")},
        {"kind": "preference", "request": "r", "against": "graph", "preferred": "first"},
        {"kind": "preference", "request": "r", "against": "signals", "preferred": "full"},
        {"kind": "contradiction", "target": "c", "contradicting": "a", "distractor": "b", "claim": "c"},
        {"kind": "contradiction", "target": "c", "contradicting": "a", "distractor": "b", "facts": "c"},
    ],
)
def test_labels_that_are_none_are_refused(row: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "labels.jsonl").write_bytes(orjson.dumps(row))
    with pytest.raises(BadInput, match="expected"):
        read_labels(tmp_path / "labels.jsonl")


@pytest.mark.parametrize(
    ("row", "other"),
    [
        ({"kind": "signal", "id": "s", "text": "a", "entry": "e", "label": "d"}, {"label": "c"}),
        ({"kind": "entailment", "premise": "a", "proposition": "b", "of": "span", "label": True}, {"label": False}),
        ({"kind": "sound", "claim": "c", "label": True}, {"label": False}),
        ({"kind": "support", "signal": "s", "claim": "c", "label": True}, {}),
        ({"kind": "use", "session": "s", "reads": 1, "requests": 1}, {"reads": 2}),
        ({"kind": "query", "id": "q", "text": "a", "session": "s", "grades": {}}, {"text": "b"}),
    ],
)
def test_what_is_labelled_twice_is_refused(row: dict[str, Any], other: dict[str, Any], tmp_path: Path) -> None:
    """It would count twice towards a bar, or as the last of two that say the opposite."""
    file = tmp_path / "labels.jsonl"
    file.write_bytes(orjson.dumps(row))
    read_labels(file)
    file.write_bytes(orjson.dumps(row) + b"\n" + orjson.dumps({**row, **other}))
    with pytest.raises(BadInput, match=r"line 2.*label it once"):
        read_labels(file)


def test_a_member_that_is_missing_is_said_to_be(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    for row, said in (
        ({}, "among query.*, but it is missing; add it"),
        ({"kind": "sound", "claim": "c"}, "label as true or false, but it is missing; add it"),
        ({"kind": "query", "id": "q", "grades": {"a": 9}}, r"from 0 to 3, but got \{'a': 9\}; correct it"),
    ):
        file.write_bytes(orjson.dumps(row))
        with pytest.raises(BadInput, match=said):
            read_labels(file)
