"""What a response says of its plan: the decision, the units served, and the scaffold by itself."""

from loom.answer.plan import Plan
from loom.core.exposure import shown_names
from loom.core.values import Block, Decision, Json


def decision_json(decision: Decision) -> dict[str, Json]:
    """The decision on the wire; `failures` only where a finder failed."""
    found: dict[str, Json] = {
        "engaged": decision.engaged,
        "reason": decision.reason,
        "confidence": decision.confidence,
        "agreement": decision.agreement,
        "path": decision.path,
        "band": decision.band if decision.engaged else "silent",
        "budget": decision.budget,
    }
    if decision.failures:
        found["failures"] = list(decision.failures)
    return found


def units_json(block: Block) -> list[dict[str, Json]]:
    """The units of a block in the order shown; a citation's number is the position here, from 1."""
    return [
        {
            "iri": served.evidence.iri,
            "title": served.evidence.title,
            "tier": served.evidence.tier.name.lower(),
            "retriever": served.evidence.found.retriever if served.evidence.found else None,
            "score": served.evidence.found.score if served.evidence.found else None,
            "tokens": served.tokens,
            "cut": served.cut,
        }
        for served in block.served
    ]


def scaffold_json(plan: Plan) -> dict[str, Json]:
    """A scaffold without an answer: the block, and everything that is known before a model is asked."""
    return {
        "pin": plan.pin.as_json(),
        "policy": plan.policy.name,
        "wrapper": plan.wrapper,
        "matcher": plan.policy.matcher,
        "decision": decision_json(plan.decision),
        "units": units_json(plan.block),
        "dropped": [{"iri": evidence.iri, "title": evidence.title} for evidence in plan.block.dropped],
        "candidates": [
            {"iri": candidate.iri, "score": candidate.score, "retriever": candidate.retriever, "why": candidate.why}
            for _, candidates in plan.decision.admitted
            for candidate in candidates
        ],
        "scaffold": plan.block.text,
        "tokens": plan.block.tokens,
        "injected_tokens": plan.prompt.injected_tokens,
        "targets": list(shown_names(plan.block)),
    }
