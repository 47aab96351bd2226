"""Extraction: planted artefacts and off-vocabulary terms are counted exactly, whole assertions survive what breaks off."""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.kitchen import kitchen

from loom.answer.plan import Pin
from loom.core.concepts import Concepts
from loom.core.errors import BadInput
from loom.core.names import Names
from loom.core.policy.packing import HEADER
from loom.core.values import Json
from loom.lab.asking import FakeAsker, Said
from loom.lab.extraction import Artefacts, Assertion, Extracted, Terms, assertions_of, counted, extract, queue
from loom.lab.extraction.transcripts import read
from loom.lab.ground import Ground

KNOWN = ("GPT-5.5", "GLM-4.7", "IEEE 802.11", "H.264", "Web 3.0", "5G", "ISO 9241-940", "Opus")


def said(assertions: Sequence[Mapping[str, Json]]) -> str:
    return json.dumps({"assertions": list(assertions)})


def assertion(claim: str, *terms: str, **more: Json) -> dict[str, Json]:
    return {"claim": claim, "tier": 1, "source": {"speaker": "A"}, "ontology_terms": list(terms), "confidence": 0.5, **more}


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("GPT55 is out", ["known"]),
        ("gpt 55 and GPT 5 5", ["known", "known"]),
        ("Opus 48 wrote it", ["family"]),
        ("Sonnet45 and Qwen 25 and Llama-33", ["family"] * 3),
        ("glm 47 beats GLM47", ["known", "known"]),
        ("the 802 11 standard, IEEE 80211", ["known"]),
        ("H264 video", []),
        ("ISO9241940 says", ["known"]),
        ("Opus four point eight and GPT 5 point 5", ["spoken", "spoken"]),
        ("Web 30 is coming", ["known"]),
        ("GPT-5.5, GPT 5.5, gpt5.5 and Opus 4.8", []),
        ("Llama 70B, Qwen 72 billion, Phi 14 b, Gemini 20 percent", []),
        ("5G, 5 G and iso 9241 940", []),
        ("an opus of 48 pages, in 2025, with 55 people", []),
        ("Opus. 48 people came", []),
        ("Claude 3.5, Claude 2025, GPT-4o, Grok 4", []),
        ("", []),
    ],
)
def test_artefacts_are_told_from_names_that_are_right(text: str, rules: list[str]) -> None:
    assert [found.rule for found in Artefacts(KNOWN).find(text)] == rules


def test_a_name_that_is_right_is_no_artefact_and_a_garbled_one_tells_which_it_garbles() -> None:
    assert Artefacts(["Opus 48"]).find("Opus 48") == []
    assert Artefacts(KNOWN).find("It is GPT55.")[0].name == "GPT-5.5"


def test_a_list_of_artefacts_is_believed() -> None:
    found = Artefacts(KNOWN, ["clawed code", "GPT55"]).find("We use Clawed Code, and GPT55, not unclawed code.")
    assert [(each.text, each.rule) for each in found] == [("Clawed Code", "listed"), ("GPT55", "listed")]


@given(st.integers(2, 9), st.integers(0, 9), st.sampled_from(["Zeta", "Quill", "Vox"]), st.integers(0, 6))
def test_any_known_version_without_its_point_is_found_wherever_it_stands(major: int, minor: int, name: str, at: int) -> None:
    artefacts = Artefacts([f"{name}-{major}.{minor}"])
    words = "they say that it was trained for long".split()
    for wrong in (f"{name}{major}{minor}", f"{name.lower()} {major}{minor}", f"{name.upper()}-{major} {minor}"):
        assert len(artefacts.find(" ".join([*words[:at], wrong, *words[at:]]))) == 1
    for right in (f"{name} {major}.{minor}", f"{name.lower()}-{major}.{minor}", f"{name}{major}.{minor}"):
        assert artefacts.find(" ".join([*words[:at], right, *words[at:]])) == []


@pytest.mark.parametrize(
    "wrap",
    [
        "{0}", "```json\n{0}\n```", "Here you are:\n{0}\nI hope that this helps {{really}}.", "<think>{{no}}</think>{0}",
    ],
)  # fmt: skip
def test_assertions_are_found_in_fences_and_talk(wrap: str) -> None:
    made = [assertion("One.", "Oil"), assertion("Two.", "Salt", tier=2)]
    for body in (said(made), json.dumps(made), json.dumps({"result": 1, "assertions": made})):
        assert [(each.claim, each.tier) for each in assertions_of(wrap.format(body))] == [("One.", 1), ("Two.", 2)]


