"""`loom embed`: the texts of a sealed generation as vectors, attached to it for retrieval by meaning."""

import argparse
import asyncio
import io
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np

from loom.core.errors import BadInput, LoomError, NoGeneration
from loom.core.retrieval.contract import PURPOSE, RECIPE
from loom.core.values import Json
from loom.ports import VectorIndex

if TYPE_CHECKING:
    from loom.build.embed import Model
    from loom.compose import Store
    from loom.compose_semantic import Named
    from loom.settings import Settings

BATCH = 64


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "embed",
        help="attach embeddings to a generation, for retrieval by meaning",
        description="Embed the text of every unit of a sealed generation and attach the vectors to it, with what embeds questions. "
        "The generation and its id stay as they are; a running node follows. Interrupted anywhere, nothing is attached.",
    )
    parser.add_argument(
        "id", nargs="?", default="current", metavar="GENERATION", help="a beginning of its id (default: current)"
    )
    parser.add_argument(
        "--store",
        "--generations",
        dest="store",
        type=Path,
        metavar="PATH",
        help="folder of generations (default: LOOM_GENERATIONS)",
    )
    parser.add_argument(
        "--model",
        metavar="NAME",
        help="a sentence-transformers model: a folder, a name in the cache or on the hub of Hugging Face, an installed package that "
        "carries one; `hash` is a toy that needs nothing (default: sentence-transformers/all-MiniLM-L6-v2)",
    )
    parser.add_argument(
        "--url",
        metavar="URL",
        help="embed by an OpenAI-compatible server (its base URL, with /v1); --model is its model's name",
    )
    parser.add_argument(
        "--batch", type=int, default=BATCH, metavar="N", help=f"texts that are embedded at once (default: {BATCH})"
    )
    parser.add_argument("--force", action="store_true", help="embed every text anew, also where that was done already")
    parser.add_argument("--push-qdrant", metavar="URL", help="bring the vectors to a Qdrant, too")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from loom.settings import load

    settings = load(flags={"LOOM_GENERATIONS": str(arguments.store)} if arguments.store else {})
    if arguments.batch < 1:
        raise BadInput(f"--batch expects 1 or more, but got {arguments.batch}.", param="batch")
    if arguments.url and not arguments.model:
        raise BadInput("--url needs --model, the name that the server gives its model.", param="model")
    from loom import compose

    store = compose.store(settings.node.generations)
    id = _resolved(store, arguments.id)
    said = attach(settings, store, id, arguments.model, url=arguments.url, batch=arguments.batch, force=arguments.force)
    if arguments.push_qdrant:
        said["pushed"] = _push(settings, store, id, arguments.push_qdrant)
    if arguments.json:
        print(json.dumps(said))
    else:
        print(said["attachment"])
    return 0


def attach(
    settings: "Settings",
    store: "Store",
    id: str,
    model: str | None = None,
    *,
    url: str | None = None,
    batch: int = BATCH,
    force: bool = False,
    quiet: bool = False,
    to: TextIO | None = None,
) -> dict[str, Json]:
    """Embed a generation and attach the vectors, unless that was done already; what came of it, told on standard error too."""
    from loom import compose_semantic
    from loom.build.calibrating.calibrate import of_attachment
    from loom.build.embed import embed

    out, started = io.StringIO() if quiet else to or sys.stderr, time.monotonic()
    found = (
        compose_semantic.served_model(url, model or "", settings.embedding.key, batch)
        if url
        else compose_semantic.named_model(model or compose_semantic.default_model(), batch)
    )
    there = None if force else _there(store, id, found, url is not None)
    if there is not None:
        print(f"already there: the embeddings of {id[7:19]} by {found.model} (--force makes them anew)", file=out)
        return {"generation": id, "attachment": there, "made": False}
    if not url:
        print(f"{found.model}: {found.where}", file=out, flush=True)
    with closing(store.open(id)) as generation, _shown(out) as progress, closing(found.open()) as opened:
        made = embed(
            generation,
            opened,
            lambda vectors, digest: compose_semantic.new_index(settings, vectors, digest),
            _ask,
            batch=batch,
            progress=progress,
            calibrate=of_attachment,
            known={} if force else _known(store, id, opened),
        )
        attachment = store.attach(id, made.files, made.facts)
    encoder, recall = made.facts["encoder"], made.facts["recall"]
    again = f" ({made.reused:,} of them as they were)" if made.reused else ""
    weights = f", questions by {encoder['weights']} weights at cosine {encoder['cosine']:.3f}" if "weights" in encoder else ""
    print(
        f"{made.facts['concepts']:,} units{again} in {time.monotonic() - started:.1f} s, {made.contract.width} numbers each{weights}, recall of "
        f"the index {recall['kind']} {recall['index']:.3f} at {recall['at']}; attached to {id[7:19]}",
        file=out,
    )
    if url:
        print(f"To serve them, set LOOM_EMBED_URL={url}: questions are embedded there.", file=out)
    return {"generation": id, "attachment": attachment, "made": True, **made.facts}


def _resolved(store: "Store", text: str) -> str:
    if text not in ("current", "previous"):
        return store.resolve(text)
    id = store.current() if text == "current" else store.previous()
    if id is None:
        raise NoGeneration(
            f"There is no {text} generation in {store.path}; build one with `loom build SOURCE --out {store.path}`."
        )
    return id


def _there(store: "Store", id: str, found: "Named", served: bool) -> str | None:
    """The attachment that these embeddings would be, where it serves already."""
    for manifest in list(store.attached(id))[:1]:
        contract = manifest["facts"].get("contract", {})
        stated = (contract.get("model"), contract.get("revision"), contract.get("recipe"), contract.get("embedder") == "url")
        if manifest["facts"].get("purpose") == PURPOSE and stated == (found.model, found.revision, RECIPE, served):
            attachment: str = manifest["id"]
            return attachment
    return None


def _known(store: "Store", id: str, model: "Model") -> dict[str, np.ndarray]:
    """The vectors of the newest other generation that this model embedded: most texts of a corpus stay as they are."""
    from loom.build.embed import vectors_of

    for other in reversed([str(manifest["id"]) for manifest in store.list() if manifest["id"] != id]):
        with suppress(LoomError):
            attachment = store.attachment(other)
            if attachment is not None:
                with closing(store.open(other)) as generation:
                    if known := vectors_of(generation, attachment, model):
                        return known
    return {}


def _ask(index: VectorIndex, vectors: np.ndarray, k: int) -> Sequence[np.ndarray]:
    async def each() -> list[np.ndarray]:
        return [(await index.search(vector, k))[0] for vector in vectors]

    return asyncio.run(each())


def _push(settings: "Settings", store: "Store", id: str, url: str) -> int:
    from loom import compose_semantic

    attachment = store.attachment(id)
    if attachment is None:
        raise NoGeneration(f"Nothing is attached to {id[:19]}.")
    with _shown(sys.stderr) as progress:
        digest = str(attachment.manifest["facts"].get("vectors"))
        return compose_semantic.push(attachment.array("vectors.npy"), digest, url, settings.embedding.qdrant_key, progress)


@contextmanager
def _shown(out: TextIO) -> Iterator[Callable[[int, int], object]]:
    """A bar with rate and remaining time on a terminal."""
    if not out.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Any) -> Text:
            return Text(f"{task.speed:.0f} units/s" if task.speed else "")

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=out), transient=True) as bar:
        task = bar.add_task("loading", total=None)
        yield lambda done, total: bar.update(task, description="embedding", completed=done, total=total)
