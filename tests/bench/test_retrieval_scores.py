"""Figures of each set, from what a node gave, by hand."""

from typing import Any

from loom.answer.replay import Asked, Given
from loom.bench.retrieval import calibration, scores
from loom.bench.retrieval.nodes import Answered
from loom.bench.retrieval.scores import Score


def answered(
    *served: str,
    ceiling: float | None = None,
    tokens: int = 0,
    confidence: float | None = None,
    texts: tuple[str, ...] = (),
    **row: Any,
) -> Answered:
    """A row that was given these units; silent where there are none."""
    units = tuple(f"urn:test:{slug}" for slug in served)
    given = Given(bool(served), "exact" if served else "off_topic", None, confidence, None, units, (), ceiling, tokens)
    return Answered(Asked("1", ({"role": "user", "content": "?"},), (), row), given, texts)


def values(found: list[Score]) -> dict[str, Any]:
    """By key: counts where a figure counts, else the number."""
    return {each.key: (each.share.hits, each.share.total) if each.share else round(each.value, 6) for each in found}


def test_in_title() -> None:
    rows = [
        answered("kiln", ceiling=1.0, tokens=100, template="T-REL"),
        answered("kiln", ceiling=0.5, tokens=301, template="T-REL"),
        answered(ceiling=0.0, template="T-TAX"),
    ]
    assert values(scores.in_title(rows)) == {
        "in-title.ceiling": 0.5,
        "in-title.tokens": 133.666667,
        "in-title.engaged": (2, 3),
        "in-title.T-REL": 0.75,
        "in-title.T-TAX": 0.0,
    }


def test_rephrased_counts_twins_as_the_subject() -> None:
    rows = [
        answered("kiln", "oven", ceiling=1.0, tokens=10, subject_slug="kiln"),
        answered("furnace", "oven", ceiling=0.5, tokens=20, subject_slug="kiln", alt_subject_slugs=["oven"]),
        answered("furnace", ceiling=0.0, tokens=30, subject_slug="kiln"),
        answered(ceiling=0.5, subject_slug="kiln"),
    ]
    assert values(scores.rephrased(rows)) == {
        "rephrased.ceiling": 0.5,
        "rephrased.served": (2, 4),
        "rephrased.first": (1, 4),
        "rephrased.engaged": (3, 4),
        "rephrased.tokens": 15,
        "rephrased.most-tokens": 30,
    }


def test_gate() -> None:
    rows = [
        answered("kiln", "ash", confidence=0.9, label="in_domain", slug_groups=[["kiln"], ["clay", "ash"]]),
        answered("kiln", confidence=0.6, label="in_domain", slug_groups=[["kiln"], ["clay"]]),
        answered(label="in_domain", confidence=0.2, slug_groups=[["clay"]]),
        answered("base", confidence=0.6, label="off_domain", ambiguous_word="base"),
        answered(confidence=0.1, label="off_domain", ambiguous_words=["gold", "gas"]),
        answered(label="off_domain"),
        answered("pot", texts=("Pot. A pot, or pots-and-pans.",), label="adjacent", topic=["pot"]),
        answered("pot", texts=("A potter's wheel.",), label="adjacent", topic=["pot"]),
        answered(label="adjacent", topic=["glass"]),
    ]
    assert values(scores.gate(rows)) == {
        "gate.off-domain": (1, 3),
        "gate.in-domain": (2, 3),
        "gate.in-domain-right": (2, 3),
        "gate.in-domain-all": (1, 3),
        "gate.auc": round((3 + 2.5 + 2) / 9, 6),
        "gate.everyday": (1, 2),
        "gate.beside": (0, 1),
        "gate.adjacent": (2, 3),
        "gate.adjacent-engaged": (2, 3),
    }


def test_surface_forms_by_kind() -> None:
    rows = [
        answered("kiln", slug="kiln", kind="plural"),
        answered("oven", "kiln", slug="kiln", kind="typo"),
        answered("oven", slug="kiln", alt_slugs=["oven"], kind="typo"),
    ]
    assert values(scores.surface(rows)) == {
        "surface.first": (2, 3),
        "surface.served": (3, 3),
        "surface.first.plural": (1, 1),
        "surface.first.typo": (1, 2),
    }


def test_follow_ups_and_changed_topics() -> None:
    rows = [
        answered("oven", "kiln", kind="followup", slugs=["kiln"], not_slugs=[]),
        answered(kind="followup", slugs=["kiln"], not_slugs=[]),
        answered("kiln", kind="topic_switch", slugs=["oven"], not_slugs=["kiln"]),
        answered("oven", kind="topic_switch", slugs=["oven"], not_slugs=["kiln"]),
        answered("glaze", kind="topic_switch_off_domain", slugs=[], not_slugs=["kiln"]),
    ]
    assert values(scores.follow_ups(rows)) == {
        "follow-ups.served": (1, 2),
        "follow-ups.first": (0, 2),
        "follow-ups.dragged": (1, 3),
        "follow-ups.onward": (1, 2),
        "follow-ups.away": (1, 1),
    }


def test_a_bar_is_met_or_missed() -> None:
    assert Score("rephrased.first", "", 0.55).met is True
    assert Score("gate.off-domain", "", 0.05).met is False
    assert Score("rephrased.engaged", "", 0.5).met is None
    assert Score("gate.auc", "", float("nan")).met is None


def test_reliability_is_of_what_was_served() -> None:
    rows = {
        "in-title": [answered("kiln", confidence=0.9, class_slugs=["kiln"])],
        "rephrased": [answered("oven", confidence=0.9, subject_slug="kiln"), answered(subject_slug="kiln")],
        "gate": [
            answered("kiln", confidence=0.3, label="off_domain"),
            answered("pot", confidence=0.3, label="adjacent", topic=["pot"], texts=("Pot",)),
            answered("kiln", confidence=0.3, label="in_domain", slug_groups=[["kiln"]]),
        ],
    }
    found = {each.name: each for each in calibration.reliability(rows)}
    assert {name: each.count for name, each in found.items()} == {"all together": 5, "in-title": 1, "rephrased": 1, "gate": 3}
    assert round(found["in-title"].width, 6) == 0.1
    assert round(found["rephrased"].width, 6) == 0.9
    assert round(found["gate"].width, 6) == round(abs(0.3 - 2 / 3), 6)
    assert round(found["all together"].width, 6) == round((2 * abs(0.9 - 0.5) + 3 * abs(0.3 - 2 / 3)) / 5, 6)