@given(st.integers(1, 6), st.data())
def test_of_an_answer_that_breaks_off_the_whole_assertions_are_kept(count: int, data: st.DataObject) -> None:
    made = [assertion(f"Claim {at} of many {{braces}}.", "Oil") for at in range(count)]
    text = said(made)
    cut = data.draw(st.integers(0, len(text)))
    ends = [at + 1 for at in range(len(text)) if text[at : at + 2] in ("},", "}]") and text[at - 1] != '"']
    whole = sum(end <= cut for end in ends if text[:end].count("ontology_terms") == text[:end].count("confidence"))
    found = assertions_of(text[:cut])
    assert [each.claim for each in found] == [each["claim"] for each in made[: len(found)]]
    assert len(found) >= min(whole, count) - 1


def test_odd_members_are_read_as_far_as_they_can_be() -> None:
    odd = {"assertion": "X holds.", "tier": "Tier 2", "speaker": "Ann", "terms": "Oil, Salt", "confidence": "85%"}
    assert assertions_of(json.dumps([odd])) == (Assertion("X holds.", 2, "Ann", ("Oil", "Salt"), 0.85),)
    for confidence, read_as in ((90, 0.9), (1, 1.0), ("high", None), (True, None), (-1, None), (None, None)):
        assert assertions_of(json.dumps([{**odd, "confidence": confidence}]))[0].confidence == read_as
    for tier, read_tier in ((3, 3), ("1", 1), (4, None), (True, None), (1.0, 1), (None, None)):
        assert assertions_of(json.dumps([{**odd, "tier": tier}]))[0].tier == read_tier
    assert assertions_of("nothing of use {") == ()


def test_transcripts_are_read_in_every_form(tmp_path: Path) -> None:
    forms = {
        "a.txt": "Ann: Hello.\nBob: Oil floats.\n",
        "b.md": "Ann: Hello.\nBob: Oil floats.",
        "c.vtt": "WEBVTT\n\nNOTE made by hand\n\n1\n00:00:01.000 --> 00:00:02.000\n<v Ann>Hello.</v>\n\n"
        "00:00:02.000 --> 00:00:03.000 align:start\n<v Bob>Oil <c>floats</c>.\n\n00:02.000 --> 00:03.000\n<v Bob>Oil floats.\n",
        "d.srt": "1\r\n00:00:01,000 --> 00:00:02,000\r\nAnn: Hello.\r\n\r\n2\r\n00:00:02,000 --> 00:00:03,000\r\nBob: Oil floats.\r\n",
        "e.json": json.dumps({"text": "x", "segments": [{"speaker": "Ann", "text": " Hello."}, {"speaker": "Bob", "text": "Oil floats."}]}),
        "f.json": json.dumps([{"speaker": "Ann", "text": "Hello."}, {"speaker": "Bob", "text": "Oil floats."}]),
    }  # fmt: skip
    for name, text in forms.items():
        (tmp_path / name).write_bytes(text.encode())
        found = read(tmp_path / name)
        assert (found.name, found.text) == (name, "Ann: Hello.\nBob: Oil floats.\n"), name
    assert "".join(found.chunks(15)) == found.text
    assert max(map(len, found.chunks(15))) <= 15


