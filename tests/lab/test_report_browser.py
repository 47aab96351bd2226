"""The page in a real browser: nothing overflows, nothing is fetched, nothing goes wrong, everything can be reached."""

import base64
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import lab_results, lab_rows

from loom.lab.report import make, page, source_of
from loom.lab.report.figures import figures
from loom.lab.row import write_rows

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs chromium and chromedriver"),
]
WIDTHS = (390, 1440)
LONG = "provider/a-model-with-a-name-that-nobody-would-say-aloud-70b-instruct-turbo-preview-2026-01-15-eu-west"
STUDIES: dict[str, dict[str, Any]] = {
    "three models": {},
    "one model": {"models": ("reader",), "arms": ("raw", "scaffold"), "domains": 1, "judged": False},
    "ten models": {"models": tuple(f"model-{at}" for at in range(10)), "questions": 500, "domains": 300},
    "odd names": {
        "models": (
            LONG,
            LONG.replace("-", "").replace("/", ""),
            "<script>alert(1)</script>",
            "通义千问大模型指令版" * 3,
            "نموذج عربي كبير",
        )
    },
    "no bare arm": {"models": ("reader",), "arms": ("true", "flat-dense"), "judged": False},
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    with webdriver.Chrome(options=options, service=Service(DRIVER)) as driver:
        yield driver


def show(browser: Any, path: Path, width: int, *, dark: bool = False) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 600}
    )
    features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    browser.get_log("browser"), browser.get_log("performance")
    browser.get(path.as_uri())


def written(folder: Path, name: str) -> tuple[Path, list[str]]:
    results = lab_results.results(**STUDIES[name])
    path = folder / "report.html"
    path.write_text(page(results), encoding="utf-8")
    return path, [figure.id for figure in figures(results)]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", STUDIES)
def test_it_fits_and_says_nothing_on_the_console(browser: Any, tmp_path: Path, name: str, width: int) -> None:
    path, ids = written(tmp_path, name)
    show(browser, path, width)
    assert browser.get_log("browser") == []
    for opened in (False, True):
        browser.execute_script(f"document.querySelectorAll('details').forEach(each => each.open = {str(opened).lower()})")
        wide, inner = browser.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]")
        assert wide <= inner == width
        assert browser.execute_script(CLIPPED) == []
    places = browser.execute_script(
        "return arguments[0].map(id => { const box = document.getElementById(id).getBoundingClientRect(); return [box.width, box.height] })",
        ids,
    )
    assert all(across > 100 and down > 60 for across, down in places)
    assert browser.execute_script("return document.scripts.length") == 0


CLIPPED = """
const wide = window.innerWidth
return [...document.querySelectorAll('.label, .value, .big strong, h1, h2, figcaption, .key li, svg text, .source')].filter(each => {
  if (each.closest('.scroll') || each.closest('nav')) return false
  const box = each.getBoundingClientRect()
  return box.width > 0 && (box.left < -1 || box.right > wide + 1)
}).map(each => each.textContent.slice(0, 60))
"""
"""Texts that reach beyond the page."""

OVERLAPS = """
return [...document.querySelectorAll('.row')].filter(row => {
  const boxes = [...row.querySelectorAll(':scope > .label, :scope > .value, :scope > svg')].map(each => each.getBoundingClientRect())
    .filter(box => box.width > 0 && box.height > 0)
  return boxes.some((a, i) => boxes.slice(i + 1).some(b =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1))
}).map(row => row.textContent.slice(0, 60))
"""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", STUDIES)
def test_names_drawings_and_figures_do_not_overlap(browser: Any, tmp_path: Path, name: str, width: int) -> None:
    path, _ = written(tmp_path, name)
    show(browser, path, width)
    browser.execute_script("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert browser.execute_script(OVERLAPS) == []


def test_it_fetches_nothing(browser: Any, tmp_path: Path) -> None:
    path, _ = written(tmp_path, "three models")
    show(browser, path, 1440)
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0
    sent = [
        event["params"]["request"]["url"]
        for event in (json.loads(entry["message"])["message"] for entry in browser.get_log("performance"))
        if event["method"] == "Network.requestWillBeSent"
    ]
    assert [url for url in sent if not url.startswith("data:")] == [path.as_uri()]


def test_every_link_leads_somewhere(browser: Any, tmp_path: Path) -> None:
    write_rows(tmp_path / "rows.jsonl", lab_rows.rows(lab_rows.questions(12), ("copier", "silent")))
    make(source_of(tmp_path), tmp_path / "report.html")
    show(browser, tmp_path / "report.html", 1440)
    links = browser.execute_script("return [...document.links].map(each => [each.getAttribute('href'), each.href])")
    assert len(links) > 20
    for stated, whole in links:
        if stated.startswith("#"):
            assert browser.execute_script("return !!document.getElementById(arguments[0])", stated[1:])
        else:
            assert Path(whole.removeprefix("file://")).is_file()


@pytest.mark.parametrize("dark", [False, True])
def test_letters_stand_out_in_light_and_dark(browser: Any, tmp_path: Path, dark: bool) -> None:
    path, _ = written(tmp_path, "three models")
    show(browser, path, 1440, dark=dark)
    browser.execute_script("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert browser.execute_script(FAINT) == []
    paper = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert (int(paper.removeprefix("rgb(").split(",")[0]) < 60) == dark


FAINT = """
const parse = text => (text.match(/[\\d.]+/g) || []).map(Number)
const light = rgb => rgb.slice(0, 3).map(v => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4 })
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0)
const over = (top, under) => { const a = top.length > 3 ? top[3] : 1; return [0, 1, 2].map(i => top[i] * a + under[i] * (1 - a)) }
const ground = element => {
  const chain = []
  for (let e = element; e; e = e.parentElement) chain.unshift(parse(getComputedStyle(e).backgroundColor))
  return chain.reduce((under, top) => over(top, under), [255, 255, 255])
}
const found = []
for (const each of document.querySelectorAll('p, li, th, td, span, strong, a, code, summary, caption, h1, h2, h4, h5, text, bdi')) {
  if (![...each.childNodes].some(node => node.nodeType === 3 && node.textContent.trim())) continue
  const style = getComputedStyle(each), colour = parse(each.tagName === 'text' ? style.fill : style.color), under = ground(each)
  const [a, b] = [light(over(colour, under)), light(under)].sort((x, y) => y - x)
  if ((a + 0.05) / (b + 0.05) < 4.5) found.push(each.textContent.slice(0, 40) + ' ' + style.color + ' on ' + under)
}
return [...new Set(found)].slice(0, 10)
"""
"""Texts with a contrast below 4.5 : 1."""


def test_the_keyboard_reaches_tables_and_folded_parts(browser: Any, tmp_path: Path) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    path, _ = written(tmp_path, "one model")
    show(browser, path, 1440)
    body, seen = browser.find_element(By.TAG_NAME, "body"), set()
    body.send_keys(Keys.TAB)
    assert browser.execute_script("return document.activeElement.className") == "skip"
    for _ in range(80):
        seen.add(browser.execute_script("const e = document.activeElement; return e.tagName + '.' + e.className"))
        outline = browser.execute_script("return getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none" or browser.execute_script("return document.activeElement === document.body")
        browser.switch_to.active_element.send_keys(Keys.TAB)
    assert {"SUMMARY.", "DIV.scroll", "A."} <= seen


def test_it_prints_on_paper(browser: Any, tmp_path: Path) -> None:
    path, _ = written(tmp_path, "three models")
    show(browser, path, 1440)
    printed = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])
    assert 3 <= len(re.findall(rb"/Type /Page\b", printed)) <= 40
