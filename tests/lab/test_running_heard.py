"""What came back of one call, as it is kept and as it is waited for."""

from datetime import UTC, datetime

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.completion import CLASSES
from loom.core.errors import BadInput
from loom.core.values import Usage
from loom.lab.running.heard import Heard, heard_of, wait_of

NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)
COUNTS = st.one_of(st.none(), st.integers(0, 10_000))


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Thu, 01 Jan 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after-ms": "soon", "retry-after": "2"}, 2.0),
    ],
)
def test_the_pause_that_is_asked_for(headers: dict[str, str], seconds: float | None) -> None:
    assert wait_of(headers, NOW) == seconds


@given(
    st.builds(
        Heard,
        st.text(),
        st.sampled_from(CLASSES),
        st.sampled_from([None, "stop", "length"]),
        st.one_of(st.none(), st.text(max_size=5)),
        st.builds(Usage, COUNTS, COUNTS, COUNTS, COUNTS),
    )
)
def test_an_answer_is_kept_as_it_came(heard: Heard) -> None:
    assert heard_of(orjson.loads(orjson.dumps(heard.as_json()))) == heard


@pytest.mark.parametrize("kept", [{}, {"text": 3}, {"text": "a", "completion": "answered", "usage": 7}])
def test_what_was_kept_and_is_no_answer_is_told(kept: dict[str, object]) -> None:
    with pytest.raises(BadInput, match="Expected a kept answer"):
        heard_of(kept)
