"""Claims, readings and batches as JSON, for whoever shows them."""

from typing import Any

from loom.claims.fast import Hit, Opposed, opposed_by
from loom.claims.slow import Flushed
from loom.claims.workspace import Answer
from loom.core.claims.history import Move
from loom.core.claims.records import Entry
from loom.core.claims.stored import StoredClaim
from loom.core.claims.view import ClaimView, Tree


def flushed_as_json(flushed: Flushed) -> dict[str, Any]:
    moves = flushed.change.moves if flushed.change else ()
    return {
        "version": flushed.version, "asks": flushed.asks, "signals": flushed.signals, "claims": flushed.claims,
        "projections": flushed.projections, "migrated": flushed.migrated, "refiled": flushed.refiled, "calls": flushed.calls,
        "moves": [moved(each) for each in moves], "again": list(flushed.again), "said": dict(flushed.said),
    }  # fmt: skip


def moved(move: Move) -> dict[str, Any]:
    return {
        "claim": move.claim,
        "from": move.before.word,
        "to": move.after.word,
        "cause": move.cause,
        "by": move.by,
        "batch": move.batch,
        "at": move.at,
    }


def hit_as_json(hit: Hit) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": hit.id,
        "kind": "claim" if hit.claim else "signal",
        "text": hit.text,
        "score": round(hit.score, 6),
    }
    if hit.claim:
        told |= {
            "standing": hit.standing.word,
            "home": sorted(hit.claim.home),
            "preconditions": list(hit.preconditions),
            "disputed_by": [opposed(each) for each in hit.opposed],
        }
    elif hit.signal:
        told |= {"source": hit.signal.source, "observed_at": hit.signal.signal.observed_at, "entry": hit.signal.signal.entry}
    return told


def opposed(each: Opposed) -> dict[str, Any]:
    return {"id": each.id, "text": each.text, "standing": each.standing.word}


def answer_as_json(answer: Answer) -> dict[str, Any]:
    told: dict[str, Any] = {"way": answer.way.way, "probabilities": dict(answer.way.probabilities)}
    if answer.reading is not None:
        told |= {
            "version": answer.reading.version,
            "scope": list(answer.reading.scope),
            "confidence": round(answer.reading.confidence, 4),
            "hits": [hit_as_json(each) for each in answer.reading.hits],
        }
    if answer.asked is not None:
        told["asked"] = {"key": answer.asked.ask.key, "version": answer.asked.version, "outcome": answer.asked.outcome}
    if answer.artifact is not None:
        told["artifact"] = {"text": answer.artifact.text, "citations": list(answer.artifact.citations)}
    return told


def entry_as_json(each: Entry) -> dict[str, Any]:
    """An entry without its text, which may be long."""
    return {
        "id": each.id, "source": each.source, "kind": each.kind, "author": each.author, "observed_at": each.observed_at,
        "ingested_at": each.ingested_at, "withdrawn_at": each.withdrawn_at, "characters": len(each.text),
    }  # fmt: skip


def claim_as_json(each: StoredClaim) -> dict[str, Any]:
    claim = each.claim
    return {
        "id": claim.id,
        "proposition": claim.proposition,
        "standing": each.standing.word,
        "home": sorted(each.home),
        "preconditions": [{"id": one.id, "text": one.text} for one in claim.context],
        "superseded_by": list(each.superseded_by),
        "lifted": each.lifted,
        "at": each.at,
    }


def tree_as_json(tree: Tree) -> dict[str, Any]:
    """What a claim rests on: every node once, justifications by id."""
    claims = {
        id: claim_as_json(each)
        | {
            "justifications": [
                {
                    "antecedents": list(branch.antecedents), "kind": branch.derivation.kind, "by": branch.derivation.agent.name or branch.derivation.agent.kind,
                    "at": branch.derivation.at, "request": branch.derivation.request,
                    "migrations": [{"precondition": one.precondition, "node": one.node, "at": one.at} for one in branch.migrations],
                }
                for branch in tree.branches(id)
            ]
        }
        for id, each in tree.claims.items()
    }  # fmt: skip
    signals = {
        id: {
            "proposition": each.signal.proposition, "entry": each.signal.entry, "span": list(each.signal.span), "source": each.source,
            "observed_at": each.signal.observed_at, "supported": each.supported, "replaced_by": list(each.replaced_by), "checked": each.signal.checked,
        }
        for id, each in tree.signals.items()
    }  # fmt: skip
    entries = {
        id: {"source": each.source, "kind": each.kind, "author": each.author, "observed_at": each.observed_at, "withdrawn_at": each.withdrawn_at}
        for id, each in tree.entries.items()
    }  # fmt: skip
    return {"root": tree.root, "claims": claims, "signals": signals, "entries": entries, "cut": list(tree.cut)}


def shown_as_json(view: ClaimView, tree: Tree) -> dict[str, Any]:
    """A claim with all that there is to know of it in one version."""
    root = tree.root
    shown = view.shown([root]).get(root)
    return {
        "version": view.version,
        **tree_as_json(tree),
        "disputed_by": [opposed(each) for each in opposed_by(view, root)],
        "conflicts": [
            {"with": each.partner, "standing": each.standing.word, "branches": list(each.branches), "live": each.live,
             "at": each.at, "by": each.by}
            for each in view.conflicts(root)
        ],
        "history": [moved(each) for each in view.history(root)],
        "positions": [
            {"dimension": each.dimension, "version": each.version, "value": each.value, "relevance": each.relevance, "at": each.at}
            for each in view.projections([root]).get(root, ())
        ],
        "dependents": list(view.dependents(root)),
        "shown": shown.count if shown else 0,
    }  # fmt: skip
