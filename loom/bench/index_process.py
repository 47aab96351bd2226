"""One process that opens a vector index as a worker does, and is asked: `python -m loom.bench.index_process KIND VECTORS QUESTIONS
CACHE ROUNDS`. Prints what it found as one line of JSON, its memory as another for each line that it reads, and ends when there are
no more."""

import asyncio
import json
import re
import sys
from pathlib import Path
from time import perf_counter

import numpy as np

from loom.bench.figures import quantile
from loom.compose_semantic import vector_index
from loom.core.retrieval.recall import AT
from loom.settings import Settings
from loom.settings_groups import EmbeddingSettings, NodeSettings


def memory() -> dict[str, int]:
    """Bytes that this process has for itself alone, backed by no file, and its share of all (PSS); nothing where the system does not
    say."""
    try:
        text = Path("/proc/self/smaps_rollup").read_text(encoding="utf-8")
    except OSError:
        return {}
    sizes = {name: int(value) * 1024 for name, value in re.findall(r"^(\w+):\s+(\d+) kB$", text, re.M)}
    return {"own": sizes["Anonymous"], "share": sizes["Pss"]}


async def main(kind: str, vectors: str, questions: str, cache: str, rounds: str) -> None:
    asked = np.load(questions)
    settings = Settings(
        node=NodeSettings(generations=Path(cache)),
        embedding=EmbeddingSettings.model_validate({"index": kind}),
    )
    before = memory()
    started = perf_counter()
    index = vector_index(settings, np.asarray(np.load(vectors, mmap_mode="r")), "bench")
    opened = perf_counter() - started
    found = [(await index.search(question, AT))[0].tolist() for question in asked]
    p50, p99 = [], []
    for _ in range(int(rounds)):
        took = []
        for question in asked:
            started = perf_counter()
            await index.search(question, AT)
            took.append((perf_counter() - started) * 1000)
        p50.append(quantile(took, 0.5))
        p99.append(quantile(took, 0.99))
    print(json.dumps({"kind": index.kind, "opened": opened, "found": found, "p50": p50, "p99": p99}), flush=True)
    for _ in sys.stdin:
        print(json.dumps({name: size - before[name] for name, size in memory().items()}), flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
