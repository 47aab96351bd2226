"""A folder or archive of outline pages with fenced JSON-LD blocks."""

import gc
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from itertools import chain, islice
from multiprocessing.connection import wait

import orjson

from loom.core.errors import BadSource
from loom.core.pages.page import Page, read_page
from loom.core.report import Report
from loom.core.text import slug_of, slugify
from loom.core.values import Concept, Iri, Ref, Where
from loom.ports import SourceFile, SourceFiles

CHUNK = 64
SMALL = 512


class PageFolder:
    """Reads every published Class block of the pages of a source, in the order of their paths.

    Links in the text are resolved within the source, by page slug, class slug or title; a link that leads nowhere keeps the
    IRI that it has. `workers` processes parse what is more than a few hundred pages; concepts and remarks are the same for any
    number of them.
    """

    def __init__(self, files: SourceFiles, *, prose: bool = True, workers: int = 1) -> None:
        self._files = files
        self._prose = prose
        self._workers = workers

    def read(self, report: Report) -> Iterator[Concept]:
        pages = sorted(self._pages(report), key=lambda page: page.name)
        if not pages:
            raise BadSource("Expected pages (.md files) in the source, but there are none; check the path.")
        for page in pages:
            for kind, message, line in page.found:
                report.note(kind, message, Where(page.name, line))
            page.found.clear()
        targets = _targets(pages, report)
        titles = {slugify(concept.title) for page in pages for concept in page.concepts}
        for page in pages:
            links = tuple(_resolved(page, targets, report))
            for concept in page.concepts:
                yield replace(concept, links=links, aliases=tuple(_own(concept, titles, report)))

    def _pages(self, report: Report) -> Iterator[Page]:
        files = self._files.files(report)
        if self._workers > 1:
            first = list(islice(files, SMALL))
            if len(first) == SMALL:
                return self._parallel(chain(first, files))
            files = iter(first)
        return (read_page(file.name, file.data, orjson.loads, prose=self._prose) for file in files)

    def _parallel(self, files: Iterable[SourceFile]) -> Iterator[Page]:
        """At most two chunks a worker are under way, so that reading ahead never holds the corpus in memory."""
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(self._workers, mp_context=context, initializer=_prepared) as pool:
            waiting: deque[Future[list[Page]]] = deque()
            try:
                for chunk in _chunks(files):
                    waiting.append(pool.submit(_read_chunk, chunk, self._prose))
                    if len(waiting) > 2 * self._workers:
                        yield from waiting.popleft().result()
                while waiting:
                    yield from waiting.popleft().result()
            except BrokenProcessPool as error:
                raise BadSource("A process that parses pages was killed (out of memory?); build with --workers 1.") from error
            finally:
                pool.shutdown(wait=False, cancel_futures=True)


def _chunks(files: Iterable[SourceFile]) -> Iterator[Sequence[SourceFile]]:
    chunk: list[SourceFile] = []
    for file in files:
        chunk.append(file)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _prepared() -> None:
    """An interrupt is the parent's to handle; when the parent is gone, so is the worker."""
    gc.disable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _read_chunk(files: Sequence[SourceFile], prose: bool) -> list[Page]:
    return [read_page(file.name, file.data, orjson.loads, prose=prose) for file in files]


def _targets(pages: Sequence[Page], report: Report) -> dict[str, Iri]:
    """Concepts by page slug, class slug and slugified name; page slugs come first, and of two the first page by path."""
    by_page: dict[str, Iri] = {}
    by_class: dict[str, Iri] = {}
    by_name: dict[str, Iri] = {}
    page_iris: dict[Iri, str] = {}
    for page in pages:
        if not page.concepts:
            continue
        where, first = Where(page.name), page.concepts[0].iri
        if page.slug in by_page:
            report.note("duplicate-page-slug", f"{page.slug} is also the slug of another page", where)
        if page.iri and page.iri in page_iris:
            report.note("duplicate-page-iri", f"{page.iri} is also the IRI of {page_iris[page.iri]}", where)
        page_iris.setdefault(page.iri, page.name)
        by_page.setdefault(page.slug, first)
        for concept in page.concepts:
            by_class.setdefault(slug_of(concept.iri), concept.iri)
            for name in (concept.title, *concept.aliases):
                by_name.setdefault(slugify(name), concept.iri)
    return by_name | by_class | by_page


def _own(concept: Concept, titles: set[str], report: Report) -> Iterator[str]:
    """The aliases that are not the title of another concept."""
    for alias in concept.aliases:
        if slugify(alias) in titles:
            report.note("alias-is-title", f"{alias!r}, also stated for {concept.title!r}", concept.where)
        else:
            yield alias


def _resolved(page: Page, targets: dict[str, Iri], report: Report) -> Iterator[Ref]:
    seen: set[Iri] = set()
    for link in page.links:
        slug = slug_of(link.iri)
        iri = targets.get(slug) or targets.get(slugify(link.label)) if slug else targets.get(slugify(link.label))
        if iri is None and page.concepts:
            report.note("dangling-link", f"a link to {link.label or link.iri}", Where(page.name))
        target = iri or link.iri
        if target and target not in seen:
            seen.add(target)
            yield Ref(target, link.label)
