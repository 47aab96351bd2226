"""A node in front of the scripted model, and one in front of an upstream of exact bytes: real processes, once a session."""

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from support.installed import Node
from support.node_process import kitchen, serving, show_logs
from support.upstream_process import Exact, Scripted, exact, scripted
from support.wire import Wire


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    show_logs(report)
    return report


@pytest.fixture(scope="session")
def generations(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return kitchen(tmp_path_factory.mktemp("wire") / "generations")


@pytest.fixture(scope="session")
def scripted_model() -> Iterator[Scripted]:
    with scripted() as model:
        yield model


@pytest.fixture
def upstream(scripted_model: Scripted) -> Scripted:
    """The scripted model, with nothing asked yet."""
    scripted_model.forget()
    return scripted_model


@pytest.fixture(scope="session")
def node(generations: Path, scripted_model: Scripted) -> Iterator[Node]:
    """A node in front of the scripted model, under its defaults."""
    with serving(generations, LOOM_MODEL_URL=scripted_model.url) as started:
        yield started


@pytest.fixture(scope="session")
def wire(node: Node) -> Iterator[Wire]:
    with httpx.Client(base_url=node.base, timeout=30, trust_env=False) as client:
        yield Wire(client)


@pytest.fixture(scope="session")
def exact_model() -> Iterator[Exact]:
    with exact() as model:
        yield model


@pytest.fixture(scope="session")
def impatient(generations: Path, exact_model: Exact) -> Iterator[Wire]:
    """A node with short deadlines in front of the upstream of exact bytes."""
    with (
        serving(
            generations,
            LOOM_MODEL_URL=exact_model.url,
            LOOM_FIRST_BYTE_TIMEOUT="0.6",
            LOOM_IDLE_TIMEOUT="0.6",
            LOOM_RETRIES="0",
            LOOM_KEEPALIVE="0.2",
        ) as started,
        httpx.Client(base_url=started.base, timeout=30, trust_env=False) as client,
    ):
        yield Wire(client)
