"""A reasoner that is another program: ELK, Konclude, or any that reads OWL from a file and writes a hierarchy to one."""

import os
import re
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree

from loom.core.errors import BadSettings, ReasonerFailure
from loom.core.reason import axioms as ax
from loom.core.reason.closure import Closure, unread
from loom.core.reason.reasoner import ElReasoner
from loom.core.values import Iri

UNREAD = "urn:loom:unread:"
OWL_XML = "{http://www.w3.org/2002/07/owl#}"
STATEMENT = re.compile(r"\b(SubClassOf|EquivalentClasses)\(\s*([^()]*?)\s*\)")
NAME = re.compile(r"<([^<>\s]*)>|(?<!\S)([\w-]*):([\w.-]*)(?!\S)")
PREFIX = re.compile(r"\bPrefix\(\s*([\w-]*):\s*=\s*<([^<>]*)>\s*\)")


class ReasonerCommand:
    """Runs a command with `{input}` and `{output}` replaced by the paths of two files, functional syntax in the first.

    The command writes the classes' hierarchy to the second, in functional syntax or OWL/XML. What lies outside OWL 2 EL is not
    handed over (expressions stand in as classes of their own) and is reported as unread. It is ended, with whatever it started,
    after `seconds`. Explanations are the built-in reasoner's, which follows EL only.
    """

    def __init__(self, command: str, seconds: float = 600.0) -> None:
        self._words = shlex.split(command)
        if not self._words or not all(any(mark in word for word in self._words) for mark in ("{input}", "{output}")):
            raise BadSettings(
                f"The command of a reasoner names {{input}} and {{output}}, the files it reads and writes, but this is {command!r};"
                " write it like `java -jar elk.jar -i {input} -c -o {output}`.",
                param="reasoner",
            )
        self._seconds = seconds

    def classify(self, axioms: Sequence[ax.Axiom]) -> Closure:
        readable = [axiom for axiom in axioms if not isinstance(axiom, ax.Ignored)]
        aside = [(axiom.kind, axiom.example) for axiom in axioms if isinstance(axiom, ax.Ignored)]
        aside += sorted(_opaque(readable))
        with tempfile.TemporaryDirectory(prefix="loom-reasoner-") as folder:
            given, taken = Path(folder) / "ontology.ofn", Path(folder) / "hierarchy.owl"
            given.write_text(document(readable), encoding="utf-8")
            self._run(given, taken)
            if not taken.is_file():
                raise ReasonerFailure(f"{self._words[0]} ended well but wrote no {{output}}; check the command's options.")
            found = hierarchy(taken.read_bytes())
        declared = [axiom for axiom in readable if isinstance(axiom, ax.Declared)]
        closure = ElReasoner().classify([*declared, *(ax.Declared(one) for one in _classes(readable)), *found])
        return Closure(
            closure.parents, closure.ancestors, closure.equivalents, closure.unsatisfiable, closure.consistent, unread(aside)
        )

    def explain(self, iri: Iri, axioms: Sequence[ax.Axiom]) -> tuple[ax.Axiom, ...]:
        return ElReasoner().explain(iri, axioms)

    def _run(self, given: Path, taken: Path) -> None:
        words = [word.replace("{input}", str(given)).replace("{output}", str(taken)) for word in self._words]
        try:
            process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
            )
        except OSError as error:
            raise ReasonerFailure(
                f"The reasoner {words[0]!r} cannot be started ({error.strerror}); install it or correct the command."
            ) from error
        try:
            said, _ = process.communicate(timeout=self._seconds)
        except subprocess.TimeoutExpired as error:
            raise ReasonerFailure(
                f"The reasoner {words[0]!r} had not ended after {self._seconds:g} s and was stopped; give it longer."
            ) from error
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
        if process.returncode:
            tail = said.decode(errors="replace").strip()[-400:]
            raise ReasonerFailure(f"The reasoner {words[0]!r} ended with {process.returncode}: {tail or 'it said nothing'}")


def _parts(value: ax.Expression) -> Iterator[ax.Expression]:
    yield value
    match value:
        case ax.Some(_, filler):
            yield from _parts(filler)
        case ax.And(parts) | ax.Or(parts):
            for part in parts:
                yield from _parts(part)
        case ax.Not(part):
            yield from _parts(part)
        case _:
            pass


def _expressions(axioms: Iterable[ax.Axiom]) -> Iterator[ax.Expression]:
    for axiom in axioms:
        match axiom:
            case ax.SubClassOf(sub, sup):
                yield from (*_parts(sub), *_parts(sup))
            case ax.Equivalent(classes) | ax.Disjoint(classes):
                for one in classes:
                    yield from _parts(one)
            case ax.Domain(_, cls) | ax.Range(_, cls):
                yield from _parts(cls)
            case _:
                pass


