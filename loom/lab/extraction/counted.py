"""What came of an extraction: by model and arm, and the queue of terms that no page answers to."""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean

from loom.core.names import fold_name
from loom.core.values import Json
from loom.lab.extraction.artefacts import Artefact, Artefacts
from loom.lab.extraction.asking import BARE, GROUNDED, Extracted
from loom.lab.extraction.assertions import TIERS, Assertion
from loom.lab.extraction.terms import Terms


def artefacts_of(assertion: Assertion, artefacts: Artefacts) -> list[Artefact]:
    """The artefacts that a claim or its terms reproduce; the source quotes the transcript and is not looked at."""
    return [found for text in (assertion.claim, *assertion.terms) for found in artefacts.find(text)]


def counted(done: Sequence[Extracted], terms: Terms, artefacts: Artefacts, seed: int = 42) -> dict[str, Json]:
    """The arms by model, and grounded against bare on the same transcripts."""
    keys = list(dict.fromkeys((each.model, each.arm) for each in done))
    arms = [
        {
            "model": model,
            "arm": arm,
            **_arm([each for each in done if (each.model, each.arm) == (model, arm)], terms, artefacts),
        }
        for model, arm in keys
    ]
    models = list(dict.fromkeys(each.model for each in done))
    return {"arms": arms, "contrasts": [_contrast(model, done, terms, seed) for model in models]}


def _arm(done: Sequence[Extracted], terms: Terms, artefacts: Artefacts) -> dict[str, Json]:
    every = [assertion for each in done for assertion in each.assertions]
    emitted = [term for assertion in every for term in assertion.terms]
    distinct = {fold_name(term): term for term in emitted}
    resolved = sum(terms.resolve(term) is not None for term in emitted)
    found = [artefacts_of(assertion, artefacts) for assertion in every]
    stated = [assertion.confidence for assertion in every if assertion.confidence is not None]
    return {
        "transcripts": len({each.transcript for each in done}),
        "calls": len(done),
        "engaged": sum(bool(each.engaged) for each in done),
        "empty": sum(each.said.empty for each in done),
        "errors": sum(each.said.error is not None for each in done),
        "truncated": sum(each.said.truncated for each in done),
        "without_assertions": sum(not each.assertions and not each.said.empty and each.said.error is None for each in done),
        "assertions": len(every),
        "tiers": {str(tier): sum(assertion.tier == tier for assertion in every) for tier in TIERS}
        | {"other": sum(assertion.tier is None for assertion in every)},
        "with_source": sum(bool(assertion.source) for assertion in every),
        "without_terms": sum(not assertion.terms for assertion in every),
        "terms": len(emitted),
        "terms_resolved": resolved,
        "resolution": resolved / len(emitted) if emitted else None,
        "distinct_terms": len(distinct),
        "distinct_resolved": sum(terms.resolve(term) is not None for term in distinct.values()),
        "landing": sum(any(terms.resolve(term) is not None for term in assertion.terms) for assertion in every),
        "artefact_claims": sum(bool(each) for each in found),
        "artefacts": [
            {"text": text, "rule": rule, "name": name, "count": count}
            for (text, rule, name), count in sorted(
                Counter((each.text, each.rule, each.name) for one in found for each in one).items(),
                key=lambda item: (-item[1], item[0]),
            )
        ],
        "mean_confidence": fmean(stated) if stated else None,
        "with_confidence": len(stated),
    }


def _contrast(model: str, done: Sequence[Extracted], terms: Terms, seed: int) -> dict[str, Json]:
    """Resolution of grounded less bare, over the transcripts of which both arms emitted terms."""
    from loom.lab.statistics import paired

    shares: dict[str, dict[str, float]] = {GROUNDED: {}, BARE: {}}
    for arm, held in shares.items():
        for name in dict.fromkeys(each.transcript for each in done):
            emitted = [
                term
                for each in done
                if (each.model, each.arm, each.transcript) == (model, arm, name)
                for assertion in each.assertions
                for term in assertion.terms
            ]
            if emitted:
                held[name] = sum(terms.resolve(term) is not None for term in emitted) / len(emitted)
    both = [name for name in shares[GROUNDED] if name in shares[BARE]]
    result: Json = None
    if both:
        compared = paired([shares[GROUNDED][name] for name in both], [shares[BARE][name] for name in both], seed=seed)
        result = compared.as_json()
    return {"model": model, "outcome": "resolution", "a": GROUNDED, "b": BARE, "transcripts": len(both), "paired": result}


def queue(done: Sequence[Extracted], terms: Terms) -> list[dict[str, Json]]:
    """The terms that resolve to nothing, most frequent first: as written most often, how often, where, and the nearest names."""
    written: dict[str, Counter[str]] = {}
    where: dict[str, dict[str, None]] = {}
    arms: dict[str, Counter[str]] = {}
    for each in done:
        for assertion in each.assertions:
            for term in assertion.terms:
                if terms.resolve(term) is None:
                    key = fold_name(term) or term
                    written.setdefault(key, Counter())[term] += 1
                    where.setdefault(key, {})[each.transcript] = None
                    arms.setdefault(key, Counter())[each.arm] += 1
    rows: list[dict[str, Json]] = []
    for key in sorted(written, key=lambda key: (-sum(written[key].values()), key)):
        counts: Mapping[str, int] = written[key]
        term = min(counts, key=lambda spelling: (-counts[spelling], spelling))
        rows.append(
            {
                "term": term,
                "count": sum(counts.values()),
                "arms": dict(sorted(arms[key].items())),
                "transcripts": list(where[key]),
                "nearest": terms.nearest(term),
            }
        )
    return rows
