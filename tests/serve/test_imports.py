"""What a serving worker has imported once it has answered: a short list, and nothing heavy."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import minilm
from support.nodes import KILNS
from support.sealed import sealed

from loom.cli.main import main

ALLOWED = set(
    """
    loom loom_adapters numpy orjson pydantic pydantic_core annotated_types annotated_doc typing_extensions typing_inspection
    fastapi starlette anyio sniffio idna opentelemetry structlog prometheus_client
    httpx certifi click rich pygments attr attrs zstandard brotli backports cython_runtime uvicorn uvloop httptools h11 dotenv watchfiles
    """.split()
)
HEAVY = set(
    "rdflib scipy torch sqlalchemy yaml pandas duckdb sentence_transformers transformers pytest hypothesis openai litellm".split()
)
WITH_VECTORS = set("onnxruntime tokenizers hnswlib usearch qdrant_client".split())
"""What is imported when embeddings that need it are opened, and not before."""

PROBE = """
import asyncio, json, sys
from loom import compose
from loom.serve.app import create_app
from loom.settings import load

async def main():
    app = create_app(compose.node(load()))
    body = json.dumps({"messages": [{"role": "user", "content": "What is a kiln?"}]}).encode()
    bodies, sent = [], []
    async def receive():
        return bodies.pop() if bodies else await asyncio.Event().wait()
    async def send(message): sent.append(message)
    async with app.api.router.lifespan_context(app.api):
        for path in ("/v1/chat/completions", "/loom/scaffold", "/health"):
            scope = {"type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b"", "headers": [],
                     "scheme": "http", "server": ("127.0.0.1", 80), "client": ("127.0.0.1", 1), "http_version": "1.1", "root_path": ""}
            bodies.append({"type": "http.request", "body": body})
            await app(scope, receive, send)
    print(json.dumps({"status": sent[0]["status"], "modules": sorted(sys.modules)}))

asyncio.run(main())
"""


def imported(folder: Path, url: str = "") -> tuple[int, set[str], set[str]]:
    """The status of an answer, every module of the process that gave it, and the packages that are not Python's own."""
    environment = {**os.environ, "LOOM_GENERATIONS": str(folder), "LOOM_MODEL_URL": url, "LOOM_RETRIES": "0"}
    run = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, env=environment, timeout=60, check=True)
    found = json.loads(run.stdout)
    top = {name.split(".")[0] for name in found["modules"]} - set(sys.stdlib_module_names)
    return found["status"], set(found["modules"]), {name for name in top if not name.startswith("_")}


def test_a_worker_imports_little(tmp_path: Path):
    sealed(tmp_path, KILNS)
    for url in ("", "http://127.0.0.1:9/v1"):
        status, modules, top = imported(tmp_path, url)
        assert status == (502 if url else 200)
        assert not top & (HEAVY | WITH_VECTORS)
        assert top <= ALLOWED, sorted(top - ALLOWED)
        assert not {"loom.build", "loom.cli", "loom.bench", "loom.lab", "loom.compose_lab"} & modules


@pytest.mark.embed
def test_a_worker_with_embeddings_imports_their_runtime_and_no_torch(tmp_path: Path):
    sealed(tmp_path, KILNS)
    assert main(["embed", "--store", str(tmp_path), "--model", str(minilm.folder())]) == 0
    status, modules, top = imported(tmp_path)
    assert status == 200 and {"onnxruntime", "tokenizers"} <= top
    assert not top & HEAVY, top & HEAVY
    assert not {"loom.build", "loom.cli", "loom.bench", "loom.lab", "loom.compose_lab"} & modules
