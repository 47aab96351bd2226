"""What each worker of this node says it serves: one small file per process under `GENERATIONS/.run`."""

import hashlib
import json
import os
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def group_of(workers: int) -> str:
    """What the workers of one node have in common: the machine, and the supervisor above them."""
    return f"{socket.gethostname()}:{os.getppid() if workers > 1 else os.getpid()}"


class Acks:
    """Acknowledgements of one node. Files of processes that are gone, and of other nodes, are not read.

    Nodes in containers share the folder and have the same process ids, so a file's name tells its node too.
    """

    def __init__(self, folder: Path, group: str) -> None:
        self._folder = folder
        self._group = group
        self._own = folder / f"{os.getpid()}-{hashlib.sha256(group.encode()).hexdigest()[:8]}.json"

    def write(self, state: Mapping[str, Any]) -> None:
        """Replace this worker's acknowledgement; raises OSError where the folder cannot be written."""
        self._folder.mkdir(parents=True, exist_ok=True)
        draft = self._own.with_suffix(f".{os.urandom(4).hex()}.draft")
        draft.write_text(json.dumps({"pid": os.getpid(), "group": self._group, **state}), encoding="utf-8")
        os.replace(draft, self._own)

    def read(self) -> list[dict[str, Any]]:
        """The acknowledgements of this node's living workers, by process id."""
        found = []
        for path in sorted(self._folder.glob("[0-9]*.json")):
            try:
                state = json.loads(path.read_text(encoding="utf-8"))
            except (OSError, ValueError):
                continue
            if isinstance(state, dict) and state.get("group") == self._group and alive(state.get("pid")):
                state.pop("group")
                found.append(state)
        return sorted(found, key=lambda state: int(state["pid"]))

    def remove(self) -> None:
        self._own.unlink(missing_ok=True)


def alive(pid: object) -> bool:
    """Whether a process of this id exists."""
    if not isinstance(pid, int):
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