@pytest.mark.parametrize(
    ("name", "data"), [("a.pdf", b"x"), ("a.txt", b" \n"), ("a.json", b"{"), ("a.txt", b"\xff\xfe"), ("b.json", b"[]")]
)
def test_what_is_no_transcript_is_refused_in_a_sentence(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(BadInput, match="Expected"):
        read(tmp_path / name)


@pytest.fixture(scope="module")
def node() -> Iterator[tuple[Ground, Pin]]:
    with kitchen() as (made, pin):
        yield Ground(pin, made.finders, made.policies), pin


def terms_of(pin: Pin) -> Terms:
    concepts, names = pin.generation.part(Concepts), pin.generation.part(Names)
    assert concepts is not None and names is not None
    return Terms(concepts, names)


SPOKEN = "Ann: Mayonnaise is an emulsion of oil in egg yolk.\nBob: GPT55 told me so, and Opus 48 as well.\n"


def test_planted_terms_and_artefacts_are_counted_exactly(node: tuple[Ground, Pin]) -> None:
    ground, pin = node
    terms = terms_of(pin)
    grounded = [
        assertion("Mayonnaise is an emulsion.", "Mayonnaise", "[[emulsion]]", "EGG-YOLK"),
        assertion("Béarnaise has a name.", "Bearnaise", tier=2, confidence=0.9),
    ]
    bare = [
        assertion("GPT55 says so.", "Model Quorum", "Mayonaise Theory", "Mayonnaise"),
        assertion("Opus 48 agrees with Opus 48.", "model quorum", tier=3),
        assertion("GPT-5.5 is right.", tier="unsure", source=""),
    ]

    def answer(_: str, messages: Sequence[Mapping[str, Json]]) -> str:
        assert [each["role"] for each in messages] == ["system", "user"]
        return said(grounded if HEADER in messages[0]["content"] else bare)

    asker = FakeAsker(answer)
    done = [asyncio.run(extract(asker, "m", "t.txt", 0, SPOKEN, arm, ground)) for arm in ("grounded", "bare")]
    assert asker.asked[0][1][1] == asker.asked[1][1][1]
    assert asker.asked[0][1][0]["content"].startswith(asker.asked[1][1][0]["content"])
    result = counted(done, terms, Artefacts(["GPT-5.5"]))
    one, two = result["arms"]
    assert (one["arm"], one["terms"], one["terms_resolved"], one["resolution"], one["artefact_claims"]) == (
        "grounded",
        4,
        4,
        1.0,
        0,
    )
    assert (two["terms"], two["terms_resolved"], two["distinct_terms"], two["distinct_resolved"]) == (4, 1, 3, 1)
    assert (two["artefact_claims"], sum(each["count"] for each in two["artefacts"])) == (2, 3)
    assert one["tiers"] == {"1": 1, "2": 1, "3": 0, "other": 0}
    assert two["tiers"] == {"1": 1, "2": 0, "3": 1, "other": 1}
    assert (one["mean_confidence"], two["with_source"], two["without_terms"], two["landing"]) == (0.7, 2, 1, 1)
    assert result["contrasts"][0]["paired"]["mean"] == 0.75
    waiting = queue(done, terms)
    assert [(row["term"], row["count"], row["arms"]) for row in waiting] == [
        ("Model Quorum", 2, {"bare": 2}),
        ("Mayonaise Theory", 1, {"bare": 1}),
    ]
    assert "Mayonnaise" in waiting[1]["nearest"]


def test_calls_without_an_answer_are_counted_apart(node: tuple[Ground, Pin]) -> None:
    _, pin = node
    saids = (Said(""), Said("", error="gone"), Said("no json"), Said(said([assertion("X.")])[:-20], finish_reason="length"))
    done = [Extracted("t", at, "bare", "m", each, assertions_of(each.text)) for at, each in enumerate(saids)]
    (arm,) = counted(done, terms_of(pin), Artefacts())["arms"]
    assert (arm["calls"], arm["empty"], arm["errors"], arm["without_assertions"], arm["truncated"]) == (4, 1, 1, 2, 1)


@given(st.lists(st.booleans(), max_size=12))
def test_the_share_of_resolved_terms_is_that_of_the_planted_ones(node: tuple[Ground, Pin], real: list[bool]) -> None:
    _, pin = node
    terms = tuple("Oil" if each else f"Unheard Of {at}" for at, each in enumerate(real))
    (arm,) = counted([Extracted("t", 0, "bare", "m", Said("x"), (Assertion("x", terms=terms),))], terms_of(pin), Artefacts())[
        "arms"
    ]
    assert (arm["terms"], arm["terms_resolved"]) == (len(real), sum(real))


@pytest.mark.parametrize(
    "text",
    [
        '{"assertions": [{"claim": "a", "tier": 1, "ontology_terms": ["x",],}, {"claim": "b", "tier": 2, "ontology_terms": []},]}',
        '{"data": {"result": {"assertions": [{"claim": "a", "tier": 1, "terms": [{"name": "x"}]}, {"claim": "b", "tier": 2}]}}}',
    ],
    ids=["trailing commas", "wrapped"],
)
def test_assertions_are_found_in_json_that_is_not_quite_as_asked(text: str) -> None:
    assert [(each.claim, each.tier, each.terms) for each in assertions_of(text)] == [("a", 1, ("x",)), ("b", 2, ())]


def test_a_comma_before_a_bracket_inside_a_string_stays() -> None:
    assert assertions_of('{"claim": "one,] two,}", "tier": 1}')[0].claim == "one,] two,}"


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("a.json", {"results": {"transcripts": [{"transcript": "hello"}], "items": []}}, "hello\n"),
        (
            "b.json",
            {"results": {"channels": [{"alternatives": [{"transcript": "hello"}, {"transcript": "hullo"}]}]}},
            "hello\n",
        ),
        (
            "c.json",
            {"results": [{"alternatives": [{"transcript": "one"}]}, {"alternatives": [{"transcript": "two"}]}]},
            "one\ntwo\n",
        ),
        ("d.json", {"monologues": [{"speaker": 1, "elements": [{"value": "hi"}, {"value": "."}]}]}, "1: hi.\n"),
        ("e.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nsalt &amp; oil\n", "salt & oil\n"),
    ],
)
def test_transcripts_of_the_usual_transcribers_are_read(tmp_path: Path, name: str, content: Json, text: str) -> None:
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    assert read(path).text == text
