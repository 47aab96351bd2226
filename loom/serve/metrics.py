"""The metrics of the node, in one table. Labels come from closed sets, whatever clients send."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from loom.claims.asks import KINDS
from loom.claims.figures import Figures
from loom.serve.acks import alive
from loom.serve.handover import DIRECTORY_VARIABLE

CONTENT_TYPE = CONTENT_TYPE_LATEST

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
STALLS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5)
TOKENS = (0, 64, 128, 256, 512, 768, 1024, 1536, 2048, 4096, 8192)


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric as the documentation lists it."""

    name: str
    kind: str
    meaning: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()


METRICS = (
    Metric("loom_requests_total", "counter", "Requests answered, by route and status.", ("route", "status")),
    Metric("loom_request_seconds", "histogram", "Seconds from the first byte in to the last byte out.", ("route",), SECONDS),
    Metric("loom_decisions_total", "counter", "Decisions to ground or not, by reason.", ("reason",)),
    Metric("loom_injected_tokens", "histogram", "Tokens that grounding added to a prompt.", (), TOKENS),
    Metric("loom_exposure_total", "counter", "Names counted against answers, by cell (n11, n10, n01).", ("cell",)),
    Metric("loom_completions_total", "counter", "Completions, by class.", ("class",)),
    Metric("loom_upstream_seconds", "histogram", "Seconds that the model took.", (), SECONDS),
    Metric("loom_first_token_seconds", "histogram", "Seconds until the model's first token.", (), SECONDS),
    Metric("loom_upstream_errors_total", "counter", "Failed calls upstream, by kind.", ("kind",)),
    Metric("loom_allowance_retries_total", "counter", "Calls repeated with a larger completion allowance.", ()),
    Metric("loom_hydrations_total", "counter", "Answers that a model could ask passages for, by outcome.", ("outcome",)),
    Metric(
        "loom_memory_recalls_total",
        "counter",
        "Questions that a memory was asked, by result (found, silent, failed).",
        ("result",),
    ),
    Metric(
        "loom_memory_turns_total",
        "counter",
        "Turns that a memory was given, by result (new, known, gone, failed).",
        ("result",),
    ),
    Metric(
        "loom_proposals_assertions_total",
        "counter",
        "Assertions that were delivered to the ledger, by result (new, known).",
        ("result",),
    ),
    Metric(
        "loom_proposals_decisions_total",
        "counter",
        "Decisions on proposals, by what they became (approved, rejected, withdrawn).",
        ("state",),
    ),
    Metric(
        "loom_claims_asks_total",
        "counter",
        "Requests to claims, by the way that they took and by outcome (found, nothing, waiting, refused).",
        ("way", "outcome"),
    ),
    Metric(
        "loom_claims_entries_total",
        "counter",
        "Entries that were sent to claims, by state (new, known, withdrawn, differs).",
        ("state",),
    ),
    Metric("loom_claims_decisions_total", "counter", "What people wanted done to claims, by act.", ("act",)),
    Metric("loom_claims_version", "gauge", "The version of the claims that was committed last.", ()),
    Metric("loom_claims_waiting", "gauge", "Asks that wait for the slow path, by kind.", ("kind",)),
    Metric("loom_claims_standing", "gauge", "Claims, by standing.", ("standing",)),
    Metric("loom_claims_calls", "gauge", "Calls of models in the log of the claims, by line of the ledger.", ("line",)),
    Metric("loom_claims_price", "gauge", "What those calls cost, by line of the ledger.", ("line",)),
    Metric("loom_side_calls_total", "counter", "Calls of chat programs for titles, tags and follow-ups, by kind.", ("kind",)),
    Metric("loom_swaps_total", "counter", "Attempts to serve another generation, by result.", ("result",)),
    Metric("loom_sparql_queries_total", "counter", "SPARQL queries, by how they ended.", ("result",)),
    Metric("loom_sparql_seconds", "histogram", "Seconds of a SPARQL query, waiting included.", (), SECONDS),
    Metric(
        "loom_swap_stall_seconds", "histogram", "Longest delay of the event loop while a generation was opened.", (), STALLS
    ),
    Metric("loom_generation_info", "gauge", "1 for the generation that is served.", ("id",)),
)


