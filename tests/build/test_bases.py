"""Knowledge bases in a build: several of them and an ontology in one generation, with what was there when in its statements."""

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import pytest
from support.sources import ROOT

from loom.build import seal, stage
from loom.cli.main import main
from loom.compose import corpus_reader, kind_of_source
from loom.core.errors import BadSource
from loom.core.facts.lines import told
from loom.core.facts.sealed import held_of
from loom.core.facts.values import Fact
from loom.core.generation import Generation
from loom.core.sparql.asked import Asked
from loom.core.sparql.limits import Limits
from loom.core.values import Concept
from loom_adapters.concept_list import FakeCorpus
from loom_adapters.generation_folder import GenerationFolder
from loom_adapters.sparql.memory import FakeTriples

BASES = ROOT / "fixtures" / "kb"
CHOIR = "urn:example:choir:"
ORGAN = Concept("urn:test:organ", "Organ", "An instrument with pipes.")


def build(folder: Path, names: Sequence[str] = ("choir",), concepts: Sequence[Concept] = ()) -> Generation:
    sources = [stage.Source(name, corpus_reader(BASES / name)) for name in names]
    sources += [stage.Source("concepts", FakeCorpus(concepts))] if concepts else []
    work = stage.Work(sources)
    stage.run(work, stage.found())
    store = GenerationFolder(folder)
    with store.draft() as draft:
        seal.write(draft, work.concepts, work.report, work.parts)
        for key, value in work.notes.items():
            draft.note(key, value)
        store.point(store.seal(draft))
    return store.open(store.current() or "")


async def asked(generation: Generation, query: str) -> list[list[str]]:
    from loom.core.sparql.part import ASSERTED, INFERRED, Triples

    part = generation.part(Triples)
    assert part is not None
    files = {"asserted.nt": bytes(part.graph(ASSERTED)), "inferred.nt": bytes(part.graph(INFERRED))}
    store = FakeTriples({**files, "prefixes.json": json.dumps(part.prefixes()).encode()}, generation.id, Limits())
    async with store.query(Asked(query, accept="text/csv")) as answer:
        body = b"".join([piece async for piece in answer.pieces()])
    return list(csv.reader(io.StringIO(body.decode())))[1:]


async def test_sparql_says_what_was_happening_when_a_metric_peaked(tmp_path: Path) -> None:
    found = await asked(
        build(tmp_path),
        """
        PREFIX loom: <urn:loom:ns#>
        PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
        SELECT ?value ?position ?label ?text WHERE {
          ?entity a loom:Entity ; rdfs:label "Harvest Evensong" .
          ?metric a loom:Metric ; rdfs:label "loudness" .
          ?peak a loom:Fact ; loom:entity ?entity ; loom:metric ?metric ; loom:statistic "max" ;
                loom:valueText ?value ; loom:position ?position ; loom:during ?span .
          ?span a loom:Span ; rdfs:label ?label ; loom:text ?text .
        }
        """,
    )
    text = "From the upbeat. Sopranos, sing over the top of the hedge, do not climb through it."
    assert found == [["80.5", "25", "[00:09]", text]]


async def test_sparql_reckons_with_positions_and_values(tmp_path: Path) -> None:
    query = """
        PREFIX loom: <urn:loom:ns#>
        SELECT ?fact ?span WHERE {
          ?fact loom:source <CHOIR:source/levels/harvest.csv> ; loom:value ?value ; loom:position ?at ; loom:statistic "max" .
          ?span loom:source <CHOIR:source/tapes/harvest.srt> ; loom:start ?start ; loom:end ?end .
          FILTER(?value > 80.4 && ?start <= ?at && ?at < ?end)
        }
    """
    assert await asked(build(tmp_path), query.replace("CHOIR:", CHOIR)) == [
        [f"{CHOIR}fact/levels/harvest.csv/loudness/max", f"{CHOIR}span/tapes/harvest.srt/2"]
    ]


def test_several_bases_and_concepts_are_one_generation(tmp_path: Path) -> None:
    generation = build(tmp_path, ("kiln", "choir", "bakery"), [ORGAN])
    held = held_of(generation)
    assert held is not None
    assert [base.id for base in held.bases] == ["choir", "bakery", "kiln"]
    assert [base.iri for base in held.bases] == sorted(base.iri for base in held.bases)
    assert generation.manifest["notes"]["counts"]["concepts"] == 1
    assert generation.manifest["notes"]["bases"][CHOIR]["title"] == "Ashcombe village choir"
    (peak,) = held.facts(source=f"{CHOIR}source/levels/harvest.csv", statistic="max")
    assert (peak.value, peak.position, peak.ties, peak.span) == ("80.5", "25", 1, f"{CHOIR}span/tapes/harvest.srt/2")
    reading = held.reading(peak.source, peak.metric, Decimal("55.0"))
    assert reading is not None
    assert (reading.value, reading.row, reading.span) == ("80.5", 12, f"{CHOIR}span/tapes/harvest.srt/4")
    between = held.reading(peak.source, peak.metric, Decimal(45))
    assert between is not None and between.span == ""  # nobody speaks from 38 to 48
    assert held.at(f"{CHOIR}source/tapes/harvest.srt", Decimal(40)) is None


