"""README's tour of claims, run as it stands there: its commands in their order, and each line that it prints."""

import re
import shlex
from pathlib import Path

from support.installed import FIXTURES, Node, loom
from support.node_process import serving

README = FIXTURES.parent / "README.md"


def tour() -> list[tuple[str, list[str]]]:
    """Commands, each with the lines that stand under it."""
    section = README.read_text(encoding="utf-8").split("### Let it keep what follows from what it was told")[1]
    block = section.split("```console\n")[1].split("```")[0]
    said: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            said.append((line.removeprefix("$ "), []))
        else:
            said[-1][1].append(line.strip(" …"))
    return said


def test_the_tour_says_what_it_does(generations: Path, tmp_path: Path) -> None:
    steps = tour()
    assert len(steps) <= 8 and len([line for _, lines in steps for line in lines]) >= 10
    settings = {"LOOM_CLAIMS_STORE": str(tmp_path / "claims.sqlite")}
    (tmp_path / "fixtures").symlink_to(FIXTURES)
    with serving(generations, LOOM_CLAIMS="on", **settings) as node:
        for command, lines in steps:
            printed = _done(command, tmp_path, settings, node)
            assert [line for line in lines if line not in printed] == [], printed
        after = node.chat("What does the boiler depend on?").json()
    assert "Claim" not in after["choices"][0]["message"]["content"], "what is retracted is not shown"
    assert after["loom"]["claims"]["version"] == 5


def _done(command: str, folder: Path, settings: dict[str, str], node: Node) -> str:
    if made := re.fullmatch(r'echo "(.*)" > (\S+); (loom .*)', command):
        (folder / made[2]).write_text(made[1] + "\n", encoding="utf-8")
        command = made[3]
    words = shlex.split(command)
    if words[0] == "curl":
        question = re.search(r'"content": "([^"]+)"', command)
        assert question is not None
        return str(node.chat(question[1]).json()["choices"][0]["message"]["content"])
    if "serve" in words:
        return ""
    said = loom(*words[1:], cwd=folder, settings=settings)
    assert said.returncode == 0, said.stderr
    return said.stdout
