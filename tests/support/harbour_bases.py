"""Three small knowledge bases that lead to one another, and the contexts that questions over them get: crews' notes, charters with a
table of fees, and voyages with a log and readings."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from loom import compose
from loom.answer.bases import bases_of
from loom.answer.finders.facts import FactsFinder
from loom.answer.pipeline import prepare
from loom.answer.plan import Pin, Plan
from loom.cli.main import main
from loom.core.facts.assembling import Ways
from loom.core.facts.values import Held
from loom.core.values import Question, Scope, Tier

FILES = {
    "crews/kb.toml": """id = "crews"
title = "Crew office"
language = "en"
aliases = { it = ["Ufficio equipaggi"] }
[[attribute]]
name = "section"
[[entity]]
id = "amber"
name = "Crew Amber"
aliases = { it = ["Equipaggio Ambra"] }
[[entity]]
id = "cobalt"
name = "Crew Cobalt"
aliases = { it = ["Equipaggio Cobalto"] }
[[metric]]
id = "morale"
name = "morale"
unit = "%"
words = { it = ["umore"] }
statistics = ["min", "max"]
[[file]]
path = "notes.md"
title = "Crew notes"
kind = "document"
attribute = "section"
entities = ["amber", "cobalt"]
[[file]]
path = "morale.csv"
title = "Crew morale"
kind = "table"
entities = ["amber", "cobalt"]
entity_column = "crew"
values = { morale = "morale_pct" }
[[file]]
path = "morale-harbour.csv"
title = "Morale as the harbour saw it"
kind = "table"
entities = ["amber", "cobalt"]
entity_column = "crew"
values = { morale = "morale_pct" }
""",
    "crews/notes.md": "# Notes\n\n## Crew Amber\n\nCrew Amber is rested; the cook is new. It sails Charter Nine, aboard the Grey Petrel.\n\n"
    "## Crew Cobalt\n\nCrew Cobalt waits for a mate. It sails Charter Four.\n",
    "crews/morale.csv": "crew,morale_pct\nCrew Amber,81\nCrew Cobalt,64\n",
    "crews/morale-harbour.csv": "crew,morale_pct\nCrew Amber,77\n",
    "charters/kb.toml": """id = "charters"
title = "Charter desk"
language = "en"
[[entity]]
id = "four"
name = "Charter Four"
[[entity]]
id = "nine"
name = "Charter Nine"
[[metric]]
id = "fee"
name = "charter fee"
unit = "EUR"
words = { en = ["fee", "value"], it = ["tariffa"] }
statistics = ["min", "max"]
[[file]]
path = "fees.csv"
title = "Charter fees"
kind = "table"
entities = ["four", "nine"]
entity_column = "charter"
values = { fee = "fee_eur" }
""",
    "charters/fees.csv": "charter,vessel,days,fee_eur\nCharter Four,Slow Heron,6,1250.40\nCharter Nine,Grey Petrel,9,2310.75\n",
    "voyages/kb.toml": """id = "voyages"
title = "Voyages"
language = "en"
[[attribute]]
name = "minute"
unit = "min"
words = { minute = 1, minutes = 1, minuto = 1 }
window = 5
[[entity]]
id = "petrel"
name = "Grey Petrel"
aliases = { it = ["Procellaria Grigia"] }
[[entity]]
id = "heron"
name = "Slow Heron"
[[metric]]
id = "swell"
name = "swell height"
unit = "m"
words = { en = ["swell"], it = ["altezza dell'onda"] }
[[file]]
path = "petrel.csv"
title = "Grey Petrel soundings"
kind = "series"
entity = "petrel"
attribute = "minute"
position = "minute"
values = { swell = "swell" }
[[file]]
path = "heron.csv"
title = "Slow Heron soundings"
kind = "series"
entity = "heron"
attribute = "minute"
position = "minute"
values = { swell = "swell" }
[[file]]
path = "petrel.md"
title = "Grey Petrel log"
kind = "document"
attribute = "minute"
entity = "petrel"
[[file]]
path = "heron.md"
title = "Slow Heron log"
kind = "document"
attribute = "minute"
entity = "heron"
""",
    "voyages/petrel.csv": "minute,swell\n1,0.8\n2,1.1\n3,2.6\n4,1.9\n",
    "voyages/heron.csv": "minute,swell\n1,0.2\n2,0.4\n3,0.3\n4,0.6\n",
    "voyages/petrel.md": "# Log\n\n## Minute 1\n\nThe mooring is let go.\n\n## Minute 2\n\nA pilot comes aboard with a lantern.\n\n"
    "## Minute 3\n\nThe galley floods and the kettle is lost.\n\n## Minute 4\n\nThe pilot leaves and forgets his gloves.\n",
    "voyages/heron.md": "# Log\n\n## Minute 1\n\nNobody is aboard.\n\n## Minute 2\n\nA pilot sings in the galley.\n\n"
    "## Minute 3\n\nThe anchor drags.\n\n## Minute 4\n\nRain, and a lantern on the pier.\n",
}


def built(folder: Path, files: Mapping[str, str] = FILES) -> Path:
    """The folder of the generations of these bases."""
    for name, text in files.items():
        path = folder / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    sources = [str(folder / "src" / name) for name in sorted({name.partition("/")[0] for name in files})]
    assert main(["build", *sources, "--out", str(folder / "gen"), "--use", "--quiet"]) == 0
    return folder / "gen"


class Desk:
    """Contexts of questions over an opened generation."""

    def __init__(self, node: compose.Node, pin: Pin) -> None:
        self._node, self._pin = node, pin

    @property
    def held(self) -> Held:
        return bases_of(self._pin.generation)

    async def plan(self, text: str, *, readout: str = "off", budget: int = 1500) -> Plan:
        rest = [finder for finder in self._node.finders if finder.name != "facts"]
        finders = (*rest, FactsFinder(Ways(budget=budget), readout=readout))
        return await prepare(Question(text, Scope("test")), self._pin, finders, self._node.policies, budget=budget)

    async def lines(self, text: str, *tiers: Tier, readout: str = "off", budget: int = 1500) -> list[str]:
        plan = await self.plan(text, readout=readout, budget=budget)
        return [
            line
            for served in plan.block.served
            if not tiers or served.evidence.tier in tiers
            for line in served.lines
            if not line.startswith(("This context holds", "Sources asked for"))
        ]


@contextmanager
def desk(generations: Path) -> Iterator[Desk]:
    with compose.opened(generations) as (node, pin):
        yield Desk(node, pin)
