"""What is asked of a named thing beside values, and values of things that are only spoken of, whatever the readout (R22, R33)."""

from collections.abc import Iterator

import pytest
from support.harbour_bases import Desk, built, desk

from loom.core.values import Tier

FEE_NINE = "Charter fees, row 2: Charter Nine | Grey Petrel | 9 | 2310.75 [source: fees.csv]"
FEE_FOUR = "Charter fees, row 1: Charter Four | Slow Heron | 6 | 1250.40 [source: fees.csv]"
AMBER = "section 1 ## Crew Amber Crew Amber is rested; the cook is new. It sails Charter Nine, aboard the Grey Petrel. [source: notes.md]"
COBALT = "section 2 ## Crew Cobalt Crew Cobalt waits for a mate. It sails Charter Four. [source: notes.md]"
PETREL = "Grey Petrel, swell height, maximum: 2.6 m at minute 3 [source: petrel.csv]"
HERON = "Slow Heron, swell height, maximum: 0.6 m at minute 4 [source: heron.csv]"
KETTLE = "minute 3 ## Minute 3 The galley floods and the kettle is lost. [source: petrel.md]"
LANTERN = "minute 2 ## Minute 2 A pilot comes aboard with a lantern. [source: petrel.md]"


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with desk(built(tmp_path_factory.mktemp("harbour"))) as opened:
        yield opened


@pytest.mark.parametrize("readout", ["full", "core-only", "off"])
@pytest.mark.parametrize("budget", [600, 1500])
@pytest.mark.parametrize(
    ("text", "there", "nowhere"),
    [
        ("What is said of the cook of Crew Amber?", [AMBER], [COBALT]),
        ("What is the state of Crew Cobalt?", [COBALT], [AMBER]),
        ("Qual è lo stato dell'Equipaggio Cobalto?", [COBALT], [AMBER, "Crew Amber | 77"]),
        ("Who comes aboard with a lantern in the Grey Petrel log?", [LANTERN], ["Rain, and a lantern on the pier"]),
        ("Chi sale a bordo con un lantern nella Procellaria Grigia?", [LANTERN], ["Rain, and a lantern on the pier"]),
        ("What becomes of the kettle of Grey Petrel, and how high was its peak swell?", [KETTLE, PETREL], [HERON]),
        ("Which charter does Crew Amber sail, and what is the value of that charter?", [AMBER, FEE_NINE], [FEE_FOUR]),
        ("Which charter does Crew Cobalt sail, and what is its fee?", [COBALT, FEE_FOUR], [FEE_NINE]),
        ("Quale charter naviga l'Equipaggio Ambra, e quanto è la tariffa?", [AMBER, FEE_NINE], [FEE_FOUR]),
        ("What was the highest swell of the vessel that Charter Nine holds?", [FEE_NINE, PETREL], [HERON]),
        ("How high was the peak swell of the vessel that Crew Cobalt sails?", [COBALT, FEE_FOUR, HERON], [PETREL]),
        ("What was happening aboard the vessel of Charter Nine when its swell peaked?", [PETREL, f"at minute 3: {KETTLE}"], []),
        ("What is the fee of the charter of Grey Petrel?", [FEE_NINE], [FEE_FOUR]),
        ("Which crew sails Charter Four?", [COBALT], [AMBER]),
        ("Which charter has Grey Petrel?", [FEE_NINE], [FEE_FOUR]),
    ],
)
async def test_what_is_asked_for_is_there_under_every_readout(
    harbour: Desk, text: str, there: list[str], nowhere: list[str], readout: str, budget: int
) -> None:
    shown = await harbour.lines(text, Tier.COMPUTED, Tier.ADDRESSED, readout=readout, budget=budget)
    assert [line for line in there if line not in shown] == []
    assert [line for line in nowhere if any(line in one for one in shown)] == []
    assert not [line for line in shown if "has no value" in line]


@pytest.mark.parametrize(
    "text",
    [
        "What was the peak swell of Grey Petrel, and at which minute?",
        "When did the swell of Grey Petrel reach its highest value, and how high was it?",
        "How high was the swell of Grey Petrel at minute 2?",
    ],
)
async def test_who_asks_for_a_value_gets_no_passage(harbour: Desk, text: str) -> None:
    assert await harbour.lines(text, Tier.ADDRESSED, readout="full") == []
    assert not [line for line in await harbour.lines(text, Tier.COMPUTED) if "Charter" in line]


async def test_the_tiers_that_no_search_fills_are_the_same_under_every_readout(harbour: Desk) -> None:
    for text in ("What does the pilot do in the Grey Petrel log?", "Which charter does Crew Amber sail, and what is its fee?"):
        full, core, off = [
            await harbour.lines(text, Tier.COMPUTED, Tier.ADDRESSED, readout=readout)
            for readout in ("full", "core-only", "off")
        ]
        assert full == core == off != []


async def test_stated_rivals_stand_side_by_side_and_a_named_file_is_a_hard_scope(harbour: Desk) -> None:
    """R11, R32."""
    both = await harbour.lines("What is the morale of Crew Amber?", Tier.COMPUTED)
    (rivals,) = (line for line in both if "contradict" in line)
    assert "77 % [source: morale-harbour.csv]" in rivals
    assert "81 % [source: morale.csv]" in rivals
    one = await harbour.lines("According to morale.csv, what is the morale of Crew Amber?", Tier.COMPUTED)
    assert [line for line in one if "Crew Amber | 81" in line]
    assert not [line for line in one if "77" in line or "contradict" in line]


async def test_a_table_that_tells_of_others_gives_nothing_of_theirs(harbour: Desk) -> None:
    shown = await harbour.lines("What is the morale of Crew Cobalt?", Tier.COMPUTED)
    assert [line for line in shown if "Crew Cobalt | 64" in line]
    assert not [line for line in shown if "Amber" in line]
