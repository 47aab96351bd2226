"""Names to pages: by IRI, path, title, file name or alias; what is left over is told the nearest title."""

import difflib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from loom.core.text import fold
from loom.core.values import Iri

_SPACES = re.compile(r"\s+")
_RUNS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Address:
    """What one page can be called."""

    iri: Iri
    path: str
    title: str
    aliases: tuple[str, ...] = ()

    @property
    def stem(self) -> str:
        return self.path.rsplit("/", 1)[-1].rsplit(".", 1)[0]


def slug_name(text: str) -> str:
    """The slug of a name in any script: folded, runs of other characters as one hyphen."""
    return _RUNS.sub("-", fold(text)).strip("-")


def _same(text: str) -> str:
    return _SPACES.sub(" ", unicodedata.normalize("NFC", text)).strip()


def _loose(text: str) -> str:
    return _same(text).casefold()


class Resolver:
    """Looks names up, most exact sense first; within one sense the first page by path is meant."""

    def __init__(self, addresses: Sequence[Address]) -> None:
        self._iris = {one.iri for one in addresses}
        self._senses: list[dict[str, list[Address]]] = [{} for _ in range(6)]
        self._words: dict[str, list[str]] = {}
        self._near: dict[str, str] = {}
        for one in sorted(addresses, key=lambda address: address.path):
            names: tuple[Iterable[str], ...] = (
                (_loose(one.path), _loose(one.path.rsplit(".", 1)[0])),
                (_same(one.title),),
                (_loose(one.title),),
                (_loose(one.stem),),
                map(_loose, one.aliases),
                map(slug_name, (one.title, one.stem, *one.aliases)),
            )
            for sense, keys in zip(self._senses, names, strict=True):
                for key in dict.fromkeys(keys):
                    if key:
                        sense.setdefault(key, []).append(one)
            for word in set(slug_name(one.title).split("-")):
                self._words.setdefault(word[:2], []).append(one.title)

    def find(self, text: str) -> list[Address] | Iri | None:
        """The pages that a text means, or the IRI that it is; None where it means nothing known."""
        text = text.split("#", 1)[0] if not text.startswith(("http:", "https:", "urn:")) else text
        if text in self._iris:
            return text
        name = unquote(text).removeprefix("./").lstrip("/")
        exact, loose, slug = _same(name), _loose(name), slug_name(name)
        for sense, key in zip(self._senses, (loose, exact, loose, loose, loose, slug), strict=True):
            if key and key in sense:
                return sense[key]
        last = name.rsplit("/", 1)[-1]
        return self.find(last) if "/" in name and last and "://" not in name else None

    def nearest(self, text: str) -> str:
        """The title most like a text, "" where none is."""
        if text not in self._near:
            pieces = {word[:2] for word in slug_name(text).split("-")}
            pool = sorted({title for piece in pieces for title in self._words.get(piece, ())})
            close = difflib.get_close_matches(text, pool, n=1, cutoff=0.6)
            self._near[text] = close[0] if close else ""
        return self._near[text]
