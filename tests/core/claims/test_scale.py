"""What a large network costs. A process of its own, so that its memory is nobody else's."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support import claims_big


def _measured(claims: int) -> dict[str, float]:
    command = [sys.executable, str(Path(claims_big.__file__)), str(claims)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    found: dict[str, float] = json.loads(run.stdout)
    return found


def _followed(found: dict[str, float]) -> None:
    assert found["same"] == 1.0
    assert found["closure"] == claims_big.REACH
    assert found["moved"] == found["visits"] == claims_big.REACH + 1


def test_a_change_costs_its_closure() -> None:
    found = _measured(20_000)
    _followed(found)
    assert found["edges"] >= 99_000


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_million_claims() -> None:
    """What it takes in seconds is for `python tests/support/claims_big.py 1000000` on a machine that does nothing else (opened in 30 s,
    a change of this closure in 20 ms, every label anew in 10 s); here the work is counted, and the memory."""
    found = _measured(1_000_000)
    _followed(found)
    assert found["edges"] >= 4_990_000
    assert found["megabytes"] <= 2_048
