"""RDF/XML made safe before it is parsed: well-formed, no external entity, no entity that unfolds without end, not too deep."""

import re
from xml.parsers import expat

from loom.core.rdf.faults import Unreadable
from loom.core.rdf.vocab import RDF

DEEPEST = 2_000
LARGEST_ENTITY = 64 * 1024
LARGEST_EXPANSION = 64 * 1024 * 1024
_REFERENCE = re.compile(r"&([A-Za-z_][\w.-]*);")
_PREDEFINED = {"amp", "lt", "gt", "quot", "apos"}
_OWL_XML = "http://www.w3.org/2002/07/owl#"


class _Reading:
    def __init__(self, text: str) -> None:
        self.text = text
        self.parser = expat.ParserCreate("utf-8", " ")
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.EndDoctypeDeclHandler = self._end_doctype
        self.parser.EntityDeclHandler = self._entity
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.StartNamespaceDeclHandler = self._prefix
        self.entities: dict[str, str] = {}
        self.prefixes: dict[str, str] = {}
        self.start = self.end = -1
        self._depth = 0

    def run(self) -> None:
        try:
            self.parser.Parse(self.text.encode("utf-8", "replace"), True)
        except expat.ExpatError as error:
            said = expat.errors.messages[error.code] if error.code in expat.errors.messages else str(error)
            if "amplification" in said:
                raise Unreadable(
                    "entity-trick", "entities unfold to far more than the file holds; write the text out", error.lineno
                ) from None
            hint = "declare the prefix, or correct it" if said == expat.errors.XML_ERROR_UNBOUND_PREFIX else "mend the line"
            hint = "the file ends early, fetch it again" if error.code in _CUT else hint
            raise Unreadable("bad-rdf", f"this is not well-formed XML ({said}); {hint}", error.lineno) from None

    @property
    def line(self) -> int:
        return self.parser.CurrentLineNumber

    def _doctype(self, name: str, system: str | None, public: str | None, internal: bool) -> None:
        if name.lower() == "html":
            raise Unreadable("other-format", "this is HTML; fetch the ontology itself, as Turtle or RDF/XML", self.line)
        self.start = self.parser.CurrentByteIndex

    def _entity(
        self,
        name: str,
        parameter: bool,
        value: str | None,
        base: str | None,
        system: str | None,
        public: str | None,
        notation: str | None,
    ) -> None:
        if system is not None or value is None:
            raise Unreadable(
                "entity-trick", f"the entity {name!r} is read from outside ({system}); write its text here", self.line
            )
        if parameter:
            raise Unreadable("entity-trick", f"the parameter entity {name!r} is not read; write its text here", self.line)
        self.entities.setdefault(name, self._unfolded(name, value))

    def _unfolded(self, name: str, value: str) -> str:
        """The value with entities that were declared before it put in."""
        size = len(value) + sum(len(self.entities.get(found[1], "")) for found in _REFERENCE.finditer(value))
        if size > LARGEST_ENTITY:
            raise Unreadable(
                "entity-trick",
                f"the entity {name!r} unfolds to more than {LARGEST_ENTITY:,} characters; write the text out",
                self.line,
            )
        return _REFERENCE.sub(lambda found: self.entities.get(found[1], found[0]), value)

    def _prefix(self, prefix: str | None, namespace: str | None) -> None:
        if namespace:
            self.prefixes.setdefault(prefix or "", namespace)

    def _end_doctype(self) -> None:
        self.end = self.parser.CurrentByteIndex
        uses: dict[str, int] = {}
        for found in _REFERENCE.finditer(self.text):
            uses[found[1]] = uses.get(found[1], 0) + 1
        if sum(count * len(self.entities.get(name, "")) for name, count in uses.items()) > LARGEST_EXPANSION:
            raise Unreadable("entity-trick", "entities unfold to far more than the file holds; write the text out", self.line)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._depth:
            namespace, _, local = name.rpartition(" ")
            if namespace == _OWL_XML and local == "Ontology":
                said = "this is OWL/XML; save it as Turtle or RDF/XML (`robot convert` does)"
                if not any(key.startswith(RDF) for key in attributes):
                    raise Unreadable("other-format", said, self.line)
            if not namespace and local.lower() in ("html", "rss", "svg", "catalog", "project"):
                raise Unreadable(
                    "other-format", f"this is XML of another kind (<{local}>), which states no RDF; remove it", self.line
                )
        self._depth += 1
        if self._depth > DEEPEST:
            raise Unreadable("too-deep", f"elements are nested more than {DEEPEST:,} deep; write nodes side by side", self.line)

    def _end(self, name: str) -> None:
        self._depth -= 1


_CUT = {
    expat.errors.codes[said]
    for said in (expat.errors.XML_ERROR_NO_ELEMENTS, expat.errors.XML_ERROR_UNCLOSED_TOKEN, expat.errors.XML_ERROR_PARTIAL_CHAR)
}


def checked(text: str) -> tuple[str, dict[str, str]]:
    """The text with its entities unfolded in the declaration, on the same lines, and its prefixes; raises Unreadable."""
    reading = _Reading(text)
    reading.run()
    if reading.start < 0:
        return text, reading.prefixes
    data = text.encode("utf-8", "replace")
    end = data.index(b">", reading.end) + 1
    start = data.rindex(b"<!DOCTYPE", 0, reading.start + 9)
    removed = data[start:end]
    values = (f'<!ENTITY {name} "{_quoted(value)}">' for name, value in reading.entities.items() if name not in _PREDEFINED)
    declared = "<!DOCTYPE rdf:RDF [" + "".join(values) + "\n" * removed.count(b"\n") + "]>"
    return (data[:start] + declared.encode("utf-8") + data[end:]).decode("utf-8"), reading.prefixes


def _quoted(value: str) -> str:
    return value.replace('"', "&#34;").replace("%", "&#37;")
