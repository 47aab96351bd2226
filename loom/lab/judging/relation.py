"""The relational question of an audit: does the answer assert this name in the relation that was asked for? Six labels by
precedence, a role, a confidence and a quote (lab spec, "Judging"; seed 000 §10.2)."""

from dataclasses import dataclass

from loom.core.values import Json
from loom.lab.judging.fences import DATA, digest, messages
from loom.lab.judging.replies import objects, one_line
from loom.lab.judging.units import Unit

ABSENT = "absent"
LABELS = ("correct_relation", "name_only", "wrong_relation", "reversed", "negated", ABSENT)
ROLES = ("required", "alternative")

RUBRIC = f"""You check one thing: whether an answer asserts that ITEM stands in the RELATION that the question asks for.
Choose one label. Where several would fit, take the first of this list that does:
1. correct_relation: the answer asserts ITEM in that relation to the subject of the question, in whatever words.
2. name_only: the answer names ITEM, in whatever words, without asserting a relation of it to the subject.
3. wrong_relation: the answer asserts another relation between ITEM and the subject than the one asked for.
4. reversed: the answer asserts the relation the other way round, from ITEM to the subject.
5. negated: the answer denies that ITEM stands in the relation.
6. absent: the answer does not mention ITEM in any words.
Then say:
- role: "required" where the question asks for ITEM itself, "alternative" where any one of the accepted items is enough.
- instead: true where the answer does not assert ITEM but asserts another accepted item in the relation, else false.
- confidence: a number from 0 to 1.
- quote: for every label but absent, the words of the answer that the label rests on, copied character for character as one \
unbroken span; for absent, null.
Judge the answer alone, not what you know. {DATA}
Reply with one JSON object and nothing else: {{"label": "...", "role": "...", "instead": false, "confidence": 0.0, "quote": "..."}}"""

FORMAT = (
    f"That reply cannot be read. Reply with one JSON object and nothing else, with label (one of {', '.join(LABELS)}), role, "
    "instead, confidence and quote."
)
VERBATIM = (
    "The quote in that reply does not occur in the answer. The rubric and the item are the same. Reply with the same JSON object, "
    "its quote copied character for character from the answer as one unbroken span. If no span of the answer supports the label, "
    "say so with a quote of null."
)
RUBRIC_DIGEST = digest(RUBRIC, FORMAT, VERBATIM)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a judge found: `quote` is "" where none was given; `role`, `instead` and `confidence` None where not told."""

    label: str
    role: str | None = None
    instead: bool | None = None
    confidence: float | None = None
    quote: str = ""


def prompt_of(unit: Unit) -> list[dict[str, Json]]:
    """What a judge is sent about a unit; nothing in it tells arm, model or what the matcher said."""
    need = "any one of the accepted items is enough" if unit.gold_type == "any" else "all accepted items are asked for"
    return messages(
        RUBRIC,
        [
            ("question", unit.question),
            ("RELATION", unit.edge),
            ("ITEM", unit.title),
            ("accepted items", "\n".join(f"- {title}" for title in unit.gold) + f"\n({need})"),
            ("answer", unit.answer),
        ],
    )


def read(text: str) -> Finding | None:
    """The finding of a reply; None where there is no label of the six, or two different ones."""
    found = [each for each in objects(text) if isinstance(each.get("label"), str)]
    labels = {_word(each["label"]) for each in found}
    if len(labels) != 1 or not labels <= set(LABELS):
        return None
    stated = found[-1]
    role = _word(stated["role"]) if isinstance(stated.get("role"), str) else None
    instead, quote = stated.get("instead"), stated.get("quote")
    return Finding(
        labels.pop(),
        role if role in ROLES else None,
        instead if isinstance(instead, bool) else None,
        _confidence(stated.get("confidence")),
        quote.strip() if isinstance(quote, str) else "",
    )


def read_again(text: str) -> tuple[str | None, str] | None:
    """Label (None where not repeated) and quote of a reply to the request for a verbatim span; None where it cannot be read."""
    found = [each for each in objects(text) if "quote" in each or "label" in each]
    if not found:
        return None
    label, quote = found[-1].get("label"), found[-1].get("quote")
    return _word(label) if isinstance(label, str) else None, quote.strip() if isinstance(quote, str) else ""


def _word(text: str) -> str:
    return "_".join(one_line(text).lower().replace("-", " ").replace("_", " ").split())


def _confidence(value: Json) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1 else None
