"""Citations by number: whether the cited units hold what the sentence says."""

import pytest

from loom.lab.scoring.attribution import Attribution, attribution, sections

BLOCK = """[ONTOLOGY CONTEXT]
## Raku (firing, maturity: draft)
Raku is a firing.
requires: Sawdust, Tongs

## Kiln (tools)
A kiln is a furnace.
requires: Brick
[END ONTOLOGY CONTEXT]"""
UNITS = [{"title": "Raku", "cut": False}, {"title": "Kiln", "cut": True}]
NAMES = ("Sawdust", "Tongs", "Brick")


def told(answer: str, block: str = BLOCK) -> Attribution | None:
    return attribution(answer, block, UNITS, NAMES, "default")


def test_a_block_is_parted_by_the_headings_of_its_units() -> None:
    parts = sections(BLOCK, ["Raku", "Kiln"])
    assert parts is not None
    assert "Sawdust" in parts[0] and "Brick" not in parts[0] and parts[1].endswith("requires: Brick")
    assert sections("\n".join(reversed(BLOCK.split("\n"))), ["Raku", "Kiln"]) is None


@pytest.mark.parametrize(
    ("answer", "cited", "held"),
    [
        ("Raku requires sawdust [1].", 1, 1),
        ("Raku requires sawdust [2].", 1, 0),
        ("Raku requires sawdust and brick [1].", 1, 0),
        ("Sawdust and brick are required [1, 2].", 2, 2),
        ("Sawdust is required [1][2].", 2, 1),
        ("It needs tongs [1]. It needs brick [1]!", 2, 1),
    ],
)
def test_a_unit_holds_the_names_of_the_sentence(answer: str, cited: int, held: int) -> None:
    found = told(answer)
    assert found is not None
    assert (found.cited, found.judged, found.held) == (cited, cited, held)


def test_a_number_after_the_full_stop_belongs_to_the_sentence_before_it() -> None:
    found = told("It needs sawdust. [1] It needs brick. [2]")
    assert found is not None and (found.cited, found.held) == (2, 2)


def test_numbers_of_no_unit_named_units_and_cut_units_are_counted() -> None:
    found = told("Raku needs a kiln [2]. It needs tongs [7].")
    assert found == Attribution(cited=1, judged=0, held=0, unknown=1, named=2, named_cited=1, cut=1)
    assert found.as_json()["named_cited_share"] == 0.5 and found.as_json()["accuracy"] is None


def test_a_block_without_its_headings_judges_no_sentence() -> None:
    found = told("Raku requires sawdust [1].", block="Raku is a firing. requires: Sawdust")
    assert found is not None and (found.cited, found.judged) == (1, 0)


@pytest.mark.parametrize("answer", ["Raku requires sawdust.", "", "See [here] and [1a]."])
def test_an_answer_that_cites_nothing_has_no_attribution(answer: str) -> None:
    assert told(answer) is None