class Metrics:
    """The metrics of one process. With workers, each writes to mapped files and a scrape of any of them sums all."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._made: dict[str, Any] = {metric.name: self._make(metric) for metric in METRICS}
        self._children: dict[tuple[str, ...], Any] = {}

    def _make(self, metric: Metric) -> Counter | Gauge | Histogram:
        if metric.kind == "counter":
            return Counter(metric.name, metric.meaning, metric.labels, registry=self._registry)
        if metric.kind == "gauge":
            return Gauge(metric.name, metric.meaning, metric.labels, registry=self._registry, multiprocess_mode="livemax")
        return Histogram(metric.name, metric.meaning, metric.labels, registry=self._registry, buckets=metric.buckets)

    def _child(self, name: str, labels: tuple[str, ...]) -> Any:
        key = (name, *labels)
        child = self._children.get(key)
        if child is None:
            child = self._children[key] = self._made[name].labels(*labels) if labels else self._made[name]
        return child

    def count(self, name: str, *labels: str, by: float = 1) -> None:
        self._child(name, labels).inc(by)

    def observe(self, name: str, value: float, *labels: str) -> None:
        self._child(name, labels).observe(value)

    def count_turns(self, result: str, turns: int) -> None:
        """Count what became of turns that were to be kept in a memory."""
        self.count("loom_memory_turns_total", result, by=turns)

    def set(self, name: str, value: float, *labels: str) -> None:
        self._child(name, labels).set(value)

    def exposed(self) -> bytes:
        """The text that Prometheus scrapes."""
        folder = os.environ.get(DIRECTORY_VARIABLE)
        if folder:
            _forget_the_dead(Path(folder))
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
            return generate_latest(registry)
        return generate_latest(self._registry)


def _forget_the_dead(folder: Path) -> None:
    """Gauges of workers that are gone say nothing about now."""
    for path in folder.glob("gauge_live*_*.db"):
        pid = path.stem.rpartition("_")[2]
        if pid.isdigit() and not alive(int(pid)):
            mark_process_dead(pid, str(folder))  # type: ignore[no-untyped-call]


UPSTREAM_KINDS = frozenset({"timeout", "interrupted", "unreachable", "not_openai", "redirect", "refused"})


def count_failure(metrics: Metrics, code: str) -> None:
    """Count a failed call upstream, by the code of its failure."""
    kind = code.removeprefix("upstream_")
    metrics.count("loom_upstream_errors_total", kind if kind in UPSTREAM_KINDS else "other")


def count_recall(metrics: Metrics, memory: Mapping[str, Any]) -> None:
    """Count one question to a memory; one that could not be asked has no confidence."""
    failed = memory["confidence"] is None
    metrics.count("loom_memory_recalls_total", "failed" if failed else "silent" if memory["silent"] else "found")


def count_answer(metrics: Metrics, account: Mapping[str, Any]) -> None:
    """Count one `loom` object: its decision, tokens, exposure cells and class."""
    metrics.count("loom_decisions_total", account["decision"]["reason"])
    metrics.observe("loom_injected_tokens", account["injected_tokens"])
    for cell, number in ((account.get("exposure") or {}).get("counts") or {}).items():
        if number and cell != "n00":
            metrics.count("loom_exposure_total", cell, by=number)
    if memory := account.get("memory"):
        count_recall(metrics, memory)
    if hydration := (account.get("facts") or {}).get("hydration"):
        metrics.count("loom_hydrations_total", hydration["outcome"])
    if completion := account.get("completion"):
        metrics.count("loom_completions_total", completion["class"])


def gauge_claims(metrics: Metrics, figures: Figures) -> None:
    """Set what a workspace of claims comes to."""
    metrics.set("loom_claims_version", figures.version)
    for kind in KINDS:
        metrics.set("loom_claims_waiting", figures.waiting.get(kind, 0), kind)
    for standing, count in figures.standings.items():
        metrics.set("loom_claims_standing", count, standing)
    for line, count in figures.calls.items():
        metrics.set("loom_claims_calls", count, line)
        metrics.set("loom_claims_price", figures.price[line], line)
