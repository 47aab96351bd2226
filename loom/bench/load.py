"""A load generator in a process of its own: `python -m loom.bench.load` reads a job from standard input, as one line of JSON,
and writes what happened to standard output. With `until_told` it goes on until standard input ends.
"""

import json
import selectors
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from time import perf_counter
from typing import BinaryIO

from loom.bench.chat import CHAT
from loom.bench.wire import PATIENCE, Answer, Connection, request, target_of
from loom.core.values import Json

AGAIN = 0.02
"""Seconds after which a client that could not connect tries again."""


@dataclass(frozen=True, slots=True)
class Job:
    """What to send, how often, for how long.

    `rate` is requests a second over all clients (0: each client sends as soon as it has its answer); `reuse` is how many
    requests one connection carries before the client makes another (0: all); `path` lies below the URL. With `receipts` each answer's generation and
    units are kept; with `until_told` the end of standard input ends the job, and `seconds` only bounds it.
    """

    url: str
    bodies: Sequence[Mapping[str, Json]]
    clients: int = 1
    seconds: float = 2.0
    rate: float = 0.0
    reuse: int = 0
    receipts: bool = False
    until_told: bool = False
    path: str = CHAT


@dataclass(slots=True)
class Outcome:
    """What happened: latencies and times of the first byte in seconds, and what went wrong, by kind."""

    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)
    firsts: list[float] = field(default_factory=list)
    failures: dict[str, int] = field(default_factory=dict)
    receipts: list[dict[str, Json]] = field(default_factory=list)

    @property
    def failed(self) -> int:
        return sum(self.failures.values())

    def fail(self, kind: str) -> None:
        self.failures[kind] = self.failures.get(kind, 0) + 1


class Client:
    """One client: its connection, the request that it waits for, and when the next one is due."""

    def __init__(self, number: int, job: Job, requests: Sequence[bytes]) -> None:
        self._job = job
        self._requests = requests
        self._next = number * len(requests) // job.clients
        self._pause = job.clients / job.rate if job.rate else 0.0
        self._carried = 0
        self.asked = 0
        self.due = perf_counter() + self._pause * number / job.clients
        self.waits = self.watched = False
        self.connection = Connection(target_of(job.url))

    def send(self, selector: selectors.BaseSelector) -> None:
        """Send the next request, over a new connection where the old one has carried its share."""
        if self._job.reuse and self._carried >= self._job.reuse:
            self.leave(selector)
        self.asked, self._next = self._next, (self._next + 1) % len(self._requests)
        self.due = max(self.due + self._pause, perf_counter() - self._pause)
        self._carried += 1
        self.connection.send(self._requests[self.asked])
        self.waits = True
        if not self.watched:
            selector.register(self.connection.socket, selectors.EVENT_READ, self)
            self.watched = True

    def leave(self, selector: selectors.BaseSelector) -> None:
        """Give the connection up."""
        if self.watched:
            selector.unregister(self.connection.socket)
        self.connection.close()
        self._carried = 0
        self.waits = self.watched = False


def run(job: Job, told: BinaryIO | None = None) -> Outcome:
    """Do the job in this process. `told` is a file whose being readable ends a job that waits to be told."""
    target = target_of(job.url)
    requests = [request(target, "POST", job.path, body) for body in job.bodies]
    outcome = Outcome()
    clients = [Client(number, job, requests) for number in range(job.clients)]
    started = perf_counter()
    end = started + job.seconds
    with selectors.DefaultSelector() as selector:
        if told is not None:
            selector.register(told, selectors.EVENT_READ, None)
        while perf_counter() < end:
            now = perf_counter()
            for client in clients:
                if not client.waits and client.due <= now:
                    _send(selector, client, outcome)
            resting = min((client.due for client in clients if not client.waits), default=end)
            for key, _ in selector.select(max(0.0, min(resting, end) - perf_counter())):
                if key.data is None:
                    end = 0.0
                else:
                    _receive(selector, key.data, outcome, job)
        outcome.seconds = perf_counter() - started
        _finish(selector, clients, outcome, job)
    return outcome


def _send(selector: selectors.BaseSelector, client: Client, outcome: Outcome) -> None:
    try:
        client.send(selector)
    except OSError as error:
        outcome.fail(type(error).__name__)
        client.leave(selector)
        client.due = perf_counter() + AGAIN


def _receive(selector: selectors.BaseSelector, client: Client, outcome: Outcome, job: Job) -> None:
    try:
        answer = client.connection.receive()
    except (OSError, ValueError) as error:
        if client.waits:
            outcome.fail(type(error).__name__)
        client.leave(selector)
        return
    if answer is None:
        return
    client.waits = False
    if not answer.complete:
        outcome.fail(f"status {answer.status}")
        return
    outcome.latencies.append(answer.last)
    outcome.firsts.append(answer.first)
    if job.receipts:
        outcome.receipts.append({"question": client.asked, **receipt(answer)})


def _finish(selector: selectors.BaseSelector, clients: Sequence[Client], outcome: Outcome, job: Job) -> None:
    """Answers that are still due are waited for, so that none is lost from sight; they count as failures only if they fail."""
    within = Outcome(receipts=outcome.receipts, failures=outcome.failures)
    end = perf_counter() + PATIENCE
    while any(client.waits for client in clients):
        ready = selector.select(max(0.0, end - perf_counter()))
        for key, _ in ready:
            if key.data is not None:
                _receive(selector, key.data, within, job)
        if perf_counter() >= end:
            for client in clients:
                if client.waits:
                    outcome.fail("no answer")
            break
    for client in clients:
        client.connection.close()


def receipt(answer: Answer) -> dict[str, Json]:
    """What an answer of the node says of its origin: header, pin, and served units with their tokens."""
    if "event-stream" in (answer.header("content-type") or ""):
        lines = [line[6:] for line in answer.content.split(b"\n") if line.startswith(b"data: {") and b'"loom"' in line]
        body = json.loads(lines[-1]) if lines else {}
    else:
        body = answer.json()
    account = body.get("loom") or {}
    return {
        "header": answer.header("x-loom-generation"),
        "pin": (account.get("pin") or {}).get("generation"),
        "units": [[unit["iri"], unit["tokens"]] for unit in account.get("units") or ()],
    }


class Running:
    """A job under way in another process."""

    def __init__(self, job: Job) -> None:
        command = [sys.executable, "-m", "loom.bench.load"]
        self._job = job
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(asdict(job)).encode() + b"\n")
        self._process.stdin.flush()

    def outcome(self) -> Outcome:
        """Tell the job to end, or wait for its end, and give what happened."""
        try:
            out, _ = self._process.communicate(timeout=self._job.seconds + PATIENCE + 10)
        finally:
            self.stop()
        return Outcome(**json.loads(out))

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()


def elsewhere(job: Job) -> Outcome:
    """Do a job in a process of its own."""
    return Running(job).outcome()


def main() -> None:
    job = Job(**json.loads(sys.stdin.buffer.readline()))
    json.dump(asdict(run(job, sys.stdin.buffer if job.until_told else None)), sys.stdout)


if __name__ == "__main__":
    main()
