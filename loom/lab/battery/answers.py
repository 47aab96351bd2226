"""Answers of models whose behaviour is known: the reader, which only reads out, and others that do what no model should.

| adversary | what it does | what must be so |
|---|---|---|
| invents | three numbers that stand nowhere | each is without support, wherever the node verifies |
| asks | directives and nothing else, in every round | the client is given something else, after two calls at most |
| asks-then-fails | directives; then its call breaks | the client is given an answer |
| fails | its call breaks | the client is told, in the node's own words |
| ignores | an answer that quotes a directive inside | it goes out as it came |
| parrots | its whole input | no number is without support |
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

from loom.core.directives import alone
from loom.core.facts.hydrating import PREFIX
from loom.core.values import Json
from loom.lab.battery.answering import Given, Watches, given
from loom.lab.battery.contexts import Contexts
from loom.lab.battery.groups import GROUPS, group_of
from loom.lab.battery.question import BatteryQuestion
from loom.lab.battery.scoring import Score, answered
from loom.lab.battery.verdict import Verdict, of
from loom.ports import ModelBackend

READER = "reader"
QUOTING = f"I could ask for more, with a line such as\n{PREFIX} transcripts/first.txt\nbut what is shown is enough for me."
ADVERSARIES: Mapping[str, str] = {
    "invents": "invents-numbers",
    "asks": "asks",
    "asks-then-fails": "asks-then-fails",
    "fails": "fails",
    "ignores": f"says?{urlencode({'text': QUOTING})}",
    "parrots": "copies-all?of=input",
}
"""Each adversary and its script."""
INVENTED = 3
LISTED, FEW = 20, 3
READ = ("quantitative", "comparative", "traps")
"""Groups that the reader has to answer, all of them."""


@dataclass(slots=True)
class Reading:
    """What a model's answers over one arm came to. `wrong` are answers that are not as they have to be, first ones listed."""

    model: str
    arm: str
    answers: int = 0
    passed: int = 0
    escaped: int = 0
    errors: int = 0
    verified: int = 0
    numbers: int = 0
    unsupported: int = 0
    calls: int = 0
    second: int = 0
    ids: dict[str, Counter[str]] = field(default_factory=dict)
    wrong: list[dict[str, Json]] = field(default_factory=list)

    def add(self, seed: int, question: BatteryQuestion, said: Given, why: str) -> None:
        counts = self.ids.setdefault(question.battery, Counter())
        counts["answers"] += 1
        counts["passed"] += not why
        self.answers += 1
        self.passed += not why
        self.escaped += bool(said.escaped)
        self.errors += bool(said.error)
        self.verified += said.verified
        self.numbers += said.numbers
        self.unsupported += len(said.unsupported)
        self.calls += said.calls
        self.second += said.rounds > 1
        if why and len(self.wrong) < LISTED:
            self.wrong.append({"seed": seed, "id": question.id, "why": why, "answer": said.text[:400]})

    def as_json(self) -> dict[str, Json]:
        groups: dict[str, list[int]] = {}
        for id, counts in self.ids.items():
            have = groups.setdefault(group_of(id), [0, 0])
            groups[group_of(id)] = [have[0] + counts["passed"], have[1] + counts["answers"]]
        return {
            "model": self.model,
            "arm": self.arm,
            "answers": self.answers,
            "passed": self.passed,
            "escaped": self.escaped,
            "errors": self.errors,
            "verified": self.verified,
            "numbers": self.numbers,
            "unsupported": self.unsupported,
            "calls": self.calls,
            "second_rounds": self.second,
            "ids": {id: [counts["passed"], counts["answers"]] for id, counts in self.ids.items()},
            "groups": {name: groups[name] for name in GROUPS if name in groups},
            "wrong": self.wrong,
        }


