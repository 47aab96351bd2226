import json

import pytest
from support.generations import MemoryGeneration

from loom.answer.plan import Pin
from loom.answer.units import MEDIA, find, format_for, represent
from loom.core.errors import BadInput, NotFound
from loom.core.values import Concept, Ref

PIN = Pin(
    MemoryGeneration(
        [
            Concept("urn:x:kiln", "Kiln", "A chamber.", aliases=("Oven",), backlinks=("urn:x:tide-kiln",)),
            Concept(
                "urn:x:tide-kiln",
                "Tide Kiln",
                "A kiln.",
                parents=(Ref("urn:x:kiln"),),
                relations=(("uses", (Ref("urn:y:salt", "Sea salt"), Ref("urn:y:ash"))),),
            ),
            Concept("https://example.org/terms#Oven", "Bread oven"),
            Concept("urn:x:c", "C"),
            Concept("urn:x:cpp", "C++"),
        ]
    )
)


@pytest.mark.parametrize(
    ("name", "iri"),
    [
        ("urn:x:tide-kiln", "urn:x:tide-kiln"),
        ("urn%3Ax%3Atide-kiln", "urn:x:tide-kiln"),
        ("https%3A%2F%2Fexample.org%2Fterms%23Oven", "https://example.org/terms#Oven"),
        ("tide-kiln", "urn:x:tide-kiln"),
        ("Tide Kiln", "urn:x:tide-kiln"),
        ("Tide%20Kiln", "urn:x:tide-kiln"),
        ("tide KILN", "urn:x:tide-kiln"),
        ("oven", "urn:x:kiln"),
        ("C++", "urn:x:cpp"),
        ("C", "urn:x:c"),
    ],
)
def test_an_address_may_be_an_iri_a_slug_or_a_name(name: str, iri: str) -> None:
    assert find(PIN, name) == iri


def test_an_unknown_address_is_refused_with_the_nearest_titles() -> None:
    with pytest.raises(NotFound, match="Tide Kiln <urn:x:tide-kiln>"):
        find(PIN, "tide kilm")
    with pytest.raises(NotFound, match="No title comes near"):
        find(PIN, "%00???")


def test_every_format_has_its_media_type_and_says_its_generation() -> None:
    for name, media in MEDIA.items():
        body, found = represent(PIN, "tide-kiln", name)
        assert found == media
        assert PIN.generation.id.encode() in body


def test_what_is_not_in_the_corpus_keeps_its_label() -> None:
    unit = json.loads(represent(PIN, "tide-kiln")[0])
    assert unit["parents"] == [{"iri": "urn:x:kiln", "title": "Kiln"}]
    assert unit["relations"] == {"uses": [{"iri": "urn:y:salt", "title": "Sea salt"}, {"iri": "urn:y:ash", "title": "ash"}]}
    assert json.loads(represent(PIN, "kiln")[0])["backlinks"] == [{"iri": "urn:x:tide-kiln", "title": "Tide Kiln"}]


@pytest.mark.parametrize(
    ("accept", "asked", "format"),
    [
        (None, None, "json"),
        ("*/*", None, "json"),
        ("text/turtle", None, "turtle"),
        ("text/html, application/ld+json;q=0.5, text/markdown;q=0.9", None, "markdown"),
        ("*/*, text/turtle", None, "turtle"),
        ("text/turtle;q=0, application/*", None, "json"),
        ("text/turtle;q=x", None, "json"),
        ("image/png", None, "json"),
        ("text/turtle", "md", "markdown"),
        (None, "application/ld+json", "jsonld"),
    ],
)
def test_the_format_follows_what_was_asked(accept: str | None, asked: str | None, format: str) -> None:
    assert format_for(accept, asked) == format


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(BadInput, match="'pdf'"):
        format_for(None, "pdf")
