"""The one path from a question to a plan: scaffold, context, query, chat, verbatim and the lab all take it, and no other."""

import asyncio
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import replace

from loom.answer.plan import Finder, Grounded, Pin, Plan, concerned
from loom.answer.second_round import single
from loom.core.concepts import remember
from loom.core.errors import LoomError, Unreachable
from loom.core.facts.citing import cited
from loom.core.policy.merge import merge
from loom.core.policy.packing import NOTHING
from loom.core.policy.policy import Policy
from loom.core.policy.steady import holds, in_order_of
from loom.core.retrieval.follow import Leans, Query, query
from loom.core.values import Block, Candidate, Decision, Evidence, Finding, Question, Served, Tier

LONGEST_REMEMBERED, REMEMBERED = 2_000, 512
"""Code points of the longest question that is remembered, and how many are."""


async def prepare(
    question: Question,
    pin: Pin,
    finders: Sequence[Finder],
    policies: Mapping[str, Policy],
    *,
    policy: str = "default",
    wrapper: str = "authoritative",
    budget: int = 1500,
    greedy: bool = False,
) -> Plan:
    """Find, decide, mint, pack, merge. The options of the question win over the node's policy, wrapper and budget.

    With `greedy`, a model that is shown computed facts is asked for its likeliest words (R31).

    Raises BudgetError where evidence that must be shown does not fit; a finder that fails or is late is labelled instead.
    """
    options = question.options
    finders = [finder for finder in finders if concerned(finder, question)]
    chosen = policies[options.policy or policy]
    wrapping = options.wrapper or wrapper
    asked = question if chosen.follows or not question.before else replace(question, before=())
    decision, block, contract = await _remembered(
        asked, pin, finders, chosen, budget if options.budget is None else options.budget
    )
    temperature = 0 if greedy and any(map(_computed, block.served)) else None
    prompt = merge(question, block, wrapping, temperature=temperature)
    return Plan(question, pin, chosen, decision, block, prompt, wrapping, contract)


def _computed(served: Served) -> bool:
    evidence = served.evidence
    return evidence.tier is Tier.COMPUTED and not evidence.reply and not evidence.guides


async def _remembered(question: Question, pin: Pin, finders: Sequence[Finder], policy: Policy, budget: int) -> Grounded:
    """What the question is given; found once for a question that is asked again of the same generation."""
    options = question.options
    if options.off:
        return Decision(False, "disabled"), NOTHING, None
    if question.shape == "side_call":
        return Decision(False, "side_call"), NOTHING, None
    follows = query(question.text, question.before) if question.before else None
    if follows is not None and follows.leans is Leans.NOT:
        question, follows = replace(question, before=()), None
    if question.fetch or len(question.text) > LONGEST_REMEMBERED or any(finder.waits for finder in finders):
        return await _ground(question, follows, pin, finders, policy, budget)
    told = tuple(name for turn in question.before if turn.role == "assistant" for name in cited(turn.text))
    key = (
        *(question.text, follows, told, question.shape, policy, budget, options.max_units, options.hops, options.prose),
        *(options.context, options.readout, single(question)),
        *finders,
    )
    grounded = pin.grounded.get(key)
    if grounded is None:
        grounded = await _ground(question, follows, pin, finders, policy, budget)
        if not grounded[0].failures:
            remember(pin.grounded, key, grounded, REMEMBERED)
    return grounded


