"""Controls: what should change the outcome if a part carried it (seed 004 §7, specs/memory.md §9)."""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256

import orjson

from loom.core.memory.policy import PUBLISHED, Policy
from loom.core.values import Json
from loom.lab.locomo.arms import ARMS, RECALL, Arm
from loom.lab.locomo.bench import Bench, Outcome
from loom.lab.locomo.inference import derived, facts_of
from loom.lab.locomo.intervals import difference
from loom.lab.locomo.sweeps import row


def _read(policy: Policy, **changes: object) -> Policy:
    return replace(policy, reads=replace(policy.reads, **changes))  # type: ignore[arg-type]


CONTROLS = (
    ("subject = speaker", ARMS["speaker"], "graph"),
    ("questions kept as assertions", Arm("questions", _read(PUBLISHED, questions=True)), "graph"),
    ("with inference", Arm("inference", PUBLISHED, derived=True), "graph"),
    ("only speakers known by name", Arm("known", _read(PUBLISHED, known=False)), "graph"),
    ("second person ignored", Arm("you", _read(PUBLISHED, you=False)), "graph"),
    ("no captions", Arm("captions", _read(PUBLISHED, captions=False)), "graph"),
    ("unit alone", ARMS["span"], "vector"),
)
"""(what is changed, the arm that it makes, the arm it is set against)."""


def controls(bench: Bench, outcomes: Mapping[str, Outcome], ours: Arm) -> list[dict[str, Json]]:
    """Each control that its arm was run for, with its difference and interval."""
    found = [
        {"control": name, "against": against, **row(bench, outcome), **_gap(bench, outcome, outcomes[against])}
        for name, arm, against in CONTROLS
        if against in outcomes
        for outcome in (bench.outcome(arm),)
    ]
    if {"model-graph", "graph"} <= outcomes.keys():
        outcome = outcomes["model-graph"]
        found.append(
            {
                "control": "spans by a model",
                "against": "graph",
                **row(bench, outcome),
                **_gap(bench, outcome, outcomes["graph"]),
            }
        )
    if "ours" in outcomes:
        recalls, served = ours.policy.recalls, bench.outcome(ours)
        for name, changed in (
            ("contrast without scope", replace(recalls, scope=False)),
            ("scope without contrast", replace(recalls, contrast=0.0)),
        ):
            outcome = bench.outcome(Arm(name, replace(ours.policy, recalls=changed)))
            found.append({"control": name, "against": "ours as served", **row(bench, outcome), **_gap(bench, outcome, served)})
        for name, reads in (
            ("without adjacency", replace(ours.policy.reads, adjacent=False)),
            ("subject = speaker, in ours", replace(ours.policy.reads, subjects="speaker")),
        ):
            outcome = bench.outcome(Arm(name, replace(ours.policy, reads=reads), RECALL))
            found.append({"control": name, "against": "ours as served", **row(bench, outcome), **_gap(bench, outcome, served)})
    return found


def _gap(bench: Bench, one: Outcome, other: Outcome) -> dict[str, Json]:
    return {"difference": difference(bench, one, other)}


def empty_graph(bench: Bench) -> dict[str, Json]:
    """The published arm with the facts of the conversations at hand and with none: a digest of all it replied each time. Equal, since
    what is recalled comes from pieces; facts are what inference derives from, and what graph+edge answers off."""
    talks = bench.reads(PUBLISHED.reads)
    facts = [facts_of(talk) for talk in talks]
    without = Bench(bench.data)
    digests = [digest(each.outcome(ARMS["graph"])) for each in (bench, without)]
    return {
        "control": "empty fact graph",
        "against": "graph",
        "facts": sum(each.stated for each in facts),
        "derived": sum(len(derived(each)) for each in facts),
        "sha256": digests,
        "identical": digests[0] == digests[1],
    }


def digest(outcome: Outcome) -> str:
    """SHA-256 of all that an arm replied and how sure it was: equal only where nothing changed."""
    return sha256(orjson.dumps([outcome.replies, outcome.confidence.tolist(), outcome.reach.tolist()])).hexdigest()
