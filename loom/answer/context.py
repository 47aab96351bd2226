"""A context by itself: what a question is given, tier by tier, with receipts; no model is asked.

It knows no kind of evidence: tiers, addresses and receipts are what finders proposed and core minted.
"""

from itertools import groupby

from loom.answer.plan import Plan
from loom.answer.proofs import digest, place, receipts
from loom.answer.receipt import decision_json, scaffold_json
from loom.answer.route import route_json
from loom.core.values import Json, Role, Served


def context_json(plan: Plan) -> dict[str, Json]:
    """What `POST /loom/context` answers. The sections of `tiers`, in order and with an empty line between two, are `context` without
    its first and last line."""
    block = plan.block
    return {
        "context": block.text,
        "sha256": digest([block.text]),
        "messages": plan.prompt.body.get("messages", []),
        "tiers": tiers_json(block.served),
        **route_json(plan),
        "receipts": receipts(plan),
        "notes": [line for each in block.served for line in _notes(each)],
        "cut": [{"iri": each.evidence.iri, "title": each.evidence.title} for each in block.served if each.cut],
        "dropped": [{"iri": each.iri, "title": each.title} for each in block.dropped],
        "decision": decision_json(plan.decision),
        "pin": plan.pin.as_json(),
        "tokens": block.tokens,
        "injected_tokens": plan.prompt.injected_tokens,
        "loom": scaffold_json(plan),
    }


def tiers_json(served: tuple[Served, ...]) -> list[dict[str, Json]]:
    """The units in the order shown, by tier. A tier comes again where evidence that must be shown stands before an earlier one."""
    tiers: list[dict[str, Json]] = []
    for tier, group in groupby(enumerate(served, 1), key=lambda one: one[1].evidence.tier):
        units = [_unit(number, each) for number, each in group]
        tiers.append({"tier": tier.name.lower(), "tokens": sum(unit["tokens"] for unit in units), "units": units})
    return tiers


def _unit(number: int, served: Served) -> dict[str, Json]:
    evidence = served.evidence
    return {
        "number": number,
        "iri": evidence.iri,
        "title": evidence.title,
        "tokens": served.tokens,
        "cut": served.cut,
        "text": "\n".join(served.lines),
        "lines": list(served.lines),
        "source": place(evidence) or None,
        "home": evidence.home or None,
        "why": evidence.found.why if evidence.found else None,
        "retriever": evidence.found.retriever if evidence.found else None,
        "score": evidence.found.score if evidence.found else None,
    }


def _notes(served: Served) -> list[str]:
    """What a unit says to be absent."""
    told = zip(served.lines, served.evidence.stated, strict=False)
    return [line for line, stated in told if stated is not None and stated.role is Role.ABSENT]
