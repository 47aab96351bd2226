"""What an answer is graded against: the question's own reference, or its gold names with the relation that was asked for."""

import re
from dataclasses import dataclass

from loom.lab.question import LabQuestion

TAXONOMIC = {
    "T-TAX": "the immediate parent (broader concept) of the subject",
    "T-COMMON": "a broader concept that both subjects fall under",
}
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Edge:
    """What a gold name is to the subject of its question; `relation` is "" where the question does not tell it by a name."""

    subject: str
    relation: str

    def __str__(self) -> str:
        if not self.relation:
            return "what the question asks for"
        return f"{self.relation} (of {self.subject})" if self.subject else self.relation


def edge_of(question: LabQuestion) -> Edge:
    """Relation and subject as the question file states them (`relation`, `subject`), or as its template and key tell."""
    relation, subject = question.more.get("relation"), question.more.get("subject")
    key = question.key.split(":")
    if not isinstance(relation, str) or not relation:
        relation = TAXONOMIC.get(question.template, "") or (key[-1] if len(key) == 3 and key[0] == "rel" else "")
    if not isinstance(subject, str) or not subject:
        subject = " and ".join(slug.replace("-", " ") for slug in question.class_slugs)
    return Edge(subject, relation if " " in relation else _CAMEL.sub(" ", relation).lower())


def reference_of(question: LabQuestion) -> str:
    """The reference of a question, "" where it has none."""
    if question.reference.strip():
        return question.reference
    if not question.gold:
        return ""
    wanted = "one of these (any one is enough)" if question.gold_type == "any" else "each of these"
    lines = [f"A correct answer names {wanted}, as {edge_of(question)}:", *(f"- {title}" for title in question.titles)]
    if question.gold_extra:
        lines += ["Correct as well, and not required:", *(f"- {target.title}" for target in question.gold_extra)]
    return "\n".join(lines)
