"""The way of a new user, through the installed command alone: build, ask, serve, chat, look things up, stop."""

import json
import re
import signal
import subprocess
from pathlib import Path

import pytest
from support.installed import KITCHEN, Node, command, environment, loom, running

QUESTION = "What is the difference between braising and stewing?"


def test_the_command_says_its_version() -> None:
    said = loom("--version")
    assert said.returncode == 0
    assert re.fullmatch(r"loom \d+\.\d+\.\d+\n", said.stdout)


def test_help_lists_every_command() -> None:
    said = loom("--help")
    assert said.returncode == 0
    for name in ("build", "query", "serve", "generations", "config", "keys", "bench", "lab", "demo", "test"):
        assert re.search(rf"^\s+{name}\s", said.stdout, re.M), name


def test_it_runs_from_where_it_is_installed(tmp_path: Path) -> None:
    """A wheel must not find modules of a checkout by accident."""
    said = loom("--version", cwd=tmp_path)
    assert said.returncode == 0, said.stderr


def test_building_twice_gives_the_same_generation(generations: Path, tmp_path: Path) -> None:
    assert loom("build", KITCHEN, "--out", tmp_path / "again").returncode == 0
    assert (tmp_path / "again" / "current").read_text() == (generations / "current").read_text()


def test_query_prints_the_block(generations: Path) -> None:
    said = loom("query", QUESTION, "--generations", generations)
    assert said.returncode == 0, said.stderr
    assert "Braising" in said.stdout and "Stewing" in said.stdout


def test_query_and_the_node_agree(node: Node, generations: Path) -> None:
    for policy in ("default", "reference"):
        said = loom("query", QUESTION, "--generations", generations, "--policy", policy, "--json")
        served = node.call("/loom/scaffold", {"prompt": QUESTION, "policy": policy})
        assert served.status == 200, served.body
        assert json.loads(said.stdout)["scaffold"] == served.json()["scaffold"] != ""


def test_an_answer_is_grounded_and_accounted(node: Node, generations: Path) -> None:
    answer = node.chat(QUESTION)
    assert answer.status == 200, answer.body
    body = answer.json()
    assert "brais" in body["choices"][0]["message"]["content"].lower()
    assert body["loom"]["decision"]["engaged"] is True
    assert {"Braising", "Stewing"} <= {unit["title"] for unit in body["loom"]["units"]}
    assert body["loom"]["pin"]["generation"] == (generations / "current").read_text().strip()
    assert answer.headers["x-loom-generation"] == body["loom"]["pin"]["generation"]
    assert int(answer.headers["x-loom-injected-tokens"]) == body["loom"]["injected_tokens"] > 0
    assert answer.headers["x-request-id"] == body["loom"]["request_id"]


def test_a_stream_ends_with_the_loom_object(node: Node) -> None:
    answer = node.chat(QUESTION, stream=True)
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = [event.removeprefix("data: ") for event in answer.body.decode().split("\n\n") if event.startswith("data: ")]
    assert events[-1] == "[DONE]"
    chunks = [json.loads(event) for event in events[:-1]]
    assert "loom" in chunks[-1] and not any("loom" in chunk for chunk in chunks[:-1])
    text = "".join(choice["delta"].get("content") or "" for chunk in chunks for choice in chunk["choices"])
    assert text == node.chat(QUESTION).json()["choices"][0]["message"]["content"]


def test_what_the_corpus_does_not_know_is_not_grounded(node: Node) -> None:
    answer = node.chat("Who won the chess championship of 1972?")
    assert answer.status == 200
    assert answer.json()["loom"]["decision"]["engaged"] is False
    assert answer.json()["loom"]["injected_tokens"] == 0


def test_a_bare_block_comes_as_markdown(node: Node) -> None:
    bare = node.call("/loom/scaffold", {"prompt": QUESTION}, {"accept": "text/markdown"})
    assert bare.headers["content-type"].startswith("text/markdown")
    assert bare.body.decode() == node.call("/loom/scaffold", {"prompt": QUESTION}).json()["scaffold"]


@pytest.mark.parametrize("accept", ["application/json", "text/markdown", "text/turtle", "application/ld+json"])
def test_a_unit_is_served_in_every_form(node: Node, accept: str) -> None:
    iri = node.chat(QUESTION).json()["loom"]["units"][0]["iri"]
    unit = node.call(f"/loom/units/{iri}", headers={"accept": accept})
    assert unit.status == 200
    assert unit.headers["content-type"].startswith(accept)
    assert iri.encode() in unit.body


