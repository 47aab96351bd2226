"""The tours of README and docs/claims.md as they are printed there, command by command; and the same story over HTTP, with a node that
runs the slow path beside itself."""

import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.installed import FIXTURES, Answer, Node, command, environment
from support.node_process import serving

ROOT = FIXTURES.parent
TOURS = {"README.md": "### Let it keep what follows from what it was told", "docs/claims.md": "## A short tour"}
HOUSE = FIXTURES / "claims" / "boiler-house"
QUESTION = "What does the boiler depend on?"
FOLLOWS, LETTER = "The boiler depends on the north valve", "The boiler no longer depends on the north valve"
WAIT = 25


def steps(page: str) -> Iterator[tuple[str, list[str]]]:
    """The commands of the tour, each with the lines that it is said to print."""
    text = re.split(r"\n##", (ROOT / page).read_text(encoding="utf-8").partition(TOURS[page])[2])[0]
    lines = [line for block in re.findall(r"```console\n(.*?)```", text, re.S) for line in block.splitlines()]
    starts = [at for at, line in enumerate(lines) if line.startswith("$ ")]
    for at, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield lines[at][2:], lines[at + 1 : end]


@pytest.mark.skipif(not (ROOT / "README.md").is_file(), reason="the pages are not beside an installed wheel")
@pytest.mark.parametrize("page", TOURS)
def test_the_tour_prints_what_the_page_says(page: str, generations: Path, tmp_path: Path) -> None:
    (tmp_path / "fixtures").symlink_to(FIXTURES)
    loom = f'loom() {{ {shlex.join(command())} "$@"; }}\n'
    done = 0
    for words, printed in steps(page):
        if "loom serve" in words:
            assert words == "LOOM_CLAIMS=on loom serve &"
            continue
        if words.startswith("curl "):
            body = json.loads(shlex.split(words)[-1])
            with serving(generations, LOOM_CLAIMS="on", LOOM_CLAIMS_STORE=str(tmp_path / "claims.sqlite")) as node:
                said = node.call("/v1/chat/completions", body).json()
            answer = said["choices"][0]["message"]["content"]
            assert printed and all(line.strip("… ") in answer for line in printed), answer
            assert said["loom"]["claims"]["version"] == 4
        else:
            run = subprocess.run(
                ["sh", "-c", loom + words], cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=120
            )  # fmt: skip
            assert (run.stdout.splitlines(), run.returncode) == (printed, 0), run.stderr
        done += 1
    assert done == 6, "with the node, seven commands of the page"


def test_the_same_story_over_http(generations: Path, tmp_path: Path) -> None:
    settings = {"LOOM_CLAIMS": "on", "LOOM_CLAIMS_STORE": str(tmp_path / "claims.sqlite"), "LOOM_CLAIMS_SLOW_PATH": "on"}
    with serving(generations, LOOM_CLAIMS_INTERVAL="1", **settings) as node:
        documents = sorted(HOUSE.glob("*.md"))
        assert len(documents) == 20
        entries = [
            {"source": f"file:{each.name}", "text": each.read_text().split("---\n")[2], "observed_at": "2026-05-01"}
            for each in documents
        ]
        taken = call(node, "/loom/entries", {"entries": entries, "wait": WAIT}).json()["entries"]
        assert sum(len(each["outcome"]["signals"]) for each in taken) == 20
        asked = call(node, "/loom/ask", {"text": QUESTION, "way": "reason", "wait": WAIT}).json()
        (claim,) = asked["asked"]["outcome"]["claims"]
        assert FOLLOWS in [each["text"].rstrip(".") for each in asked["hits"]]
        decided = call(node, f"/loom/claims/{claim}/accept", {"by": "anna", "seconds": 9, "wait": WAIT}).json()
        assert decided["claim"]["standing"] == "accepted"
        assert f'Claim, accepted: "{FOLLOWS}"' in block(node)

        letter = call(node, "/loom/entries", {"entries": [{"text": f"{LETTER}."}], "wait": WAIT}).json()["entries"]
        (signal,) = letter[0]["outcome"]["signals"]
        shown = call(node, f"/loom/claims/{claim}").json()
        assert shown["claims"][claim]["standing"] == "contested" and [each["id"] for each in shown["disputed_by"]] == [signal]
        assert f'Claim, contested: "{FOLLOWS}". Disputed by: "{LETTER}".' in block(node)

        resolved = call(node, f"/loom/claims/{claim}/resolve", {"spurious": signal, "by": "anna", "wait": WAIT}).json()
        assert resolved["claim"]["standing"] == "accepted"
        assert "Disputed by" not in block(node)


def call(node: Node, path: str, body: object = None) -> Answer:
    answer = node.call(path, body)
    assert answer.status == 200, answer.body
    return answer


def block(node: Node) -> str:
    """What a chat about it is shown."""
    said = call(node, "/loom/scaffold", {"prompt": QUESTION}).json()
    answered = node.chat(QUESTION).json()
    assert said["decision"]["engaged"] is answered["loom"]["decision"]["engaged"] is True
    return str(said["scaffold"]) + answered["choices"][0]["message"]["content"]
