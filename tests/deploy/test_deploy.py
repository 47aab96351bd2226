"""What is handed out for running the node elsewhere names only things that the node has, and opens no door by itself."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.sources import ROOT

from loom.serve.metrics import METRICS
from loom.settings import NOT_SETTINGS, SETTINGS, load

DEPLOY = ROOT / "deploy"
FILES = [
    ROOT / "Dockerfile",
    ROOT / "docker-compose.yml",
    *sorted(file for file in DEPLOY.rglob("*") if file.is_file()),
]
PROMETHEUS = DEPLOY / "prometheus"


def series() -> set[str]:
    """Every time series that the node's metric table makes."""
    names: set[str] = set()
    for metric in METRICS:
        names |= {metric.name + end for end in ("_bucket", "_sum", "_count")} if metric.kind == "histogram" else {metric.name}
    return names


def compose() -> dict[str, Any]:
    loaded = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    assert isinstance(loaded, dict)
    return loaded


def dashboard() -> dict[str, Any]:
    loaded = json.loads((DEPLOY / "grafana" / "dashboards" / "loom.json").read_text())
    assert isinstance(loaded, dict)
    return loaded


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_setting_named_is_a_setting(file: Path) -> None:
    known = {setting.name for setting in SETTINGS} | set(NOT_SETTINGS)
    named = set(re.findall(r"\bLOOM_[A-Z_]+[A-Z]\b", file.read_text(encoding="utf-8")))
    assert named <= known


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_metric_named_is_a_metric(file: Path) -> None:
    named = set(re.findall(r"\bloom_[a-z_]+[a-z]\b", file.read_text(encoding="utf-8")))
    named -= {"loom_adapters"}
    assert named <= series() | {metric.name for metric in METRICS}


def test_compose_publishes_on_loopback_only() -> None:
    published = [port for service in compose()["services"].values() for port in service.get("ports", [])]
    assert published
    assert all(port.startswith("127.0.0.1:") for port in published), published


def test_compose_mounts_files_that_exist() -> None:
    mounted = [volume for service in compose()["services"].values() for volume in service.get("volumes", [])]
    sources = {re.sub(r"^\$\{\w+:-(.*?)\}", r"\1", volume).split(":")[0] for volume in mounted}
    volumes = set(compose()["volumes"])
    assert volumes <= sources
    for source in sources - volumes:
        assert (ROOT / source).exists(), source


def test_compose_starts_the_node_without_a_profile() -> None:
    services = compose()["services"]
    assert {name for name, service in services.items() if "profiles" not in service} == {"corpus", "node"}
    assert {profile for service in services.values() for profile in service.get("profiles", [])} == {"model", "metrics"}


def interpolated(service: dict[str, Any], **given: str) -> dict[str, str]:
    """The environment of a service where these variables are set, as Compose makes it."""

    def value(text: str) -> str:
        return re.sub(r"\$\{(\w+):-(.*?)\}", lambda found: given.get(found[1]) or found[2], text)

    return {name: value(text) for name, text in service["environment"].items()}


@pytest.mark.parametrize("service", ["node", "grounded"])
def test_one_variable_keeps_claims_in_a_volume(service: str) -> None:
    stated = compose()["services"][service]
    assert load(interpolated(stated)).claims.kept is False
    kept = load(interpolated(stated, LOOM_CLAIMS="on")).claims
    assert kept.kept and f"claims:{Path(kept.store).parent}" in stated["volumes"] and stated["read_only"]
    owned = re.search(r"install --directory --owner=loom --group=loom (.+)$", (ROOT / "Dockerfile").read_text(), re.M)
    assert owned and str(Path(kept.store).parent) in owned[1].split(), "a new volume is owned as the image's folder is"


def test_one_process_of_compose_is_the_slow_path() -> None:
    nodes = [each for each in compose()["services"].values() if "LOOM_CLAIMS" in each.get("environment", {})]
    assert len(nodes) == 2
    assert [load(interpolated(each, LOOM_CLAIMS="on")).claims.slow_path for each in nodes] == ["on", "off"]
    assert {load(interpolated(each)).claims.slow_path for each in nodes} == {"off"}


def test_the_image_is_not_root_checks_its_health_and_copies_what_is_sent() -> None:
    text = (ROOT / "Dockerfile").read_text()
    assert re.search(r"^USER 10001", text, re.M)
    assert re.search(r"^HEALTHCHECK ", text, re.M)
    assert "LOOM_INSECURE=" not in re.sub(r"^#.*$", "", text, flags=re.M)
    sent = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    for line in re.findall(r"^COPY (?!--from)(.+)$", text, re.M):
        for source in line.split()[:-1]:
            assert (ROOT / source).exists(), source
            assert source in sent, f"{source} is kept out of the build by .dockerignore"


def test_dashboard_panels_are_whole_and_do_not_overlap() -> None:
    panels = dashboard()["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels) > 10
    taken: dict[tuple[int, int], str] = {}
    for panel in panels:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
        assert panel["title"]
        assert all(target["expr"] and target["refId"] for target in panel["targets"])
        for x in range(place["x"], place["x"] + place["w"]):
            for y in range(place["y"], place["y"] + place["h"]):
                assert taken.setdefault((x, y), panel["title"]) == panel["title"]


def test_dashboard_shows_every_metric() -> None:
    expressions = " ".join(target["expr"] for panel in dashboard()["panels"] for target in panel["targets"])
    unseen = [metric.name for metric in METRICS if metric.name not in expressions]
    assert not unseen


def test_labels_in_expressions_are_labels_of_the_metric() -> None:
    """A selector on a label that a metric lacks matches nothing, silently."""
    labels = {metric.name: {*metric.labels, "job", "instance", "le"} for metric in METRICS}
    texts = [target["expr"] for panel in dashboard()["panels"] for target in panel["targets"]]
    texts.append((PROMETHEUS / "loom.rules.yml").read_text())
    seen = 0
    for name, selector in re.findall(r"(loom_[a-z_]+)\{(.*?)\}", " ".join(texts)):
        base = name if name in labels else re.sub(r"_(bucket|sum|count)$", "", name)
        for label in re.findall(r"(\w+)\s*(?:=~|!~|!=|=)", selector):
            seen += 1
            assert label in labels[base], f"{name} has no label {label}"
    assert seen > 30


def test_alerts_say_what_to_do() -> None:
    groups = yaml.safe_load((PROMETHEUS / "loom.rules.yml").read_text())["groups"]
    alerts = [rule for group in groups for rule in group["rules"] if "alert" in rule]
    assert {alert["alert"] for alert in alerts} == {
        "LoomDown", "LoomNotReady", "LoomSwapRefused", "LoomEmptyAnswers", "LoomUpstreamErrors", "LoomEngagementDrop",
    }  # fmt: skip
    for alert in alerts:
        assert {"summary", "description"} <= set(alert["annotations"])


@pytest.mark.parametrize(
    "arguments",
    [["check", "config", "prometheus.yml"], ["check", "rules", "loom.rules.yml"], ["test", "rules", "loom.rules.test.yml"]],
    ids=" ".join,
)
def test_prometheus_accepts_and_runs_the_rules(arguments: list[str]) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not installed (Debian: apt install prometheus)")
    run = subprocess.run([promtool, *arguments], cwd=PROMETHEUS, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stdout + run.stderr
