import json

from hypothesis import given
from hypothesis import strategies as st

from loom.core.diff import Summary, changes


def line(iri: str, **members: object) -> tuple[str, bytes]:
    return iri, json.dumps({"iri": iri, **members}, sort_keys=True).encode()


def test_added_removed_changed_and_renamed_are_told_apart() -> None:
    before = [line("a", title="A"), line("b", title="B", domain="sea"), line("c", title="C"), line("d", title="D")]
    after = [
        line("b", title="B", domain="land", quality=0.5),
        line("c", title="See"),
        line("d", title="D"),
        line("e", title="E"),
    ]
    found = list(changes(before, after))
    assert [(change.kind, change.iri, change.title, change.fields) for change in found] == [
        ("removed", "a", "A", ()),
        ("changed", "b", "B", ("domain", "quality")),
        ("changed", "c", "See", ("title",)),
        ("added", "e", "E", ()),
    ]
    assert found[1].as_json()["was"] == {"domain": "sea", "quality": None}
    assert [change.renamed for change in found] == [False, False, True, False]
    summary = Summary()
    for change in found:
        summary.count(change)
    assert summary.as_json() == {
        "added": 1,
        "removed": 1,
        "changed": 2,
        "renamed": 1,
        "fields": {"domain": 1, "quality": 1, "title": 1},
    }
    assert summary.differs


def test_where_a_concept_was_read_is_no_change() -> None:
    assert list(changes([line("a", title="A", source="x.md:1")], [line("a", title="A", source="y.md:4")])) == []


records = st.dictionaries(st.text("abc", min_size=1, max_size=3), st.sampled_from(["one", "two"]), max_size=8)


@given(records, records)
def test_the_changes_turn_one_side_into_the_other(old: dict[str, str], new: dict[str, str]) -> None:
    sides = [[line(iri, title=side[iri]) for iri in sorted(side)] for side in (old, new)]
    result = dict(old)
    for change in changes(*sides):
        if change.kind == "removed":
            del result[change.iri]
        else:
            assert (change.kind == "added") == (change.iri not in old)
            result[change.iri] = change.title
    assert result == new
    assert not list(changes(sides[0], sides[0]))
