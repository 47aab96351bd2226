"""Gates: whether found candidates deserve to be injected, and with how many tokens. They see confidence and scores, never kinds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from loom.core.values import Decision, Finding

PART = 0.35
NO_PART = "no_part"
"""The reason of a finding in a generation that holds nothing of its kind: it has no say in why nothing is shown."""

Decide = Callable[[Sequence[Finding], int], Decision]


@dataclass(frozen=True, slots=True)
class ReferenceGate:
    """The reference gate (reference §4): off, everything from `least` is shown with the whole budget; on, the budget is
    scaled by the first candidate's score."""

    scaled: bool = False
    strong: float = 8.0
    least: float = 2.0
    fraction: float = 0.4

    def effective_budget(self, top: float, requested: int) -> int | None:
        """Tokens to spend, or None to stay silent."""
        if not self.scaled:
            return requested
        if top < self.least:
            return None
        share = 1.0 if self.strong <= 0 else min(1.0, max(self.fraction, top / self.strong))
        return max(1, int(requested * share))

    def decide(self, findings: Sequence[Finding], requested: int) -> Decision:
        """Findings without a confidence are on the score's scale; one that states its own is judged by that."""
        failures = _failures(findings)
        found = [finding for finding in findings if finding.candidates]
        budgets = [self._budget(finding, requested) for finding in found]
        speaking = heeded([finding for finding, budget in zip(found, budgets, strict=True) if budget is not None])
        if not speaking:
            return Decision(False, "weak" if found else _quiet_reason(findings), failures=failures)
        admitted = tuple((finding.source, finding.candidates) for finding in speaking)
        budget = max(budget for budget in budgets if budget is not None)
        first = _strongest(speaking)
        band = "full" if budget >= requested else "part"
        return Decision(True, first.reason, budget, None, None, admitted, failures, _homes(speaking), first.path, band)

    def _budget(self, finding: Finding, requested: int) -> int | None:
        if finding.confidence is not None:
            return requested if finding.named or finding.confidence >= (finding.bands or (PART,))[0] else None
        top = finding.candidates[0].score
        return self.effective_budget(top, requested) if top >= self.least else None


@dataclass(frozen=True, slots=True)
class ConfidenceGate:
    """The default gate: in full from `full`, in part from `part`, silent below; a name that was used is never vetoed."""

    full: float = 0.55
    part: float = PART
    fraction: float = 0.5

    def decide(self, findings: Sequence[Finding], requested: int) -> Decision:
        failures = _failures(findings)
        found = [finding for finding in findings if finding.candidates]
        if not found:
            return Decision(False, _quiet_reason(findings), failures=failures)
        speaking = heeded([finding for finding in found if self._speaks(finding)])
        strongest = _strongest(speaking or found)
        confidence = strongest.confidence
        agreement, path = strongest.agreement, strongest.path
        if not speaking:
            return Decision(False, strongest.quiet, confidence=confidence, agreement=agreement, failures=failures, path=path)
        whole = any(finding.named or self._reaches(finding, 1) for finding in speaking)
        budget = requested if whole else max(1, int(requested * self.fraction))
        admitted = tuple((finding.source, finding.candidates) for finding in speaking)
        return Decision(
            True,
            strongest.reason,
            budget,
            confidence,
            agreement,
            admitted,
            failures,
            _homes(speaking),
            path,
            "full" if whole else "part",
        )

    def _speaks(self, finding: Finding) -> bool:
        return finding.named or self._reaches(finding, 0)

    def _reaches(self, finding: Finding, band: int) -> bool:
        bands = finding.bands or (self.part, self.full)
        return finding.confidence is None or finding.confidence >= bands[band]


def always(findings: Sequence[Finding], requested: int) -> Decision:
    """The gate that lets everything pass that was found, with the whole budget: for measuring what a gate is worth."""
    found = [finding for finding in findings if finding.candidates]
    if not found:
        return Decision(False, _quiet_reason(findings), failures=_failures(findings))
    found = list(heeded(found))
    best = max(found, key=lambda finding: -1.0 if finding.confidence is None else finding.confidence)
    admitted = tuple((finding.source, finding.candidates) for finding in found)
    return Decision(
        True,
        best.reason,
        requested,
        best.confidence,
        best.agreement,
        admitted,
        _failures(findings),
        _homes(found),
        best.path,
        "full",
    )


def heeded(findings: Sequence[Finding]) -> Sequence[Finding]:
    """Those that are shown: one that yields has a say only where all do."""
    return [finding for finding in findings if not finding.yields] or findings


def _strongest(findings: Sequence[Finding]) -> Finding:
    """The finding that names the decision: a named one before others, then by confidence, then in the order of the sources."""
    found = [finding for finding in findings if finding.candidates]
    return max(found, key=lambda finding: (finding.named, 1.0 if finding.confidence is None else finding.confidence))


def _homes(findings: Sequence[Finding]) -> frozenset[str] | None:
    bounds = [finding.only for finding in findings if finding.only is not None]
    return frozenset().union(*bounds) if bounds else None


def _quiet_reason(findings: Sequence[Finding]) -> str:
    findings = [finding for finding in findings if finding.reason != NO_PART]
    if findings and all(finding.failure for finding in findings):
        return "error"
    return next((finding.reason for finding in findings if not finding.failure), "off_topic")


def _failures(findings: Sequence[Finding]) -> tuple[str, ...]:
    return tuple(f"{finding.source}: {finding.failure}" for finding in findings if finding.failure)
