"""Real models over contexts of the battery, by the path that answers clients: every answer is kept as it comes, times apart.

An answer is asked for once: a run that is given the same folder asks what failed or is not there. What is kept is known by the model,
the arm, the question and the exact messages of its first round.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import orjson

from loom.core.errors import BudgetError
from loom.core.values import Json
from loom.lab.battery.answering import Given, Watches, given
from loom.lab.battery.arm import FLAT, FULL, HYDRATE, SKELETON
from loom.lab.battery.contexts import Contexts, asked_of
from loom.lab.battery.folder import encoded
from loom.lab.battery.groups import TRAPS
from loom.lab.battery.judged import judged
from loom.lab.battery.quantiles import quantile
from loom.lab.battery.question import BatteryQuestion
from loom.lab.files import write_lines
from loom.lab.lines import lines
from loom.ports import ModelBackend

MODEL_ARMS = (FULL, SKELETON, HYDRATE, FLAT)
UNASKED = frozenset({"L1", "H1"})
"""Ids that are about no answer."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model and what else its requests hold: its name upstream, its allowance, its temperature."""

    name: str
    backend: ModelBackend
    request: Mapping[str, Json]


def spread_over(questions: Sequence[BatteryQuestion], limit: int) -> list[BatteryQuestion]:
    """So many questions whose answers can be judged, from as many ids as there are: the first of each, then the second; 0 is all."""
    by_id: dict[str, list[BatteryQuestion]] = {}
    for one in questions:
        if one.battery in TRAPS or (one.battery not in UNASKED and (one.needle or one.aligned)):
            by_id.setdefault(one.battery, []).append(one)
    ranked = sorted((place, at, one) for at, of in enumerate(by_id.values()) for place, one in enumerate(of))
    kept = {one.id for _, _, one in ranked[: limit or None]}
    return [one for of in by_id.values() for one in of if one.id in kept]


@dataclass(slots=True)
class Matrix:
    """Answers of models. `kept` are rows by key, `seconds` what each took; `load` is what concurrent calls came to."""

    rows: Path
    times: Path
    kept: dict[str, dict[str, Json]] = field(default_factory=dict)
    seconds: dict[str, dict[str, Json]] = field(default_factory=dict)
    order: dict[str, None] = field(default_factory=dict)
    load: list[dict[str, Json]] = field(default_factory=list)
    asked: int = 0

    def resume(self) -> None:
        """Take up what an earlier run left; a line that was cut off is left out."""
        for path, into in ((self.rows, self.kept), (self.times, self.seconds)):
            if path.exists():
                whole = [line for line in path.read_bytes().split(b"\n") if line.strip()]
                into.update({row["key"]: row for row in map(_object, whole) if row})
        self.kept = {key: row for key, row in self.kept.items() if not row["error"]}

    async def seed(
        self,
        seed: int,
        arms: Iterable[Contexts],
        questions: Sequence[BatteryQuestion],
        models: Sequence[Model],
        watches: Watches,
        done: Callable[[], object] = lambda: None,
    ) -> None:
        """Ask all models, one question after another: what one takes is measured alone."""
        for model in models:
            for contexts in arms:
                for question in questions:
                    await self._one(seed, contexts, question, model, watches)
                    done()

    async def _one(self, seed: int, contexts: Contexts, question: BatteryQuestion, model: Model, watches: Watches) -> None:
        try:
            plan = await contexts.planned(asked_of(question, more=model.request))
        except BudgetError:
            return
        stated = [model.name, contexts.arm.name, seed, question.id, dict(model.request), plan.prompt.body["messages"]]
        key = sha256(orjson.dumps(stated, option=orjson.OPT_SORT_KEYS)).hexdigest()[:32]
        self.order[key] = None
        if key in self.kept:
            return
        said = await given(contexts, question, model.backend, watches, model.request)
        self.asked += 1
        self.kept[key] = {"key": key, **row_of(seed, contexts.arm.name, model.name, question, said)}
        self.seconds[key] = {"key": key, "seconds": round(said.seconds, 4), "first_token": said.first_token}
        for path, row in ((self.rows, self.kept[key]), (self.times, self.seconds[key])):
            with path.open("ab") as file:
                file.write(encoded(row))

    async def loaded(
        self,
        contexts: Contexts,
        questions: Sequence[BatteryQuestion],
        models: Sequence[Model],
        watches: Watches,
        sizes: Iterable[int],
    ) -> None:
        """So many calls at once, for each size: throughput, and how much longer one takes than alone."""
        for model in models:
            alone = [
                float(self.seconds[key]["seconds"])
                for key in self.order
                if key in self.seconds and (self.kept[key]["model"], self.kept[key]["arm"]) == (model.name, contexts.arm.name)
            ]
            for size in sizes:
                wanted = [questions[number % len(questions)] for number in range(size)]
                began = time.perf_counter()
                calls = (given(contexts, question, model.backend, watches, model.request) for question in wanted)
                said = await asyncio.gather(*calls)
                took = time.perf_counter() - began
                middle, before = quantile([one.seconds for one in said], 0.5), quantile(alone, 0.5)
                self.load.append(
                    {
                        "model": model.name,
                        "at_once": size,
                        "answered": sum(not one.error and not one.escaped for one in said),
                        "answers_per_second": round(size / took, 4),
                        "p50_s": middle,
                        "times_alone": round(middle / before, 2) if middle and before else None,
                    }
                )

    def close(self) -> list[dict[str, Json]]:
        """Write the rows that this run wanted in its own order, whichever run they are from, and give them."""
        found = [self.kept[key] for key in self.order if key in self.kept]
        write_lines(self.rows, found)
        write_lines(self.times, (self.seconds[key] for key in self.order if key in self.seconds))
        return found


def read_rows(path: Path) -> list[dict[str, Json]]:
    """The rows of a folder, [] where there are none."""
    return [row for _, row in lines(path, "folder")] if path.exists() else []


def row_of(seed: int, arm: str, model: str, question: BatteryQuestion, said: Given) -> dict[str, Json]:
    return {
        "seed": seed,
        "model": model,
        "arm": arm,
        "id": question.id,
        "battery": question.battery,
        "answer": said.text,
        **judged(question, said).as_json(),
        "numbers": said.numbers,
        "unsupported": list(said.unsupported),
        "offered": said.offered,
        "triggered": said.triggered,
        "spontaneous": said.spontaneous,
        "outcome": said.outcome or None,
        "calls": said.calls,
        "completion": said.completion or None,
        "error": said.error or said.escaped or None,
    }


def _object(line: bytes) -> dict[str, Json] | None:
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return row if isinstance(row, dict) and "key" in row else None
