"""On which line each subject is stated, as far as a look at the text can tell."""

import re
from collections.abc import Mapping

from loom.core.values import Iri

_ABOUT = re.compile(r"""\brdf:(about|ID)\s*=\s*(["'])(.*?)\2""")
_SUBJECT = re.compile(r"^\s*(?:<([^<>\"{}|^`\\\s]+)>|([\w.-]*:[\w.%~-]+))\s+\S")
_AT_ID = re.compile(r'"@id"\s*:\s*"([^"\\]+)"')
_BASE = re.compile(r"""\bxml:base\s*=\s*(["'])(.*?)\1""")
_REFERENCE = re.compile(r"&([A-Za-z_][\w.-]*);")
_ENTITY = re.compile(r"""<!ENTITY\s+([A-Za-z_][\w.-]*)\s+(["'])(.*?)\2""")


def lines_of(text: str, format: str, prefixes: Mapping[str, Iri], base: Iri) -> dict[Iri, int]:
    """The first line on which each IRI stands where a subject does; what is spelled in an unusual way is not found."""
    found: dict[Iri, int] = {}
    if format == "rdf/xml":
        if stated := _BASE.search(text):
            base = stated[2].rstrip("#")
        entities = {name: value for name, _, value in _ENTITY.findall(text)}
        for number, line in enumerate(text.split("\n"), 1):
            if "rdf:" in line:
                for kind, _, value in _ABOUT.findall(line):
                    iri = _REFERENCE.sub(lambda one: entities.get(one[1], one[0]), value) if "&" in value else value
                    if kind == "ID" or iri.startswith("#"):
                        iri = f"{base}#{iri.removeprefix('#')}"
                    found.setdefault(iri, number)
        return found
    for number, line in enumerate(text.split("\n"), 1):
        if format == "json-ld":
            for iri in _AT_ID.findall(line):
                prefix, _, local = iri.partition(":")
                found.setdefault(prefixes[prefix] + local if prefix in prefixes else iri, number)
        elif (subject := _SUBJECT.match(line)) is not None:
            iri, name = subject[1], subject[2]
            if name is not None:
                prefix, _, local = name.partition(":")
                if prefix not in prefixes:
                    continue
                iri = prefixes[prefix] + local
            found.setdefault(iri, number)
    return found
