"""The engine without anything round it, to measure against: `python -m loom_adapters.sparql.plain FOLDER`.

Loads the two files of the part in FOLDER. Every line that it reads is a query as JSON text; it answers with one line: the
milliseconds from the query to its whole result as JSON, in this process.
"""

import json
import sys
import time
from pathlib import Path

import pyoxigraph as ox

from loom.core.sparql.part import ASSERTED, INFERRED
from loom.core.sparql.prefixes import known


def main() -> None:
    folder = Path(sys.argv[1])
    store = ox.Store()
    for graph, name in ((ASSERTED, "asserted.nt"), (INFERRED, "inferred.nt")):
        store.bulk_load(path=folder / name, format=ox.RdfFormat.N_TRIPLES, to_graph=ox.NamedNode(graph))
    prefixes = known((folder / "prefixes.json").read_bytes())
    print("ready", flush=True)
    for line in sys.stdin:
        text = json.loads(line)
        started = time.perf_counter()
        found = store.query(text, prefixes=prefixes, use_default_graph_as_union=True)
        assert isinstance(found, ox.QuerySolutions)
        found.serialize(format=ox.QueryResultsFormat.JSON)
        print((time.perf_counter() - started) * 1000, flush=True)


if __name__ == "__main__":
    main()
