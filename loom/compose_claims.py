"""The composition of the claims layer: which store keeps it, who judges, and what reads entries."""

import asyncio
import os
import socket
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from loom.answer.plan import Plan
from loom.claims.closure import poured
from loom.claims.finder import ClaimFinder
from loom.claims.judges import Judges
from loom.claims.stated import COMPONENTS, ModelStated, Stated, stated
from loom.claims.watch import ClaimWatch
from loom.claims.workspace import Claims
from loom.core.claims.judging.routing import Router, learned, read_requests
from loom.core.errors import BadInput, BadSettings, BadSource, EmbedderFailure, LoomError, MissingExtra, NotFound
from loom.core.report import Report
from loom.core.values import Json
from loom.ports import AnswerBook, Embedder, EntryReader, Reranking
from loom.settings import Settings

if TYPE_CHECKING:
    from loom_adapters.judges_url import UrlJudges

EMBED = 'Expected embed in the claims file as "hash", or as the name or folder of a sentence-transformers model'
PASSED_OVER = {
    "other-file": "of another kind", "empty-file": "without text", "hidden-file": "hidden", "symbolic-link": "a link",
}  # fmt: skip
"""What is said of a file that is not read, where that is no fault of it."""


def claims(settings: Settings) -> Claims | None:
    """The workspace, where one is kept; its store is opened when it is first needed. Raises MissingExtra and BadSettings."""
    kept = settings.claims
    return workspace(kept.store, kept.file) if kept.kept else None


def workspace(store: str, file: str = "") -> Claims:
    """A workspace in a store, as its file states it. Raises MissingExtra and BadSettings."""
    from loom_adapters.claims.opening import opener
    from loom_adapters.clock import SystemClock

    said = read_stated(file)
    return Claims(
        opener(store),
        judges(said, Path(file).parent if file else Path()),
        SystemClock().now,
        holder=f"{socket.gethostname()}:{os.getpid()}",
        parts=said.parts,
        rules=said.rules,
        penalty=said.penalty,
        weak=said.hyde_below,
        unsure=said.unsure_below,
        thin=said.reason_below,
    )


def read_stated(file: str) -> Stated:
    """What the file of a workspace states; without a file, the defaults. Raises BadSettings."""
    if not file:
        return Stated()
    try:
        return stated(tomllib.loads(Path(file).read_text(encoding="utf-8")))
    except BadSettings as error:
        raise BadSettings(f"{file}: {error.message}", param=error.param) from error
    except OSError as error:
        raise BadSettings(
            f"Expected the claims file {file}, but it cannot be read: {error.strerror}; see that it is there, or name another with "
            "--file or LOOM_CLAIMS_FILE.",
            param="claims_file",
        ) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadSettings(f"{file}: expected TOML in UTF-8, but {error}; correct it there.", param="claims_file") from error


def readable(file: str) -> None:
    """Raises BadSettings where the file of a workspace is not there or states what does not do, or a model of it has not its key."""
    said = read_stated(file)
    for name in sorted(set(said.judges.values())):
        _key(said.models[name])
    if said.parts.router == "embedding":
        _labelled(Path(file).parent / said.requests)


async def tokens_of_answers(file: str) -> dict[str, list[tuple[int, int]]]:
    """Tokens in and out of each attempt of what the models of a workspace were asked, by its key, as the book of their answers has them.
    Raises BadSettings, and BadInput where another process holds the book."""
    said = read_stated(file)
    path = Path(file).parent / said.answers
    found: dict[str, list[tuple[int, int]]] = {}
    if not said.judges or not path.is_file():
        return found
    from loom_adapters.answer_book import SqliteAnswers

    book = SqliteAnswers(path)
    for each in book.ledger():
        tokens = each.get("tokens")
        if isinstance(tokens, dict) and not each.get("error"):
            found.setdefault(str(each["key"]), []).append((int(tokens["prompt"]), int(tokens["completion"])))
    await book.aclose()
    return found


def judges(said: Stated, folder: Path) -> Judges:
    """Who judges: the models that the file names, and rules wherever it names none."""
    from loom_adapters.judges_plain import PlainJudges

    embedder = _embedder(said.embed)
    router = _router(folder / said.requests, embedder) if said.parts.router == "embedding" else None
    plain = PlainJudges(embedder, router=router)
    named = {}
    if chats := {name for component, name in said.judges.items() if component != "reranking"}:
        from loom_adapters.answer_book import SqliteAnswers

        book: AnswerBook = SqliteAnswers(folder / said.answers, shared=True)
        named = {name: _model(said.models[name], book) for name in sorted(chats)}
    who = {component: named[name] for component, name in said.judges.items() if component != "reranking"}
    places: dict[str, Any] = {component: who.get(component, plain) for component in COMPONENTS if component != "reranking"}
    if router is not None:
        places["routing"] = plain
    cross = _reranker(said.models[said.judges["reranking"]]) if "reranking" in said.judges else None
    routing, filing = said.judges.get("routing"), said.judges.get("filing")
    both = named[routing] if routing is not None and routing == filing and router is None else None
    return Judges(**places, embedder=embedder, reranking=cross, deciding=both)


