"""What a study is made of outside: its models and its book of kept answers. Part of the composition root."""

from collections.abc import Sequence
from pathlib import Path

from loom.ports import AnswerBook, Clock, ModelBackend


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