def test_health_and_metrics_tell_what_happened(node: Node) -> None:
    node.chat(QUESTION)
    assert node.call("/health").json()["status"] == "ok"
    text = node.call("/metrics").body.decode()
    assert re.search(r'^loom_requests_total\{[^}]*status="200"[^}]*\} [1-9]', text, re.M)
    assert re.search(r"^loom_generation_info\{.*\} 1", text, re.M)


def test_without_a_generation_it_is_alive_and_not_ready(tmp_path: Path) -> None:
    with running("serve", "--generations", tmp_path / "none", "--port", "0", ready=False) as started:
        assert started.call("/health/live").status == 200
        assert started.call("/health/ready").status == 503
        refused = started.chat(QUESTION)
        assert refused.status == 503
        assert "loom build" in refused.json()["error"]["message"]


def test_two_workers_serve_and_stop(generations: Path) -> None:
    with running("serve", "--generations", generations, "--port", "0", "--workers", "2") as started:
        assert {started.chat(QUESTION).status for _ in range(8)} == {200}
        workers = started.call("/health/ready").json()["workers"]
        assert 1 <= len(workers) <= 2
    assert started.process.returncode == 0


def test_it_stops_when_asked(generations: Path) -> None:
    with running("serve", "--generations", generations, "--port", "0") as started:
        started.process.send_signal(signal.SIGINT)
        assert started.process.wait(timeout=20) in (0, 130)
    assert not any("Traceback" in line for line in started.lines)


def test_another_address_needs_keys(generations: Path) -> None:
    said = loom("serve", "--generations", generations, "--host", "0.0.0.0", "--port", "0")
    assert said.returncode == 2
    assert "LOOM_API_KEYS_FILE" in said.stderr or "keys" in said.stderr
    assert "Traceback" not in said.stderr


def test_keys_open_the_node_to_those_who_have_one(generations: Path, tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    made = loom("keys", "add", "tests", settings={"LOOM_API_KEYS_FILE": str(file)})
    assert made.returncode == 0, made.stderr
    key = re.search(r"loom-[0-9a-f]{8}-\S+", made.stdout)
    assert key and key[0] not in file.read_text()
    with running("serve", "--generations", generations, "--port", "0", settings={"LOOM_API_KEYS_FILE": str(file)}) as started:
        assert started.chat(QUESTION).status == 401
        body = {"model": "reader", "messages": [{"role": "user", "content": QUESTION}]}
        assert started.call("/v1/chat/completions", body, {"authorization": f"Bearer {key[0]}"}).status == 200
        assert started.call("/loom/admin/generation", {"rollback": True}, {"authorization": f"Bearer {key[0]}"}).status == 403


def test_the_demo_builds_and_serves(tmp_path: Path) -> None:
    with running("demo", "--out", "here", "--port", "0", cwd=tmp_path) as started:
        assert (tmp_path / "here" / "current").is_file()
        assert started.chat(QUESTION).json()["loom"]["decision"]["engaged"] is True


def test_the_demo_heeds_the_settings(tmp_path: Path) -> None:
    with running("demo", cwd=tmp_path, settings={"LOOM_GENERATIONS": "there", "LOOM_PORT": "0"}) as started:
        assert (tmp_path / "there" / "current").is_file() and not (tmp_path / "generations").exists()
        assert started.chat(QUESTION).json()["loom"]["decision"]["engaged"] is True


def test_the_demo_says_what_to_try(tmp_path: Path) -> None:
    """Its requests go through a real shell and curl where there is one."""
    process = subprocess.Popen(
        [*command(), "demo", "--out", str(tmp_path / "g"), "--port", "0"],
        env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        lines = []
        for line in process.stdout or ():
            lines.append(line)
            if sum(each.startswith("curl ") for each in lines) == 3:
                break
    finally:
        process.terminate()
        process.communicate(timeout=30)
    assert sum(line.startswith("curl ") for line in lines) == 3


def test_a_closed_pipe_is_no_error(generations: Path) -> None:
    run = subprocess.run(
        ["sh", "-c", f"{' '.join(command())} generations --help | head -n 1"],
        env=environment(), capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert run.returncode == 0
    assert "Traceback" not in run.stderr
