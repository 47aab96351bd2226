"""Markdown files of a folder or an archive, read once, in the order of their paths, never outside their root.

An archive is read member by member in memory and never unpacked to disk. Where every member lies in one top folder, that
folder is not part of the paths, so that a folder and its archive build the same generation. Pages of the assertion ledger are not there for a reader, wherever they lie: no
remark, no count, nothing of them tells a source with them from one without.
"""

import lzma
import os
import re
import stat
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath

from loom.core.errors import BadSource
from loom.core.proposals.ledger import HEAD, OWN, is_ledger
from loom.core.rdf.formats import ENDINGS, PACKED, is_rdf
from loom.core.report import Kind, Report
from loom.core.text import slug_of
from loom.core.values import Where
from loom.ports import SourceFile, SourceFiles

MARKDOWN = (".md", ".markdown")
INDEXES = (".json", ".json.gz", ".json.xz")
LOOKED_AT = 64
MAX_FILE = 16 * 1024 * 1024
MAX_RDF = 1024 * 1024 * 1024
INDEX_FILE = "scaffold-index.json"
CATALOG = "catalog-v001.xml"
MAX_ARCHIVE = 4 * 1024 * 1024 * 1024
ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".zip")
_DATA_FENCE = re.compile(rb"^(?:- )?(?:`{3,}|~{3,})[ \t]*(?:json-ld|jsonld)\b", re.M)
_FRONT = re.compile(rb"(?:\xef\xbb\xbf)?---[ \t]*\r?\n")
_JSON_LD = re.compile(rb'"@(?:context|graph|id|type)"')
_CONTROL = re.compile("[\x00-\x1f]")
_UNPORTABLE = set('<>:"\\|?*')


