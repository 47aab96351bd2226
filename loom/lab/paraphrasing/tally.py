"""What a run of paraphrasing came to."""

from collections import Counter
from collections.abc import Sequence

from loom.core.values import Json
from loom.lab.paraphrasing.gate import REASONS
from loom.lab.paraphrasing.rewriting import Paraphrased


def tally(done: Sequence[Paraphrased]) -> dict[str, Json]:
    """Counts: a refused try counts under its first reason, in the gate's order (gold, then subject, then relation). Mean attempts
    are over the questions that passed."""
    passed = [each for each in done if each.text is not None]
    reasons = Counter(attempt.refusals[0].reason for each in done for attempt in each.tries if attempt.refusals)
    attempts = [len(each.tries) for each in passed]
    return {
        "questions": len(done),
        "passed": len(passed),
        "unresolved": [
            {
                "id": each.question.id,
                "prompt": each.question.prompt,
                "error": each.error,
                "tries": [attempt.as_json() for attempt in each.tries],
            }
            for each in done
            if each.text is None
        ],
        "tries": sum(len(each.tries) for each in done),
        "refused": {reason: reasons[reason] for reason in REASONS},
        "mean_tries": sum(attempts) / len(attempts) if attempts else None,
        "by_try": {str(at): attempts.count(at) for at in sorted(set(attempts))},
    }
