"""Looks every number of an answer up in the facts that were shown, and says which are not there."""

from collections.abc import Mapping
from typing import Literal

from loom.answer.plan import Plan
from loom.answer.reading import answers, said_of
from loom.answer.shape import content_text
from loom.core.facts.sealed import held_of
from loom.core.facts.verifying import SHOWN, Number, Verified, Verifier
from loom.core.facts.vouching import vouched
from loom.core.memory.minting import PREFIX as MEMORY
from loom.core.values import Iri, Json, Outcome, Served, Tier

Enforce = Literal["flag", "append", "refuse"]

LISTED = 64
"""Numbers that a report lists; all are counted."""
NAMED = 12
"""Numbers that an addition names."""
FACTS = 24
"""Lines of facts behind the reader's words."""
ADDED = "Not in the facts that were shown: {}."
REFUSED = "The model's answer held numbers that are not in the facts, and is withheld. What the facts say:"
_FORMS = frozenset({"tools", "schema"})
"""Shapes of an answer that others read by its form; nothing is put into them."""


class NumbersWatch:
    """Verifies the numbers of one answer. Reports only where its block holds computed or addressed evidence.

    `holds` is what waits for the verdict: "" nothing, "end" the end of an answer that is to be added to, "all" an answer that may
    have to be withheld.
    """

    key = "facts"

    def __init__(self, plan: Plan, enforce: Enforce = "flag") -> None:
        self._plan = plan
        self._facts = [each for each in plan.block.served if _states(each)]
        body = plan.question.body
        ours = bool(self._facts) and plan.question.shape not in _FORMS and (body.get("n") or 1) == 1
        self.holds = {"append": "end", "refuse": "all"}.get(enforce, "") if ours else ""
        self._pieces: list[str] = []
        self._verified: Verified | None = None
        self._enforced = ""

    def feed(self, text: str) -> None:
        if self._facts:
            self._pieces.append(text)
            self._verified = None

    def addition(self) -> str:
        """What an answer has to say at its end of numbers without support; "" where there are none."""
        names = dict.fromkeys(_bare(each.text) for each in self._verdict().unsupported)
        if not names:
            return ""
        self._enforced = "append"
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        return "\n\n" + ADDED.format(", ".join(list(names)[:NAMED]) + more)

    def instead(self) -> str | None:
        """What is answered in place of an answer with numbers without support; None where there are none."""
        if not self._verdict().unsupported:
            return None
        self._enforced = "refuse"
        said = said_of(self._plan)
        # Beside a note on what is absent, other values would be taken for what was asked.
        shown = self._facts if answers(self._plan) else ()
        lines = [line for each in shown for line in each.lines if not line.startswith("## ")]
        rest = [line if line.startswith("- ") else f"- {line}" for line in lines if line.removeprefix("- ") not in said]
        return "\n\n".join(filter(None, (REFUSED, said, "\n".join(rest[:FACTS]))))

    def report(self, outcome: Outcome) -> Mapping[str, Json] | None:
        if not self._facts or not "".join(self._pieces).strip():
            return None
        verified = self._verdict()
        numbers: dict[str, Json] = {
            "checked": len(verified.numbers),
            "counts": verified.counts,
            "unsupported": [_json(each) for each in verified.unsupported[:LISTED]],
            "found": [
                {**_json(each), "class": each.found, **self._where(each)}
                for each in [each for each in verified.numbers if each not in verified.unsupported][:LISTED]
            ],
        }
        if self._enforced:
            numbers["enforced"] = self._enforced
        return {"numbers": numbers}

    async def after(self, outcome: Outcome) -> None:
        """Nothing to write."""

    def _verdict(self) -> Verified:
        if self._verified is None:
            self._verified = self._verify() if self._facts else Verified()
        return self._verified

    def _verify(self) -> Verified:
        plan = self._plan
        told = vouched(held_of(plan.pin.generation), plan.block.served)
        said = [content_text(message.get("content")) for message in plan.question.body.get("messages") or ()]
        verifier = Verifier(plan.block.text, [*said, plan.question.text], attributes=told.attributes, derived=told.derived)
        for piece in self._pieces:
            verifier.feed(piece)
        return verifier.close()

    def _where(self, number: Number) -> dict[str, Json]:
        """Where in the block a number stands: its words there, and the IRI of the evidence."""
        if number.found != SHOWN or number.place is None:
            return {}
        start, end = number.place
        text = self._plan.block.text
        begins, ends = text.rfind("\n", 0, start) + 1, text.find("\n", end)
        line = text[begins : ends if ends >= 0 else len(text)]
        iri = _owner(self._plan.block.served, line)
        return {"shown": text[start:end], **({"iri": iri} if iri else {})}


def _states(served: Served) -> bool:
    """Whether a piece of a block states facts; the rules for reading them, what was asked for and what was once said state none."""
    if served.evidence.iri.startswith(MEMORY) or served.evidence.guides:
        return False
    return served.evidence.tier in (Tier.COMPUTED, Tier.ADDRESSED)


def _owner(served: tuple[Served, ...], line: str) -> Iri | None:
    return next((each.evidence.iri for each in served if any(line in told for told in each.lines)), None)


def _json(number: Number) -> dict[str, Json]:
    return {"text": number.text, "start": number.start, "end": number.end}


def _bare(text: str) -> str:
    """A number without marks of emphasis around it or its unit."""
    return text.translate(str.maketrans("", "", "*_`\\\n\x00")).strip()
