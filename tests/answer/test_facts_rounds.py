"""How a request wants its context, what the model may ask for, and a second round with what it asked for."""

import pytest
from support import held_bases as tv
from support.asking import POLICIES, TESTER, Pressed
from support.recorded_held import RecordedHeld

from loom.answer.finders.facts import FactsFinder
from loom.answer.finders.ontology import OntologyFinder
from loom.answer.pipeline import prepare
from loom.answer.plan import Pin, Plan
from loom.answer.watches.numbers import NumbersWatch
from loom.core.facts.assembling import ASKED, CONTRACT, RULES, Ways
from loom.core.facts.hydrating import PREFIX
from loom.core.facts.memory_held import MemoryHeld
from loom.core.facts.sealed import held_of, joined, press
from loom.core.values import Contract, Options, Question, Tier

PEAK = "When did the audience share of Maple Street peak?"
OPEN = "Who talks of the storm, the lamps and the boats?"
SCENE = "A storm closes the harbour; the ledger is gone."
ROSA = "Rosa finds the ledger."


@pytest.fixture(scope="module")
def at() -> Pin:
    ordered, found = joined([tv.content()])
    return Pin(Pressed((), dict(press([tv.content()], ordered, found))))


async def ask(text: str, at: Pin, finder: FactsFinder | None = None, *, fetch: str = "", **more: object) -> Plan:
    """A question with a body, shape or options of its own."""
    known = {name: more.pop(name) for name in ("body", "shape") if name in more}
    question = Question(text, TESTER, options=Options(**more), fetch=fetch, **known)  # type: ignore[arg-type]
    return await prepare(question, at, (OntologyFinder(), finder or FactsFinder()), POLICIES)


def tiers(plan: Plan) -> dict[Tier, str]:
    """What is shown, by tier."""
    found: dict[Tier, str] = {}
    for served in plan.block.served:
        if served.evidence.iri != ASKED:
            found[served.evidence.tier] = found.get(served.evidence.tier, "") + "\n".join(served.lines)
    return found


async def test_a_context_is_that_of_the_request_before_that_of_the_node(at: Pin) -> None:
    full, kept, bare = [await ask(OPEN, at, context=context) for context in ("full", "hydrate", "skeleton")]
    assert SCENE in tiers(full)[Tier.DISCOVERED]
    for plan in (kept, bare):
        assert Tier.DISCOVERED not in tiers(plan)
        assert SCENE not in plan.block.text
    assert bare.block.tokens < full.block.tokens
    assert (await ask(OPEN, at, FactsFinder(Ways(context="skeleton")))).block == bare.block
    assert (await ask(OPEN, at, FactsFinder(Ways(context="skeleton")), context="full")).block == full.block


async def test_what_the_model_may_ask_for_is_said_where_it_is_not_there(at: Pin) -> None:
    kept = await ask(OPEN, at, context="hydrate")
    assert kept.contract == Contract("facts", PREFIX, offered=True)
    (line,) = [line for served in kept.block.served if served.evidence.iri == CONTRACT for line in served.lines]
    assert "HYDRATE: <file>@<start>-<end>" in line
    assert "a-talk.txt, b-talk.srt" in line
    assert "a-ratings.csv" not in line
    assert (await ask(OPEN, at)).contract == Contract("facts", PREFIX, offered=False)
    assert (await ask(OPEN, at, context="skeleton")).contract == Contract("facts", PREFIX, offered=False)


async def test_what_guides_the_reading_is_no_fact(at: Pin) -> None:
    kept = await ask(OPEN, at, context="hydrate")
    guiding = [served.evidence.iri for served in kept.block.served if served.evidence.guides]
    assert {RULES, CONTRACT} <= {*guiding}
    assert not [served for served in kept.block.served if served.evidence.tier is Tier.COMPUTED and not served.evidence.guides]
    for enforce in ("append", "refuse"):
        watch = NumbersWatch(kept, enforce)  # type: ignore[arg-type]
        watch.feed("It was 99.9 %.")
        assert watch.holds == ""


@pytest.mark.parametrize(
    "text",
    [
        PEAK,
        "What happens at second 12 of Maple Street?",
        "What is said in Maple Street about the ledger?",
        'What happens in "Copper Lane"?',
    ],
)
async def test_a_question_that_is_covered_takes_one_call(at: Pin, text: str) -> None:
    """R30: what is computed, addressed or absent needs no contract; a spontaneous directive is still taken for one (R29)."""
    plan = await ask(text, at, context="hydrate")
    assert plan.contract == Contract("facts", PREFIX, offered=False)
    assert PREFIX not in plan.block.text


