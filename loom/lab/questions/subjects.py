"""What may be asked about: the concepts that are defined well enough, by domain."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from loom.core.concepts import Concepts, Links
from loom.core.matching.default import plain_words
from loom.core.mint.neutral import neutral_name
from loom.core.text import slug_of
from loom.core.values import Row

UNSTATED_QUALITY = 0.65
"""What a concept counts for that states no quality (reference §10)."""

OTHER = "other"
"""The domain of what belongs to none that is large enough."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One concept that may be asked about. `links` leads to what the corpus defines and strangers alike."""

    row: Row
    iri: str
    title: str
    domain: str
    links: Links

    @property
    def slug(self) -> str:
        return slug_of(self.iri)


def name_key(title: str) -> str:
    """Two titles with one key are one name to the matcher."""
    return "".join(plain_words(title))


def subjects(
    concepts: Concepts, *, min_quality: float, min_definition: int, min_domain: int, left: Counter[str]
) -> dict[str, list[Subject]]:
    """By domain, in order, the concepts that may be asked about, by IRI; `left` counts the others by reason.

    A concept that states no domain belongs to its branch: the title of what stands topmost above it. Domains of fewer than
    `min_domain` concepts are taken together as `other`, and left out where these are too few as well beside larger ones.
    """
    named = Counter(name_key(concepts.title(row)) for row in range(concepts.count))
    by_domain: dict[str, list[Subject]] = {}
    for row in range(concepts.count):
        record = concepts.record(row)
        why = _unfit(record, named[name_key(record["title"])], min_quality, min_definition)
        if why:
            left[why] += 1
            continue
        links = concepts.links(row)
        domain = record.get("domain") or _branch(concepts, row, links)
        by_domain.setdefault(domain, []).append(Subject(row, concepts.iri(row), neutral_name(record["title"]), domain, links))
    return _pooled(by_domain, min_domain, left)


def _unfit(record: dict[str, object], called: int, min_quality: float, min_definition: int) -> str:
    quality = record.get("quality")
    if record.get("deprecated"):
        return "deprecated"
    if not name_key(str(record["title"])):
        return "without a name that can be matched"
    if called > 1:
        return "another concept has the name"
    if (quality if isinstance(quality, int | float) else UNSTATED_QUALITY) < min_quality:
        return "quality below the least"
    if len(str(record.get("full") or record.get("definition") or "")) < min_definition:
        return "definition shorter than the least"
    return ""


def _branch(concepts: Concepts, row: Row, links: Links) -> str:
    """The first in order of what stands above a concept with nothing above itself; "" for a concept that stands alone."""
    tops = (top for top in sorted(_above(concepts, links)) if not concepts.links(top).parents)
    top = next(tops, None)
    if top is None:
        return "" if links.parents else neutral_name(concepts.title(row)) if concepts.children(row) else ""
    return neutral_name(concepts.title(top))


def _above(concepts: Concepts, links: Links) -> Iterator[Row]:
    return (target for target in (*links.parents, *links.ancestors) if target < concepts.count)


def _pooled(by_domain: dict[str, list[Subject]], least: int, left: Counter[str]) -> dict[str, list[Subject]]:
    large = {domain: found for domain, found in sorted(by_domain.items()) if domain and len(found) >= least}
    rest = sorted(
        (replace(each, domain=OTHER) for domain, found in by_domain.items() if domain not in large for each in found),
        key=lambda each: each.iri,
    )
    rest += large.pop(OTHER, [])
    if large and len(rest) < least:
        left["domain too small"] += len(rest)
        return large
    return {**large, **({OTHER: rest} if rest else {})}
