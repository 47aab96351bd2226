"""Ten million rows become facts and columns within a gigabyte: measured in a process of its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROWS = 10_000_000
STEP = 100_000
PROGRAM = """
import json, sys
from pathlib import Path
from loom.bench.peak import peak
from loom.core.facts.computing import compute
from loom.core.facts.declared import Series
from loom.core.facts.layout import Layout
from loom.core.facts.values import Attribute, Metric
from loom_adapters.kb.tables import read_table

metric = Metric("urn:b:metric/share", "urn:b:", "share", "%")
series = Series("urn:b:", "urn:b:source/t", "t", metric, "share", "second", Attribute("second"))
(found,) = compute([series], read_table(Path(sys.argv[1]), Layout("urn:b:source/t", "t", "series"), series.columns))
facts = {fact.statistic: [fact.value, fact.position, fact.row, fact.ties] for fact in found.facts}
print(json.dumps({"facts": facts, "skipped": found.skipped_count, "held": len(found.columns), "megabytes": peak() / (1 << 20)}))
"""


def position(row: int) -> int:
    """Every position once, in no order."""
    return row * 7919 % ROWS


@pytest.mark.slow
def test_ten_million_shuffled_rows_with_gaps_stream_within_a_gigabyte(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    with path.open("w", encoding="ascii") as file:
        file.write("second,share\n")
        for start in range(0, ROWS, STEP):
            cells = (
                f"{position(row)},{'NaN' if row % 1000 == 7 else f'{row % 1009}.50'}\n" for row in range(start, start + STEP)
            )
            file.write("".join(cells))
    told = subprocess.run([sys.executable, "-c", PROGRAM, str(path)], capture_output=True, text=True, check=True).stdout
    found = json.loads(told)
    path.unlink()
    most = [row for row in range(1008, ROWS, 1009) if row % 1000 != 7]
    lowest = min(most, key=position)
    assert found["facts"]["max"] == ["1008.50", str(position(lowest)), lowest + 1, len(most) - 1]
    assert found["facts"]["first"][:2] == ["0.50", "0"]
    assert (found["skipped"], found["held"]) == (ROWS // 1000, ROWS - ROWS // 1000)
    assert found["megabytes"] < 1000
