"""Checks over the whole corpus: what no reader of one page can see."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence

from loom.build.cycles import cycles
from loom.build.stage import Stage, Work, by_iri
from loom.core.concepts import RELATIONS
from loom.core.pages.resolve import slug_name
from loom.core.relations import nearest
from loom.core.report import Report
from loom.core.text import fold, slug_of, slugify
from loom.core.values import Concept, Iri, Ref

_NOT_WORD = re.compile(r"[\W_]+")
_EMAIL = re.compile(r"\b[\w.+-]{1,64}@[\w-]{1,64}(?:\.[A-Za-z]{2,24}){1,4}\b")
LONGEST_NAME = 4
RELATIONS_SET = frozenset(RELATIONS)


def check(work: Work) -> None:
    known = by_iri(work.concepts)
    named = RELATIONS_SET.union(*(one.relations for one in work.statements))
    for concept in work.concepts:
        if concept.deprecated:
            continue
        _own(concept, work.report)
        _edges(concept, known, named, work.report)
    _names([concept for concept in work.concepts if not concept.deprecated], work.report)
    _circles(work.concepts, known, work.report)


def _own(concept: Concept, report: Report) -> None:
    """What a concept says of itself."""
    if not (concept.definition.strip() or concept.full.strip()):
        report.note("empty-definition", f"{concept.title!r} has no definition", concept.where)
    if concept.full and concept.full != concept.definition:
        report.note("definition-cut", f"{concept.title!r}: {len(concept.full)} code points", concept.where)
    if "[[" in (concept.full or concept.definition):
        report.note("wikilink-in-definition", f"the definition of {concept.title!r}", concept.where)
    for text in (concept.full or concept.definition, concept.prose):
        if "@" in text and (found := _EMAIL.search(text)):
            report.note("email-text", f"{found[0]!r} in the text of {concept.title!r}", concept.where)
    if len(slugify(concept.title).split("-")) > LONGEST_NAME:
        report.note("long-title", repr(concept.title), concept.where)
    slug = slug_of(concept.iri)
    if slug not in (slugify(concept.title), slug_name(concept.title)):
        report.note("slug-differs", f"{concept.title!r} has the slug {slug!r}", concept.where)


def _edges(concept: Concept, known: Mapping[Iri, Concept], named: Container[str], report: Report) -> None:
    parents = [ref.iri for ref in concept.parents]
    for ref in _repeats(concept.parents):
        report.note("repeated-parent", f"{concept.title!r} is-a {ref.iri}, stated again", concept.where)
    for ref in concept.parents:
        if ref.iri == concept.iri:
            report.note("parent-cycle", f"{concept.title!r} is its own parent", concept.where)
        elif ref.iri not in known:
            report.note("dangling-parent", f"{concept.title!r} is-a {ref.iri}, which has no page", concept.where)
        _label(concept, ref, known, report)
    for name, targets in concept.relations:
        if name not in named:
            near = nearest(name)
            hint = f"nearest: {near}" if near else "no known name is near"
            for ref in targets:
                report.note("unknown-relation", f"{name!r} of {concept.title!r} to {ref.iri} ({hint})", concept.where)
        for ref in _repeats(targets):
            report.note("repeated-target", f"{concept.title!r} {name} {ref.iri}, stated again", concept.where)
        for ref in targets:
            if ref.iri == concept.iri:
                report.note("self-loop", f"{concept.title!r} {name} itself", concept.where)
            elif ref.iri not in known:
                report.note("dangling-relation", f"{concept.title!r} {name} {ref.iri}, which has no page", concept.where)
            _label(concept, ref, known, report)
            if name == "contrastsWith" and ref.iri in parents:
                report.note("contradictory-edge", f"{concept.title!r} is-a and contrastsWith {ref.iri}", concept.where)


def _repeats(refs: Sequence[Ref]) -> Iterator[Ref]:
    seen: set[Iri] = set()
    for ref in refs:
        if ref.iri in seen:
            yield ref
        seen.add(ref.iri)


def _label(concept: Concept, ref: Ref, known: Mapping[Iri, Concept], report: Report) -> None:
    target = known.get(ref.iri)
    if target is not None and ref.label and ref.label != target.title:
        report.note(
            "reference-label-differs", f"{concept.title!r} calls {ref.iri} {ref.label!r}, it is {target.title!r}", concept.where
        )


def _names(concepts: Sequence[Concept], report: Report) -> None:
    """Titles and slugs against one another."""
    by_slug: dict[str, list[Concept]] = {}
    by_title: dict[str, list[Concept]] = {}
    by_form: dict[str, list[Concept]] = {}
    for concept in concepts:
        by_slug.setdefault(slug_of(concept.iri).casefold(), []).append(concept)
        by_title.setdefault(fold(concept.title).strip(), []).append(concept)
        by_form.setdefault(_form(concept.title), []).append(concept)
    _shared(concepts, by_title, report)
    for slug, same in by_slug.items():
        for concept in same[1:]:
            report.note("slug-collision", f"{concept.iri} and {same[0].iri} end in {slug!r}", concept.where)
    for same in by_title.values():
        for concept in same[1:]:
            report.note("duplicate-title", f"{concept.title!r} is the title of {same[0].iri} and {concept.iri}", concept.where)
    for form, same in by_form.items():
        first = same[0]
        for concept in same[1:]:
            if form and fold(concept.title).strip() != fold(first.title).strip():
                report.note(
                    "near-duplicate-title", f"{concept.title!r} ({concept.iri}), {first.title!r} ({first.iri})", concept.where
                )
    for concept in concepts:
        for other in by_slug.get(slugify(concept.title), ()):
            if other.iri != concept.iri:
                report.note(
                    "title-shadows-slug", f"{concept.title!r} is the slug of {other.iri} ({other.title!r})", concept.where
                )


def _shared(concepts: Sequence[Concept], by_title: Mapping[str, Sequence[Concept]], report: Report) -> None:
    """Aliases that are the title or an alias of another concept."""
    held: dict[str, Iri] = {name: same[0].iri for name, same in by_title.items()}
    for concept in concepts:
        for name in dict.fromkeys(fold(alias).strip() for alias in concept.aliases):
            first = held.setdefault(name, concept.iri)
            if first != concept.iri:
                report.note("shared-name", f"{name!r} names {first} and {concept.iri}", concept.where)


def _form(title: str) -> str:
    """A title without case, accents, spaces, punctuation and the plural of its words."""
    pieces = _NOT_WORD.split(fold(title))
    return "".join(
        piece[:-1] if len(piece) > 3 and piece.endswith("s") and not piece.endswith("ss") else piece for piece in pieces
    )


def _circles(concepts: Sequence[Concept], known: Mapping[Iri, Concept], report: Report) -> None:
    parents = {concept.iri: [ref.iri for ref in concept.parents if ref.iri in known] for concept in concepts}
    for circle in cycles(parents):
        report.note("parent-cycle", " → ".join(known[iri].title for iri in (*circle, circle[0])), known[circle[0]].where)


STAGE = Stage("check", ("rdf",), check)
