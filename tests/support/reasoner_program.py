"""A reasoner as a program: reads functional syntax, writes the hierarchy as functional syntax or OWL/XML."""

import sys
from pathlib import Path
from xml.sax.saxutils import quoteattr

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.functional import read

from loom.core.reason import axioms as ax
from loom.core.reason.reasoner import ElReasoner

format, given, taken = sys.argv[1:]
closure = ElReasoner().classify(read(Path(given).read_text(encoding="utf-8")))
rows = [("SubClassOf", (one, other)) for one, parents in closure.parents.items() for other in parents]
rows += [("EquivalentClasses", group) for group in closure.equivalents]
rows += [("EquivalentClasses", (ax.NOTHING, one)) for one in closure.unsatisfiable]
if not closure.consistent:
    rows.append(("EquivalentClasses", (ax.THING, ax.NOTHING)))
if format == "functional":
    lines = [f"{kind}({' '.join(f'<{name}>' for name in names)})" for kind, names in rows]
    text = "\n".join(["Ontology(", *lines, ")"])
elif format == "xml":
    parts = [f"<{kind}>{''.join(f'<Class IRI={quoteattr(name)}/>' for name in names)}</{kind}>" for kind, names in rows]
    text = f'<?xml version="1.0"?>\n<Ontology xmlns="{ax.OWL}">{"".join(parts)}</Ontology>'
else:
    raise SystemExit(f"no such format: {format}")
Path(taken).write_text(text, encoding="utf-8")
