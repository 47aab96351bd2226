"""Shared by every test: one hypothesis profile that gives the same examples everywhere, and the mark of the wheel's tests."""

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("loom", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("loom")

E2E = Path(__file__).parent / "e2e"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if E2E in item.path.parents:
            item.add_marker(pytest.mark.wheel)
