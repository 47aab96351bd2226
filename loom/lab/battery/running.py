"""Running the battery without a model: every question of every seed, given a context by every arm, checked and counted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.battery.arm import ARMS, FULL, HYDRATE, MEANING, UNIFORM, Arm
from loom.lab.battery.checking import Checked, asked_for, checked, together
from loom.lab.battery.contexts import Bench, Context, Contexts
from loom.lab.battery.flat_text import FlatText
from loom.lab.battery.question import BatteryQuestion
from loom.lab.battery.questions import CONCURRENT
from loom.lab.battery.tally import ArmTally, Sized, by_question
from loom.lab.battery.verdict import Verdict, of, of_contexts, of_starving
from loom.lab.battery.wide import WIDE_ARMS, Wide
from loom.lab.files import WholeFile

LISTED = 10


def chosen(questions: Sequence[BatteryQuestion], names: Sequence[str]) -> list[BatteryQuestion]:
    """The questions of these ids, of the battery or their own; all where none is named. Raises BadInput for an id that none has."""
    for name in names:
        if not any(name in (one.id, one.battery) for one in questions):
            known = ", ".join(dict.fromkeys(one.battery for one in questions))
            raise BadInput(f"Expected ids of the battery ({known}) or of its questions, but got {name!r}.", param="questions")
    return [one for one in questions if not names or one.id in names or one.battery in names]


def lacking(arm: Arm, bench: Bench) -> str | None:
    """Why an arm cannot be had, or None."""
    return "there is no embedder; give one with --embed-url" if arm.chunks == MEANING and bench.embed is None else None


@dataclass(slots=True)
class Battery:
    """What has come so far. `seconds` are those of every assembly by arm; they enter no result."""

    arms: Sequence[Arm]
    tallies: dict[str, ArmTally] = field(default_factory=dict)
    unavailable: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, list[float]] = field(default_factory=dict)
    sized: Sized = field(default_factory=Sized)
    wide: Wide = field(default_factory=Wide)
    generations: dict[int, str] = field(default_factory=dict)
    different: int = 0
    overlapping: int = 0
    repeated: int = 0
    same: int = 0
    replies: int = 0
    misread: list[str] = field(default_factory=list)

    async def seed(
        self, seed: int, bench: Bench, every: Sequence[BatteryQuestion], asked: Sequence[BatteryQuestion], rows: WholeFile
    ) -> dict[str, str]:
        """Run the arms over one corpus, of whose questions `asked` are asked; rows are written as they come. Gives the digest of
        each arm's contexts."""
        self.generations[seed] = bench.ground.pin.generation.id
        found: list[Checked] = []
        digests: dict[str, str] = {}
        flat = FlatText(bench.bases, bench.texts, bench.embed) if any(arm.chunks for arm in self.arms) else None
        for arm in self.arms:
            if why := lacking(arm, bench):
                self.unavailable[arm.name] = why
                continue
            contexts = Contexts(bench, arm, flat if arm.chunks else None)
            made = await _made(contexts, every, asked)
            digests[arm.name] = _digest(one.context for one in made)
            tally = self.tallies.setdefault(arm.name, ArmTally(arm))
            for one in made:
                tally.add(seed, one)
                rows.add(one.as_json(seed))
            self.seconds.setdefault(arm.name, []).extend(one.context.seconds for one in made)
            found += made
            await self._load(contexts, every, asked)
            if arm.name == HYDRATE:
                await self._directives(contexts, seed, asked)
        for sizes in by_question(found):
            self.sized.add(sizes)
        if len(asked) == len(every):
            await self.wide.add([Contexts(bench, arm) for arm in self.arms if arm.name in WIDE_ARMS])
        return digests

    async def _load(self, contexts: Contexts, every: Sequence[BatteryQuestion], asked: Sequence[BatteryQuestion]) -> None:
        known = {one.id: one for one in every}
        for question in asked:
            of = [known[id] for id in question.more.get("of") or () if id in known]
            if of and not contexts.arm.chunks:
                count = int(question.more.get("concurrent") or CONCURRENT)
                self.different += await together(contexts, of, count)
                self.overlapping += count

    async def _directives(self, contexts: Contexts, seed: int, asked: Sequence[BatteryQuestion]) -> None:
        for question in asked:
            if question.more.get("replies"):
                count, wrong = await asked_for(contexts, question)
                self.replies += count
                self.misread += [f"seed {seed}, {each}" for each in wrong]

    async def again(self, bench: Bench, arm: Arm, asked: Sequence[BatteryQuestion], first: str, generation: str) -> None:
        """The same seed once more, made and built in another order: the same generation, and the same contexts."""
        contexts = Contexts(bench, arm)
        found = _digest([await contexts.of(question) for question in asked])
        self.repeated += 1
        self.same += found == first and bench.ground.pin.generation.id == generation

    def as_json(self) -> dict[str, Json]:
        """The result: the same under any hash seed, without times."""
        arms = {name: self.tallies[name].as_json() for name in ARMS if name in self.tallies}
        every = sha256("".join(str(arm["sha256"]) for arm in arms.values()).encode()).hexdigest()
        return {
            "arms": arms,
            "unavailable": dict(self.unavailable),
            "sizes": self.sized.as_json(),
            "wide": self.wide.as_json(),
            "concurrent": {"assemblies": self.overlapping, "different": self.different},
            "directives": {"replies": self.replies, "wrong": len(self.misread), "first": self.misread[:LISTED]},
            "determinism": {"repeated": self.repeated, "same": self.same, "contexts_sha256": every},
            "generations": {str(seed): id for seed, id in self.generations.items()},
        }

    def verdicts(self, result: Mapping[str, Json]) -> list[Verdict]:
        arms = result["arms"]
        held = [name for name, arm in arms.items() if arm["held"] and name != UNIFORM and not ARMS[name].budget]
        found = [*of_contexts(arms), *of_starving(arms, held)]
        if self.wide.questions:
            starved = self.wide.starved.get(FULL, 0)
            found.append(
                Verdict("full, wide routes: no base of the best score without a line", f"{starved} starved", not starved)
            )
        if self.overlapping:
            alike = self.overlapping - self.different
            found.append(
                Verdict("assemblies at once give the bytes of each alone", of(alike, self.overlapping), not self.different)
            )
        if self.replies:
            right = of(self.replies - len(self.misread), self.replies)
            found.append(Verdict("malformed directives fetch what they name, and nothing else", right, not self.misread))
        if self.repeated:
            found.append(
                Verdict(
                    "a seed again, in another order: the same bytes", of(self.same, self.repeated), self.same == self.repeated
                )
            )
        return found


async def _made(contexts: Contexts, every: Sequence[BatteryQuestion], asked: Sequence[BatteryQuestion]) -> list[Checked]:
    known: dict[str, Context] = {}
    questions = {one.id: one for one in every}

    async def of(question: BatteryQuestion) -> Context:
        if question.id not in known:
            known[question.id] = await contexts.of(question)
        return known[question.id]

    found = []
    for question in asked:
        twin = questions.get(question.same_as)
        found.append(checked(contexts, await of(question), await of(twin) if twin else None))
    return found


def _digest(contexts: Iterable[Context]) -> str:
    said = sha256()
    for one in contexts:
        said.update(f"{one.question.id}\0{one.text}\0".encode())
    return said.hexdigest()
