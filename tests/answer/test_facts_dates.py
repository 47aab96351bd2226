"""Positions that are days: yyyy-mm-dd in files, said in a question as dates are, shown to the letter."""

from collections.abc import Iterator
from decimal import Decimal

import pytest
from support.harbour_bases import Desk, built, desk

from loom.answer.bases import spans_at
from loom.core.errors import BadInput
from loom.core.facts.days import day_of, days_in, iso
from loom.core.values import Tier

GARDEN = {
    "garden/kb.toml": """id = "garden"
title = "Walled garden"
language = "en"
[[attribute]]
name = "day"
dates = true
words = { giorno = 1 }
window = 2
[[entity]]
id = "orchard"
name = "South Orchard"
aliases = { it = ["Frutteto Sud"], de = ["Obstgarten Süd"], fr = ["Verger du Sud"], es = ["Huerto Sur"] }
[[metric]]
id = "frost"
name = "ground frost"
unit = "°C"
words = { en = ["frost"], it = ["gelo"], de = ["Bodenfrost"], fr = ["gel au sol"], es = ["helada"] }
[[metric]]
id = "price"
name = "price"
unit = "EUR"
statistics = ["min", "max"]
[[file]]
path = "frost.csv"
title = "Frost readings"
kind = "series"
entity = "orchard"
attribute = "day"
position = "date"
values = { frost = "ground_c" }
[[file]]
path = "prices.csv"
title = "Market prices"
kind = "table"
entity = "orchard"
attribute = "day"
position = "date"
values = { price = "eur" }
[[file]]
path = "diary.md"
title = "Orchard diary"
kind = "document"
entity = "orchard"
attribute = "day"
[[file]]
path = "visits.txt"
title = "Visitors' book"
kind = "transcript"
entity = "orchard"
attribute = "day"
""",
    "garden/frost.csv": "date,ground_c\n2026-03-10,-1.5\n2026-03-12,-4.25\n2026-02-30,9\n2026-04-02,0.5\n12,3\n2025-03-12,2.0\n",
    "garden/prices.csv": "date,eur\n2026-03-12,14.20\n2026-04-02,15.10\n",
    "garden/diary.md": "# Diary\n\n## 2026-03-10\n\nThe wall was limed.\n\n## 2026-03-12: a hard night\n\nSmoke pots were lit at dusk.\n\n"
    "## 2026-04-02\n\nThe first bees came.\n",
    "garden/visits.txt": "[2026-03-12] A surveyor measured the gate.\n[2026-03-14]\n[2026-04-01] Two nuns bought quinces.\n",
}


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with desk(built(tmp_path_factory.mktemp("garden"), GARDEN)) as opened:
        yield opened


@pytest.mark.parametrize(
    "text",
    [
        "What was the frost of South Orchard on 12 March 2026?",
        "What was the frost of South Orchard on 2026-03-12?",
        "What was the frost of South Orchard on March 12th, 2026?",
        "Quanto era il gelo del Frutteto Sud il 12 marzo 2026?",
        "Wie stark war der Bodenfrost im Obstgarten Süd am 12. März 2026?",
        "Quel était le gel au sol du Verger du Sud le 12 mars 2026 ?",
        "¿Cuánta helada tuvo el Huerto Sur el 12 de marzo de 2026?",
    ],
)
async def test_a_value_on_a_day(garden: Desk, text: str) -> None:
    shown = await garden.lines(text, Tier.COMPUTED)
    assert "South Orchard, ground frost: -4.25 °C at day 2026-03-12 [source: frost.csv]" in shown
    assert not [line for line in shown if line.startswith("South Orchard, ground frost: ") and "2026-03-12" not in line]
    assert not [line for line in shown if "has no value" in line]


async def test_a_peak_is_told_with_its_day_and_what_happened_then(garden: Desk) -> None:
    shown = await garden.lines("What happened in South Orchard when its frost was lowest?", Tier.COMPUTED, Tier.ADDRESSED)
    assert "South Orchard, ground frost, minimum: -4.25 °C at day 2026-03-12 [source: frost.csv]" in shown
    assert any("Smoke pots were lit" in line or "surveyor" in line for line in shown)
    count = [line for line in shown if "number of values: 4" in line]
    assert count
    assert "2 rows" in count[0]


@pytest.mark.parametrize(
    ("text", "there", "nowhere"),
    [
        ("What happened in South Orchard on 12 March 2026?", ["Smoke pots", "surveyor"], ["limed", "bees", "nuns"]),
        ("What happened in South Orchard around 12 March 2026?", ["limed", "Smoke pots"], ["bees", "nuns"]),
        ("What happened in South Orchard in April 2026?", ["bees", "nuns"], ["limed", "Smoke"]),
        ("What happened in South Orchard from 10 March 2026 to 12 March 2026?", ["limed", "Smoke", "surveyor"], ["bees"]),
        ("What happened in South Orchard between 2026-03-31 and 2026-04-02?", ["bees", "nuns"], ["limed", "Smoke"]),
    ],
)
async def test_passages_of_days(garden: Desk, text: str, there: list[str], nowhere: list[str]) -> None:
    shown = "\n".join(await garden.lines(text, Tier.ADDRESSED))
    assert [one for one in there if one not in shown] == []
    assert [one for one in nowhere if one in shown] == []


async def test_a_day_without_a_row_or_content_is_told(garden: Desk) -> None:
    shown = await garden.lines("What was the frost of South Orchard on 11 March 2026?", Tier.COMPUTED)
    assert '"South Orchard" has no value of "ground frost" at 11 March 2026.' in shown
    shown = await garden.lines("What happened in South Orchard on 20 March 2026?", Tier.COMPUTED)
    assert '"South Orchard" has no content at 20 March 2026.' in shown


async def test_a_stated_value_of_a_day(garden: Desk) -> None:
    shown = await garden.lines("What was the price of South Orchard on 2 April 2026?", Tier.COMPUTED)
    assert "Market prices, row 2: 2026-04-02 | 15.10 [source: prices.csv]" in shown
    assert not [line for line in shown if "14.20" in line]


@pytest.mark.parametrize("text", ["12 March", "3/12", "day 12", "12/03/2026", "2026-02-30", "3/4/26", "29 February 2023"])
def test_what_can_be_read_in_two_ways_is_no_day(text: str) -> None:
    assert list(days_in(f"on {text} it froze")) == []


def test_days() -> None:
    assert [(one.first, one.after) for one in days_in("in March 2026 and on 13/12/2026")] == [(20513, 20544), (20800, 20801)]
    assert day_of(" 1969-12-31 ") == -1
    assert [day_of(text) for text in ("2026-3-1", "2026-02-30", "20260301", "", "0000-01-01", "12")] == [None] * 6
    assert [iso(Decimal(day_of(text) or 0)) for text in ("2024-02-29", "0001-01-01")] == ["2024-02-29", "0001-01-01"]
    assert iso(Decimal(10**9)) == "1000000000"


def test_a_span_is_asked_for_by_its_day(garden: Desk) -> None:
    assert "Smoke pots" in str(spans_at(garden.held, "diary.md", "2026-03-12"))
    assert "bees" not in str(spans_at(garden.held, "diary.md", "2026-03-01..2026-03-20"))
    with pytest.raises(BadInput, match="2026-03-12"):
        spans_at(garden.held, "diary.md", "146")
