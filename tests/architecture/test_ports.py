"""Every port has an in-memory fake beside its adapter, and one contract suite that the fake and each real adapter pass."""

import ast

import pytest
from support.sources import ROOT, tree

PAGES = ("loom.ports", "loom.ports_claims", "loom.ports_proposals")
GIVEN_BY_A_PORT = frozenset({"Attachment", "Draft", "Semantics", "Upstream", "SourceFile", "TripleAnswer"})
"""Protocols of what a port hands out. They have no adapter of their own: the suite of their port covers them."""


def ports() -> list[str]:
    """The protocols of the ports' modules that something outside must implement."""
    found = []
    for node in (node for module in PAGES for node in tree(module).body):
        if isinstance(node, ast.ClassDef) and any("Protocol" in ast.unparse(base) for base in node.bases):
            found.append(node.name)
    return [name for name in found if name not in GIVEN_BY_A_PORT]


FAKES = {
    "AnswerBook": ("loom_adapters.answer_book", "FakeAnswers"),
    "Attachments": ("loom_adapters.generation_memory", "FakeGenerations"),
    "BaseReader": ("loom_adapters.kb.folder", "FakeBases"),
    "ClaimStore": ("loom_adapters.claims.kept", "FakeClaims"),
    "Clock": ("loom_adapters.clock", "FakeClock"),
    "CorpusReader": ("loom_adapters.concept_list", "FakeCorpus"),
    "Embedder": ("loom_adapters.fake_embedder", "FakeEmbedder"),
    "Deciding": ("loom_adapters.judges_scripted", "FakeJudges"),
    "Derivation": ("loom_adapters.judges_scripted", "FakeJudges"),
    "Entailment": ("loom_adapters.judges_scripted", "FakeJudges"),
    "Extraction": ("loom_adapters.judges_scripted", "FakeJudges"),
    "Filing": ("loom_adapters.judges_scripted", "FakeJudges"),
    "Projecting": ("loom_adapters.judges_scripted", "FakeJudges"),
    "Proposing": ("loom_adapters.judges_scripted", "FakeJudges"),
    "Rendering": ("loom_adapters.judges_scripted", "FakeJudges"),
    "Reranking": ("loom_adapters.judges_scripted", "FakeJudges"),
    "Routing": ("loom_adapters.judges_scripted", "FakeJudges"),
    "Supposing": ("loom_adapters.judges_scripted", "FakeJudges"),
    "Verdicts": ("loom_adapters.judges_scripted", "FakeJudges"),
    "EntryReader": ("loom_adapters.entries.files", "FakeEntries"),
    "GenerationKeeper": ("loom_adapters.generation_memory", "FakeGenerations"),
    "GenerationPress": ("loom_adapters.generation_memory", "FakeGenerations"),
    "GenerationStore": ("loom_adapters.generation_memory", "FakeGenerations"),
    "Memories": ("loom_adapters.memory.kept", "FakeMemories"),
    "ModelBackend": ("loom_adapters.scripted_model", "FakeModel"),
    "ProposalRecords": ("loom_adapters.proposals.records", "FakeRecords"),
    "Reasoner": ("loom_adapters.reasoner_plain", "FakeReasoner"),
    "Shards": ("loom_adapters.process_shards", "FakeShards"),
    "Shapes": ("loom_adapters.shacl_shapes", "FakeShapes"),
    "StatementReader": ("loom_adapters.concept_list", "FakeOntology"),
    "TripleStore": ("loom_adapters.sparql.memory", "FakeTriples"),
    "VaultPages": ("loom_adapters.proposals.vault_pages", "FakeVault"),
    "VectorIndex": ("loom_adapters.vector_exact", "FakeVectors"),
    "SourceFiles": ("loom_adapters.source_files", "FakeFiles"),
}
"""The fake of each port: its module and class."""

CONTRACTS = [file.read_text(encoding="utf-8") for file in sorted((ROOT / "tests" / "contract").glob("test_*.py"))]


def test_every_port_is_listed() -> None:
    names = {node.name for node in tree("loom.ports").body if isinstance(node, ast.ClassDef)}
    assert names >= GIVEN_BY_A_PORT
    assert set(ports()) == set(FAKES)


@pytest.mark.parametrize("port", sorted(FAKES))
def test_a_port_has_a_fake_that_a_contract_suite_runs(port: str) -> None:
    module, fake = FAKES[port]
    assert fake in {node.name for node in tree(module).body if isinstance(node, ast.ClassDef)}
    assert any(fake in text for text in CONTRACTS), f"no suite in tests/contract runs {fake}"
