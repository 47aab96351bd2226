"""Values character for character as their files write them, the whole way: a thousand series in files of every form, built, served."""

import csv
import io
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import polars
import pytest
from support.nodes import kiln_node, served
from support.series import Drawn, drawn

from loom.answer.plan import Pin
from loom.bench.made import word
from loom.build import seal, stage
from loom.compose import Node, corpus_reader
from loom.core.facts.numerals import plain
from loom.core.values import Question, Scope
from loom.serve.app import create_app
from loom_adapters.generation_folder import GenerationFolder

COUNT = 1000
UNITS = {"": "level", "%": "portion", "€": "takings"}
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252")
WORDS = {"max": "highest", "min": "lowest", "first": "first", "last": "last"}


def name_of(seed: int) -> str:
    return f"{word(40_000 + seed).capitalize()} {word(90_000 + seed * 7).capitalize()}"


def written(folder: Path, seed: int, one: Drawn) -> str:
    """A file of a drawn series, its form drawn, too; the entry of the manifest for it."""
    draw = random.Random(f"{seed}:form")
    ending = "parquet" if draw.random() < 0.15 else "tsv" if one.delimiter == "\t" else "csv"
    path = folder / f"s{seed}.{ending}"
    declared = [f'path = "{path.name}"', 'kind = "series"', f'title = "{name_of(seed)} values"', f'entity = "e{seed}"']
    declared += [f'attribute = "{"second" if one.clock else "step"}"', 'position = "position"']
    declared += [f'values = {{ {UNITS[one.unit]} = "value" }}', f'decimal = "{one.mark}"']
    if ending == "parquet":
        places, values = zip(*one.table, strict=True)
        polars.DataFrame({"position": places, "value": values}).write_parquet(path)
    else:
        one.write(path, draw.choice(("\n", "\r\n")))
        text = path.read_bytes().decode()
        encoding = draw.choice(ENCODINGS)
        try:
            path.write_bytes(text.encode(encoding))
        except UnicodeEncodeError:
            encoding = "utf-8"
        declared += [
            f'encoding = "{encoding.removesuffix("-sig")}"',
            f"delimiter = '{one.delimiter}'".replace("\t", "\\t").replace("'", '"'),
        ]
    return "[[file]]\n" + "\n".join(declared) + "\n"


@pytest.fixture(scope="module")
def series() -> list[Drawn]:
    return [drawn(seed) for seed in range(COUNT)]


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory, series: list[Drawn]) -> Node:
    folder = tmp_path_factory.mktemp("exact")
    base = folder / "base"
    base.mkdir()
    manifest = ['id = "exact"\ntitle = "Exact values"\nlanguage = "en"\n[[attribute]]\nname = "second"\nclock = true']
    manifest.append('[[attribute]]\nname = "step"\nwords = { step = 1 }')
    for unit, metric in UNITS.items():
        manifest.append(
            f'[[metric]]\nid = "{metric}"\nname = "{metric}"\nunit = "{unit}"\nstatistics = ["min", "max", "first", "last", "count"]'
        )
    manifest += [f'[[entity]]\nid = "e{seed}"\nname = "{name_of(seed)}"' for seed in range(COUNT)]
    manifest += [written(base, seed, one) for seed, one in enumerate(series)]
    (base / "kb.toml").write_text("\n".join(manifest), encoding="utf-8")
    work = stage.Work([stage.Source("exact", corpus_reader(base))])
    stage.run(work, stage.found())
    store = GenerationFolder(folder / "out")
    with store.draft() as draft:
        seal.write(draft, work.concepts, work.report, work.parts)
        store.point(store.seal(draft))
    return kiln_node(folder / "out", concepts=())


async def test_a_thousand_series_are_served_to_the_letter(node: Node, series: list[Drawn]) -> None:
    async with served(create_app(node)) as url, httpx.AsyncClient(base_url=url, timeout=60) as client:
        told = (await client.get("/loom/facts", params={"limit": 10_000})).json()
        table = await client.get("/loom/facts", params={"limit": 10_000, "format": "csv"})
    facts = {(_seed(fact["source"]), fact["statistic"]): fact for fact in told["facts"]}
    assert len(facts) == told["total"] > 4 * COUNT
    lines = list(csv.DictReader(io.StringIO(table.content.decode(), newline="")))
    assert [line["value"] for line in lines] == [fact["value"] for fact in told["facts"]]
    assert [line["position"] for line in lines] == [fact["position"] for fact in told["facts"]]
    for seed, one in enumerate(series):
        count = facts[seed, "count"]
        assert (count["value"], count["skipped"]) == (str(len(one.readable)), len(one.table) - len(one.readable))
        for statistic, fact in ((name, facts.get((seed, name))) for name in WORDS):
            assert (fact is None) == (not one.readable)
            if fact is not None:
                position, value = (cell.strip() for cell in one.table[fact["row"] - 1])
                assert (fact["value"], fact["position"]) == (value, position), (seed, statistic)
                expected = one.extreme(statistic == "max") if statistic in ("max", "min") else one.end(statistic == "last")
                assert (fact["value"], fact["ties"], fact["row"]) == (expected.text, expected.ties, min(expected.rows))


def _seed(source: str) -> int:
    return int(source.rsplit("/s", 1)[1].split(".")[0])


@pytest.fixture(scope="module")
def pin(node: Node) -> Iterator[Pin]:
    generation = node.store.open(node.store.current() or "")
    yield Pin(generation)
    generation.close()


def context(node: Node, pin: Pin, text: str) -> str:
    steps: Any = node.prepare(Question(text, Scope("t")), pin)
    try:
        steps.send(None)
    except StopIteration as end:
        return str(end.value.block.text)
    raise AssertionError("a finder waited")


def test_contexts_hold_them_to_the_letter(node: Node, pin: Pin, series: list[Drawn]) -> None:
    shown = 0
    for seed, one in enumerate(series):
        if not one.readable:
            continue
        draw = random.Random(f"{seed}:asked")
        statistic, metric, whom = draw.choice(tuple(WORDS)), UNITS[one.unit], name_of(seed)
        expected = one.extreme(statistic == "max") if statistic in ("max", "min") else one.end(statistic == "last")
        block = context(node, pin, f"What was the {WORDS[statistic]} {metric} of {whom}?")
        heads = [line for line in block.splitlines() if line.startswith(f"{whom}, {metric}, ") and f": {expected.text}" in line]
        assert heads, (seed, statistic, expected, block)
        row, position, _, _, _ = draw.choice(one.readable)
        there = min((each for each in one.readable if each[1] == position), key=lambda each: each[0])
        unit = "second" if one.clock else "step"
        block = context(node, pin, f"What was the {metric} of {whom} at {unit} {plain(position)}?")
        assert any(line.startswith(f"{whom}, {metric}: {there[4]}") for line in block.splitlines()), (seed, row, there, block)
        shown += 1
    assert shown > COUNT * 0.9
