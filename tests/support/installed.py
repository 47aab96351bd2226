"""The installed `loom` command, and a node that it serves, as a person at a terminal has them."""

import json
import os
import shutil
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
KITCHEN = FIXTURES / "kitchen"


def command() -> list[str]:
    """`loom` of LOOM_E2E_BIN (a wheel's), of this environment, or else of the checkout."""
    given = os.environ.get("LOOM_E2E_BIN") or shutil.which("loom", path=str(Path(sys.executable).parent))
    return [given] if given else [sys.executable, "-m", "loom"]


def environment(settings: Mapping[str, str] | None = None) -> dict[str, str]:
    """This environment without any setting of a node in it, and with the given ones."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LOOM_")}
    return {**kept, **(settings or {})}


def loom(
    *arguments: str | Path, cwd: Path | None = None, settings: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run one command to its end."""
    return subprocess.run(
        [*command(), *map(str, arguments)],
        cwd=cwd, env=environment(settings), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
    )  # fmt: skip


@dataclass(frozen=True)
class Answer:
    """What came back over HTTP."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Node:
    """A serving process. `lines` grows while it writes to standard error."""

    process: subprocess.Popen[str]
    base: str
    lines: list[str]

    def call(self, path: str, body: Any = None, headers: Mapping[str, str] | None = None) -> Answer:
        """POST a body as JSON, or GET where there is none; a status of 400 and more is an answer too."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"content-type": "application/json", **(headers or {})})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=30) as response:
                return Answer(response.status, {k.lower(): v for k, v in response.headers.items()}, response.read())
        except urllib.error.HTTPError as error:
            return Answer(error.code, {k.lower(): v for k, v in error.headers.items()}, error.read())

    def chat(self, question: str, **more: Any) -> Answer:
        return self.call(
            "/v1/chat/completions", {"model": "reader", "messages": [{"role": "user", "content": question}], **more}
        )


@contextmanager
def running(
    *arguments: str | Path, settings: Mapping[str, str] | None = None, cwd: Path | None = None, ready: bool = True
) -> Iterator[Node]:
    """A node started by the given command, once it is ready (or alive, where it cannot be); stopped by SIGTERM at the end."""
    process = subprocess.Popen(
        [*command(), *map(str, arguments)],
        cwd=cwd, env=environment({"LOOM_LOG_FORMAT": "json", **(settings or {})}), stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    lines: list[str] = []
    reading = threading.Thread(target=lambda: lines.extend(process.stderr or ()), daemon=True)
    reading.start()
    try:
        node = Node(process, _address(process, lines), lines)
        _wait_for(node, "/health/ready" if ready else "/health/live")
        yield node
    finally:
        process.terminate()
        try:
            process.wait(timeout=30)
        finally:
            process.kill()
            reading.join(timeout=10)
            if process.stderr:
                process.stderr.close()


def _address(process: subprocess.Popen[str], lines: Sequence[str], seconds: float = 30) -> str:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for line in list(lines):
            try:
                said = json.loads(line)
            except ValueError:
                continue
            if isinstance(said, dict) and said.get("event") == "serving":
                return str(said["url"]).removesuffix("/v1")
        if process.poll() is not None:
            break
        time.sleep(0.02)
    raise AssertionError(f"the node did not start (exit code {process.poll()}):\n" + "".join(lines))


def _wait_for(node: Node, path: str, seconds: float = 30) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and node.process.poll() is None:
        try:
            if node.call(path).status == 200:
                return
        except OSError:
            pass
        time.sleep(0.02)
    raise AssertionError(f"{path} was never 200:\n" + "".join(node.lines))
