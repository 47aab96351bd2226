"""From a question to a plan: what finders say, what a decision makes of it, and that nothing is lost or left behind."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from support.asking import POLICIES, TESTER, Pressed, pinned, plan
from support.worked import CLASSES

from loom.answer.finders.ontology import OntologyFinder
from loom.answer.pipeline import prepare
from loom.answer.plan import Pin, Plan
from loom.answer.receipt import decision_json, scaffold_json, units_json
from loom.core.errors import BadInput, BudgetError, Unreachable
from loom.core.mint.make import make
from loom.core.policy.gate import ConfidenceGate, ReferenceGate
from loom.core.policy.policy import Policy
from loom.core.values import Candidate, Contract, Evidence, Finding, Options, Question, Tier

PIN = pinned(*CLASSES)
ASKED = "How does a tide kiln work?"


class Notes:
    """A finder of notes: proposes one address, mints one line."""

    def __init__(
        self, name: str = "notes", *, waits: bool = False, says: Finding | None = None, lines: int = 1, **made: Any
    ) -> None:
        self.name = name
        self.waits = waits
        self._says = says or Finding(name, (Candidate("urn:n:1", 1.0, name),), confidence=0.9, named=True, reason="fact")
        self._lines = lines
        self._made = made
        self.ended: list[str] = []

    async def find(self, question: Question, pin: Pin, policy: Policy) -> Finding:
        return self._says

    async def mint(self, question: Question, pin: Pin, policy: Policy, admitted: Sequence[Candidate]) -> Sequence[Evidence]:
        return [
            make(iri=each.iri, title="Note", lines=[("A note.", ("Note",))] * self._lines, found=each, **self._made)
            for each in admitted
        ]


class Late(Notes):
    async def find(self, question: Question, pin: Pin, policy: Policy) -> Finding:
        try:
            await asyncio.sleep(60)
        finally:
            self.ended.append("found")
        return self._says


class Failing(Notes):
    fault: Exception = RuntimeError("no notes today")

    async def find(self, question: Question, pin: Pin, policy: Policy) -> Finding:
        await asyncio.sleep(0)
        raise self.fault


class Unminted(Notes):
    fault: Exception = ValueError("cannot read it")

    async def mint(self, question: Question, pin: Pin, policy: Policy, admitted: Sequence[Candidate]) -> Sequence[Evidence]:
        raise self.fault


def asked(
    *finders: Any, text: str = ASKED, policy: str = "default", budget: int = 1500, deadline: float = 2.0, **options: Any
) -> Plan:
    async def run() -> Plan:
        question = Question(text, TESTER, {}, options=Options(**options), deadline=deadline)
        made = await prepare(question, PIN, finders, POLICIES, policy=policy, budget=budget)
        assert asyncio.all_tasks() == {asyncio.current_task()}, "a finder was left running"
        return made

    return asyncio.run(run())


@pytest.mark.parametrize("policy", ["default", "reference"])
@pytest.mark.parametrize("waits", [True, False])
def test_sources_are_packed_together_in_the_order_of_the_finders(policy: str, waits: bool) -> None:
    made = asked(OntologyFinder(), Notes(waits=waits), policy=policy)
    assert [each.evidence.title for each in made.block.served] == ["Tide Kiln", "Kiln", "Note"]
    made = asked(Notes(waits=waits), OntologyFinder(), policy=policy)
    assert [each.evidence.title for each in made.block.served] == ["Note", "Tide Kiln", "Kiln"]


@pytest.mark.parametrize("policy", ["default", "reference"])
def test_what_is_computed_stands_first_and_speaks_alone_where_nothing_else_is_found(policy: str) -> None:
    notes = Notes(tier=Tier.COMPUTED, must=True)
    made = asked(OntologyFinder(), notes, policy=policy)
    assert [each.evidence.title for each in made.block.served] == ["Note", "Tide Kiln", "Kiln"]
    alone = asked(OntologyFinder(), notes, text="When do the shops open?", policy=policy)
    assert [each.evidence.title for each in alone.block.served] == ["Note"]
    assert (alone.decision.engaged, alone.decision.reason) == (True, "fact")


@pytest.mark.parametrize("policy", ["default", "reference"])
def test_what_must_be_shown_and_does_not_fit_is_an_error(policy: str) -> None:
    with pytest.raises(BudgetError, match="'Note' must be shown whole"):
        asked(OntologyFinder(), Notes(tier=Tier.COMPUTED, must=True, lines=20), policy=policy, budget=30)


@pytest.mark.parametrize("waits", [True, False])
def test_a_finder_that_fails_is_labelled_and_the_others_serve(waits: bool) -> None:
    made = asked(OntologyFinder(), Failing(waits=waits))
    assert [each.evidence.title for each in made.block.served] == ["Tide Kiln", "Kiln"]
    assert decision_json(made.decision)["failures"] == ["notes: RuntimeError: no notes today"]


def test_a_late_finder_is_labelled_and_stopped() -> None:
    late = Late(waits=True)
    made = asked(OntologyFinder(), late, Notes("other", waits=True), deadline=0.05)
    assert made.decision.failures == ("notes: no answer within 0.05 s",)
    assert [each.evidence.title for each in made.block.served] == ["Tide Kiln", "Kiln", "Note"]
    assert late.ended == ["found"]


def test_a_finder_that_cannot_mint_is_labelled() -> None:
    made = asked(OntologyFinder(), Unminted())
    assert made.decision.engaged and made.decision.failures == ("notes: ValueError: cannot read it",)
    alone = asked(Unminted())
    assert (alone.decision.engaged, alone.decision.reason, alone.block.text) == (False, "error", "")


@pytest.mark.parametrize("waits", [True, False])
def test_a_place_that_is_gone_between_finding_and_showing_is_labelled(waits: bool) -> None:
    gone = Unminted(waits=waits)
    gone.fault = Unreachable("The store does not answer.")
    made = asked(OntologyFinder(), gone)
    assert made.decision.engaged and made.block.served
    assert made.decision.failures == ("notes: The store does not answer.",)


@pytest.mark.parametrize("waits", [True, False])
def test_a_fault_that_the_caller_is_meant_to_read_is_raised_and_nothing_is_left_running(waits: bool) -> None:
    failing, late = Failing("failing", waits=waits), Late(waits=True)
    failing.fault = BadInput("Expected a scope.")

    async def run() -> None:
        with pytest.raises(BadInput, match="a scope"):
            await prepare(Question(ASKED, TESTER, deadline=0.2), PIN, (late, failing), POLICIES)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(run())


def test_a_question_that_is_given_up_leaves_nothing_running() -> None:
    late = Late(waits=True)

    async def run() -> None:
        task = asyncio.ensure_future(prepare(Question(ASKED, TESTER), PIN, (late,), POLICIES))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert late.ended == ["found"]
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(run())


@pytest.mark.parametrize("policy", ["default", "reference"])
def test_where_every_finder_fails_the_reason_is_error(policy: str) -> None:
    made = asked(Failing(), policy=policy)
    assert (made.decision.engaged, made.decision.reason) == (False, "error")


@pytest.mark.parametrize(
    ("change", "reason"),
    [({"off": True}, "disabled"), ({"max_units": 0}, "off_topic"), ({"budget": 1}, "budget")],
)
def test_options_that_leave_a_question_ungrounded(change: dict[str, Any], reason: str) -> None:
    decision = asked(OntologyFinder(), **change).decision
    assert (decision.engaged, decision.reason, decision.budget) == (False, reason, 0)


def test_side_calls_are_not_grounded() -> None:
    assert plan(PIN, ASKED, shape="side_call").decision.reason == "side_call"


@pytest.mark.parametrize(
    ("text", "reason", "engaged"),
    [
        (ASKED, "exact", True),
        ("Tell me about firing bread dough", "off_topic", False),
        ("", "off_topic", False),
        ("tide tables", "exact", True),
        ("a rule for the harbour", "lexical", True),
    ],
)
def test_reasons(text: str, reason: str, engaged: bool) -> None:
    decision = plan(PIN, text).decision
    assert (decision.reason, decision.engaged) == (reason, engaged)


def test_the_options_of_a_question_win_over_the_nodes() -> None:
    made = asked(OntologyFinder(), policy="reference", budget=10)
    assert (made.policy.name, made.block.text, made.wrapper) == ("reference", "", "authoritative")
    question = Question(ASKED, TESTER, options=Options(policy="default", budget=40, wrapper="bare", max_units=1, hops=0))
    made = asyncio.run(prepare(question, PIN, (OntologyFinder(),), POLICIES, policy="reference", budget=10))
    assert (made.policy.name, made.wrapper, len(made.block.served)) == ("default", "bare", 1)
    assert 0 < made.block.tokens <= 40
    assert made.prompt.injected_tokens == made.block.tokens


def test_a_contract_reaches_the_plan_of_an_engaged_question() -> None:
    contract = Contract("notes", "FETCH ")
    says = Finding("notes", (Candidate("urn:n:1", 1.0, "notes"),), confidence=0.9, contract=contract)
    assert asked(OntologyFinder(), Notes(says=says)).contract == contract
    assert asked(OntologyFinder()).contract is None


@pytest.mark.parametrize("policy", ["default", "reference"])
def test_a_generation_without_concepts_is_silent(policy: str) -> None:
    empty = Pressed(())
    for pin in (Pin(empty), Pin(_without_parts())):
        decision = plan(pin, ASKED, policy).decision
        assert (decision.engaged, decision.reason) == (False, "off_topic")


def _without_parts() -> Pressed:
    bare = Pressed(())
    bare._files.clear()
    return bare


@pytest.mark.parametrize("policy", ["default", "reference"])
def test_the_same_question_gives_the_same_bytes(policy: str) -> None:
    first, second = (
        plan(pinned(*order), ASKED, policy, body={"messages": [{"role": "user", "content": ASKED}]})
        for order in (CLASSES, CLASSES[::-1])
    )
    assert first.block == second.block
    assert first.prompt.body == second.prompt.body
    assert scaffold_json(first) == scaffold_json(second)


# -- the gate of the default policy -----------------------------------------------------------------------------------------


def finding(source: str, confidence: float | None, *, named: bool = False, **more: Any) -> Finding:
    return Finding(
        source, (Candidate(f"urn:{source}:1", 1.0, source, home=f"urn:{source}:"),), confidence, named, source, **more
    )


@pytest.mark.parametrize(
    ("findings", "engaged", "reason", "budget", "confidence"),
    [
        ([], False, "off_topic", 0, None),
        ([Finding("a")], False, "off_topic", 0, None),
        ([Finding("a", reason="error", failure="x"), Finding("b", reason="ambiguous")], False, "ambiguous", 0, None),
        ([Finding("a", reason="error", failure="x")], False, "error", 0, None),
        ([finding("a", 0.34)], False, "weak", 0, 0.34),
        ([finding("a", 0.35)], True, "a", 500, 0.35),
        ([finding("a", 0.55)], True, "a", 1000, 0.55),
        ([finding("a", 0.1, named=True)], True, "a", 1000, 0.1),
        ([finding("a", None)], True, "a", 1000, None),
        ([finding("a", 0.4), finding("b", 0.9)], True, "b", 1000, 0.9),
        ([finding("a", 0.2), finding("b", 0.4)], True, "b", 500, 0.4),
        ([finding("a", 0.9), finding("b", 0.4, named=True)], True, "b", 1000, 0.4),
    ],
)
def test_the_confidence_gate(
    findings: list[Finding], engaged: bool, reason: str, budget: int, confidence: float | None
) -> None:
    decision = ConfidenceGate().decide(findings, 1000)
    assert (decision.engaged, decision.reason, decision.budget, decision.confidence) == (engaged, reason, budget, confidence)


def test_a_finding_may_bound_where_the_others_may_look() -> None:
    bound = finding("a", 0.9, only=frozenset({"urn:a:"}))
    decision = ConfidenceGate().decide([bound, finding("b", 0.9)], 1000)
    assert decision.only == frozenset({"urn:a:"}) and decision.of("a") == bound.candidates and decision.of("nobody") == ()
    assert ConfidenceGate().decide([finding("b", 0.9)], 1000).only is None


def test_under_the_reference_gate_each_finding_is_judged_on_its_own_scale() -> None:
    gate = ReferenceGate(scaled=True)
    scored = replace(finding("a", None), candidates=(Candidate("urn:a:1", 4.0, "a"),))
    weak = replace(scored, candidates=(Candidate("urn:a:1", 1.0, "a"),))
    assert gate.decide([scored], 1000).budget == 500
    assert gate.decide([weak], 1000).reason == "weak"
    assert gate.decide([weak, finding("b", 0.3)], 1000).reason == "weak"
    assert [source for source, _ in gate.decide([weak, finding("b", 0.9)], 1000).admitted] == ["b"]
    assert [source for source, _ in gate.decide([finding("b", 0.9), scored], 1000).admitted] == ["b", "a"]


# -- the receipt ------------------------------------------------------------------------------------------------------------


def test_the_receipt_of_a_scaffold() -> None:
    made = plan(PIN, ASKED, "reference", budget=100)
    told = scaffold_json(made)
    assert told["scaffold"] == made.block.text and told["tokens"] == made.block.tokens <= 100
    assert told["pin"] == {"generation": PIN.generation.id}
    assert (told["policy"], told["wrapper"], told["matcher"]) == ("reference", "authoritative", "reference")
    assert told["decision"] == {
        "engaged": True,
        "reason": "exact",
        "confidence": None,
        "agreement": None,
        "path": "lexical",
        "band": "full",
        "budget": 100,
    }
    (unit,) = told["units"]
    assert unit == {
        "iri": "urn:ngm:class:tide-kiln",
        "title": "Tide Kiln",
        "tier": "discovered",
        "retriever": "lexical",
        "score": 18.0,
        "tokens": made.block.served[0].tokens,
        "cut": False,
    }
    assert told["dropped"] == [{"iri": "urn:ngm:class:kiln", "title": "Kiln"}]
    assert [(each["iri"], each["score"], each["why"]) for each in told["candidates"]] == [
        ("urn:ngm:class:tide-kiln", 18.0, "name"),
        ("urn:ngm:class:kiln", 10.0, "name"),
    ]
    assert told["targets"][0] == "Tide Kiln"
    assert told["injected_tokens"] > told["tokens"]


def test_the_receipt_says_which_units_were_cut() -> None:
    whole = units_json(plan(PIN, ASKED).block)
    tight = units_json(plan(PIN, ASKED, budget=60).block)
    assert [unit["cut"] for unit in whole] == [False, False]
    assert tight[0]["cut"] and tight[0]["tokens"] < whole[0]["tokens"]


class Unwritten(Notes):
    async def mint(self, question: Question, pin: Pin, policy: Policy, admitted: Sequence[Candidate]) -> Sequence[Evidence]:
        await asyncio.sleep(60)
        return ()


def test_a_finder_that_hangs_over_its_minting_is_labelled() -> None:
    made = asked(Unwritten(waits=True), deadline=0.01)
    assert made.decision.reason == "error"
    assert made.decision.failures == ("notes: nothing to show within 0.01 s",)


@pytest.mark.parametrize("policy", sorted(POLICIES))
def test_a_named_source_bounds_what_is_discovered_and_nothing_else(policy: str) -> None:
    def says(name: str, **more: Any) -> Finding:
        return Finding(name, (Candidate(f"urn:{name}", 9.0, name),), confidence=0.9, named=True, reason="fact", **more)

    made = asked(
        Notes("bounding", says=says("bounding", only=frozenset({"urn:base:a"})), home="urn:base:a"),
        Notes("outside", says=says("outside"), home="urn:base:b"),
        Notes("computed", says=says("computed"), home="urn:base:b", tier=Tier.COMPUTED, must=True),
        Notes("addressed", says=says("addressed"), home="urn:base:b", tier=Tier.ADDRESSED),
        policy=policy,
    )
    assert [served.evidence.iri for served in made.block.served] == ["urn:computed", "urn:addressed", "urn:bounding"]
