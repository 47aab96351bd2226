"""A real Prometheus scrapes a real node, and answers every expression of the dashboard and the alerts."""

import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from support.installed import KITCHEN, loom, running
from support.sources import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("prometheus") is None, reason="Prometheus is not installed (Debian: apt install prometheus)"
    ),
]

DASHBOARD = json.loads((ROOT / "deploy" / "grafana" / "dashboards" / "loom.json").read_text())
EXPRESSIONS = [(panel["title"], target["expr"]) for panel in DASHBOARD["panels"] for target in panel["targets"]]
Ask = Callable[..., Any]


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def until(holds: Callable[[], object], what: str, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if holds():
                return
        except (urllib.error.URLError, ConnectionError):
            pass
        time.sleep(0.1)
    raise AssertionError(f"{what} did not happen in {seconds:g} s")


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Prometheus' API over a node that has answered a few questions, after some scrapes."""
    folder = tmp_path_factory.mktemp("prometheus")
    assert loom("build", KITCHEN, "--out", folder / "g").returncode == 0
    with running("serve", "--generations", folder / "g", "--port", "0") as node:
        config = folder / "prometheus.yml"
        target = node.base.removeprefix("http://")
        config.write_text(
            "global: {scrape_interval: 200ms, evaluation_interval: 200ms}\n"
            f"rule_files: [{ROOT / 'deploy' / 'prometheus' / 'loom.rules.yml'}]\n"
            f"scrape_configs: [{{job_name: loom, static_configs: [{{targets: ['{target}']}}]}}]\n"
        )
        port = free_port()
        command = ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={folder / 'data'}"]
        with (folder / "log").open("w") as log:
            process = subprocess.Popen([*command, f"--web.listen-address=127.0.0.1:{port}"], stdout=log, stderr=log)

        def call(path: str, **parameters: str) -> Any:
            url = f"http://127.0.0.1:{port}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            with opener.open(url, timeout=10) as response:
                return json.load(response)["data"]

        try:
            until(lambda: call("query", query='up{job="loom"} == 1')["result"], "a first scrape")
            for question in ("What is braising?", "What is a roux?", "Who won the chess championship of 1972?"):
                assert node.chat(question).status == 200
            until(lambda: call("query", query="sum(loom_decisions_total) >= 3")["result"], "a scrape of the decisions")
            time.sleep(1)
            yield call
        finally:
            process.terminate()
            process.wait(timeout=30)


def query(ask: Ask, expression: str) -> list[Any]:
    filled = expression.replace("$__rate_interval", "1m").replace("$job", ".*")
    result = ask("query", query=filled)["result"]
    assert isinstance(result, list)
    return result


@pytest.mark.parametrize(("title", "expression"), EXPRESSIONS, ids=[title for title, _ in EXPRESSIONS])
def test_an_expression_of_the_dashboard_is_answered(ask: Ask, title: str, expression: str) -> None:
    assert isinstance(query(ask, expression), list)


@pytest.mark.parametrize(
    "title", ["Nodes serving", "Generation", "Requests by route", "Decisions by reason", "Injected tokens"]
)
def test_a_panel_shows_what_happened(ask: Ask, title: str) -> None:
    for expression in (expression for name, expression in EXPRESSIONS if name == title):
        assert query(ask, expression), expression


def test_rules_are_evaluated_and_a_healthy_node_raises_nothing(ask: Ask) -> None:
    until(lambda: all(r["health"] == "ok" for g in ask("rules")["groups"] for r in g["rules"]), "an evaluation of every rule")
    alerts = {
        rule["name"]: rule["state"] for group in ask("rules")["groups"] for rule in group["rules"] if rule["type"] == "alerting"
    }
    assert len(alerts) == 6
    assert set(alerts.values()) == {"inactive"}, alerts
