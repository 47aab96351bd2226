"""What a study is made of outside: its models and its book of kept answers. Part of the composition root."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from loom.claims.judges import Judges
from loom.core.claims.judging.given import Inferred, Verdict
from loom.lab.claims.worlds.tables import Tables
from loom.ports import AnswerBook, ClaimStore, Clock, ModelBackend


def reasons(model: str) -> bool:
    """Whether a model of this name is known to think before it answers."""
    from loom_adapters.profiles import reasons as known

    return known(model)


def model_of_study(
    kind: str,
    *,
    url: str = "",
    key: str = "",
    profile: str = "auto",
    timeout: float = 600.0,
    script: str = "",
    titles: Sequence[str] = (),
) -> ModelBackend:
    """A model that a study asks: the reader, one behind a URL, or a scripted one. Nothing is tried again here: the study counts
    every call. `timeout` is seconds until an answer begins."""
    if kind == "reader":
        from loom_adapters.reader_model import ReaderModel

        return ReaderModel()
    if kind == "script":
        from loom_adapters.lab_models import LabModel

        return LabModel(script, titles)
    from loom_adapters.openai_url import Deadlines, OpenAIUrl

    return OpenAIUrl(url, key=key, profile=profile, deadlines=Deadlines(first_byte=timeout), retries=0)


def answer_book(path: Path) -> AnswerBook:
    """The kept answers of a study, in a file that is locked until it is closed."""
    from loom_adapters.answer_book import SqliteAnswers

    return SqliteAnswers(path)


def clock() -> Clock:
    """The clock of this machine, for instruments that ask models without a node."""
    from loom_adapters.clock import SystemClock

    return SystemClock()


def claims_in_memory() -> ClaimStore:
    """A store of claims that ends with the process, for experiments."""
    from loom_adapters.claims.kept import FakeClaims

    return FakeClaims()


def scripted_judges(tables: Tables) -> Judges:
    """Judges who answer by the tables of a generated world; derivation is the large model's. Prices are supposed: what a call of either
    costs for each of a million tokens in, and for its answer."""
    from loom.lab.claims.worlds import WorldLikeness
    from loom_adapters.judges_scripted import FakeJudges

    def judge(
        model: str,
        tier: str,
        price: tuple[float, float],
        opinions: Mapping[tuple[str, str], Verdict],
        inferred: Mapping[str, Sequence[Inferred]],
    ) -> FakeJudges:
        return FakeJudges(
            tables.propositions, frozenset(tables.holds), opinions, inferred, tables.values, tables.filed, tables.ways, passages=tables.passages,
            model=model, tier=tier, price=price,
        )  # fmt: skip

    small, large = (
        judge("scripted-small", "small", (5.0, 100.0), tables.opinions, tables.guessed),
        judge("scripted-large", "large", (100.0, 5000.0), tables.seen, tables.inferred),
    )
    return Judges(small, small, small, large, small, small, small, small, small, WorldLikeness(tables.leaning), small, small)
