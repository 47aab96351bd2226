"""What format a file of statements is in, and its text as UTF-8."""

import codecs
import re

from loom.core.rdf.faults import Unreadable

ENDINGS = (
    ".ttl",
    ".owl",
    ".rdf",
    ".rdfs",
    ".nt",
    ".n3",
    ".nq",
    ".trig",
    ".jsonld",
    ".skos",
    ".xml",
    ".ofn",
    ".omn",
    ".owx",
    ".obo",
)
PACKED = (".gz", ".xz", ".bz2")
DEEPEST_JSON = 100

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
         (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))  # fmt: skip
_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_COMMENTS = re.compile(r"\A(?:\s+|#[^\n]*\n?|<!--.*?-->|<\?.*?\?>)*", re.S)
_PACKED_MAGIC = ((b"\xfd7zXZ\x00", "xz"), (b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"), (b"PK\x03\x04", "zip"))
_FOREIGN = (
    (re.compile(r"(?:Prefix|Ontology|Declaration)\s*\("), "OWL functional syntax"),
    (re.compile(r"(?:Prefix|Ontology|Class):"), "Manchester syntax"),
    (re.compile(r"(?:format-version|ontology|data-version):"), "the OBO format"),
    (re.compile(r"<!DOCTYPE\s+html|<html", re.I), "HTML"),
)  # fmt: skip
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|([\[{])|([\]}])')
_BY_ENDING = {".nq": "n-quads", ".trig": "trig", ".n3": "n3", ".nt": "n-triples"}


def ending_of(name: str) -> str:
    """The ending that says the format: `.owl` of `a/b.owl.xz`."""
    name = name.lower()
    for packed in PACKED:
        name = name.removesuffix(packed)
    last = name.rsplit("/", 1)[-1]
    return "." + last.rsplit(".", 1)[-1] if "." in last else ""


def is_rdf(name: str) -> bool:
    """Whether a file is called like one of statements, packed or not."""
    return ending_of(name) in ENDINGS


def text_of(data: bytes) -> str:
    """The text of a file, in whatever encoding it states; raises Unreadable where that is not what it is in."""
    for magic, packing in _PACKED_MAGIC:
        if data.startswith(magic):
            raise Unreadable(
                "bad-encoding", f"the file is packed with {packing}, which its name does not say; add the ending or unpack it"
            )
    encoding = next((name for bom, name in _BOMS if data.startswith(bom)), "")
    if not encoding and (declared := _DECLARED.match(data)):
        encoding = declared[1].decode("ascii")
    try:
        text = data.decode(encoding or "utf-8")
    except LookupError:
        raise Unreadable("bad-encoding", f"the encoding {encoding!r} is not known; save the file as UTF-8", 1) from None
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise Unreadable(
            "bad-encoding",
            f"byte {error.start} is not {encoding or 'UTF-8'}; save the file as UTF-8, or state its encoding",
            line,
        ) from None
    text = text.removeprefix("\ufeff")
    if "\x00" in text:
        raise Unreadable(
            "bad-encoding",
            "the file holds NUL characters: it is no text; save it as UTF-8",
            text[: text.index("\x00")].count("\n") + 1,
        )
    return text


def without_declaration(text: str) -> str:
    """An XML text that states no encoding any more; its lines stay where they are."""
    return _DECLARATION.sub(lambda found: "\n" * found[0].count("\n"), text, count=1)


def detect(name: str, text: str) -> str:
    """`rdf/xml`, `turtle`, `n-triples`, `n-quads`, `trig`, `n3` or `json-ld`, told by content first."""
    skipped = _COMMENTS.match(text)
    start = text[skipped.end() if skipped else 0 :][:4096]
    if not start:
        raise Unreadable("empty-file", "the file is empty")
    for pattern, called in _FOREIGN:
        if found := pattern.match(start):
            line = text[: text.index(found[0])].count("\n") + 1
            raise Unreadable(
                "other-format",
                f"this is {called}; save it as Turtle, RDF/XML, N-Triples or JSON-LD (`robot convert` does)",
                line,
            )
    ending = ending_of(name)
    if start.startswith("{") or (start.startswith("[") and ending not in (".ttl", ".n3", ".trig")):
        return "trig" if ending == ".trig" else "json-ld"
    if re.match(r"<(?:!DOCTYPE|[A-Za-z_][\w.-]*(?::[\w.-]+)?[\s>/])", start) and not start.startswith(
        ("<http:", "<https:", "<urn:")
    ):
        return "rdf/xml"
    return _BY_ENDING.get(ending, "turtle")


def check_json_depth(text: str) -> None:
    """JSON that is nested beyond what any ontology needs costs time that grows with the square of its depth."""
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(text):
        if found[1]:
            depth += 1
            if depth > DEEPEST_JSON:
                line = text[: found.start()].count("\n") + 1
                raise Unreadable("too-deep", f"values are nested more than {DEEPEST_JSON} deep; write nodes side by side", line)
        elif found[2]:
            depth -= 1
