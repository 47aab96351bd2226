"""A PostgreSQL of the tests' own: a cluster in a temporary folder, on a socket, run by a user without rights."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def programs() -> Path | None:
    """The folder of `initdb` and `pg_ctl`, None where there is no server."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((each for each in folders if (each / "pg_ctl").exists() and (each / "postgres").exists()), None)


class Server:
    """A server that runs: `url` of a database that is empty, `data`, the folder of its files."""

    def __init__(self, found: Path, folder: Path) -> None:
        self._found, self._folder, self._user = found, folder, _unprivileged()
        self.data = folder / "data"
        self.url = f"postgresql:///postgres?host={folder}&user=loom"
        if self._user is not None:
            shutil.chown(folder, self._user)
        self._run(f"{found / 'initdb'} -D {self.data} -U loom -A trust -E UTF8 --no-locale")

    def start(self) -> None:
        settings = f"-c listen_addresses= -c unix_socket_directories={self._folder} -c max_connections=300"
        self._run(f"{self._found / 'pg_ctl'} -D {self.data} -w -l {self._folder / 'log'} -o '{settings}' start")

    def crash(self) -> None:
        """End it at once, as if it had been killed: it has to recover from its log when it starts again."""
        self._run(f"{self._found / 'pg_ctl'} -D {self.data} -w -m immediate stop")

    def _run(self, command: str) -> None:
        # What the server inherits must not be a pipe that this process waits for.
        said = self._folder / "said"
        line = f"{command} > {said} 2>&1"
        done = subprocess.run(["/bin/sh", "-c", line], user=self._user, cwd=self._folder, check=False, timeout=120)
        assert done.returncode == 0, said.read_text()


@contextmanager
def postgres() -> Iterator[Server]:
    """A server that is ended when the block ends."""
    found = programs()
    assert found is not None
    folder = Path(tempfile.mkdtemp(prefix="loom-pg-", dir="/tmp"))
    try:
        server = Server(found, folder)
        server.start()
        try:
            yield server
        finally:
            server.crash()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _unprivileged() -> str | None:
    """Whom the server runs as: it refuses to run as root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    raise AssertionError("no user without rights is there to run PostgreSQL as")