def is_archive(path: Path) -> bool:
    return path.name.lower().endswith(ARCHIVES)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which files of a source are read: told by name; the remark that others make; how large one may be."""

    name: Callable[[str], bool] = lambda name: name.lower().endswith(MARKDOWN)
    other: str = "not-markdown"
    largest: int = MAX_FILE


PAGES = Wanted()


def open_files(path: Path, wanted: Wanted = PAGES) -> "SourceFiles":
    """The files of a folder, or of an archive told by the ending of its name."""
    if path.is_dir():
        return FolderFiles(path, wanted.largest, wanted)
    if path.is_file() and is_archive(path):
        return ArchiveFiles(path, wanted.largest, wanted=wanted)
    if not path.exists():
        raise BadSource(f"Expected a folder or an archive, but {path} does not exist; check the path.")
    raise BadSource(f"Expected a folder or an archive ({', '.join(ARCHIVES)}), but {path.name} is neither; pack or unpack it.")


def kind_of(path: Path) -> str:
    """What a source is, told by its name and the beginnings of its pages: `index-v1`, `rdf`, `pages` or `vault`.

    A folder or archive is `pages` where more of its first pages have a fenced JSON-LD block than have front matter (a vault may
    quote such a block), `rdf` where it has no page and an ontology, else `vault`. A JSON file is `rdf` where it is JSON-LD.
    """
    if path.is_file() and path.name.lower().endswith(INDEXES):
        return "rdf" if path.suffix == ".json" and _JSON_LD.search(_beginning(path)) else "index-v1"
    if path.is_file() and not is_archive(path) and is_rdf(path.name):
        return "rdf"
    if path.is_dir() and (path / INDEX_FILE).is_file() and not any(path.glob("*.md")):
        return "index-v1"
    files = open_files(path)
    report = Report(_Anything())
    looked = files.members(report) if isinstance(files, ArchiveFiles) else files.files(report)
    first = list(islice(looked, LOOKED_AT))
    if sum(bool(_DATA_FENCE.search(data)) for _, data in first) > sum(bool(_FRONT.match(data)) for _, data in first):
        return "pages"
    return "rdf" if not first and _any_rdf(path) else "vault"


def _beginning(path: Path | str, most: int = 65_536) -> bytes:
    with open(path, "rb") as file:
        return file.read(most)


def _page(name: str) -> bool:
    return name.lower().endswith(MARKDOWN)


def _own(name: str) -> bool:
    """Whether a path is of what the node itself writes on its way."""
    return any(part.startswith(OWN) for part in name.split("/"))


def _of_ledger(name: str, data: bytes) -> bool:
    return _page(name) and is_ledger(data)


def _any_rdf(path: Path) -> bool:
    report, wanted = Report(_Anything()), Wanted(is_rdf, "not-rdf", MAX_RDF)
    if not path.is_dir():
        return any(True for _ in ArchiveFiles(path, MAX_RDF, wanted=wanted).members(report))
    return any(is_rdf(name) for _, _, names in os.walk(path) for name in names)


class OneFile:
    """A single file as a source, under its own name."""

    def __init__(self, path: Path, max_file: int = MAX_RDF) -> None:
        self._path = path
        self._max = max_file

    def files(self, report: Report) -> Iterator[SourceFile]:
        name = _shown(self._path.name)
        try:
            if not _too_large(report, name, self._path.stat().st_size, self._max):
                yield SourceFile(name, self._path.read_bytes())
        except OSError as error:
            report.note("unreadable-file", f"{error.strerror or error}", Where(name))


class Together:
    """Several sources as one, each file under its own name; of two that are called alike the later gets a number."""

    def __init__(self, sources: Sequence[SourceFiles]) -> None:
        self._sources = sources

    def files(self, report: Report) -> Iterator[SourceFile]:
        taken: set[str] = set()
        for number, source in enumerate(self._sources, 1):
            for file in source.files(report):
                name = file.name if file.name not in taken else f"{number}/{file.name}"
                taken.add(name)
                yield SourceFile(name, file.data)


def rdf_files(paths: Sequence[Path]) -> SourceFiles:
    """Ontology files of several folders, archives and single files, as one source."""
    wanted = Wanted(lambda name: is_rdf(name) or name.rsplit("/", 1)[-1] == CATALOG, "not-rdf", MAX_RDF)
    sources = [open_files(path, wanted) if path.is_dir() or is_archive(path) else OneFile(path) for path in paths]
    return sources[0] if len(sources) == 1 else Together(sources)


def beside(path: Path, located: Callable[[bytes], Mapping[str, str]]) -> Callable[[str], SourceFile | None]:
    """Finds what a single file imports: by the catalogue in its folder (which `located` reads), else by the local name."""
    folder = path.parent
    catalog = folder / CATALOG
    places = located(catalog.read_bytes()) if catalog.is_file() and catalog.stat().st_size < MAX_FILE else {}

    def find(iri: str) -> SourceFile | None:
        stem = slug_of(iri)
        names = [places[iri]] if iri in places else []
        if stem and "/" not in stem and not stem.startswith("."):
            names += [stem, *(stem + ending + packed for ending in ENDINGS for packed in ("", *PACKED))]
        for name in names:
            one = folder / name
            if one.is_file() and not one.is_symlink() and one.resolve() != path.resolve() and one.stat().st_size <= MAX_RDF:
                return SourceFile(name, one.read_bytes())
        return None

    return find


def count_of(path: Path) -> int | None:
    """How many pages a folder holds, where that is known without reading them."""
    if not path.is_dir():
        return None
    return sum(name.lower().endswith(MARKDOWN) for _, _, names in os.walk(path) for name in names)


class _Anything(dict[str, Kind]):
    """Kinds for a report that nobody reads."""

    def __missing__(self, name: str) -> Kind:
        return Kind(name, "info", "")


class FakeFiles:
    """Files held in memory, for tests and for composing sources in code."""

    def __init__(self, contents: Mapping[str, str | bytes], wanted: Wanted = PAGES) -> None:
        self._contents = contents
        self._wanted = wanted

    def files(self, report: Report) -> Iterator[SourceFile]:
        names = _Names(report, self._wanted)
        for name, content in sorted(self._contents.items()):
            data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
            if not _own(name) and not _of_ledger(name, data) and names.usable(name):
                yield SourceFile(name, data)


class FolderFiles:
    """Markdown files below a folder. Symbolic links are not followed."""

    def __init__(self, root: Path, max_file: int = MAX_FILE, wanted: Wanted = PAGES) -> None:
        self._root = root
        self._max = max_file
        self._wanted = wanted

    def files(self, report: Report) -> Iterator[SourceFile]:
        if not self._root.is_dir():
            raise BadSource(f"Expected a folder at {self._root}, but there is none; check the path.")
        names = _Names(report, self._wanted)
        for name in sorted(self._walk(report)):
            path = os.path.join(self._root, name)
            try:
                status = os.lstat(path)
                regular = stat.S_ISREG(status.st_mode)
                whole = regular and self._wanted.name(name) and status.st_size <= self._max
                data = _beginning(path, -1 if whole else HEAD) if whole or (regular and _page(name)) else b""
            except OSError as error:
                if names.usable(name):
                    report.note("unreadable-file", f"{error.strerror or error}", Where(name))
                continue
            if _of_ledger(name, data) or not names.usable(name):
                continue
            if not regular:
                report.note("unreadable-file", "this is no regular file", Where(name))
            elif not _too_large(report, name, status.st_size, self._max):
                yield SourceFile(name, data)

    def _walk(self, report: Report) -> Iterator[str]:
        pending = [""]
        while pending:
            folder = pending.pop()
            try:
                with os.scandir(os.path.join(self._root, folder)) as entries:
                    for entry in entries:
                        name = folder + entry.name
                        if entry.name.startswith(OWN):
                            continue
                        if entry.name.startswith("."):
                            report.note("hidden-file", "hidden, not read", Where(_shown(name)))
                        elif entry.is_symlink():
                            report.note("symbolic-link", "links are not followed", Where(_shown(name)))
                        elif entry.is_dir():
                            pending.append(f"{name}/")
                        else:
                            yield name
            except OSError as error:
                report.note("unreadable-file", f"{error.strerror or error}", Where(_shown(folder)))


class ArchiveFiles:
    """Markdown files of a tar or zip archive. Members that are links or devices, or whose paths leave the root, are left out."""

    def __init__(self, path: Path, max_file: int = MAX_FILE, max_total: int = MAX_ARCHIVE, wanted: Wanted = PAGES) -> None:
        self._path = path
        self._max = max_file
        self._total = max_total
        self._which = wanted

    def files(self, report: Report) -> Iterator[SourceFile]:
        found = sorted(self.members(report))
        names = _Names(report, self._which)
        top = _top_folder([name for name, _ in found])
        for at, (name, data) in enumerate(found):
            found[at] = ("", b"")
            if names.usable(name[len(top) :]):
                yield SourceFile(name[len(top) :], data)

    def members(self, report: Report) -> Iterator[tuple[str, bytes]]:
        """Paths and bytes in the order of the archive, the top folder not yet taken off."""
        try:
            yield from self._zip(report) if self._path.name.lower().endswith(".zip") else self._tar(report)
        except (tarfile.TarError, zipfile.BadZipFile, EOFError, OSError, RuntimeError, lzma.LZMAError, zlib.error) as error:
            raise BadSource(
                f"Expected a whole archive, but {self._path.name} cannot be read ({error}); fetch it again."
            ) from error

    def _tar(self, report: Report) -> Iterator[tuple[str, bytes]]:
        total = 0
        with tarfile.open(self._path) as archive:
            for member in archive:
                name = member.name.removeprefix("./")
                if member.isdir() or _own(name):
                    continue
                if member.issym() or member.islnk():
                    report.note("symbolic-link", "links in archives are not followed", Where(_shown(name)))
                elif not member.isreg():
                    report.note("unreadable-file", "this is no regular file", Where(_shown(name)))
                elif (opened := archive.extractfile(member)) is not None:
                    head = opened.read(HEAD) if _page(name) else b""
                    if not is_ledger(head) and self._wanted(report, name, member.size):
                        total = self._within(total + member.size)
                        yield name, head + opened.read()

    def _zip(self, report: Report) -> Iterator[tuple[str, bytes]]:
        total = 0
        with zipfile.ZipFile(self._path) as archive:
            for member in archive.infolist():
                if member.is_dir() or _own(member.filename):
                    continue
                if stat.S_ISLNK(member.external_attr >> 16):
                    report.note("symbolic-link", "links in archives are not followed", Where(_shown(member.filename)))
                elif not (_page(member.filename) and self._is_ledger(archive, member)) and self._wanted(
                    report, member.filename, member.file_size
                ):
                    total = self._within(total + member.file_size)
                    with archive.open(member) as opened:
                        yield member.filename, opened.read(self._max + 1)

    def _is_ledger(self, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bool:
        with archive.open(member) as opened:
            return is_ledger(opened.read(HEAD))

    def _within(self, total: int) -> int:
        if total > self._total:
            raise BadSource(
                f"Expected at most {self._total:,} bytes of text in an archive, but {self._path.name} holds more; unpack it."
            )
        return total

    def _wanted(self, report: Report, name: str, size: int) -> bool:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or "\\" in name:
            report.note("bad-file-name", "the path leaves the archive, or is written with backslashes", Where(_shown(name)))
            return False
        if any(part.startswith(".") for part in path.parts):
            report.note("hidden-file", "hidden, not read", Where(_shown(name)))
            return False
        if not self._which.name(name):
            report.note(self._which.other, "not read", Where(_shown(name)))
            return False
        return not _too_large(report, name, size, self._max)


class _Names:
    """Remarks on paths, in the order in which they come."""

    def __init__(self, report: Report, wanted: Wanted = PAGES) -> None:
        self._report = report
        self._wanted = wanted
        self._seen: dict[str, str] = {}

    def usable(self, name: str) -> bool:
        where = Where(_shown(name))
        if not self._wanted.name(name):
            self._report.note(self._wanted.other, "not read", where)
            return False
        if where.file != name or _CONTROL.search(name):
            self._report.note("bad-file-name", "the path is not UTF-8, or holds control characters", where)
            return False
        folded = unicodedata.normalize("NFC", name).casefold()
        if folded in self._seen:
            self._report.note("case-collision", f"the same path but for case as {self._seen[folded]}", where)
        self._seen.setdefault(folded, name)
        last = name.rsplit("/", 1)[-1]
        if _UNPORTABLE & set(last) or last.rsplit(".", 1)[0].endswith((".", " ")):
            self._report.note("file-name-portable", "not allowed on every system", where)
        return True


def _too_large(report: Report, name: str, size: int, limit: int) -> bool:
    if size > limit:
        report.note("file-too-large", f"{size:,} bytes, where at most {limit:,} are read", Where(_shown(name)))
    return size > limit


def _shown(name: str) -> str:
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _top_folder(names: list[str]) -> str:
    """`pages/` where every path begins with it, else ""."""
    tops = {name.split("/", 1)[0] if "/" in name else "" for name in names}
    top = tops.pop() if len(tops) == 1 else ""
    return f"{top}/" if top else ""