def test_bases_are_told_apart_by_what_is_in_them(tmp_path: Path) -> None:
    held = held_of(build(tmp_path, ("kiln", "choir", "bakery")))
    assert held is not None
    terms = {base.id: [term for term, _ in base.descriptor] for base in held.bases}
    assert "sopranos" in terms["choir"] and "celadon" in terms["kiln"]
    assert not set(terms["choir"]) & set(terms["kiln"]) & set(terms["bakery"])
    assert all(base.descriptor == tuple(sorted(base.descriptor, key=lambda one: (-one[1], one[0]))) for base in held.bases)


def test_a_generation_without_bases_has_nothing_of_them(tmp_path: Path) -> None:
    work = stage.Work([stage.Source("concepts", FakeCorpus([ORGAN]))])
    stage.run(work, stage.found())
    assert not set(work.parts) & {"bases", "facts", "spans", "series", "mentions"}
    assert "bases" not in work.notes and work.statements == []
    store = GenerationFolder(tmp_path)
    with store.draft() as draft:
        seal.write(draft, work.concepts, work.report, work.parts)
        id = store.seal(draft)
    assert held_of(store.open(id)) is None


def test_two_bases_with_one_iri_are_refused(tmp_path: Path) -> None:
    sources = [stage.Source(name, corpus_reader(BASES / "choir")) for name in ("a", "b")]
    with pytest.raises(BadSource, match=r"b: expected a knowledge base with an IRI of its own.*change `id` or `iri`"):
        stage.run(stage.Work(sources), stage.found())


def test_a_folder_with_a_manifest_is_a_base() -> None:
    assert kind_of_source(BASES / "choir") == "kb"


def test_the_command_builds_bases_to_the_same_id_whatever_the_order_of_files_and_hashes(tmp_path: Path) -> None:
    ids = []
    for seed, names in (("1", ["choir", "kiln"]), ("77", ["choir", "kiln"])):
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "loom",
                "build",
                *(str(BASES / name) for name in names),
                "--out",
                str(tmp_path / seed),
                "--quiet",
            ],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        ids.append(done.stdout.strip())
    assert ids[0] == ids[1] and ids[0].startswith("sha256:")


def test_faults_of_a_base_are_in_the_report_with_file_and_line(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    assert main(["build", str(BASES / "choir"), "--dry-run", "--quiet", "--report", str(report)]) == 0
    remarks = json.loads(report.read_text(encoding="utf-8"))["remarks"]
    assert remarks["kb-skipped-row"]["examples"][0]["where"] == "levels/carols.csv:9"


def test_generations_of_bases_alone_are_listed_shown_verified_and_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("choir", "kiln"):
        assert main(["build", str(BASES / name), "--out", str(tmp_path), "--quiet"]) == 0
    first, second = capsys.readouterr().out.split()
    for command in (["list"], ["show"], ["verify"], ["diff", first, second]):
        assert main(["generations", *command, "--store", str(tmp_path)]) == 0, command
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("shared", [False, True])
def test_programmes_are_joined_only_where_the_manifest_declares_one_axis(tmp_path: Path, shared: bool) -> None:
    folder = tmp_path / "kb"
    folder.mkdir()
    (folder / "kb.toml").write_text(
        f"""
        id = "evening"
        [[attribute]]
        name = "second"
        clock = true
        shared = {str(shared).lower()}
        [[entity]]
        id = "a"
        name = "Harbour Lights"
        [[entity]]
        id = "b"
        name = "Maple Street"
        [[metric]]
        id = "share"
        [[file]]
        path = "a.csv"
        kind = "series"
        entity = "a"
        attribute = "second"
        position = "t"
        values = {{ share = "v" }}
        [[file]]
        path = "b.txt"
        kind = "transcript"
        entity = "b"
        attribute = "second"
        """,
        encoding="utf-8",
    )
    (folder / "a.csv").write_text("t,v\n0,1\n90,7\n", encoding="utf-8")
    (folder / "b.txt").write_text("[00:00] Morning.\n[01:00] Bells.\n", encoding="utf-8")
    work = stage.Work([stage.Source("evening", corpus_reader(folder))])
    stage.run(work, stage.found())
    lines = [json.loads(line) for line in bytes(work.parts["facts"]["facts.jsonl"]).splitlines()]
    peak = next(line for line in lines if line["statistic"] == "max")
    assert peak.get("span") == ("urn:loom:kb:evening:span/b.txt/2" if shared else None)
    assert not work.report.of("error")


def test_a_manifest_that_cannot_be_read_seals_nothing_by_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "kb"
    folder.mkdir()
    (folder / "kb.toml").write_text('id = "a"\n[[file]\n', encoding="utf-8")
    report = tmp_path / "report.json"
    assert main(["build", str(folder), "--out", str(tmp_path / "out"), "--quiet", "--report", str(report)]) == 2
    assert "Traceback" not in capsys.readouterr().err
    assert json.loads(report.read_text(encoding="utf-8"))["remarks"]["kb-manifest"]["examples"][0]["where"] == "kb.toml:2"
    assert not (tmp_path / "out").exists() or not list((tmp_path / "out").glob("[0-9a-f]*"))


def test_stated_values_of_a_large_table_are_no_statements() -> None:
    def fact(number: int, source: str, statistic: str) -> Fact:
        return Fact(f"urn:f:{number}", "urn:b:", source, "", "urn:m", statistic, "1", row=number)

    few = [fact(number, "urn:few", "stated") for number in range(3)]
    many = [fact(number, "urn:many", "stated") for number in range(10, 14)]
    computed = [fact(20, "urn:many", "max")]
    assert list(told([*few, *many, *computed], 3)) == [*few, *computed]
