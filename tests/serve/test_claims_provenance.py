"""What claims rest on, asked by SPARQL of a real node: a workspace by commands, a build with its store, queries over the wire."""

import io
import json
import time
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.installed import Node
from support.node_process import serving

from loom.cli.main import main

TEXTS = {
    "rules": "The boiler depends on the feed pump.",
    "plan": "The feed pump depends on the north valve.",
    "old": "The kiln depends on the chimney.",
}
HOSTILE = 'He said "stop"@en .\n<urn:x> <urn:y> <urn:z> . \\ \t \x07 \x7f "^^<urn:t> {?s ?p ?o} é 漢 😀'
SOURCE = 'memo "1"\n<urn:evil> .'
LIVE = "FILTER NOT EXISTS { ?claim prov:wasInvalidatedBy ?any }"
RESTS = "(prov:wasGeneratedBy/prov:used | prov:wasQuotedFrom)+"


def command(*words: str | Path) -> tuple[int, str, str]:
    """The exit code of a command, and what it printed."""
    out, faults = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with redirect_stdout(out), redirect_stderr(faults):
        code = main([str(word) for word in words])
        out.flush()
    return code, out.buffer.getvalue().decode(), faults.getvalue()


@dataclass
class Workspace:
    folder: Path
    derived: str
    above: str
    top: str
    odd: str
    rejected: str
    old: str
    new: str
    generation: str

    @property
    def store(self) -> Path:
        return self.folder / "claims.sqlite"

    def run(self, *words: str) -> Any:
        code, said, faults = command("claims", *words, "--store", self.store, "--json")
        assert code == 0, faults
        return json.loads(said)

    def entered(self, text: str, *more: str) -> str:
        told = self.run("enter", text, "--by", "anna", *more)
        (id,) = (move["claim"] for move in told["moves"] if move["cause"] == "written")
        return str(id)

    def built(self, *more: str | Path) -> tuple[str, dict[str, Any]]:
        """The id and the manifest of a build."""
        code, said, faults = command(
            "build", self.folder / "vault", "--out", self.folder / "generations", "--use", "--quiet", *more
        )
        assert code == 0, faults
        id = said.strip()
        manifest = self.folder / "generations" / id.removeprefix("sha256:") / "manifest.json"
        return id, json.loads(manifest.read_text())


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A claim that follows from two entries, claims above it, one with hostile text; one rejected, one superseded, one withdrawn entry."""
    folder = tmp_path_factory.mktemp("provenance")
    (folder / "vault").mkdir()
    (folder / "vault" / "Kettle.md").write_text("A kettle is a vessel in which water boils.\n")
    lines = [{"id": f"claim:{n}", "source": source, "text": text} for n, (source, text) in enumerate(TEXTS.items())]
    lines.append({"source": SOURCE, "author": 'anna"\n@de', "text": "The mill is painted red."})
    (folder / "in.jsonl").write_text("\n".join(map(json.dumps, lines)))
    made = Workspace(folder, "", "", "", "", "", "", "", "")
    made.run("take", str(folder / "in.jsonl"))
    hits = made.run("ask", "What does the boiler depend on?", "--way", "reason", "-k", "1")["hits"]
    made.derived = next(each["id"] for each in hits if each["kind"] == "claim")
    made.above = made.entered("The boiler house needs a new valve.", "--cites", made.derived)
    made.top = made.entered("The budget must grow.", "--cites", made.above)
    made.odd = made.entered(HOSTILE, "--assumes", HOSTILE)
    made.rejected = made.entered("The boiler is blue.")
    made.run("reject", made.rejected, "--by", "anna")
    made.old, made.new = made.entered("The kiln is warm."), made.entered("The kiln is hot.")
    made.run("supersede", made.old, made.new, "--by", "anna")
    made.run("withdraw", "claim:2", "--by", "anna")
    made.generation, _ = made.built("--claims", made.store)
    return made


@pytest.fixture(scope="module")
def node(workspace: Workspace) -> Iterator[Node]:
    with serving(workspace.folder / "generations") as started:
        until = time.monotonic() + 120
        while (state := started.call("/health").json()["sparql"]["state"]) != "ready":
            assert time.monotonic() < until, state
            time.sleep(0.05)
        yield started


def rows(node: Node, query: str) -> list[tuple[str, ...]]:
    answer = node.call("/loom/sparql", {"query": query})
    assert answer.status == 200, answer.body
    told = answer.json()
    names = told["head"]["vars"]
    return sorted(tuple(row[name]["value"] for name in names if name in row) for row in told["results"]["bindings"])


def test_a_path_leads_through_any_number_of_justifications_down_to_entries(node: Node, workspace: Workspace) -> None:
    below = f"SELECT DISTINCT ?source {{ <urn:loom:{{}}> {RESTS} ?entry . ?entry a loom:Entry ; loom:source ?source }}"
    sources = {source for (source,) in rows(node, below.replace("{}", workspace.derived))}
    assert sources == {"rules", "plan"}
    (said,) = {source for (source,) in rows(node, below.replace("{}", workspace.top))} - sources
    assert said == "person:anna", "who said so is an entry too"
    claims = rows(node, f"SELECT ?claim {{ <urn:loom:{workspace.top}> {RESTS} ?claim . ?claim a loom:Claim }}")
    assert claims == sorted([(f"urn:loom:{workspace.above}",), (f"urn:loom:{workspace.derived}",)])
    up = f"SELECT ?claim {{ ?claim {RESTS} ?entry . ?entry loom:source 'rules' . ?claim a loom:Claim {LIVE} }}"
    assert {f"urn:loom:{each}" for each in (workspace.derived, workspace.above, workspace.top)} == {
        id for (id,) in rows(node, up)
    }
    assert [(id,) for id in (f"urn:loom:{workspace.old}",)] == rows(
        node, f"SELECT ?old {{ <urn:loom:{workspace.new}> prov:wasRevisionOf ?old }}"
    )
    assert not rows(node, f"SELECT ?x {{ <urn:loom:{workspace.new}> {RESTS} <urn:loom:{workspace.old}> ; a ?x }}")


def test_what_no_longer_counts_is_never_among_what_is_live(node: Node, workspace: Workspace) -> None:
    gone = rows(node, "SELECT ?claim ?cause { ?claim a loom:Claim ; prov:wasInvalidatedBy/loom:cause ?cause }")
    assert gone == sorted([(f"urn:loom:{workspace.rejected}", "rejected"), (f"urn:loom:{workspace.old}", "superseded")])
    standings = {word for (word,) in rows(node, f"SELECT DISTINCT ?s {{ ?claim a loom:Claim ; loom:standing ?s {LIVE} }}")}
    assert standings == {"proposed"}
    live = {id for (id,) in rows(node, f"SELECT ?claim {{ ?claim a loom:Claim {LIVE} }}")}
    assert live == {
        f"urn:loom:{id}" for id in (workspace.derived, workspace.above, workspace.top, workspace.odd, workspace.new)
    }
    withdrawn = rows(node, "SELECT ?entry ?cause { ?entry a loom:Entry ; prov:wasInvalidatedBy/loom:cause ?cause }")
    assert withdrawn == [("urn:loom:entry/claim:2", "withdrawn")], "an entry never takes the address of a claim"
    signal = (
        "SELECT ?text { ?signal prov:wasQuotedFrom <urn:loom:entry/claim:2> ; prov:value ?text ; prov:wasInvalidatedBy ?any }"
    )
    assert rows(node, signal) == [(TEXTS["old"],)]


def test_hostile_text_is_text(node: Node, workspace: Workspace) -> None:
    (text, assumed), *more = rows(
        node, f"SELECT ?text ?assumed {{ <urn:loom:{workspace.odd}> prov:value ?text ; loom:assumes ?assumed }}"
    )
    assert (text, assumed, more) == (HOSTILE, HOSTILE, [])
    assert not rows(node, "SELECT ?p { { <urn:x> ?p ?o } UNION { <urn:evil> ?p ?o } }")
    assert rows(node, "SELECT ?s { ?e loom:source ?s . FILTER(CONTAINS(?s, 'memo')) }") == [(SOURCE,)]


def test_it_is_a_graph_of_its_own_with_its_version_and_no_concept(node: Node, workspace: Workspace) -> None:
    graphs = dict(rows(node, "SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g"))
    assert set(graphs) == {"urn:loom:graph:asserted", "urn:loom:graph:claims"}
    id, manifest = workspace.built("--claims", workspace.store)
    assert id == workspace.generation, "the same version of the claims is the same generation"
    stated, notes = rows(node, "SELECT ?v { <urn:loom:graph:claims> loom:version ?v }"), manifest["notes"]
    assert stated == [(str(notes["claims"]["version"]),)]
    assert notes["triples"]["claims"] == int(graphs["urn:loom:graph:claims"])
    assert notes["claims"] == {"version": notes["claims"]["version"], "entries": 10, "signals": 10, "claims": 7}
    assert notes["counts"]["concepts"] == 1
    block = node.call("/loom/scaffold", {"prompt": "What does the boiler depend on?"}).json()
    assert block["decision"]["engaged"] is False and "boiler" not in block["scaffold"]


def test_another_version_is_another_generation_and_none_is_as_before(workspace: Workspace) -> None:
    plain, manifest = workspace.built()
    assert "claims" not in manifest["notes"] and "graphs.nq" not in manifest["parts"]["triples"]
    workspace.entered("The kiln is very hot.")
    later, notes = workspace.built("--claims", workspace.store)
    assert len({plain, later, workspace.generation}) == 3 and notes["notes"]["claims"]["claims"] == 8


@pytest.mark.parametrize(("place", "sentence"), [("none.sqlite", "There are no claims at"), ("vault/Kettle.md", "Kettle.md")])
def test_a_store_that_is_none_is_refused_in_a_sentence(workspace: Workspace, place: str, sentence: str) -> None:
    out = workspace.folder / "nothing"
    code, _, faults = command("build", workspace.folder / "vault", "--out", out, "--claims", workspace.folder / place)
    assert code == 2 and sentence in faults and "Traceback" not in faults
    assert not list(out.glob("*/manifest.json"))
