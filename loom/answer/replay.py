"""Questions of a file, asked again: what a node gives for each, as values that can be counted and compared."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from loom.answer.asked import question_of
from loom.answer.plan import Plan
from loom.answer.shape import text_of
from loom.core.errors import BadInput
from loom.core.exposure import hit, shown_names
from loom.core.text import slug_of, slugify
from loom.core.values import Iri, Json, Options, Question, Scope

TEXTS = ("prompt", "text", "question")
"""Members of a line that may hold the question; `messages` holds a conversation instead."""


PLAIN = Options()


@dataclass(frozen=True, slots=True)
class Asked:
    """One line of a question file: an id, the messages of a chat request, the names that a full answer states, the whole row."""

    id: str
    messages: tuple[Mapping[str, Json], ...]
    gold: tuple[str, ...] = ()
    row: Mapping[str, Json] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return text_of(self.messages)

    def slugs(self, name: str) -> frozenset[str]:
        """The concepts that a member of the row names, by `key_of`."""
        value = self.row.get(name) or ()
        return frozenset(key_of(each) for each in ([value] if isinstance(value, str) else value))


def key_of(iri: Iri) -> str:
    """What question files call a concept: its local name as a slug. A slug is its own key."""
    return slugify(slug_of(iri)) or iri


@dataclass(frozen=True, slots=True)
class Given:
    """What a node gave for a question. `units` are addresses in the order in which they are shown; `names` is what may be counted
    as exposed; `ceiling` is the share of the gold that block and question show (reference §9), None without gold; `block` is the
    SHA-256 of the block's text, "" where there is none."""

    engaged: bool
    reason: str
    path: str | None
    confidence: float | None
    agreement: float | None
    units: tuple[Iri, ...]
    names: tuple[str, ...]
    ceiling: float | None
    tokens: int
    block: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(key_of(unit) for unit in self.units)

    def as_json(self) -> dict[str, Json]:
        return {
            "engaged": self.engaged,
            "reason": self.reason,
            "path": self.path,
            "confidence": self.confidence,
            "agreement": self.agreement,
            "served": list(self.keys),
            "ceiling": None if self.ceiling is None else round(self.ceiling, 6),
            "tokens": self.tokens,
            "block_sha256": self.block,
        }


def question(asked: Asked, options: Options = PLAIN) -> Question:
    """The question as a chat request with these messages would ask it."""
    body: dict[str, Json] = {"model": "replay", "messages": [dict(message) for message in asked.messages]}
    return question_of(body, Scope("replay"), options, side_calls=True)[0]


def given(plan: Plan, asked: Asked) -> Given:
    """What a plan shows of what was asked."""
    decision, block = plan.decision, plan.block
    return Given(
        decision.engaged,
        decision.reason,
        decision.path,
        decision.confidence,
        decision.agreement,
        tuple(served.evidence.iri for served in block.served),
        shown_names(block),
        ceiling(asked.gold, f"{block.text} {asked.text}"),
        block.tokens,
        sha256(block.text.encode("utf-8", "surrogatepass")).hexdigest() if block.text else "",
    )


def ceiling(gold: Sequence[str], shown: str) -> float | None:
    """The share of the gold that a text names under the reference matcher: the most that an answer made of it could state."""
    return sum(hit(name, shown, "reference") for name in gold) / len(gold) if gold else None


def read(path: Path) -> tuple[Asked, ...]:
    """The questions of a file: a JSON object a line, with `prompt`, `text` or `messages`, or a plain question a line.

    `id` and `gold` (names, or objects with a `title`) are optional. Raises BadInput with the first line that asks nothing.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"Expected a file of questions, but {path} cannot be read: {error}.", param="questions") from error
    found = [_asked(line, number, path) for number, line in enumerate(lines, start=1) if line.strip()]
    if not found:
        raise BadInput(f"Expected at least one question in {path}; it has none.", param="questions")
    return tuple(found)


def _asked(line: str, number: int, path: Path) -> Asked:
    if not line.lstrip().startswith("{"):
        return Asked(str(number), ({"role": "user", "content": line.strip()},))
    try:
        row = json.loads(line)
        messages = _messages(row)
        gold = tuple(dict.fromkeys(each if isinstance(each, str) else str(each["title"]) for each in row.get("gold") or ()))
    except (ValueError, KeyError, TypeError, AttributeError):
        messages, gold, row = (), (), {}
    if not messages or not text_of(messages).strip():
        raise BadInput(
            f"Expected an object with a question as prompt, text or messages in line {number} of {path}, and gold as a list of "
            "names where it has any.",
            param="questions",
        )
    return Asked(str(row.get("id", number)), messages, gold, row)


def _messages(row: Mapping[str, Json]) -> tuple[Mapping[str, Json], ...]:
    if row.get("messages"):
        return tuple({"role": str(message["role"]), "content": message["content"]} for message in row["messages"])
    text = next((row[name] for name in TEXTS if isinstance(row.get(name), str)), "")
    return ({"role": "user", "content": text},)
