"""The page of a report, as text: what stands in it, what it keeps out, how large it is, and whether its colours can be told."""

import math
import re
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import lab_results, lab_rows

from loom.core.errors import BadInput
from loom.lab.files import sha256_of, write_json
from loom.lab.report import make, page, source_of
from loom.lab.report.axis import around_zero, from_zero
from loom.lab.report.figures import figures
from loom.lab.report.words import interval, number, plain, probability, signed
from loom.lab.row import write_rows
from loom.lab.study.study import NOTHING_SET, Study

FIGURES = (
    "headline", "ceilings", "contingency", "gain", "contrasts", "common", "exposure", "histogram", "flow", "beside", "omitted",
    "regression", "judges", "audit", "templates", "domains", "wrappers", "chains",
)  # fmt: skip
VOID = frozenset("meta link br line rect circle path".split())
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "a\u202eb",
    "\x00\x1b[31m",
    "javascript:alert(1)",
    "&amp;",
)


class Read(HTMLParser):
    """A page taken apart: elements that are closed as they were opened, their attributes, and the text."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == [], f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] != "style":
            self.text.append(data)

    def ids(self) -> list[str]:
        return [str(attributes["id"]) for _, attributes in self.tags if "id" in attributes]

    def hrefs(self) -> list[str]:
        return [str(attributes["href"]) for tag, attributes in self.tags if tag == "a"]


def test_every_figure_is_there_with_caption_limits_and_sources() -> None:
    drawn = figures(lab_results.results())
    assert tuple(figure.id for figure in drawn) == FIGURES
    for figure in drawn:
        assert figure.caption.rstrip(". †").count(". ") <= 2 and figure.caption.endswith((".", "cut off."))
        assert figure.limits.endswith(".") and figure.members
    read = Read(page(lab_results.results()))
    assert set(FIGURES) <= set(read.ids())
    assert len(read.ids()) == len(set(read.ids()))
    fragments = [href[1:] for href in read.hrefs() if href.startswith("#")]
    assert fragments and set(fragments) <= set(read.ids())
    assert {href for href in read.hrefs() if not href.startswith("#")} == {"rows.jsonl", "results.json", "manifest.json"}


def test_ceilings_come_before_anything_that_a_model_said() -> None:
    order = [id for id in Read(page(lab_results.results())).ids() if id in FIGURES]
    assert order[1] == "ceilings"


def test_every_drawing_says_in_words_what_it_shows() -> None:
    html = page(lab_results.results())
    drawings = re.findall(r'<svg class="(?:track|panel)"[^>]*role="img">(<title>[^<]+</title>)?', html)
    assert len(drawings) > 100 and all(drawings)
    silent = [attributes for tag, attributes in Read(html).tags if tag == "svg" and attributes.get("role") != "img"]
    assert {attributes.get("class") for attributes in silent} == {"behind", "swatch", "track"}
    assert html.count('<div class="axis" aria-hidden="true"><svg class="track"') == sum(
        each.get("class") == "track" for each in silent
    )
    assert all(attributes.get("aria-hidden") for attributes in silent if attributes.get("class") != "track")


def test_the_page_fetches_nothing_and_runs_nothing() -> None:
    html = page(lab_results.results())
    tags = {tag for tag, _ in Read(html).tags}
    assert not tags & {"script", "img", "iframe", "object", "embed", "base", "form"}
    assert "default-src 'none'" in html
    assert not re.search(r"https?://|@import|url\(", html)


@pytest.mark.parametrize("name", HOSTILE)
def test_names_from_outside_stay_names(name: str) -> None:
    results = lab_results.results((name, "plain"), domains=3)
    results["study"]["name"] = name
    results["domains"][0]["group"] = name
    results["warnings"] = [{"kind": "x", "text": name}]
    results["wrappers"] = [{name: name}]
    results["template_seeds"] = [{"title": name}]
    read = Read(page(results, rows="javascript:alert(1)"))
    assert not {tag for tag, _ in read.tags} & {"script", "img"}
    assert not any(attribute.startswith("on") for _, attributes in read.tags for attribute in attributes)
    assert not any(href.startswith("javascript:") for href in read.hrefs())
    shown = "".join("\ufffd" if each < " " else each for each in name)
    assert shown in read.text


def test_a_study_with_little_is_a_page_with_little() -> None:
    results = lab_results.results(("reader",), ("raw", "scaffold"), domains=1, judged=False)
    ids = Read(page(results)).ids()
    assert "judges" not in ids and "audit" not in ids
    assert {"headline", "contrasts", "flow"} <= set(ids)
    without = lab_results.results(("reader",), ("true",), judged=False)
    html = page(without)
    assert "no bare arm in this study" in html and "–" in html
    assert "headline" not in Read(page({"study": {"name": "nothing"}})).ids()


@pytest.mark.parametrize("gone", [None, math.nan, math.inf, "x", True, []])
def test_a_figure_that_is_none_is_a_dash(gone: Any) -> None:
    results = _spoiled(lab_results.results(("reader",), domains=2), gone)
    results["study"] = lab_results.results(("reader",), domains=2)["study"]
    html = page(results)
    Read(html)
    assert "nan" not in re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL).lower()
    assert "NaN%" not in html and "inf%" not in html


def _spoiled(value: Any, gone: Any) -> Any:
    if isinstance(value, dict):
        return {name: _spoiled(each, gone) for name, each in value.items()}
    if isinstance(value, list):
        return [_spoiled(each, gone) for each in value]
    return gone if isinstance(value, float) else value


def test_ten_models_and_five_hundred_questions_are_less_than_a_megabyte() -> None:
    results = lab_results.results(tuple(f"provider/model-number-{at}" for at in range(10)), questions=500, domains=300)
    html = page(results)
    assert len(html.encode()) < 1_000_000
    assert "The 100 largest of 300" in html


def test_the_page_is_the_same_for_the_same_results() -> None:
    assert page(lab_results.results()) == page(orjson.loads(orjson.dumps(lab_results.results())))


@given(st.lists(st.floats(-1e6, 1e6), max_size=6))
def test_axes_hold_every_value_and_zero(values: list[float]) -> None:
    axis = around_zero(values)
    assert axis.low < 0 < axis.high or axis.low == 0 or axis.high == 0
    slack = (axis.high - axis.low) * 1e-6
    assert all(axis.low - slack <= value <= axis.high + slack for value in values)
    assert 2 <= len(axis.ticks) <= 9
    assert len({axis.shown(tick) for tick in axis.ticks}) == len(axis.ticks)
    assert from_zero(values).low == 0
    assert all(0 <= axis.at(value) <= 1 for value in values)


@given(st.one_of(st.none(), st.floats(allow_nan=True, allow_infinity=True), st.text(), st.booleans()))
def test_a_number_is_written_or_a_dash_stands_there(value: Any) -> None:
    known = isinstance(value, float) and math.isfinite(value)
    for written in (number(value), signed(value), probability(value)):
        assert (written == "–") != known
        assert "-" not in written


def test_figures_are_written_in_one_way() -> None:
    assert (signed(0.0), signed(-0.0001), signed(-0.02), signed(0.5)) == ("0.000", "0.000", "−0.020", "+0.500")
    assert interval([-0.1, 0.2]) == "[−0.100, +0.200]" and interval([0.1]) == interval([None, 1]) == "–"
    assert (probability(0.00001), probability(0.0323)) == ("< 0.0001", "0.0323")
    assert plain("\ud800<\n&") == "\ufffd&lt; &amp;"


# colours

CSS = files("loom.lab.report").joinpath("page.css").read_text(encoding="utf-8")
Colour = tuple[float, float, float]


def colours(dark: bool) -> dict[str, Colour]:
    light, other = re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)[:2]
    stated = dict(re.findall(r"--(\w+): (#[0-9a-f]{3,6})", light))
    if dark:
        stated |= dict(re.findall(r"--(\w+): (#[0-9a-f]{3,6})", other))
    return {name: _linear(value) for name, value in stated.items()}


def _linear(value: str) -> Colour:
    digits = value[1:] if len(value) == 7 else "".join(each * 2 for each in value[1:])
    red, green, blue = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return tuple(each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in (red, green, blue))  # type: ignore[return-value]


def _contrast(one: Colour, other: Colour) -> float:
    low, high = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (one, other))
    return (high + 0.05) / (low + 0.05)


SIGHT = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Machado, Oliveira and Fernandes 2009, full severity, on linear RGB."""


