"""A corpus built and served by the installed command, once for all end-to-end tests that only read."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.installed import KITCHEN, Node, loom, running


@pytest.fixture(scope="session")
def generations(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of generations with the example corpus as its current one."""
    folder = tmp_path_factory.mktemp("e2e") / "generations"
    built = loom("build", KITCHEN, "--out", folder)
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="session")
def node(generations: Path) -> Iterator[Node]:
    """A node with the built-in reader. Tests leave it as they found it."""
    with running("serve", "--generations", generations, "--port", "0") as started:
        yield started
