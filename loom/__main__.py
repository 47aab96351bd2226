"""`python3 -m loom`: sets up a bare checkout where `demo` or `test` needs it, and is the `loom` command everywhere else."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(
        f"Loom needs Python 3.11 or newer, and this is {sys.version_info[0]}.{sys.version_info[1]} ({sys.executable}). "
        "Install a newer one and use it by name, for example: python3.11 -m loom demo"
    )

from loom.bootstrap import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
