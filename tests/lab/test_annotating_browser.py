"""The page in a real browser: keys, phone width, what goes over the wire, and a kill in the middle."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.browsing import BROWSER, DRIVER, WHY_NOT, browser
from support.installed import environment
from support.lab_judging import question, row

from loom.lab.files import write_lines
from loom.lab.judging.units import unit_of
from loom.lab.judging.votes import read_votes

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not (BROWSER and DRIVER), reason=WHY_NOT)]

SECRETS = ("secret-arm", "secret-model", "n11", "correct_relation_verdict")


@contextmanager
def page(sample: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The command's page, and its process."""
    command = [sys.executable, "-m", "loom", "lab", "annotate", str(sample), "--rater", "ann"]
    process = subprocess.Popen(command, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        told = [process.stdout.readline().strip() for _ in range(2)]
        assert told[1].startswith("http://127.0.0.1:"), told
        yield told[1], process
    finally:
        killed = process.poll() is not None
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 0 or killed
        process.stdout.close()


def sample_file(folder: Path) -> Path:
    lines = []
    for number in range(5):
        about = question(f"q{number}", gold=(f"Lime Kiln {number}", "A" * 300))
        answer = f"<b>It requires</b> the Lime Kiln {number}.\n" + "x" * 500
        unit = unit_of(row(answer, about=about, arm="secret-arm", model="secret-model"), 0, "n11")
        lines.append({**unit.as_json(), "label": "correct_relation", "why": "correct_relation_verdict"})
    path = folder / "sample.jsonl"
    write_lines(path, lines)
    return path


def wait(driver: Any, script: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(driver, 10, poll_frequency=0.05).until(lambda each: each.execute_script(f"return {script}"))


def press(driver: Any, *keys: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(driver).send_keys(*keys).perform()


def traffic(driver: Any) -> str:
    """Everything that the browser was sent: heads from its log, and bodies."""
    said = []
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        said.append(json.dumps(message))
        if message["method"] == "Network.responseReceived":
            from selenium.common.exceptions import WebDriverException

            try:
                body = driver.execute_cdp_cmd("Network.getResponseBody", {"requestId": message["params"]["requestId"]})
            except WebDriverException:
                continue
            said.append(body["body"])
    return "\n".join(said)


def test_a_rater_labels_by_key_is_killed_and_goes_on(tmp_path: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    sample, labels = sample_file(tmp_path), tmp_path / "sample.ann.jsonl"
    with browser() as driver:
        with page(sample) as (url, process):
            driver.get(url)
            wait(driver, "document.querySelectorAll('#choices button').length === 6")
            press(driver, "1")
            wait(driver, "document.getElementById('place').textContent === 'Item 2'")
            assert len(read_votes(labels)[1]) == 1, "the choice is on the disk before the page goes on"
            press(driver, "n")
            press(driver, "a note", Keys.ESCAPE, "6")
            wait(driver, "document.getElementById('place').textContent === 'Item 3'")
            press(driver, Keys.ARROW_LEFT)
            wait(driver, "document.getElementById('place').textContent === 'Item 2'")
            assert driver.execute_script("return document.querySelector('[aria-checked=true]').dataset.label") == "absent"
            assert driver.execute_script("return document.getElementById('note').value") == "a note"
            press(driver, "2")
            wait(driver, "document.querySelector('[aria-checked=true]').dataset.label === 'name_only'")
            assert driver.execute_script("return document.getElementById('texts').querySelector('b')") is None, "text is text"
            said = traffic(driver)
            assert "Lime Kiln" in said and not [secret for secret in SECRETS if secret in said]
            os.kill(process.pid, signal.SIGKILL)
            process.wait(timeout=10)
            press(driver, "3")
            wait(driver, "document.getElementById('told').className === 'bad'")
            (refused,) = driver.get_log("browser")
            assert "ERR_CONNECTION_REFUSED" in refused["message"]
        assert sorted(label for label, _ in read_votes(labels)[1].values() if label) == ["correct_relation", "name_only"]
        with page(sample) as (url, _):
            driver.get(url)
            wait(driver, "document.getElementById('place').textContent === 'Item 3'")
            total = driver.execute_script("return document.getElementById('bar').max")
            for at in range(2, int(total)):
                wait(driver, f"document.getElementById('place').textContent === 'Item {at + 1}'")
                press(driver, "4")
                wait(driver, f"document.getElementById('bar').value === {at + 1}")
            wait(driver, "document.getElementById('told').textContent.includes('All are labelled')")
            assert driver.get_log("browser") == []
        assert len(read_votes(labels)[1]) == total == 8


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_fits_phone_and_desktop(tmp_path: Path, width: int) -> None:
    with page(sample_file(tmp_path)) as (url, _), browser() as driver:
        driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": width, "height": 740, "deviceScaleFactor": 1, "mobile": width < 600}
        )
        driver.get(url)
        wait(driver, "document.querySelectorAll('#choices button').length === 6")
        assert driver.execute_script("return document.documentElement.scrollWidth") <= width
        heights = driver.execute_script(
            "return [...document.querySelectorAll('button')].map((b) => b.getBoundingClientRect().height)"
        )
        assert min(heights) >= 44, "a thumb finds every button"
        driver.save_screenshot(str(tmp_path / f"{width}.png"))
