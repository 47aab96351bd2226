"""What a process forgets of texts, whatever else its modules hold."""

import sys
from collections.abc import Iterator
from functools import lru_cache
from types import ModuleType

import pytest

from loom.answer.forgetting import forget


class Anything:
    """Answers to every name, as the expression builders of a database library do."""

    def __getattr__(self, name: str) -> "Anything":
        return self

    def __call__(self, *given: object) -> "Anything":
        return self

    def __getitem__(self, key: object) -> "Anything":
        return self


@pytest.fixture
def module() -> Iterator[ModuleType]:
    made = ModuleType("loom.anything")
    sys.modules[made.__name__] = made
    yield made
    del sys.modules[made.__name__]


def test_memos_of_texts_are_emptied_beside_objects_that_answer_to_any_name(module: ModuleType) -> None:
    @lru_cache(maxsize=512)
    def of_text(text: str) -> str:
        return text

    of_text("what was said")
    vars(module).update(builder=Anything(), memo=of_text)
    forget(None, ())
    assert of_text.cache_info().currsize == 0
