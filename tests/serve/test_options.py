"""Per-request options: what is taken, what is refused, and how."""

import pytest

from loom.core.errors import BadInput
from loom.core.values import Options
from loom.serve.options import NAMES, options_of
from loom.serve.schemas import OPTIONS

POLICIES, WRAPPERS = ("default", "reference"), ("authoritative", "bare")


def test_nothing_asked():
    assert options_of(None, POLICIES, WRAPPERS) == options_of({}, POLICIES, WRAPPERS) == Options()
    assert options_of(dict.fromkeys(NAMES), POLICIES, WRAPPERS) == Options()


def test_everything_asked():
    given = {
        "budget": 10,
        "policy": "reference",
        "wrapper": "bare",
        "gold": ["Kiln"],
        "off": True,
        "verbatim": False,
        "max_units": 2,
        "hops": 0,
        "prose": True,
        "context": "hydrate",
        "readout": "core-only",
    }
    assert options_of(given, POLICIES, WRAPPERS) == Options(**{**given, "gold": ("Kiln",)})


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([], "Expected an object as loom, not a list"),
        ("off", "not text"),
        ({"buget": 5}, "did you mean budget?"),
        ({"colour": 5}, "known are budget"),
        ({"budget": 0}, "from 1 to 100000 as loom.budget, not 0"),
        ({"budget": 100_001}, "from 1 to"),
        ({"budget": "10"}, "not '10'"),
        ({"budget": 1.5}, "not 1.5"),
        ({"budget": True}, "not True"),
        ({"budget": 10**30}, "from 1 to"),
        ({"policy": "strict"}, "one of default, reference"),
        ({"policy": ["default"]}, "not a list"),
        ({"wrapper": 1}, "one of authoritative, bare"),
        ({"gold": "Kiln"}, "a list of at most"),
        ({"gold": [""]}, "a list of at most"),
        ({"gold": ["a"] * 1001}, "a list of at most"),
        ({"off": 1}, "true or false as loom.off"),
        ({"verbatim": "yes"}, "true or false"),
        ({"max_units": 65}, "from 1 to 64"),
        ({"hops": 2}, "from 0 to 1"),
        ({"prose": {}}, "true or false"),
        ({"context": "none"}, "one of full, skeleton, hydrate as loom.context, not 'none'"),
        ({"readout": True}, "one of full, core-only, off as loom.readout, not True"),
        ({"x" * 5000: 1}, "Unknown option"),
    ],
)
def test_refusals(given: object, words: str):
    with pytest.raises(BadInput) as caught:
        options_of(given, POLICIES, WRAPPERS)
    assert words in caught.value.message
    assert len(caught.value.message) < 400
    assert caught.value.param and caught.value.param.startswith("loom")


def test_the_description_lists_the_same_options():
    assert tuple(OPTIONS) == NAMES