async def _ground(
    question: Question, follows: Query | None, pin: Pin, finders: Sequence[Finder], policy: Policy, budget: int
) -> Grounded:
    findings = await _find(question, pin, finders, policy)
    decision = policy.decide(findings, budget)
    if told := tuple((finding.source, finding.told) for finding in findings if finding.told):
        decision = replace(decision, told=told)
    if not decision.engaged:
        return decision, NOTHING, None
    evidence: list[Evidence] = []
    for finder in finders:
        admitted = decision.of(finder.name)
        if admitted:
            minted, failure = await _mint(finder, question, pin, policy, admitted)
            evidence += minted
            if failure:
                decision = replace(decision, failures=(*decision.failures, failure))
    evidence = _once(each for each in evidence if _belongs(each, decision))
    earlier = await _earlier(question, follows, pin, finders, policy, budget)
    block = policy.pack(in_order_of(earlier, evidence) if earlier.served else evidence, decision.budget)
    # An address binds what is shown to its sources, whatever a prefix cache would rather keep.
    if decision.only is None and block.served and earlier.tokens <= decision.budget and holds(earlier, block):
        block = earlier
    if not block.served:
        reason = "budget" if evidence else "error" if decision.failures else "no_text"
        return replace(decision, engaged=False, reason=reason, budget=0), block, None
    contract = next((finding.contract for finding in findings if finding.contract), None)
    return decision, block, contract


async def _earlier(
    question: Question, follows: Query | None, pin: Pin, finders: Sequence[Finder], policy: Policy, budget: int
) -> Block:
    """What was shown for the question that set the topic of a follow-up; nothing for any other question."""
    if follows is None or follows.leans is not Leans.FULLY or not follows.set_by:
        return NOTHING
    asked = replace(question, text=follows.set_by, before=(), shape="plain")
    return (await _remembered(asked, pin, finders, policy, budget))[1]


def _once(evidence: Iterable[Evidence]) -> list[Evidence]:
    """Each address once among what was discovered: two finders may come upon one."""
    found: set[str] = set()
    kept = []
    for each in evidence:
        if each.tier is not Tier.DISCOVERED or each.iri not in found:
            kept.append(each)
        found.add(each.iri)
    return kept


def _belongs(evidence: Evidence, decision: Decision) -> bool:
    """A source that was named bounds what may be discovered beside it, never what was computed or addressed."""
    return decision.only is None or evidence.tier is not Tier.DISCOVERED or evidence.home in decision.only


async def _find(question: Question, pin: Pin, finders: Sequence[Finder], policy: Policy) -> list[Finding]:
    """One finding a finder, in the finders' order. Nothing that was begun outlives this call."""
    waiting = {finder.name: asyncio.ensure_future(finder.find(question, pin, policy)) for finder in finders if finder.waits}
    try:
        found = {
            finder.name: await _labelled(finder.name, finder.find(question, pin, policy))
            for finder in finders
            if not finder.waits
        }
        if waiting:
            _, late = await asyncio.wait(waiting.values(), timeout=question.deadline)
            for name, task in waiting.items():
                found[name] = (
                    Finding(name, reason="error", failure=f"no answer within {question.deadline:g} s")
                    if task in late
                    else await _labelled(name, task)
                )
    finally:
        for task in waiting.values():
            task.cancel()
        if waiting:
            await asyncio.gather(*waiting.values(), return_exceptions=True)
    return [found[finder.name] for finder in finders]


async def _labelled(name: str, finding: Awaitable[Finding]) -> Finding:
    """The finding, or an empty one that says how it failed. Faults that a caller is meant to read are raised."""
    try:
        return await finding
    except LoomError:
        raise
    except Exception as error:
        return Finding(name, reason="error", failure=f"{type(error).__name__}: {error}")


async def _mint(
    finder: Finder, question: Question, pin: Pin, policy: Policy, admitted: Sequence[Candidate]
) -> tuple[Sequence[Evidence], str | None]:
    minting = finder.mint(question, pin, policy, admitted)
    try:
        return await (asyncio.wait_for(minting, question.deadline) if finder.waits else minting), None
    except Unreachable as error:
        return (), f"{finder.name}: {error.message}"
    except LoomError:
        raise
    except TimeoutError:
        return (), f"{finder.name}: nothing to show within {question.deadline:g} s"
    except Exception as error:
        return (), f"{finder.name}: {type(error).__name__}: {error}"
