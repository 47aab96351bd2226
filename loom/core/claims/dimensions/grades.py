"""Graded labels of people or judges: which claim answers which query how well. Fits are made from them (seed 001 §6, §10.1).

JSON lines: `{"query": "…", "domain": "…", "claim": "claim:…", "grade": 0 to 3}`; a claim that nobody graded for a query has grade 0.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from loom.core.claims.dimensions.judged import TOP_GRADE
from loom.core.claims.json_lines import values_of
from loom.core.errors import BadInput

MEMBERS = ("query", "domain", "claim", "grade")


@dataclass(frozen=True, slots=True)
class Grade:
    query: str
    domain: str
    claim: str
    grade: float


def grade_of(given: object, where: str) -> Grade:
    """Raises BadInput, which says where it is and what is wrong."""
    if not isinstance(given, Mapping) or set(given) != set(MEMBERS):
        raise BadInput(f"{where}: expected an object with {', '.join(MEMBERS)} and no more.", param="judged")
    texts = {name: given[name] for name in MEMBERS[:3]}
    if wrong := [name for name, value in texts.items() if not isinstance(value, str) or not value.strip()]:
        raise BadInput(f"{where}: expected {wrong[0]} as a text, but got {given[wrong[0]]!r:.60}.", param="judged")
    grade = given["grade"]
    if isinstance(grade, bool) or not isinstance(grade, int | float) or not 0 <= grade <= TOP_GRADE:
        raise BadInput(f"{where}: expected a grade from 0 to {TOP_GRADE}, but got {grade!r:.60}.", param="judged")
    return Grade(texts["query"], texts["domain"], texts["claim"], float(grade))


def read_grades(text: str) -> tuple[Grade, ...]:
    """The grades of JSON lines, of which empty ones are passed over. Raises BadInput, also where a claim is graded twice for a query."""
    found: dict[tuple[str, str, str], Grade] = {}
    for number, given in values_of(text, "judged"):
        made = grade_of(given, f"Line {number}")
        if found.setdefault((made.query, made.domain, made.claim), made) is not made:
            raise BadInput(f"Line {number}: {made.claim} is graded twice for {made.query!r:.60}.", param="judged")
    return tuple(found.values())


def by_query(grades: Iterable[Grade], domain: str) -> dict[str, dict[str, float]]:
    """The grades of a domain by query, in the order of the queries' texts."""
    found: dict[str, dict[str, float]] = {}
    for each in grades:
        if each.domain == domain:
            found.setdefault(each.query, {})[each.claim] = each.grade
    return {query: found[query] for query in sorted(found)}
