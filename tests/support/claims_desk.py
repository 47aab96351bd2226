"""A workspace of claims with a clock that goes on an hour a batch: a store in memory, rules as judges, hashed words as vectors."""

from datetime import UTC, datetime, timedelta

from loom.claims.asks import Describe, TakeIn, Wish, ask_of
from loom.claims.judges import Judges
from loom.claims.slow import Flushed, SlowPath
from loom.core.claims.intake.ids import entry
from loom.core.claims.standing import Standing
from loom.core.claims.stored import Wanted
from loom_adapters.claims.kept import FakeClaims
from loom_adapters.fake_embedder import FakeEmbedder
from loom_adapters.judges_plain import PlainJudges

NOW = datetime(2026, 5, 4, 9, tzinfo=UTC)


def judges() -> Judges:
    """The rules, in every place."""
    plain = PlainJudges()
    return Judges(plain, plain, plain, plain, plain, plain, plain, plain, plain, FakeEmbedder())


class Desk:
    """A workspace with a clock that goes on an hour a batch."""

    def __init__(self) -> None:
        self.store = FakeClaims()
        self.slow = SlowPath(self.store, judges(), "test")
        self.now = NOW

    async def do(self, *wishes: Wish) -> Flushed:
        self.now += timedelta(hours=1)
        await self.store.enqueue([ask_of(each, self.now.isoformat(), once=str(at)) for at, each in enumerate(wishes)])
        return await self.slow.flush(self.now)

    async def domain(self) -> None:
        await self.do(Describe("supply", "Supply", "depends requires pump valve plant water supplier boiler", "anna"))

    async def read(self, *texts: str, source: str = "memo", at: str = "2026-05-01") -> Flushed:
        wishes = [
            TakeIn(entry(f"{source}-{n}" if len(texts) > 1 else source, text, observed_at=at)) for n, text in enumerate(texts)
        ]
        return await self.do(*wishes)

    async def standings(self) -> dict[str, Standing]:
        claims = await self.store.look(lambda view: view.list_claims(Wanted()))
        return {each.claim.proposition: each.standing for each in claims}
