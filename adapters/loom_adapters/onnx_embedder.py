"""Questions embedded by a graph that travels with the vectors: onnxruntime and a tokenizer, no torch, one thread a call."""

from collections.abc import Sequence
from importlib import import_module
from itertools import groupby
from typing import Any

import numpy as np

from loom.core.errors import EmbedderFailure, MissingExtra
from loom.core.retrieval.vectors import unit_rows

AT_ONCE = 32
LONGEST = 4_000
"""Code points of a text that are looked at; the tokenizer takes its share of them."""


class OnnxEmbedder:
    """A graph from `input_ids` and `attention_mask` to `vectors`, and the tokenizer that cuts texts to its length.

    `graph` is its bytes, or the path of a file, from which it takes half the memory to open.
    Raises MissingExtra without the libraries, EmbedderFailure where the files are not what it can run.
    """

    kind = "onnx"

    def __init__(self, model: str, graph: bytes | str, tokenizer: bytes) -> None:
        try:
            onnxruntime: Any = import_module("onnxruntime")
            tokenizers: Any = import_module("tokenizers")
        except ImportError as error:
            raise MissingExtra(
                "Embedding questions needs onnxruntime and tokenizers; install them with `pip install 'loom-node[semantic]'`."
            ) from error
        self.model = model
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.enable_cpu_mem_arena = False
        try:
            self._tokenizer: Any = tokenizers.Tokenizer.from_str(tokenizer.decode("utf-8"))
            self._tokenizer.no_padding()
            self._session: Any = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # both libraries raise their own kinds
            raise EmbedderFailure(
                f"The graph or the tokenizer of {model} cannot be opened ({_short(error)}); make them again with `loom embed --force`."
            ) from error

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Texts of one length go together, so that nothing is padded and a text has one vector whatever stands beside it."""
        try:
            taken = [self._tokenizer.encode(text[:LONGEST].encode("utf-8", "replace").decode("utf-8")).ids for text in texts]
            order = sorted(range(len(taken)), key=lambda at: len(taken[at]))
            pieces: list[np.ndarray] = []
            for _, group in groupby(order, key=lambda at: len(taken[at])):
                same = list(group)
                for start in range(0, len(same), AT_ONCE):
                    ids = np.asarray([taken[at] for at in same[start : start + AT_ONCE]], dtype=np.int64)
                    pieces.append(self._session.run(["vectors"], {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0])
        except Exception as error:
            raise EmbedderFailure(f"The graph of {self.model} did not run ({_short(error)}).") from error
        if not pieces:
            return np.zeros((0, 0), dtype=np.float32)
        made = np.concatenate(pieces)
        back = np.empty_like(made)
        back[order] = made
        return unit_rows(back)

    def close(self) -> None:
        """The session goes with the last that holds it."""


def _short(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]