@dataclass(slots=True)
class Answers:
    """The answers of scripted models and of the reader over some arms."""

    models: Mapping[str, ModelBackend]
    readings: dict[tuple[str, str], Reading] = field(default_factory=dict)

    async def seed(
        self, seed: int, contexts: Contexts, asked: Iterable[BatteryQuestion], watches: Watches
    ) -> list[dict[str, Json]]:
        """Ask every model over the contexts of one arm; gives rows without times."""
        rows: list[dict[str, Json]] = []
        for question in asked:
            for name, backend in self.models.items():
                request: dict[str, Json] = {"model": name, "stream": bool(seed % 2)}
                said = await given(contexts, question, backend, watches, request)
                why = wrong_with(name, question, said)
                reading = self.readings.setdefault((name, contexts.arm.name), Reading(name, contexts.arm.name))
                reading.add(seed, question, said, why)
                rows.append(_row(seed, contexts.arm.name, name, question, said, why))
        return rows

    def as_json(self) -> list[dict[str, Json]]:
        return [
            self.readings[key].as_json()
            for key in sorted(self.readings, key=lambda key: (list(self.models).index(key[0]), key[1]))
        ]

    def verdicts(self) -> Iterator[Verdict]:
        if not self.readings:
            return
        for reading in self.as_json():
            name = f"{reading['model']} over {reading['arm']}"
            if reading["model"] == READER:
                for group in READ:
                    passed, count = reading["groups"].get(group, [0, 0])
                    if count:
                        yield Verdict(f"{name}: {group} questions", of(passed, count), passed == count)
            else:
                yield Verdict(
                    f"{name}: as it has to be",
                    of(reading["passed"], reading["answers"]),
                    reading["passed"] == reading["answers"],
                )
        escaped = sum(one.escaped for one in self.readings.values())
        count = sum(one.answers for one in self.readings.values())
        yield Verdict("no exception reaches who asked", of(count - escaped, count), not escaped)


def wrong_with(model: str, question: BatteryQuestion, said: Given) -> str:
    """What is not as it has to be, "" where nothing is."""
    if said.escaped:
        return f"escaped: {said.escaped}"
    if model == "fails":
        return "" if said.error else "an answer came of a call that fails"
    if said.error:
        return f"no answer: {said.error}"
    if said.calls > 2:
        return f"{said.calls} calls"
    if alone(said.text, PREFIX) or not said.text.strip():
        return "the client was shown directives, or nothing"
    if model == READER:
        return f"without support: {', '.join(said.unsupported)}" if said.unsupported else lacking(answered(said.text, question))
    if model == "invents" and said.verified and len(said.unsupported) != INVENTED:
        return f"{len(said.unsupported)} of {INVENTED} invented numbers were found"
    if model == "ignores" and said.text != QUOTING:
        return "an answer that quotes a directive was not left alone"
    if model == "parrots" and said.verified and said.unsupported:
        return f"without support, though they were shown: {', '.join(said.unsupported[:4])}"
    return ""


def lacking(score: Score) -> str:
    """What an answer lacks, or says that it must not; "" where it is as its question wants it."""
    missing = [ways[0] for ways in score.missing] + [" with ".join(ways[0] for ways in group) for group in score.apart]
    parts = [f"lacks {', '.join(missing[:FEW])}"] if missing else []
    parts += [f"says {', '.join(score.found[:FEW])}"] if score.found else []
    parts += [f"{second} before {first}" for first, second in score.below[:1]]
    return "; ".join(parts)


def _row(seed: int, arm: str, model: str, question: BatteryQuestion, said: Given, why: str) -> dict[str, Json]:
    return {
        "seed": seed,
        "arm": arm,
        "model": model,
        "id": question.id,
        "battery": question.battery,
        "wrong": why or None,
        "answer": said.text,
        "numbers": said.numbers,
        "unsupported": list(said.unsupported),
        "verified": said.verified,
        "calls": said.calls,
        "rounds": said.rounds,
        "outcome": said.outcome or None,
        "error": said.error or None,
    }
