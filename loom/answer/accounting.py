"""The `loom` object: what a response says of its plan, its model and its answer; and the answer's citations."""

import logging
import re
from collections.abc import Sequence

from loom.answer.plan import Plan, Watch
from loom.answer.receipt import decision_json, units_json
from loom.core.values import Block, Json, Outcome

log = logging.getLogger(__name__)


def served_as(plan: Plan, backend: str) -> str:
    """What answered: the backend's own word, or passthrough where a model was asked without grounding."""
    return "passthrough" if backend == "delegated" and not plan.decision.engaged else backend


def loom_object(
    plan: Plan,
    outcome: Outcome,
    watches: Sequence[Watch],
    *,
    request_id: str,
    backend: str,
    sent: str,
    allowance: int | None = None,
) -> dict[str, Json]:
    """The account of one answer. Its keys are fixed; every watch adds its own, two of one key into one place. No key is ever called
    `error`.

    A watch that fails leaves its place empty: what is counted must not cost a client the answer.
    """
    completion: dict[str, Json] = {"class": outcome.completion, "attempts": outcome.attempts}
    if allowance is not None:
        completion["allowance"] = allowance
    account: dict[str, Json] = {
        "request_id": request_id,
        "pin": plan.pin.as_json(),
        "served": served_as(plan, backend),
        "model": {"requested": plan.question.body.get("model"), "sent": sent, "reported": outcome.model_reported},
        "policy": plan.policy.name,
        "wrapper": plan.wrapper,
        "matcher": plan.policy.matcher,
        "decision": decision_json(plan.decision),
        "units": units_json(plan.block),
        "injected_tokens": plan.prompt.injected_tokens,
        "exposure": None,
        "completion": completion,
    }
    for watch in watches:
        try:
            report = watch.report(outcome)
        except Exception:
            log.exception("The watch %r could not report on an answer.", watch.key)
            continue
        if report is None:
            continue
        if watch.key:
            account[watch.key] = {**(account.get(watch.key) or {}), **report}
        else:
            account.update(report)
    return account


def citations(block: Block, content: str) -> list[dict[str, Json]]:
    """One `url_citation` for each served unit that the text names, in the units' order, at the first place that names it.

    The unit is known from the block, never from what a model writes as a source; a unit that is not named is not cited. A
    title inside a longer title of another unit does not name it.
    """
    taken: list[tuple[int, int]] = []
    found: dict[int, dict[str, Json]] = {}
    folded = content.casefold()
    by_length = sorted(enumerate(block.served), key=lambda each: -len(each[1].evidence.title))
    for position, served in by_length:
        title = served.evidence.title
        if title.casefold() not in folded:
            continue
        places = re.finditer(rf"(?<!\w){re.escape(title)}(?!\w)", content, re.IGNORECASE) if title else ()
        own = [place.span() for place in places if not any(start < place.end() and place.start() < end for start, end in taken)]
        if own:
            taken += own
            citation = {"start_index": own[0][0], "end_index": own[0][1], "url": served.evidence.iri, "title": title}
            found[position] = {"type": "url_citation", "url_citation": citation}
    return [found[position] for position in sorted(found)]
