"""Vectors for the dense arms of `loom lab locomo`, kept in a file between runs."""

import zipfile
from io import BytesIO
from pathlib import Path

import numpy as np

from loom import compose_semantic
from loom.cli.progress import tracked
from loom.core.errors import BadInput
from loom.lab.files import write_bytes
from loom.lab.locomo.bench import Bench
from loom.lab.locomo.dataset import Dataset
from loom.lab.locomo.dense import DENSE, Vectors, rank_dense


def embedded(data: Dataset, model: str, file: Path | None) -> Vectors:
    """The vectors of all that the dense arms rank; the model is opened where the file lacks any. Raises BadInput for a file that is
    none of vectors, MissingExtra and EmbedderFailure as the embedder does."""
    kept = _kept(file)
    many = len(kept)
    opened = compose_semantic.named_model(model, 64).open()
    try:
        vectors = Vectors(opened.embedder.embed, opened.embedder.model, kept)
        bench = Bench(data)
        for arm in DENSE:
            rank_dense(bench, arm, vectors, lambda starts, name=arm.name: tracked(starts, name, len(starts), plain=False))  # type: ignore[misc]
    finally:
        opened.close()
    if file and len(vectors.kept) > many:
        held = BytesIO()
        names = sorted(vectors.kept)
        np.savez(held, names=np.array(names), vectors=np.array([vectors.kept[name] for name in names], dtype=np.float32))
        write_bytes(file, [held.getvalue()])
    return vectors


def _kept(file: Path | None) -> dict[str, np.ndarray]:
    if file is None or not file.exists():
        return {}
    try:
        with np.load(file, allow_pickle=False) as held:
            return dict(zip(held["names"].tolist(), held["vectors"], strict=True))
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise BadInput(f"{file} holds no vectors that were kept here ({error}); name another file.", param="vectors") from error
