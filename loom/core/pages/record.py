"""A Class block as a concept: every spelling that sources use for its fields, every fault named."""

import math
import re
from dataclasses import dataclass

from loom.core.hygiene import Found
from loom.core.text import slug_of, slugify, words
from loom.core.values import Concept, Iri, Json, Ref, Where

CLASS_BASE = "urn:ngm:class:"
SHORT = 400
THING = frozenset({"owl:Thing", "Thing", "http://www.w3.org/2002/07/owl#Thing"})

_LABEL = ("label", "rdfs:label", "skos:prefLabel", "prefLabel")
_DEFINITION = ("definition", "skos:definition", "rdfs:comment", "comment")
_PARENTS = ("subClassOf", "rdfs:subClassOf")
_READ = frozenset(
    (*_LABEL, *_DEFINITION, *_PARENTS, "@context", "@id", "@type", "domain", "maturity", "quality", "qualityScore", "relations",
     "sameAs", "provenance", "vc:schemaVersion", "skos:altLabel", "altLabel")
)  # fmt: skip
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S")
_UNFIT = re.compile(r"[\x00-\x20<>\"{}|^`\\\x7f]")
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Noted:
    """Adds remarks to a page's list, at one line."""

    found: list[Found]
    line: int

    def __call__(self, kind: str, message: str) -> None:
        self.found.append((kind, message, self.line))


def as_list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else [] if value is None else [value]


def text_of(value: Json, field: str, noted: Noted) -> str:
    """A text, or the text of a JSON-LD value object or language list (English first); anything else is a remark and ""."""
    if value is None or isinstance(value, str):
        return (value or "").strip()
    options = [one for one in as_list(value) if isinstance(one, str) or (isinstance(one, dict) and "@value" in one)]
    english = [one for one in options if isinstance(one, dict) and str(one.get("@language", "")).startswith("en")]
    for one in (*english, *options):
        content = one["@value"] if isinstance(one, dict) else one
        if isinstance(content, str):
            return content.strip()
    noted("bad-value", f"{field} expects a text, got {type(value).__name__}")
    return ""


def iri_of(value: str, noted: Noted, base: str = CLASS_BASE) -> Iri:
    """An IRI as stated; a bare name becomes a slug below `base`, and so does an IRI that no tool could write."""
    value = value.strip()
    if _SCHEME.match(value):
        if not _UNFIT.search(value):
            return value
        noted("bad-iri", f"{value!r} is no IRI")
        return base + slugify(slug_of(value))
    return base + slugify(value) if value else ""


def refs_of(value: Json, field: str, noted: Noted, repeated: str) -> tuple[Ref, ...]:
    """References in their order, each target once."""
    if isinstance(value, dict):
        noted("object-for-list", f"{field} is an object")
    refs: dict[Iri, Ref] = {}
    for one in as_list(value):
        target = one.get("@id", one.get("id")) if isinstance(one, dict) else one
        if not isinstance(target, str) or not target.strip():
            noted("bad-reference", f"{field} holds {type(target).__name__} where an IRI is expected")
            continue
        label = one.get("label", one.get("rdfs:label", "")) if isinstance(one, dict) else ""
        iri = iri_of(target, noted)
        if not iri or iri == CLASS_BASE:
            noted("bad-reference", f"{field} holds {target!r}, of which no IRI can be made")
        elif iri in refs:
            noted(repeated, f"{field} names {iri} twice")
        else:
            refs[iri] = Ref(iri, label.strip() if isinstance(label, str) else "")
    return tuple(refs.values())


def concept_of(block: dict[str, Json], file: str, line: int, fallback: str, preferred: list[str], noted: Noted) -> Concept:
    """The concept of a Class block. `fallback` is what the page is called where the class has no label."""
    label = _first(block, _LABEL, noted)
    if not label:
        noted("missing-title", f"no label, read as {fallback!r}")
    title = label or fallback
    iri = iri_of(text_of(block.get("@id"), "@id", noted) or title, noted)
    definition = _first(block, _DEFINITION, noted, strip=False)
    for key in block:
        if key not in _READ:
            noted("unread-key", key)
    parents = refs_of(next((block[key] for key in _PARENTS if key in block), None), "subClassOf", noted, "repeated-parent")
    for ref in parents:
        if ref.iri in THING:
            noted("root-parent", f"subClassOf {ref.iri}")
    same = [one.get("label") for one in as_list(block.get("sameAs")) if isinstance(one, dict)]
    stated = [fallback, *preferred, *same, *as_list(block.get("skos:altLabel", block.get("altLabel")))]
    return Concept(
        iri,
        title,
        definition=definition[:SHORT],
        full=definition if len(definition) > SHORT else "",
        aliases=aliases(title, [one for one in stated if isinstance(one, str)]),
        domain=text_of(block.get("domain"), "domain", noted),
        maturity=text_of(block.get("maturity"), "maturity", noted),
        quality=_quality(block, noted),
        parents=tuple(ref for ref in parents if ref.iri not in THING),
        relations=_relations(block, noted),
        where=Where(file, line),
    )


def aliases(title: str, names: list[str]) -> tuple[str, ...]:
    """Names that are not the title under another case or spacing, each once, in order."""
    kept: dict[tuple[str, ...], str] = {}
    for name in names:
        name = _SPACES.sub(" ", name).strip()
        form = tuple(words(name))
        if form and form != tuple(words(title)):
            kept.setdefault(form, name)
    return tuple(kept.values())


def _first(block: dict[str, Json], keys: tuple[str, ...], noted: Noted, strip: bool = True) -> str:
    for key in keys:
        value = block.get(key)
        if isinstance(value, str) and not strip and value.strip():
            return value
        text = text_of(value, key, noted)
        if text:
            return text
    return ""


def _relations(block: dict[str, Json], noted: Noted) -> tuple[tuple[str, tuple[Ref, ...]], ...]:
    stated = block.get("relations")
    if stated is None:
        noted("no-relations", "no relations")
        return ()
    if not isinstance(stated, dict):
        noted("bad-value", f"relations expects an object, got {type(stated).__name__}")
        return ()
    relations: dict[str, tuple[Ref, ...]] = {}
    for name, value in stated.items():
        key = _SPACES.sub(" ", name).strip()
        refs = refs_of(value, f"relations.{key}", noted, "repeated-target")
        if refs and key in relations:
            held = {one.iri for one in relations[key]}
            relations[key] += tuple(ref for ref in refs if ref.iri not in held)
        elif refs and key:
            relations[key] = refs
        elif not refs:
            noted("empty-relation", f"relations.{key} is empty")
    return tuple(relations.items())


def _quality(block: dict[str, Json], noted: Noted) -> float | None:
    quality, score = number(block.get("quality"), "quality", noted), number(block.get("qualityScore"), "qualityScore", noted)
    if quality is None:
        noted("quality-score-only", f"qualityScore {score}") if score is not None else noted("no-quality", "no quality")
    elif score is not None and score != quality:
        noted("quality-differs", f"quality {quality}, qualityScore {score}")
    if quality == 0:
        noted("zero-quality", "quality 0")
        return None
    return quality


def number(value: Json, field: str, noted: Noted) -> float | None:
    """A finite number, or None with a remark for anything else that is stated."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        noted("bad-value", f"{field} expects a number, got {value!r}")
        return None
    return float(value)
