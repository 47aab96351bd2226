"""Generations that hold triples, sealed as a build seals them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from support.nodes import KILNS

from loom.build import seal
from loom.core.report import Report
from loom.core.values import Concept
from loom_adapters.generation_folder import GenerationFolder

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
CLASS_OF = "http://www.w3.org/2000/01/rdf-schema#subClassOf"

ASSERTED = f"""
<urn:test:kiln> <{LABEL}> "Kiln"@en .
<urn:test:kiln> <{LABEL}> "Brennofen"@de .
<urn:test:kiln> <{CLASS_OF}> <urn:test:furnace> .
<urn:test:tide-kiln> <{CLASS_OF}> <urn:test:kiln> .
<urn:test:tide-kiln> <{LABEL}> "Tide Kiln: load, add, \\"service\\" <b>&\\n{{,{{}}}},{{"@en .
<urn:test:furnace> <{LABEL}> "Furnace" .
"""
INFERRED = f"<urn:test:tide-kiln> <{CLASS_OF}> <urn:test:furnace> .\n"


def sealed_with(
    folder: Path,
    asserted: str = ASSERTED,
    inferred: str = INFERRED,
    *,
    quads: str | None = None,
    prefixes: Mapping[str, str] = {"k": "urn:test:"},
    concepts: Sequence[Concept] = KILNS,
    point: bool = True,
) -> str:
    """Seal concepts and triples, and make them current. Returns the id."""
    store = GenerationFolder(folder)
    with store.draft() as draft:
        seal.write(draft, concepts, Report({}))
        for name, text in (("asserted.nt", asserted), ("inferred.nt", inferred), ("graphs.nq", quads)):
            if text is not None:
                lines = sorted(line for line in text.splitlines() if line)
                draft.put("triples", name, "".join(line + "\n" for line in lines).encode())
        draft.put("triples", "prefixes.json", json.dumps(prefixes).encode())
        draft.remark("built_at", "2026-01-01T00:00:00Z")
        id = store.seal(draft)
    if point:
        store.point(id)
    return id
