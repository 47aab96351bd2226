"""The embedder of an instrument: that of the generation's attachment, or a server's."""

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from loom import compose, compose_semantic
from loom.core.errors import BadInput, EmbedderFailure


def embed_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--embed-url", metavar="URL", help="embed by this server (default: what is attached to the generation)")
    parser.add_argument("--embed-model", metavar="NAME", default="", help="the model's name at --embed-url")
    parser.add_argument("--embed-key-env", metavar="NAME", help="environment variable that holds the key of --embed-url")


@contextmanager
def embedding(arguments: argparse.Namespace) -> Iterator[tuple[Callable[[Sequence[str]], np.ndarray], str]]:
    """What embeds texts, and the name of its model. Titles and spans are texts alike. Raises EmbedderFailure where nothing does."""
    if arguments.embed_url:
        if not arguments.embed_model:
            raise BadInput(
                "Expected --embed-model beside --embed-url: the name of the model at that server.", param="embed_model"
            )
        key = os.environ.get(arguments.embed_key_env, "") if arguments.embed_key_env else ""
        model = compose_semantic.served_model(arguments.embed_url, arguments.embed_model, key, batch=64).open()
        try:
            yield model.embedder.embed, model.embedder.model
        finally:
            model.close()
        return
    with compose.opened(arguments.generations, arguments.generation) as (node, pin):
        attachment = node.store.attachment(pin.generation.id)
        if attachment is None or pin.semantics is None:
            raise EmbedderFailure(
                f"Nothing that serves is attached to {pin.generation.id[:19]}; `loom embed` makes it, or give --embed-url."
            )
        contract = pin.semantics.contract
        embedder = compose_semantic.embedder(node.settings, contract, attachment)
        try:
            yield lambda texts: embedder.embed([contract.text_prefix + text for text in texts]), contract.model
        finally:
            embedder.close()
