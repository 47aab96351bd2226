"""The measurements of retrieval on the real sets, where figures of the reference matcher are known from elsewhere."""

from functools import cache

import pytest
from support import real

from loom import compose
from loom.answer.replay import read
from loom.bench.retrieval.nodes import ask
from loom.bench.retrieval.scores import Score, scored
from loom.bench.retrieval.sets import FILES, Sets
from loom.core.values import Options
from loom.settings import load

pytestmark = pytest.mark.data


@cache
def reference() -> dict[str, Score]:
    """Figures of the reference policy by key."""
    pin = real.pin()
    sets = Sets({name: read(real.question_set(file)) for name, file in FILES.items()})
    node = compose.node(load({"LOOM_GENERATIONS": str(real.store())}))
    return {each.key: each for each in scored({name: ask(node, pin, sets[name], Options(policy="reference")) for name in sets})}


def test_exposure_is_what_the_reference_engine_has() -> None:
    found = reference()
    assert round(found["in-title.ceiling"].value, 3) == 0.973
    assert round(found["in-title.tokens"].value) == 1299
    assert 0.14 <= found["rephrased.ceiling"].value <= 0.24
    assert found["rephrased.served"].value == 0


def test_the_reference_speaks_where_it_should_not() -> None:
    found = reference()
    assert found["gate.everyday"].value == 1
    assert 0.86 <= found["gate.in-domain"].value <= 0.92
    assert 0.2 <= found["surface.first"].value <= 0.3
    assert found["follow-ups.served"].value <= 0.17
