"""A sentence-transformers model as a graph that runs without torch: pooling and normalisation inside, weights in int8."""

import contextlib
import io
import logging
import tempfile
import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from loom.core.errors import EmbedderFailure, MissingExtra

FUSED = {"bert": "bert", "roberta": "bert", "xlm-roberta": "bert"}
"""Architectures whose layers the optimiser of onnxruntime knows, and what it calls them."""


class Graphs(NamedTuple):
    """The exact graph, the one with int8 weights a channel, and the tokenizer that cuts texts to the model's length."""

    exact: bytes
    small: bytes
    tokenizer: bytes


def graphs(encoder: Any) -> Graphs:
    """Export the library's own object, loaded with eager attention. Raises MissingExtra or EmbedderFailure."""
    try:
        torch: Any = import_module("torch")
        onnx: Any = import_module("onnx")
        quantization: Any = import_module("onnxruntime.quantization")
    except ImportError as error:
        raise MissingExtra(
            "Exporting a model needs onnx and onnxruntime; install them with `pip install 'loom-node[embed]'`."
        ) from error

    axes = {0: "texts", 1: "tokens"}
    with tempfile.TemporaryDirectory(prefix="loom-onnx-") as name, _quiet():
        folder = Path(name)
        plain, small = folder / "plain.onnx", folder / "small.onnx"
        try:
            tokenizer = _tokenizer(encoder)
            ids = torch.tensor([[101, 1037, 1038, 102], [101, 1037, 102, 102]]) % max(2, len(encoder.tokenizer))
            with torch.no_grad():
                torch.onnx.export(
                    _whole(torch, encoder),
                    (ids, torch.ones_like(ids)),
                    str(plain),
                    input_names=["input_ids", "attention_mask"],
                    output_names=["vectors"],
                    dynamic_axes={"input_ids": axes, "attention_mask": axes, "vectors": {0: "texts"}},
                    dynamo=False,
                )
            exact = _fused(plain, encoder, folder)
            quantization.quantize_dynamic(
                exact,
                small,
                weight_type=quantization.QuantType.QInt8,
                per_channel=True,
                extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
            )
            return Graphs(exact.read_bytes(), small.read_bytes(), tokenizer)
        except Exception as error:
            said = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            raise EmbedderFailure(
                f"The model cannot be exported to a graph that runs without torch ({said}); give another --model, or --url."
            ) from error


def _whole(torch: Any, encoder: Any) -> Any:
    """Every module of the model in turn as one, so that whatever pools and projects is in the graph."""
    whole = torch.nn.Module()
    whole.parts = torch.nn.ModuleList(encoder)

    def forward(input_ids: Any, attention_mask: Any) -> Any:
        features = {"input_ids": input_ids, "attention_mask": attention_mask}
        for part in whole.parts:
            features = part(features)
        return torch.nn.functional.normalize(features["sentence_embedding"], dim=1)

    whole.forward = forward
    return whole.eval()


def _tokenizer(encoder: Any) -> bytes:
    """The fast tokenizer, told to cut where the model would."""
    fast = encoder.tokenizer.backend_tokenizer
    made = type(fast).from_str(fast.to_str())
    made.no_padding()
    made.enable_truncation(int(encoder.max_seq_length or 256))
    data: bytes = made.to_str().encode("utf-8")
    return data


def _fused(plain: Path, encoder: Any, folder: Path) -> Path:
    """The graph with normalisations and activations fused, where the optimiser knows the architecture; else as it is."""
    config: Any = getattr(encoder[0], "config", None) or getattr(getattr(encoder[0], "auto_model", None), "config", None)
    kind = FUSED.get(str(getattr(config, "model_type", "")))
    if kind is None:
        return plain
    with contextlib.suppress(Exception):  # an optimiser that stumbles costs some speed and nothing else
        optimizer: Any = import_module("onnxruntime.transformers.optimizer")
        made = optimizer.optimize_model(
            str(plain), model_type=kind, num_heads=config.num_attention_heads, hidden_size=config.hidden_size, opt_level=0
        )
        fused = folder / "fused.onnx"
        made.save_model_to_file(str(fused))
        return fused
    return plain


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Exporters warn of everything that tracing could do wrong; what came out is compared with the model afterwards."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
