"""Markdown files of a folder or an archive, read once, in the order of their paths, never outside their root.

An archive is read member by member in memory and never unpacked to disk. Where every member lies in one top folder, that
folder is not part of the paths, so that a folder and its archive build the same generation.
"""

import lzma
import os
import re
import stat
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path, PurePosixPath

from loom.core.errors import BadSource
from loom.core.report import Kind, Report
from loom.core.values import Where
from loom.ports import SourceFile, SourceFiles

MARKDOWN = (".md", ".markdown")
INDEXES = (".json", ".json.gz", ".json.xz")
LOOKED_AT = 64
MAX_FILE = 16 * 1024 * 1024
MAX_ARCHIVE = 4 * 1024 * 1024 * 1024
ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".zip")
_DATA_FENCE = re.compile(rb"^(?:- )?(?:`{3,}|~{3,})[ \t]*(?:json-ld|jsonld)\b", re.M)
_CONTROL = re.compile("[\x00-\x1f]")
_UNPORTABLE = set('<>:"\\|?*')


def is_archive(path: Path) -> bool:
    return path.name.lower().endswith(ARCHIVES)


def open_files(path: Path) -> "SourceFiles":
    """The files of a folder, or of an archive told by the ending of its name."""
    if path.is_dir():
        return FolderFiles(path)
    if path.is_file() and is_archive(path):
        return ArchiveFiles(path)
    if not path.exists():
        raise BadSource(f"Expected a folder or an archive, but {path} does not exist; check the path.")
    raise BadSource(f"Expected a folder or an archive ({', '.join(ARCHIVES)}), but {path.name} is neither; pack or unpack it.")


def kind_of(path: Path) -> str:
    """What a source is, told by its name and the beginnings of its pages: `index-v1`, `pages` or `vault`.

    A folder or archive is `pages` where one of its first pages has a fenced JSON-LD block, else `vault`.
    """
    if path.is_file() and path.name.lower().endswith(INDEXES):
        return "index-v1"
    files = open_files(path)
    report = Report(_Anything())
    looked = files.members(report) if isinstance(files, ArchiveFiles) else files.files(report)
    return "pages" if any(_DATA_FENCE.search(data) for _, data in islice(looked, LOOKED_AT)) else "vault"


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

    def __init__(self, contents: Mapping[str, str | bytes]) -> None:
        self._contents = contents

    def files(self, report: Report) -> Iterator[SourceFile]:
        names = _Names(report)
        for name, content in sorted(self._contents.items()):
            if names.usable(name):
                yield SourceFile(name, content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)


class FolderFiles:
    """Markdown files below a folder. Symbolic links are not followed."""

    def __init__(self, root: Path, max_file: int = MAX_FILE) -> None:
        self._root = root
        self._max = max_file

    def files(self, report: Report) -> Iterator[SourceFile]:
        if not self._root.is_dir():
            raise BadSource(f"Expected a folder at {self._root}, but there is none; check the path.")
        names = _Names(report)
        for name in sorted(self._walk(report)):
            if not names.usable(name):
                continue
            path = os.path.join(self._root, name)
            try:
                status = os.lstat(path)
                if not stat.S_ISREG(status.st_mode):
                    report.note("unreadable-file", "this is no regular file", Where(name))
                    continue
                if _too_large(report, name, status.st_size, self._max):
                    continue
                with open(path, "rb") as file:
                    data = file.read()
            except OSError as error:
                report.note("unreadable-file", f"{error.strerror or error}", Where(name))
                continue
            yield SourceFile(name, data)

    def _walk(self, report: Report) -> Iterator[str]:
        pending = [""]
        while pending:
            folder = pending.pop()
            try:
                with os.scandir(os.path.join(self._root, folder)) as entries:
                    for entry in entries:
                        name = folder + entry.name
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

    def __init__(self, path: Path, max_file: int = MAX_FILE, max_total: int = MAX_ARCHIVE) -> None:
        self._path = path
        self._max = max_file
        self._total = max_total

    def files(self, report: Report) -> Iterator[SourceFile]:
        found = sorted(self.members(report))
        names = _Names(report)
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
                if member.isdir():
                    continue
                if member.issym() or member.islnk():
                    report.note("symbolic-link", "links in archives are not followed", Where(_shown(name)))
                elif not member.isreg():
                    report.note("unreadable-file", "this is no regular file", Where(_shown(name)))
                elif self._wanted(report, name, member.size) and (opened := archive.extractfile(member)) is not None:
                    total = self._within(total + member.size)
                    yield name, opened.read()

    def _zip(self, report: Report) -> Iterator[tuple[str, bytes]]:
        total = 0
        with zipfile.ZipFile(self._path) as archive:
            for member in archive.infolist():
                if member.is_dir():
                    continue
                if stat.S_ISLNK(member.external_attr >> 16):
                    report.note("symbolic-link", "links in archives are not followed", Where(_shown(member.filename)))
                elif self._wanted(report, member.filename, member.file_size):
                    total = self._within(total + member.file_size)
                    with archive.open(member) as opened:
                        yield member.filename, opened.read(self._max + 1)

    def _within(self, total: int) -> int:
        if total > self._total:
            raise BadSource(
                f"Expected at most {self._total:,} bytes of markdown in an archive, but {self._path.name} holds more; unpack it."
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
        if not name.lower().endswith(MARKDOWN):
            report.note("not-markdown", "not read", Where(_shown(name)))
            return False
        return not _too_large(report, name, size, self._max)


class _Names:
    """Remarks on paths, in the order in which they come."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._seen: dict[str, str] = {}

    def usable(self, name: str) -> bool:
        where = Where(_shown(name))
        if not name.lower().endswith(MARKDOWN):
            self._report.note("not-markdown", "not read", where)
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
