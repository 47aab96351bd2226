"""Requests a second at several numbers of clients: a scripted model directly, through the node, and through whatever else is
to be compared, in turns within each round."""

from collections.abc import Mapping, Sequence

from loom.bench.chat import bodies, unasked
from loom.bench.figures import Bar, Figure, median, quantile
from loom.bench.load import Job, Outcome, elsewhere
from loom.bench.matching import engaging
from loom.bench.overhead import WAYS, upstream
from loom.bench.processes import node, settled
from loom.bench.setup import Setup

OTHERS = Bar(10.0, at_least=True)
"""How many times the requests a second of a proxy the node is to serve."""

WARM = 0.5
VARIANTS = 12
"""How often each question stands in a load, each time in other characters, so that the node works for every answer."""


def throughput(setup: Setup) -> list[Figure]:
    questions = unasked(engaging(setup), VARIANTS)
    with upstream(setup) as url, node(setup.generations, model_url=url) as served:
        settled(served)
        targets = {"direct": url, "node": served.url, **setup.against}
        figures: list[Figure] = []
        for way in WAYS:
            sent = bodies(questions, streamed=way == "streamed")
            for base in targets.values():
                elsewhere(Job(base, sent, clients=4, seconds=WARM))
            for clients in setup.clients:
                rounds = [
                    {name: elsewhere(Job(base, sent, clients, setup.seconds)) for name, base in targets.items()}
                    for _ in range(setup.rounds)
                ]
                figures += _figures(f"{way}, {clients} client{'s' if clients > 1 else ''}", rounds, tuple(setup.against))
        return figures


def _figures(label: str, rounds: Sequence[Mapping[str, Outcome]], others: Sequence[str]) -> list[Figure]:
    figures = []
    for name in rounds[0]:
        outcomes = [each[name] for each in rounds]
        figures.append(Figure("throughput", f"{label}, {name}", median([_rate(each) for each in outcomes]), "requests/s"))
        latencies = [latency for each in outcomes for latency in each.latencies]
        if latencies:
            for part in (0.5, 0.99):
                took = quantile(latencies, part) * 1000
                figures.append(Figure("throughput", f"{label}, {name} p{part * 100:.0f}", took, "ms"))
        failed = sum(each.failed for each in outcomes)
        if failed or name == "node":
            bar = Bar(0) if name == "node" else None
            figures.append(Figure("throughput", f"{label}, {name} failed", failed, "requests", bar, fault=name == "node"))
    for other in others:
        ratios = [_rate(each["node"]) / _rate(each[other]) for each in rounds if each[other].latencies]
        if ratios:
            figures.append(Figure("throughput", f"{label}, node / {other}", median(ratios), "times", OTHERS))
    return figures


def _rate(outcome: Outcome) -> float:
    return len(outcome.latencies) / outcome.seconds if outcome.seconds else 0.0