def _seen(colour: Colour, sight: str) -> Colour:
    return tuple(min(1.0, max(0.0, sum(w * c for w, c in zip(row, colour, strict=True)))) for row in SIGHT[sight])  # type: ignore[return-value]


def _lab(colour: Colour) -> Colour:
    r, g, b = colour
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089
    fx, fy, fz = (each ** (1 / 3) if each > 0.008856 else 7.787 * each + 16 / 116 for each in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("sight", SIGHT)
def test_the_cells_can_be_told_apart_by_everyone(dark: bool, sight: str) -> None:
    named = colours(dark)
    cells = ("kept", "lost", "over", "bare")
    for at, one in enumerate(cells):
        for other in cells[at + 1 :]:
            assert math.dist(_lab(_seen(named[one], sight)), _lab(_seen(named[other], sight))) > 20, (one, other)


@pytest.mark.parametrize("dark", [False, True])
def test_marks_and_letters_stand_out_from_the_paper(dark: bool) -> None:
    named = colours(dark)
    assert all(_contrast(named[mark], named["paper"]) >= 3 for mark in ("kept", "lost", "over", "bare"))
    assert all(
        _contrast(named[text], named[ground]) >= 4.5 for text in ("ink", "soft", "link") for ground in ("paper", "tint", "warn")
    )


# files


def study(folder: Path, **more: Any) -> Path:
    write_rows(folder / "rows.jsonl", lab_rows.rows(lab_rows.questions(12), ("copier", "silent")))
    for name, value in more.items():
        write_json(folder / f"{name}.json", value)
    return folder


def test_the_manifest_leads_from_every_figure_to_rows_and_command(tmp_path: Path) -> None:
    made = make(source_of(study(tmp_path)), tmp_path / "report.html")
    manifest = orjson.loads((tmp_path / "manifest.json").read_bytes())
    results = orjson.loads((tmp_path / "results.json").read_bytes())
    assert [each["id"] for each in manifest["figures"]] == list(made.figures)
    for each in manifest["figures"]:
        assert each["rows_sha256"] == sha256_of(tmp_path / each["rows"])
        assert each["command"] == "loom lab report ."
        assert all(member.removeprefix("results.json#/") in results for member in each["results"])
    assert manifest["made"] == {name: sha256_of(tmp_path / name) for name in ("results.json", "report.html")}
    read = Read((tmp_path / "report.html").read_text("utf-8"))
    assert all((tmp_path / href).is_file() for href in read.hrefs() if not href.startswith("#"))


def test_a_report_elsewhere_links_back_to_its_rows(tmp_path: Path) -> None:
    (tmp_path / "a study").mkdir()
    source = source_of(study(tmp_path / "a study") / "rows.jsonl")
    make(source, tmp_path / "out" / "page.html")
    html = (tmp_path / "out" / "page.html").read_text("utf-8")
    assert "../a%20study/rows.jsonl" in Read(html).hrefs()
    assert "loom lab report rows.jsonl --out page.html" in html
    assert (
        str(tmp_path)
        not in html + (tmp_path / "out" / "results.json").read_text() + (tmp_path / "out" / "manifest.json").read_text()
    )


def test_a_folder_says_how_it_wants_to_be_weighed(tmp_path: Path) -> None:
    from dataclasses import replace

    facts = {"unavailable": {"flat-dense": "no embeddings"}, "template_seeds": [{"title": "Thing"}]}
    stated = Study(
        "two",
        tmp_path / "q",
        ("raw", "scaffold", "flat-dense"),
        (),
        statistics=replace(NOTHING_SET, resamples=100, cluster="none"),
        facts=facts,
    )
    study(
        tmp_path,
        study={
            **stated.as_json(),
            "models": [{"name": "silent"}, {"name": "copier"}],
            "families": [{"name": "own", "contrasts": ["scaffold - raw"]}],
        },
        chains={"command": "x", "result": [{"model": "copier", "delta": 0.5}]},
    )
    results = make(source_of(tmp_path), tmp_path / "report.html").results
    assert (results["study"]["name"], results["study"]["resamples"], results["study"]["cluster"]) == ("two", 100, "none")
    assert results["study"]["models"] == ["silent", "copier"]
    assert {each["family"] for each in results["contrasts"]} == {"primary", "own"}
    assert results["chains"] == [{"model": "copier", "delta": 0.5}]
    html = (tmp_path / "report.html").read_text()
    assert "no embeddings" in html and "Named by the wording itself" in html


@pytest.mark.parametrize(
    "stated", ["{", "[]", '{"matcher": 1}', '{"matcher":"default","seed":1,"statistics":{},"families":[]}']
)
def test_a_study_that_is_none_is_refused(tmp_path: Path, stated: str) -> None:
    study(tmp_path)
    (tmp_path / "study.json").write_text(stated)
    with pytest.raises(BadInput, match="Expected a study"):
        source_of(tmp_path)


def test_what_is_no_study_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"rows\.jsonl"):
        source_of(tmp_path)
    with pytest.raises(BadInput, match="neither"):
        source_of(tmp_path / "nowhere")
    with pytest.raises(BadInput, match="other than"):
        make(source_of(study(tmp_path)), tmp_path / "results.json")


@settings(max_examples=30, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers(-5, 5) | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
        max_leaves=12,
    )
)
def test_members_of_any_shape_are_drawn(value: Any) -> None:
    """Other instruments' results have shapes of their own."""
    Read(page({"study": {"name": "n", "models": ["m"], "arms": ["a"]}, "chains": value, "wrappers": value}))