async def test_an_address_is_shown_in_every_context_but_the_skeleton(at: Pin) -> None:
    asked = "What is said in Maple Street about the ledger?"
    for context in ("full", "hydrate"):
        for readout in ("full", "core-only", "off"):
            assert ROSA in tiers(await ask(asked, at, context=context, readout=readout))[Tier.ADDRESSED]
    assert ROSA not in (await ask(asked, at, context="skeleton")).block.text


async def test_a_readout_is_that_of_the_request(at: Pin) -> None:
    finder = FactsFinder()
    found = {readout: await ask(OPEN, at, finder, readout=readout) for readout in ("full", "off", "full", "core-only")}
    assert Tier.DISCOVERED in tiers(found["full"])
    assert Tier.DISCOVERED not in tiers(found["off"])
    assert len(found["core-only"].block.text) <= len(found["full"].block.text)
    assert (await ask(OPEN, at, FactsFinder(readout="off"))).block == found["off"].block


@pytest.mark.parametrize("more", [{"shape": "tools"}, {"shape": "schema"}, {"body": {"n": 2}}])
async def test_who_cannot_ask_twice_is_offered_nothing_and_shown_what_there_is(at: Pin, more: dict[str, object]) -> None:
    finder = FactsFinder()
    question = Question(OPEN, TESTER, options=Options(context="hydrate"), **more)  # type: ignore[arg-type]
    finding = await finder.find(question, at, POLICIES["default"])
    assert finding.contract is None
    lines = [line for each in await finder.mint(question, at, POLICIES["default"], finding.candidates) for line in each.lines]
    assert any(SCENE in line for line in lines)
    assert not any(PREFIX in line for line in lines)


async def test_a_second_round_shows_what_was_asked_for(at: Pin) -> None:
    plan = await ask(OPEN, at, fetch="HYDRATE: A-Talk.txt@25-40\nHYDRATE: /etc/passwd", context="hydrate")
    assert plan.contract is None
    assert PREFIX not in plan.block.text
    assert SCENE in tiers(plan)[Tier.ADDRESSED]
    assert "Maple Street, second 25 to 40, authoritative [source: a-talk.txt]" in plan.block.text
    assert "ask for nothing further" in tiers(plan)[Tier.COMPUTED]
    assert Tier.DISCOVERED not in tiers(plan)
    assert "Credits." not in plan.block.text
    spontaneous = await ask(OPEN, at, fetch="HYDRATE: a-talk.txt@25-40")
    assert spontaneous.block == plan.block


async def test_facts_stay_in_a_second_round(at: Pin) -> None:
    first, second = await ask(PEAK, at), await ask(PEAK, at, fetch="HYDRATE: b-talk.srt")
    facts = {line for served in first.block.served if served.evidence.must for line in served.lines if "37.50" in line}
    assert facts
    assert facts <= set(second.block.text.splitlines())
    assert "Boats in the harbour." in tiers(second)[Tier.ADDRESSED]
    assert second.decision.reason == "fact"


@pytest.mark.parametrize("reply", ["HYDRATE: /etc/passwd", "HYDRATE:", "nothing of the kind", "HYDRATE: \x00@1-2"])
async def test_where_nothing_was_fetched_what_a_search_finds_is_shown(at: Pin, reply: str) -> None:
    """R27: the starvation valve; whatever the context and the readout are otherwise."""
    full = await ask(OPEN, at)
    for more in ({"context": "hydrate"}, {"readout": "off"}, {}):
        assert (await ask(OPEN, at, fetch=reply, **more)).block == full.block


async def test_a_skeleton_stays_one(at: Pin) -> None:
    bare = await ask(OPEN, at, context="skeleton")
    assert (await ask(OPEN, at, fetch="HYDRATE: a-talk.txt", context="skeleton")).block == bare.block


async def test_only_the_named_file_is_read_for_its_text(at: Pin) -> None:
    held = MemoryHeld([tv.base()], tv.facts(), tv.spans(), tv.readings(), tv.rows())
    recorded = RecordedHeld(held)
    plan = await ask(
        "When did the audience share peak?", at, FactsFinder(bases=lambda _: recorded), fetch="HYDRATE: b-talk.srt"
    )  # type: ignore[arg-type,return-value]
    shown = [served.evidence.home for served in plan.block.served if served.evidence.tier is Tier.ADDRESSED]
    assert shown == [tv.SHORT]
    assert "" not in recorded.asked or held_of(at.generation) is not None


async def test_a_block_is_the_same_each_time(at: Pin) -> None:
    for fetch in ("", "HYDRATE: a-talk.txt\nHYDRATE: packages.csv\nHYDRATE: b-talk.srt@0-9"):
        for context in ("full", "hydrate", "skeleton"):
            finder = FactsFinder()
            blocks = {
                (await ask(text, at, one, fetch=fetch, context=context)).block.text
                for text in (OPEN,)
                for one in (finder, finder, FactsFinder())
            }
            assert len(blocks) == 1
