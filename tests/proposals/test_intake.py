"""Assertions from files and documents: JSON lines, extractions in several arms, sentences without a model, and what their documents say."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.proposing import corpus, memory_desk
from support.trying import every_world

from loom.core.errors import BadInput
from loom.core.proposals.assertion import Assertion, Span
from loom.core.proposals.sentences import extracted, said_in, sentences
from loom.lab.asking import Said
from loom.lab.extraction import Extracted, assertions_of
from loom.lab.files import write_lines
from loom.proposals.intake import Documents, assertions_in, compared
from loom.proposals.served import Served


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with corpus() as found:
        yield found


SAID = (
    '{"assertions": [{"claim": "Sourdough keeps for five days.", "tier": 1, "source": {"speaker": "Ann", "quote": "it keeps for five days"}, '
    '"ontology_terms": ["Sourdough", "Linen"], "confidence": 0.9}]}'
)


def extraction(path: Path, *arms: str) -> Path:
    rows = [Extracted("episode.txt", 0, arm, "m", Said(SAID), assertions_of(SAID)).as_json() for arm in arms]
    write_lines(path, rows)
    return path


def test_an_extraction_lands_by_its_grounded_arm(tmp_path: Path, served: Served) -> None:
    both = extraction(tmp_path / "both.jsonl", "bare", "grounded")
    (one,) = assertions_in(both)
    assert (one.source, one.span.text, one.tier, one.confidence) == ("episode.txt", "it keeps for five days", 1, 0.9)
    assert len(list(assertions_in(both, "bare"))) == 1
    assert len(list(assertions_in(extraction(tmp_path / "bare.jsonl", "bare")))) == 1
    with pytest.raises(BadInput, match="grounded"):
        list(assertions_in(both, "other"))
    desk = memory_desk()
    landed = desk.land([one], served)
    assert (landed.new, landed.resolved) == (1, 1)
    assert [each.term for each in desk.open_terms(served)] == ["Linen"]


@pytest.mark.parametrize(
    ("content", "where"),
    [
        (b'{"text": "a", "source": "b"}\n{"text": "a"}\n', "line 2"),
        (b'{"text": "a", "source": "b"}\n[]\n', "line 2"),
        (b'{"transcript": "t", "assertions": ["x"]}\n', "line 1"),
        (b'{"transcript": "t", "assertions": [{"claim": 3}]}\n', "line 1"),
        (b"\xff\xfe\n", "line 1"),
    ],
)
def test_a_line_that_is_none_is_named(tmp_path: Path, content: bytes, where: str) -> None:
    (tmp_path / "x.jsonl").write_bytes(content)
    with pytest.raises(BadInput, match=where):
        list(assertions_in(tmp_path / "x.jsonl"))
    with pytest.raises(BadInput):
        list(assertions_in(tmp_path / "nowhere.jsonl"))


def test_what_a_document_does_not_say_is_not_verified(tmp_path: Path) -> None:
    (tmp_path / "talk.vtt").write_text("WEBVTT\n\n1\n00:01.000 --> 00:02.000\n<v Ann>It keeps for five days, in linen.\n")
    documents = Documents(tmp_path)
    given = [
        Assertion("Bread keeps.", "talk.vtt", Span("It keeps for five days")),
        Assertion("Bread keeps.", "talk", Span("it KEEPS for five days in linen")),
        Assertion("It keeps for five days", "talk.vtt"),
        Assertion("Bread keeps.", "talk.vtt", Span("It keeps for six days"), verified=True),
        Assertion("Bread keeps.", "other.txt", verified=True),
    ]
    found = list(compared(given, documents))
    assert [each.verified for each in found] == [True, True, True, False, True]
    assert [each.fingerprint for each in found] == [each.fingerprint for each in given]
    text = documents.text("talk") or ""
    assert text[found[0].span.start : found[0].span.end] == "It keeps for five days"
    with pytest.raises(BadInput):
        Documents(tmp_path / "nowhere")


def test_sentences_stand_where_they_say() -> None:
    text = "# A visit\n\nAnn: The loaf weighs 1.5 kg. It keeps!\n- Bread is baked at 230 degrees, e.g. in a pot.\n> \u00fcber alles\nno end"
    found = [text[start:end] for start, end in sentences(text)]
    assert found[:3] == ["A visit", "The loaf weighs 1.5 kg.", "It keeps!"] and found[-1] == "no end"


@every_world
def test_every_span_is_the_documents_own_words(seed: int, draw: random.Random) -> None:
    pieces = [
        "Sourdough rests",
        "in a Banneton",
        "for 1.5 days",
        ". ",
        "! ",
        "? ",
        "\n",
        "\n- ",
        "Ann: ",
        "  ",
        "e.g. ",
        "\u201cso\u201d",
        "Van Gogh Ear",
        "...",
        ")",
    ]
    text = "".join(draw.choice(pieces) + draw.choice(["", " "]) for _ in range(draw.randint(1, 30)))

    def named(said: str) -> list[tuple[str, str]]:
        return [(name, f"urn:{name}") for name in ("Sourdough", "Banneton") if name in said]

    found = list(extracted(text, "it", named))
    for each in found:
        assert (
            each.span.start is not None
            and " ".join(text[each.span.start : each.span.end].split()) == each.text == each.span.text
        )
        assert each.verified and any(iri for _, iri in each.terms)
    assert len({each.statement for each in found}) == len(found)
    assert found == list(extracted(text, "it", named))


NOTE = """---
title: Notes
about: Sourdough in the front matter says nothing to anybody.
---
# Sourdough in the kitchen as we bake it
Sourdough keeps for five days in linen. <!-- Sourdough is hidden in this remark. --> Sourdough rests for sixteen hours, says Ann.

```python
print("Sourdough is code, and says nothing at all here.")
```
%%
Sourdough is a note to myself that nobody sees.
%%
> - Sourdough rises slowly in the cold of a cellar.
"""


def test_a_page_says_what_its_readers_see() -> None:
    for page in (NOTE, NOTE.replace("\n", "\r\n")):
        shown = said_in(page)
        found = list(extracted(shown, "n.md", lambda said: [("Sourdough", "urn:s")] if "Sourdough" in said else []))
        assert [each.text for each in found] == [
            "Sourdough keeps for five days in linen.",
            "Sourdough rests for sixteen hours, says Ann.",
            "Sourdough rises slowly in the cold of a cellar.",
        ]
        assert len(shown) == len(page) and all(page[each.span.start : each.span.end] == each.text for each in found)
    for unclosed in ("100 %% of Sourdough is eaten on the first day.\n", "```\nSourdough is eaten on the first day.\n"):
        assert said_in(unclosed) == unclosed


def test_names_without_a_concept_wait_as_terms(served: Served) -> None:
    text = "They bake Sourdough with Lactobacillus Sanfranciscensis in it. Nobody knows what Van Gogh thought of that."
    (one,) = extracted(text, "a", served.named)
    assert dict(one.terms) == {"Sourdough": "urn:loom:kitchen:sourdough", "Lactobacillus Sanfranciscensis": ""}
    assert [each.unresolved for each in extracted(text, "a", served.named, strict=False)] == [
        ("Lactobacillus Sanfranciscensis",),
        ("Van Gogh",),
    ]
