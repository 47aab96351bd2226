"""Whether the corpus fits the shapes that it was given: what does not is in the report like any other fault."""

from loom.build.stage import Stage, Work, by_iri
from loom.build.stages.triples import PART
from loom.core.text import slug_of
from loom.core.values import Where

KIND_OF = {"error": "shape-violation", "warning": "shape-warning", "info": "shape-info"}


def check(work: Work) -> None:
    if work.shapes is None:
        return
    files, known = work.parts[PART], by_iri(work.concepts)
    data = b"".join(bytes(files[name]) for name in ("asserted.nt", "inferred.nt"))
    for one in work.shapes.violations(data):
        concept = known.get(one.node)
        name = repr(concept.title) if concept else slug_of(one.node)
        at = f" ({one.path})" if one.path else ""
        work.report.note(KIND_OF[one.severity], f"{name}{at}: {one.message}", concept.where if concept else Where(""))


STAGE = Stage("shapes", ("triples",), check)
