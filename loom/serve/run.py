"""Starting the server: one process, or a supervisor with workers; and its first line, which says where it is."""

import os
import shutil
import signal
import socket
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import uvicorn
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from loom import __version__
from loom.core.errors import BadSettings
from loom.serve.handover import handed_over
from loom.serve.keeping import kept
from loom.serve.keys import read_keys
from loom.serve.logs import logger, take_server_logs
from loom.serve.slow_path import beside
from loom.settings import Settings, refuse_unsafe

GRACE = 30
"""Seconds that answers in flight are given when the server is asked to stop."""

KEEP_IDLE = 75
"""Seconds for which an idle connection stays open: longer than clients keep theirs, so that the client closes first."""


def listen(host: str, port: int) -> socket.socket:
    """A bound socket; raises BadSettings when the address cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host.strip("[]"), port))
    except OSError as error:
        sock.close()
        raise BadSettings(
            f"Cannot listen on {host} port {port} ({error.strerror}); choose another with --host or --port."
        ) from error
    sock.set_inheritable(True)
    return sock


def serve(settings: Settings) -> int:
    """Serve until told to stop; returns the exit code. Raises BadSettings when these settings must not be served."""
    refuse_unsafe(settings)
    if settings.serving.api_keys_file:
        read_keys(Path(settings.serving.api_keys_file))
    if settings.claims.kept and settings.claims.file:
        from loom.compose_claims import readable

        readable(settings.claims.file)
    sock = listen(settings.serving.host, settings.serving.port)
    log = logger(settings.logs)
    take_server_logs(log)
    host, port = settings.serving.host, sock.getsockname()[1]
    log.info(
        "serving",
        url=f"http://{f'[{host}]' if ':' in host else host}:{port}/v1",
        version=__version__,
        workers=settings.serving.workers,
        generations=str(settings.node.generations),
        model=settings.model.url.rpartition("@")[2] or "the built-in reader",
    )
    scratch = Path(tempfile.mkdtemp(prefix="loom-"))
    try:
        with kept(settings, scratch, log, lambda over: answered(sock, over)) as triples, beside(settings, log):
            if settings.serving.workers == 1:
                return _one(settings, sock, triples)
            return _several(settings, sock, scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def answered(sock: socket.socket, over: threading.Event) -> None:
    """Wait until the server on a bound socket answers, or until it is over."""
    host, port = sock.getsockname()[:2]
    near = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    while not over.wait(0.05):
        with suppress(OSError), socket.create_connection((near, port), GRACE) as asking:
            asking.sendall(b"GET /health/live HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
            if asking.recv(1):
                return


def _config(app: Any, settings: Settings, **more: Any) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        interface="asgi3",
        http="httptools",
        loop="uvloop",
        ws="none",
        lifespan="on",
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_keep_alive=KEEP_IDLE,
        timeout_graceful_shutdown=GRACE,
        **more,
    )


def _told_to_stop(number: int, frame: object) -> None:
    """The server raises the signal again when it has stopped; being told to stop is no fault."""
    raise SystemExit(0)


def _one(settings: Settings, sock: socket.socket, triples: Path | None) -> int:
    from loom.compose import node
    from loom.serve.app import create_app

    signal.signal(signal.SIGTERM, _told_to_stop)
    server = uvicorn.Server(_config(create_app(node(settings, triples)), settings))
    server.run(sockets=[sock])
    return 0 if server.started else 2


def _several(settings: Settings, sock: socket.socket, scratch: Path) -> int:
    """The supervisor imports neither framework nor corpus; what the workers share lies in a folder that goes with it."""
    (scratch / "metrics").mkdir()
    os.environ.update(handed_over(settings, scratch))
    config = _config("loom.serve.app:from_environment", settings, factory=True, workers=settings.serving.workers)
    supervisor = Multiprocess(config, [sock])
    supervisor.run()
    return 2 if any(process.exitcode == STARTUP_FAILURE for process in supervisor.processes) else 0
