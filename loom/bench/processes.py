"""The processes that are measured: a node, a scripted model, a build; started here, ended here, on loopback only."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from loom.bench.wire import Connection, request, target_of
from loom.core.errors import LoomError

LOOM = (sys.executable, "-m", "loom.cli.main")
START_PATIENCE = 60.0
STOP_PATIENCE = 15.0


class NotStarted(LoomError):
    """A process that is to be measured does not come up."""

    code = "not_started"


def clean_environment(**more: str) -> dict[str, str]:
    """This environment without settings of a node, so that what is measured are the defaults."""
    return {name: value for name, value in os.environ.items() if not name.startswith("LOOM_")} | more


@dataclass(frozen=True, slots=True)
class Served:
    """A node that answers: its base URL, its main process, its workers, and the seconds from start to ready."""

    url: str
    pid: int
    workers: tuple[int, ...]
    ready: float

    @property
    def root(self) -> str:
        return self.url.removesuffix("/v1")


@contextmanager
def node(generations: Path, *, model_url: str = "", workers: int = 1) -> Iterator[Served]:
    """A real `loom serve` with default settings, ended when the block ends. Raises NotStarted with what it said."""
    flags = ["--generations", str(generations.resolve()), "--port", "0", "--workers", str(workers), "--log-format", "json"]
    if model_url:
        flags += ["--model-url", model_url]
    with tempfile.TemporaryDirectory(prefix="loom-bench-") as folder:
        log = Path(folder, "log")
        with log.open("wb") as out:
            started = perf_counter()
            process = subprocess.Popen(
                [*LOOM, "serve", *flags], stdout=out, stderr=out, cwd=folder, env=clean_environment(), start_new_session=True
            )
        try:
            url = _said(process, log)
            pids = _ready(process, log, url, workers)
            yield Served(url, process.pid, pids, perf_counter() - started)
        finally:
            _end(process)


def _said(process: "subprocess.Popen[bytes]", log: Path) -> str:
    """The URL in the first line of a node."""
    end = perf_counter() + START_PATIENCE
    while perf_counter() < end and process.poll() is None:
        found = re.search(rb'"url":"(http://[^"]+)"', log.read_bytes())
        if found:
            return found[1].decode()
        time.sleep(0.002)
    raise NotStarted(f"`loom serve` said no address within {START_PATIENCE:g} s; it said: {_tail(log)}")


def _ready(process: "subprocess.Popen[bytes]", log: Path, url: str, workers: int) -> tuple[int, ...]:
    """Wait until as many workers as asked for say that they serve; their process ids."""
    target = target_of(url.removesuffix("/v1"))
    asking = request(target, "GET", "/health/ready")
    end = perf_counter() + START_PATIENCE
    while perf_counter() < end and process.poll() is None:
        connection = Connection(target)
        with suppress(OSError):
            answer = connection.call(asking)
            if answer.status == 200:
                pids = tuple(worker["pid"] for worker in answer.json()["workers"] if worker["generation"])
                if len(pids) >= workers:
                    connection.close()
                    return pids
        connection.close()
        time.sleep(0.002)
    raise NotStarted(f"`loom serve` was not ready within {START_PATIENCE:g} s; it said: {_tail(log)}")


def _tail(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace")[-600:].strip() or "nothing"


def _end(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(STOP_PATIENCE)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def scripted_model() -> Iterator[str]:
    """A model that answers by script, in a process of its own; gives its base URL."""
    command = [sys.executable, "-m", "loom_adapters.scripted_server", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=clean_environment())
    try:
        assert process.stdout is not None
        url = process.stdout.readline().decode().strip()
        if not url:
            raise NotStarted("The scripted model did not start; is loom_adapters installed beside loom?")
        yield url
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


@dataclass(frozen=True, slots=True)
class Ran:
    """A command that has ended: wall seconds, and the peak resident bytes of it or of its largest child."""

    code: int
    seconds: float
    peak: int
    output: str


def ran(arguments: Sequence[str], patience: float, **environment: str) -> Ran:
    """Run one `loom` command to its end. Raises NotStarted where it takes longer than `patience` seconds."""
    with tempfile.TemporaryFile() as out:
        started = perf_counter()
        process = subprocess.Popen(
            [*LOOM, *arguments], stdout=out, stderr=out, env=clean_environment(**environment), start_new_session=True
        )
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if perf_counter() - started > patience:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                raise NotStarted(f"`loom {' '.join(arguments)}` took longer than {patience:g} s.")
            time.sleep(0.005)
        seconds = perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode("utf-8", "replace")
    scale = 1 if sys.platform == "darwin" else 1024
    return Ran(process.returncode, seconds, usage.ru_maxrss * scale, text)


def resident(pid: int) -> dict[str, int]:
    """Resident bytes of a process: `all` of them, and `own`, those backed by no file (equal where the system does not say)."""
    try:
        text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        shown = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True).stdout
        return {"all": int(shown) * 1024, "own": int(shown) * 1024}
    sizes = {name: int(value.split()[0]) * 1024 for name, value in re.findall(r"^(VmRSS|RssAnon):\s*(.*)$", text, re.M)}
    return {"all": sizes["VmRSS"], "own": sizes.get("RssAnon", sizes["VmRSS"])}


def asked(url: str, method: str, path: str, body: dict[str, object] | None = None) -> tuple[int, object]:
    """Ask a node one thing over a connection of its own; the status, and the body as JSON, or as text where it is none."""
    target = target_of(url)
    connection = Connection(target)
    try:
        answer = connection.call(request(target, method, path, body))
    finally:
        connection.close()
    try:
        return answer.status, answer.json()
    except json.JSONDecodeError:
        return answer.status, answer.content.decode("utf-8", "replace")


def settled(served: Served) -> None:
    """Wait until the node has also loaded what it serves beside chat, which takes a processor for a moment after the start."""
    end = perf_counter() + START_PATIENCE
    while perf_counter() < end:
        _, health = asked(served.root, "GET", "/health")
        state = health.get("sparql") if isinstance(health, dict) else None
        if not isinstance(state, dict) or state.get("state") not in ("starting", "loading"):
            return
        time.sleep(0.05)
