"""Names of relations in their many spellings."""

import pytest

from loom.core.concepts import RELATIONS
from loom.core.relations import known, nearest


@pytest.mark.parametrize("name", RELATIONS)
def test_a_known_name_is_known_in_every_spelling(name: str) -> None:
    words = "".join(f"-{c.lower()}" if c.isupper() else c for c in name)
    for spelling in (name, words, words.replace("-", "_"), words.replace("-", " ").title(), name.upper()):
        assert known(spelling) == name
        assert nearest(spelling) == name


def test_an_unknown_name_is_unknown() -> None:
    assert known("produces") is None
    assert nearest("produces") == ""


@pytest.mark.parametrize(
    ("name", "near"), [("dependOn", "dependsOn"), ("uses_ai", "uses"), ("standardisedBy", "standardizedBy")]
)
def test_a_slip_has_a_nearest_name(name: str, near: str) -> None:
    assert nearest(name) == near


def test_a_parent_among_relations_is_recognised() -> None:
    assert nearest("isSubclassOf") == nearest("is-a") == "subClassOf"