def holding(held: Claims | None, settings: Settings) -> tuple[ClaimFinder, ...]:
    """The finder of what is held, where anything is."""
    stated = settings.claims
    return (ClaimFinder(held, floor=stated.floor, hits=stated.hits),) if held else ()


def watching(held: Claims | None, plan: Plan) -> tuple[ClaimWatch, ...]:
    """The watch of an answer, where claims are held."""
    return (ClaimWatch(plan, held),) if held else ()


def provenance(store: str) -> Callable[[Callable[[str], None]], dict[str, Json]]:
    """What tells each statement on what the claims of a store rest on, in its newest version. Raises NotFound and MissingExtra."""
    from loom_adapters.claims.opening import opener

    if "://" not in store and not Path(store).is_file():
        raise NotFound(f"There are no claims at {store}; name the file or the PostgreSQL URL of a store.", param="claims")
    open_ = opener(store)

    async def told(take: Callable[[str], None]) -> dict[str, Json]:
        claims = open_()
        try:
            return await claims.look(lambda view: poured(view, take))
        finally:
            await claims.aclose()

    return lambda take: asyncio.run(told(take))


def entry_reader(path: Path) -> EntryReader:
    """What reads a folder, an archive or one file of documents, mail, transcripts and lines. Raises BadSource where it cannot be opened."""
    from loom_adapters.entries import FileEntries, is_entry
    from loom_adapters.source_files import OneFile, Wanted, is_archive, open_files

    wanted = Wanted(is_entry, "other-file")
    if not path.exists():
        raise BadSource(f"Expected a folder, an archive or one file, but {path} does not exist; check the path.")
    if path.is_file() and not is_archive(path):
        return FileEntries(OneFile(path))
    return FileEntries(open_files(path, wanted))


def unread(path: Path, report: Report, entries: int) -> str:
    """A sentence on the files that gave no entry, and on what is read; "" where there is none."""
    from loom_adapters.entries.files import READ
    from loom_adapters.source_files import ARCHIVES

    counts = report.counts()
    found = [f"{counts[kind]:,} {what}" for kind, what in PASSED_OVER.items() if kind in counts]
    if entries and not found:
        return ""
    if not entries and not found and not report.of("error"):
        found = ["no file"]
    came = f" ({', '.join(found)})" if found else ""
    what = f"Not everything in {path}" if entries else f"Nothing of {path}"
    return f"{what} was read{came}; give files that end in {', '.join(READ)}, a folder, or an archive of them ({', '.join(ARCHIVES)})."


def _embedder(name: str) -> Embedder:
    if name == "hash":
        from loom_adapters.fake_embedder import FakeEmbedder

        return FakeEmbedder()
    from loom.compose_semantic import named_model

    try:
        return named_model(name, 32).open().embedder
    except (BadInput, EmbedderFailure) as error:
        raise BadSettings(
            f"{EMBED}, but there is no model {name!r:.60} that can be opened; write one of these.", param="embed"
        ) from error
    except MissingExtra as error:
        raise BadSettings(
            f"{EMBED}, but got {name!r:.60}; correct it, or install what opens a model: pip install 'loom-node[embed]'.",
            param="embed",
        ) from error


def _model(model: ModelStated, book: AnswerBook) -> "UrlJudges":
    from loom_adapters.clock import SystemClock
    from loom_adapters.judges_url import Prices, UrlJudges
    from loom_adapters.openai_url import Deadlines, OpenAIUrl

    backend = OpenAIUrl(model.url, key=_key(model), deadlines=Deadlines(first_byte=600.0), retries=2)
    return UrlJudges(
        backend,
        book,
        SystemClock(),
        model=model.model,
        prices=Prices(*model.price),
        tier=model.tier,
        concurrency=model.concurrency,
    )


def _router(path: Path, embedder: Embedder) -> Router:
    texts, labels = _labelled(path)
    try:
        return learned(embedder.embed(texts) if texts else np.zeros((0, 1)), labels)
    except LoomError as error:
        raise BadSettings(f"{path}: {error.message}", param="requests") from error


def _labelled(path: Path) -> tuple[list[str], list[str]]:
    """Labelled requests. Raises BadSettings."""
    try:
        return read_requests(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSettings(
            f"Expected labelled requests in {path}, but it cannot be read: {error.strerror}; see that it is there.",
            param="requests",
        ) from error
    except (UnicodeDecodeError, LoomError) as error:
        why = error.message if isinstance(error, LoomError) else "it is no UTF-8"
        raise BadSettings(f"{path}: {why}", param="requests") from error


def _reranker(model: ModelStated) -> Reranking:
    from loom_adapters.rerank_url import RerankUrl

    return RerankUrl(model.url, model.model, key=_key(model), tier=model.tier, price=model.price[0])


def _key(model: ModelStated) -> str:
    key = os.environ.get(model.key_env, "") if model.key_env else ""
    if model.key_env and not key:
        raise BadSettings(
            f"[models.{model.name}]: expected a key in {model.key_env}, but it is not set; set it.", param="key_env"
        )
    return key