def _opaque(axioms: Iterable[ax.Axiom]) -> set[tuple[str, str]]:
    return {(one.kind, one.text) for one in _expressions(axioms) if isinstance(one, ax.Opaque)}


def _classes(axioms: Iterable[ax.Axiom]) -> list[ax.Named]:
    return sorted({one for one in _expressions(axioms) if isinstance(one, ax.Named)}, key=lambda one: one.iri)


def _known(value: ax.Expression) -> ax.Expression:
    """The expression with a class of its own in place of what cannot be handed over."""
    match value:
        case ax.Opaque():
            return ax.Named(UNREAD + ax.axiom_id(ax.Ignored(value.kind, value.text)))
        case ax.Some(role, filler):
            return ax.Some(role, _known(filler))
        case ax.And(parts):
            return _joined(ax.And, parts)
        case ax.Or(parts):
            return _joined(ax.Or, parts)
        case ax.Not(part):
            return ax.Not(_known(part))
        case _:
            return value


def _joined(kind: type[ax.And] | type[ax.Or], parts: tuple[ax.Expression, ...]) -> ax.Expression:
    """An intersection or union; OWL wants two operands at least."""
    known = tuple(dict.fromkeys(map(_known, parts)))
    return known[0] if len(known) == 1 else kind(known)


def _statements(axiom: ax.Axiom) -> Iterator[ax.Axiom]:
    """The axiom as OWL 2 allows it: lists of two at least, no class listed twice."""
    match axiom:
        case ax.SubClassOf(sub, sup):
            yield ax.SubClassOf(_known(sub), _known(sup))
        case ax.Equivalent(classes):
            distinct = tuple(dict.fromkeys(map(_known, classes)))
            if len(distinct) > 1:
                yield ax.Equivalent(distinct)
        case ax.Disjoint(classes):
            known = list(map(_known, classes))
            distinct = tuple(dict.fromkeys(known))
            yield from (ax.SubClassOf(one, ax.BOTTOM) for one in distinct if known.count(one) > 1)
            if len(distinct) > 1:
                yield ax.Disjoint(distinct)
        case ax.Domain(role, cls):
            yield ax.Domain(role, _known(cls))
        case ax.Range(role, cls):
            yield ax.Range(role, _known(cls))
        case _:
            yield axiom


def document(axioms: Iterable[ax.Axiom]) -> str:
    """The axioms as a document in functional syntax."""
    lines = [ax.text(statement) for axiom in axioms for statement in _statements(axiom)]
    return "\n".join([f"Prefix(owl:=<{ax.OWL}>)", "Ontology(<urn:loom:ontology>", *lines, ")", ""])


def hierarchy(data: bytes) -> list[ax.Axiom]:
    """The subclass and equivalence axioms between named classes of a document in functional syntax or OWL/XML."""
    try:
        rows = _of_xml(data) if data.lstrip().startswith(b"<") else _of_functional(data.decode())
        return [_axiom(kind, names) for kind, names in rows if not any(name.startswith(UNREAD) for name in names)]
    except (ElementTree.ParseError, UnicodeDecodeError, KeyError) as error:
        raise ReasonerFailure(f"The reasoner's output is neither functional syntax nor OWL/XML: {error}.") from error


def _axiom(kind: str, names: Sequence[Iri]) -> ax.Axiom:
    classes = tuple(map(ax.Named, names))
    return ax.SubClassOf(*classes) if kind == "SubClassOf" else ax.Equivalent(classes)


def _of_functional(text: str) -> Iterator[tuple[str, list[Iri]]]:
    prefixes = {"owl": ax.OWL} | dict(PREFIX.findall(text))
    for kind, body in STATEMENT.findall(text):
        yield kind, [whole or prefixes[prefix] + local for whole, prefix, local in NAME.findall(body)]


def _of_xml(data: bytes) -> Iterator[tuple[str, list[Iri]]]:
    root = ElementTree.fromstring(data)
    prefixes = {"owl": ax.OWL} | {one.get("name", ""): one.get("IRI", "") for one in root.iter(OWL_XML + "Prefix")}
    for element in root:
        kind = element.tag.removeprefix(OWL_XML)
        if kind in ("SubClassOf", "EquivalentClasses"):
            names = []
            for one in element.iter(OWL_XML + "Class"):
                prefix, _, local = one.get("abbreviatedIRI", ":").partition(":")
                names.append(one.get("IRI") or prefixes[prefix] + local)
            yield kind, names
