"""Made corpora, and what is told of how a node grows with them."""

import json
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from loom.bench import made
from loom.bench.curves import panels
from loom.bench.growth import Size, exponent, figures
from loom.build.seal import PressedFiles
from loom.cli.main import main
from loom.core.concepts import Concepts, press


def test_made_corpora_are_always_the_same_and_in_the_order_of_their_iris() -> None:
    concepts = made.concepts(300)
    assert concepts == made.concepts(300)
    assert [concept.iri for concept in concepts] == sorted({concept.iri for concept in concepts})
    assert len({concept.title for concept in concepts}) == 300


def test_words_of_made_corpora_follow_zipf() -> None:
    counts = Counter(word for concept in made.concepts(3_000) for word in concept.definition.split())
    common = [count for _, count in counts.most_common()]
    assert common[0] > 5 * common[20] > 10 * common[200]
    assert sum(count == 1 for count in common) > len(common) / 10


def test_made_concepts_refer_to_others_and_to_all_above_them() -> None:
    concepts = {concept.iri: concept for concept in made.concepts(200)}
    for concept in concepts.values():
        targets = [ref.iri for _, refs in concept.relations for ref in refs]
        assert set(targets) <= concepts.keys() - {concept.iri}
        if concept.parents:
            parent = concepts[concept.parents[0].iri]
            assert concept.ancestors == (*concept.parents, *(parent.ancestors or ()))


def test_questions_name_or_describe_a_concept() -> None:
    concepts = made.concepts(50)
    held = Concepts.open(PressedFiles(press(concepts)))
    asked = made.questions(held, 20)
    assert asked == made.questions(held, 20)
    assert all(any(concept.title in question for concept in concepts) for question in asked["named"])
    assert not any(concept.title in question for concept in concepts for question in asked["described"] if " " in concept.title)
    assert all(15 < len(question.split()) < 40 for question in asked["described"])


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 2.0])
def test_the_exponent_is_the_power_with_which_a_cost_grows(power: float) -> None:
    sizes = [8_000, 100_000, 1_000_000]
    assert exponent(sizes, [3.0 * size**power for size in sizes]) == pytest.approx(power)


def size(count: int, slower: float = 1.0, build: float = 1e-3) -> Size:
    return Size(
        count,
        build * count,
        build * count,
        900 * count,
        1,
        0.1,
        300 * count,
        100 * count,
        {"names, named": (0.1 * slower, 0.2)},
    )


def test_growth_is_held_to_its_bars() -> None:
    good = {figure.name: figure.met for figure in figures([size(1_000), size(10_000, slower=3.9)])}
    assert set(good.values()) == {None, True} and sum(met is True for met in good.values()) == 5
    bad = {figure.name: figure.met for figure in figures([size(1_000), size(10_000, slower=4.1, build=2e-3)])}
    assert [name for name, met in bad.items() if met is False] == [
        "names, named: p50, largest to smallest",
        "sealing, processor time, s: grows with the size to the power",
    ]
    assert not any(figure.bar for figure in figures([size(1_000)]))


def test_the_plot_is_a_picture_with_every_value() -> None:
    drawn = panels([8_000, 1_000_000], {"a & b": {"one": [0.5, 2.0], "two": [0.0, 30.0]}, "c": {"three": [1.0, 1.0]}})
    picture = ElementTree.fromstring(drawn)
    points = picture.findall(".//{http://www.w3.org/2000/svg}circle")
    assert len(points) == 6
    assert "0.5, 2" in drawn and "a &amp; b" in drawn


@pytest.mark.parametrize("sizes", ["", "8q", "50", "100k,8k", "8k,8k", "3m"])
def test_sizes_that_cannot_be_measured_are_told(sizes: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "growth", "--sizes", sizes]) == 2
    assert "--sizes" in capsys.readouterr().err


@pytest.mark.slow
def test_growth_is_measured_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plot, figures_file = tmp_path / "growth.svg", tmp_path / "growth.json"
    assert main(["bench", "growth", "--sizes", "200,400", "--out", str(plot), "--json", str(figures_file)]) == 0
    result = json.loads(figures_file.read_text(encoding="utf-8"))
    assert [each["concepts"] for each in result["sizes"]] == [200, 400]
    assert all(each["own_bytes"] > 0 and each["milliseconds"]["text, described"]["p50"] > 0 for each in result["sizes"])
    assert "200 concepts: text, described, p50" in capsys.readouterr().out
    assert ElementTree.parse(plot).getroot().tag.endswith("svg")
