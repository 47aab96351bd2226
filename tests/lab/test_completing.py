"""A proposed block: its copy ceiling is counted, a stuffed one is flagged, a true one passes."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import real
from support.kitchen import kitchen

from loom.answer.plan import Pin
from loom.core.concepts import Concepts
from loom.core.mint import reference, unit
from loom.core.policy.packing import pack_lines, pack_whole
from loom.core.text import slug_of
from loom.core.values import Candidate
from loom.lab.completing import FLAGGED, INCOMPLETE, PASS, complete
from loom.lab.question import LabQuestion, Target

EMULSION = """## Emulsion (chemistry, maturity: established)
An emulsion is a mixture of two liquids that do not dissolve in each other, with one spread through the other as tiny droplets.
is-a: Food Chemistry
requires: Emulsifier, Oil, Whisk
enables: Mayonnaise, Hollandaise Sauce, Vinaigrette
- Emulsifier: An emulsifier is a substance whose molecules have one end that likes water and one that likes fat.
"""
GOLD = ("Emulsifier", "Oil", "Whisk", "Mayonnaise", "Hollandaise Sauce", "Vinaigrette")


def asking(*names: str, subject: str = "emulsion", id: str = "q") -> LabQuestion:
    return LabQuestion(id, "What goes with it?", tuple(map(Target, names)), class_slugs=(subject,) if subject else ())


def stuffed(names: tuple[str, ...]) -> dict[str, str]:
    """Ways to write names into a block without saying anything."""
    listed = ", ".join(names)
    return {
        "list": listed,
        "sentence of names": f"{listed}.",
        "keywords": f"Keywords: {listed}",
        "key terms": f"**Key terms:** {listed}.",
        "repeated": f"{listed}\n" * 5,
        "glued": " ".join(names),
        "tags": " ".join("#" + name.replace(" ", "-") for name in names),
        "comment": f"<!-- {listed} -->",
        "vault comment": f"%% {listed} %%",
        "reference comment": f"[//]: # ({listed})",
        "not displayed": f'<span style="display:none">{listed}</span>',
        "attribute": f'<span title="{listed}"></span>',
        "pseudo-sentences": " ".join(f"{name}." for name in names),
        "lines": "\n".join(names),
        "bullets": "\n".join(f"- {name}" for name in names),
        "numbered": "\n".join(f"{at}. {name}" for at, name in enumerate(names, 1)),
        "paragraphs": "\n\n".join(names),
        "headings": "\n".join(f"## {name}" for name in names),
        "this covers": f"This covers {listed}.",
        "this page": f"This page covers topics such as {listed}.",
        "it is about": f"It is about {', '.join(names[:-1])} and {names[-1]}, among others.",
        "important": " ".join(f"{name} is important." for name in names),
        "there is also": " ".join(f"There is also {name}." for name in names),
        "questions": " ".join(f"What is {name}?" for name in names),
        "table": "| name |\n|---|\n" + "\n".join(f"| {name} |" for name in names),
        "row": "| " + " | ".join(names) + " |",
        "slashes": " / ".join(names),
        "links": " ".join(f"[[{name}]]" for name in names),
        "fenced": "```\n" + "\n".join(names) + "\n```",
        "record": "```json\n" + json.dumps({"keywords": list(names)}) + "\n```",
        "one name": f"{names[0]} " * 8,
    }


WAYS = tuple(stuffed(GOLD))


def test_a_unit_as_it_is_served_passes_with_its_ceiling() -> None:
    found = complete(EMULSION, [asking(*GOLD[:3], id="a"), asking("Emulsifier", "Salt", id="b")], enough=0.7)
    assert (found.verdict, found.macro, found.micro) == (PASS, 0.75, 0.8)
    assert found.missing == ("Salt",)
    assert [(each.id, each.ceiling) for each in found.held] == [("a", 1.0), ("b", 0.5)]
    assert found.signs == ()


def test_a_block_that_lacks_names_is_incomplete() -> None:
    assert complete(EMULSION, [asking("Emulsifier", "Salt")]).verdict == INCOMPLETE
    assert complete("Nothing of that is here to read.", [asking("Emulsifier")]).macro == 0.0


@pytest.mark.parametrize("way", WAYS)
def test_names_stuffed_into_a_true_block_are_flagged(way: str) -> None:
    found = complete(EMULSION + "\n" + stuffed(GOLD)[way], [asking(*GOLD)])
    assert (found.verdict, found.macro) == (FLAGGED, 1.0)
    assert all(sign.sentence for sign in found.signs)


@pytest.mark.parametrize("way", [way for way in WAYS if way != "one name"])
def test_names_stuffed_into_nothing_are_flagged(way: str) -> None:
    text = stuffed(GOLD)[way]
    assert complete(f"# Emulsion\n{text}", [asking(*GOLD)]).verdict == FLAGGED
    assert complete(text, [asking(*GOLD)]).verdict == FLAGGED


@pytest.mark.parametrize("names", [("Emulsifier",), ("Emulsifier", "Oil")])
def test_few_names_are_flagged_where_nothing_else_carries_them(names: tuple[str, ...]) -> None:
    said = "An emulsion is a mixture of two liquids that do not dissolve in each other."
    for text in (", ".join(names), "\n".join(f"- {name}" for name in names), f"<!-- {', '.join(names)} -->"):
        assert complete(f"## Emulsion\n{said}\n{text}", [asking(*names)]).verdict == FLAGGED


@pytest.mark.parametrize(
    "way", ["list", "keywords", "key terms", "glued", "lines", "bullets", "headings", "this covers", "links"]
)
def test_two_names_are_enough_where_they_are_all_that_is_asked_for(way: str) -> None:
    names = ("Emulsifier", "Oil")
    assert complete(EMULSION + "\n" + stuffed(names)[way], [asking(*names)]).verdict == FLAGGED


def test_units_beside_one_another_may_state_the_same() -> None:
    siblings = "\n\n".join(f"## Sauce {at}\nIt is poured over a dish.\nis-a: Oil, Emulsifier" for at in range(4))
    assert complete(siblings, [asking("Oil", "Emulsifier", subject="")]).verdict == PASS
    assert (
        complete("## Sauce\nIt is poured.\n" + "is-a: Oil, Emulsifier\n" * 3, [asking("Oil", "Emulsifier")]).verdict == FLAGGED
    )


def test_names_are_flagged_that_questions_about_something_else_ask_for() -> None:
    other = asking("Yeast", "Flour", "Sourdough", subject="bread", id="other")
    found = complete(EMULSION + "\nYeast, Flour, Sourdough", [asking(*GOLD), other])
    assert (found.verdict, found.left_aside) == (FLAGGED, 1)


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: Emulsion\nrelations:\n  requires: [Emulsifier, Oil, Whisk]\n  enables:\n    - Mayonnaise\n    - Vinaigrette\n"
        "    - Hollandaise Sauce\n---\nAn emulsion is a mixture of two liquids that do not dissolve in each other.\n",
        "# Emulsion\nAn emulsion needs an emulsifier that holds oil in water, and a whisk to break the oil into droplets. Mayonnaise "
        "and vinaigrette are cold ones, while hollandaise sauce has to be kept warm so that its butter stays liquid.\n",
        "- ### Emulsion\n  - requires:: [[Emulsifier]], [[Oil]], [[Whisk]]\n  - **enables** → [[Mayonnaise]], [[Vinaigrette]]\n"
        "- ## See also\n  - [[Hollandaise Sauce]]\n",
        '# Emulsion\n```json-ld\n{"@type": "Class", "relations": {"requires": [{"@id": "urn:x:oil", "label": "Oil"}, "Emulsifier", '
        '"Whisk"], "enables": ["Mayonnaise", "Vinaigrette", "Hollandaise Sauce"]}}\n```\n',
    ],
    ids=["vault page", "prose", "outline", "record"],
)
def test_other_ways_to_say_the_same_pass(text: str) -> None:
    found = complete(text, [asking(*GOLD)])
    assert (found.verdict, found.signs) == (PASS, ())


FIVE = ("Emulsifier", "Oil", "Whisk", "Salt", "Milk Solids")
SAID = "An emulsion is a mixture of two liquids that do not dissolve in each other."


@pytest.mark.parametrize("many", [1, 2, 3, 5])
@pytest.mark.parametrize("subject", ["Emulsion", "It", "A word emulsion", "Text Emulsion"])
@pytest.mark.parametrize("verb", ["requires", "consists of", "is a kind of", "depends on", "uses"])
def test_relations_in_words_pass(many: int, subject: str, verb: str) -> None:
    names = FIVE[:many]
    listed = names[0] if many == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    question = asking(*names)
    for text in (
        f"# Emulsion\n\n{SAID}\n\n{subject} {verb} {listed}.\n",
        f"# Emulsion\n\n{SAID} {subject} {verb} {listed}.\n",
        f"# Emulsion\n\n{subject} {verb} {listed}.\n",
        f"# Emulsion\n\n{SAID}\n\n{subject} {verb} the following:\n\n" + "".join(f"- {name}\n" for name in names),
        f"# Emulsion\n\n{SAID}\n\n" + "".join(f"- {subject} {verb} {name}\n" for name in names),
        f"# Emulsion\n\n{SAID}\n\n| Relation | Target |\n|---|---|\n" + "".join(f"| {verb} | {name} |\n" for name in names),
        f"# Emulsion\n\n{SAID}\n\n| Concept | {verb} |\n|---|---|\n" + "".join(f"| {subject} | {name} |\n" for name in names),
    ):
        found = complete(text, [question])
        assert (found.verdict, found.signs) == (PASS, ()), text


@pytest.mark.parametrize(
    "stuffing",
    [
        " {list}.",
        "\n\nThis page mentions {list}.",
        "\n\nRelevant terms include {list}.",
        "\n\nKey terms include:\n\n- {items}",
        "\n\nThe keywords of emulsion include:\n\n- {items}",
        " ({list}, {list}, {list})",
        "\n\nEmulsion requires {list}." * 6,
        "\n\n| Name | Title |\n|---|---|\n| {rows} | |",
        "\n\nSalt, Yeast, Sourdough, Brown Stock, Searing, Roasting, Creaming, Fold, {list}",
    ],
)
@pytest.mark.parametrize("names", [("Emulsifier", "Oil"), GOLD[:3], GOLD])
def test_what_says_nothing_of_the_names_is_flagged(stuffing: str, names: tuple[str, ...]) -> None:
    text = stuffing.format(list=", ".join(names), items="\n- ".join(names), rows=" | |\n| ".join(names))
    assert complete(f"# Emulsion\n\n{SAID}{text}\n", [asking(*names)]).verdict == FLAGGED


def test_names_glued_into_a_sentence_are_flagged_however_long_it_is() -> None:
    text = f"# Emulsion\n\nAn emulsion is a mixture of two {' '.join(GOLD[:3])} liquids that do not dissolve in each other at all.\n"
    assert complete(text, [asking(*GOLD[:3])]).verdict == FLAGGED


def test_questions_about_something_else_are_left_aside_unless_every_one_counts() -> None:
    questions = [asking("Oil"), asking("Yeast", subject="bread", id="b")]
    assert complete(EMULSION, questions).macro == 1.0
    assert complete(EMULSION, questions, every=True).macro == 0.5
    without = [
        LabQuestion("a", "What does an emulsion require?", (Target("Oil"),)),
        LabQuestion("b", "Bread?", (Target("Yeast"),)),
    ]
    assert complete(EMULSION, without).macro == 1.0


@given(st.text(max_size=400), st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=4))
def test_any_text_is_judged_the_same_twice(text: str, names: list[str]) -> None:
    question = LabQuestion("q", "?", tuple(Target(name) for name in names))
    found = complete(text, [question])
    assert found == complete(text, [question])
    assert 0 <= found.macro <= 1 and found.verdict in (PASS, INCOMPLETE, FLAGGED)
    assert set(found.missing) <= set(names)


@pytest.fixture(scope="module")
def vault() -> Iterator[Pin]:
    with kitchen() as (_, pin):
        yield pin


def units(concepts: Concepts, rows: list[int]) -> Iterator[tuple[str, list[LabQuestion]]]:
    """Each row's unit as both policies serve it, and a question for each of its relations."""
    for row in rows:
        iri, links = concepts.iri(row), concepts.links(row)
        groups = [links.parents, *(targets for _, targets in links.relations)]
        gold = [tuple(dict.fromkeys(concepts.title(target) for target in group[:5])) for group in groups if group]
        questions = [asking(*names, subject=slug_of(iri), id=f"{row}-{at}") for at, names in enumerate(gold)]
        if questions:
            admitted = [(row, Candidate(iri, 1.0, "test"))]
            yield pack_lines(unit.mint(concepts, admitted, "", hops=1, prose=True), 1500).text, questions
            yield pack_whole(reference.mint(concepts, admitted, "", hops=1, prose=False), 1500).text, questions


def test_no_unit_of_the_example_vault_is_flagged_and_each_is_when_stuffed(vault: Pin) -> None:
    concepts = vault.generation.part(Concepts)
    assert concepts is not None
    seen = 0
    for at, (block, questions) in enumerate(units(concepts, list(range(concepts.count)))):
        found = complete(block, questions)
        assert found.signs == (), block
        names = tuple(dict.fromkeys(name for question in questions for name in question.titles))
        if len(names) > 2:
            way = WAYS[at % (len(WAYS) - 1)]
            # Sentences of three names that stand in the block already pass, and so do bare words of other names.
            if way not in ("this page",) or len(names) > 4:
                assert complete(f"{block}\n{stuffed(names)[way]}", questions).verdict == FLAGGED, (way, names)
                seen += 1
    assert seen > 100


@pytest.mark.slow
def test_no_unit_of_the_real_corpus_is_flagged() -> None:
    concepts = real.pin().generation.part(Concepts)
    assert concepts is not None
    flagged = [
        block for block, questions in units(concepts, list(range(0, concepts.count, 5))) if complete(block, questions).signs
    ]
    assert flagged == []
