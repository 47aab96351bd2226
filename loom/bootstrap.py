"""From a bare checkout to a running command, with the standard library alone.

`demo` and `test` need packages that a fresh machine does not have. They are installed, at the versions of constraints.txt,
into the virtual environment that is active, or else into `.venv` beside pyproject.toml; a stamp in the environment, keyed by
what was asked for and by both files, makes every later run start at once.
"""

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

SET_UP_BY = {"demo": "", "test": "test"}
"""Commands that set up a checkout by themselves, and the extra that each needs."""

STAMP = ".loom-setup.json"


class CannotSetUp(Exception):
    """Why the environment could not be made, and what to do, in words for the person at the terminal."""


def checkout() -> Path | None:
    """The folder of the checkout that this module belongs to; None when it was installed from a wheel."""
    root = Path(__file__).resolve().parent.parent
    return root if (root / "pyproject.toml").is_file() and (root / "constraints.txt").is_file() else None


def missing(found: Callable[[str], object | None] = importlib.util.find_spec) -> str | None:
    """What to do when this Python cannot make virtual environments (Debian packages that ability apart); None when it can."""
    if all(found(name) for name in ("venv", "ensurepip")):
        return None
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    return (
        f"This Python ({sys.executable}) cannot make a virtual environment: its venv or ensurepip module is not installed. "
        f"On Debian or Ubuntu run `apt install python3-venv` (or `python{version}-venv`) as root, on other systems install "
        "Python from python.org or a package that includes venv; then run the same command again."
    )


def key(root: Path, version: str = sys.version) -> str:
    """Changes whenever another installation would be made: with the dependencies, their pins, the Python, or the folder."""
    digest = hashlib.sha256(f"{version}\n{root}".encode())
    for name in ("pyproject.toml", "constraints.txt"):
        digest.update(hashlib.sha256((root / name).read_bytes()).digest())
    return digest.hexdigest()


def stamped(prefix: Path, wanted_key: str) -> set[str] | None:
    """The extras that a finished installation under this key has brought into an environment; None when there is none."""
    try:
        stamp = json.loads((prefix / STAMP).read_text(encoding="utf-8"))
        return set(stamp["extras"]) if stamp["key"] == wanted_key else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def python_of(prefix: Path) -> Path:
    return prefix / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def environment(root: Path) -> Path:
    """The environment to install into: the active one, or `.venv` in the checkout, made anew when its Python does not run."""
    if sys.prefix != sys.base_prefix:
        return Path(sys.prefix)
    prefix = root / ".venv"
    if _runs(python_of(prefix)):
        return prefix
    if problem := missing():
        raise CannotSetUp(problem)
    print(f"Making a virtual environment in {prefix}", file=sys.stderr, flush=True)
    if subprocess.call([sys.executable, "-m", "venv", "--clear", str(prefix)]) != 0:
        raise CannotSetUp(
            f"`{sys.executable} -m venv {prefix}` failed; what it said is above. On Debian or Ubuntu `apt install python3-venv` "
            "usually mends it; otherwise make an environment yourself, activate it, and run the same command again."
        )
    return prefix


def _runs(python: Path) -> bool:
    """Whether there is an interpreter that starts, is new enough, and has pip."""
    check = "import sys, pip; sys.exit(sys.version_info < (3, 11))"
    try:
        return subprocess.run([python, "-c", check], capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def install(root: Path, prefix: Path, extra: str) -> None:
    """Bring the checkout and one extra into the environment, unless its stamp says that they are there."""
    current = key(root)
    extras = stamped(prefix, current)
    if extras is not None and (not extra or extra in extras):
        return
    extras = (extras or set()) | ({extra} if extra else set())
    what = f"{root}[{','.join(sorted(extras))}]" if extras else str(root)
    print(f"Installing Loom's packages into {prefix} (once; it may take a minute or two)", file=sys.stderr, flush=True)
    (prefix / STAMP).unlink(missing_ok=True)
    command = [str(python_of(prefix)), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    command += ["--constraint", str(root / "constraints.txt"), "--editable", what]
    if subprocess.call(command) != 0:
        raise CannotSetUp(
            "pip could not install Loom's packages; what it said is above. It needs to reach a package index (see pip's "
            "--index-url and proxy settings); run the same command again when it can, and it goes on where it stopped."
        )
    (prefix / STAMP).write_text(json.dumps({"key": current, "extras": sorted(extras)}), encoding="utf-8")


def by_hand(name: str) -> str:
    """What to type when a package is missing and the command is not one that sets a machine up."""
    return (
        f"The package {name!r} is not installed for this Python ({sys.executable}). `python3 -m loom demo` sets up a checkout and "
        "serves the example corpus; or install by hand: python3 -m venv .venv && .venv/bin/pip install -c constraints.txt -e . "
        "&& .venv/bin/loom --help"
    )


def main(arguments: Sequence[str]) -> int:
    """Run one command, setting up the checkout first where the command asks for it; returns the exit code."""
    root = checkout()
    extra = SET_UP_BY.get(arguments[0]) if arguments else None
    if root is not None and extra is not None:
        try:
            prefix = environment(root)
            install(root, prefix, extra)
        except CannotSetUp as problem:
            print(problem, file=sys.stderr)
            return 2
        if not os.path.samefile(prefix, sys.prefix):
            return _again(python_of(prefix), arguments)
    try:
        from loom.cli.main import main as loom

        return loom(list(arguments))
    except ModuleNotFoundError as problem:
        if problem.name is None or problem.name.split(".")[0] in ("loom", "loom_adapters"):
            raise
        print(by_hand(problem.name), file=sys.stderr)
        return 2


def _again(python: Path, arguments: Sequence[str]) -> int:
    """Start over inside the environment; where the system can, in this very process, so that signals arrive."""
    command = [str(python), "-m", "loom", *arguments]
    sys.stderr.flush()
    if os.name == "nt":
        return subprocess.call(command)
    os.execv(python, command)
