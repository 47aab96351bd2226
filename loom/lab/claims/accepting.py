"""Automatic acceptance and the boundary between signal and claim (seed 001 §10.3)."""

from collections.abc import Mapping
from dataclasses import dataclass

from loom.core.claims.judging.asked import Inference
from loom.core.values import Json
from loom.lab.claims.tested import ALPHA, Share, above, share
from loom.lab.claims.workspace import Workspace
from loom.lab.claims.worlds.planted import World
from loom.lab.statistics import mcnemar


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Claims that the rule accepted, held against the bar, and against all claims that were written; `p` of their being sound more
    often than the claims that it left, which is being so more often than all."""

    accepted: Share
    everything: Share
    p: float

    @property
    def kept(self) -> bool:
        return self.accepted.met and self.p <= ALPHA

    def as_json(self) -> dict[str, Json]:
        return {"accepted": self.accepted.as_json(), "everything": self.everything.as_json(), "p": self.p}


async def acceptance(workspace: Workspace, sound: Mapping[str, bool]) -> Acceptance:
    """By what people say of each claim: whether the evidence supports it."""
    ids = [id for id in await workspace.claims() if id in sound]
    moves = await workspace.store.look(lambda view: {id: view.history(id) for id in ids})
    automatic = [id for id in ids if any(move.cause == "automatic" for move in moves[id])]
    right, every = sum(sound[id] for id in automatic), sum(sound[id] for id in ids)
    return Acceptance(
        share(right, len(automatic), 0.70, 0.80),
        share(every, len(ids), 0.70, 0.80),
        above(right, len(automatic), every - right, len(ids) - len(automatic)),
    )


@dataclass(frozen=True, slots=True)
class Entailment:
    """By condition: accuracy against the bar, p of McNemar against the majority label, and the share of wrong ones that pass."""

    accuracy: dict[str, Share]
    against_majority: dict[str, float]
    false_passes: dict[str, float]

    @property
    def kept(self) -> bool:
        return all(each.met for each in self.accuracy.values()) and all(p <= ALPHA for p in self.against_majority.values())

    def as_json(self) -> dict[str, Json]:
        return {
            "accuracy": {name: each.as_json() for name, each in self.accuracy.items()},
            "against_majority_p": dict(self.against_majority),
            "false_passes": dict(self.false_passes),
        }


async def entailment(workspace: Workspace, world: World) -> Entailment:
    """What people labelled, asked of the judge."""
    judged = await workspace.judges.entailment.entailed([Inference(each.premise, each.proposition) for each in world.boundary])
    accuracy, against, passes = {}, {}, {}
    for kind in ("span", "derivation"):
        found = [(said, item.label) for said, item in zip(judged.value, world.boundary, strict=True) if item.kind == kind]
        labels = [label for _, label in found]
        majority = sum(labels) * 2 > len(labels)
        right, base = [said is label for said, label in found], [label is majority for label in labels]
        accuracy[kind] = share(sum(right), len(right), 0.80, 0.90)
        more = sum(a and not b for a, b in zip(right, base, strict=True))
        fewer = sum(b and not a for a, b in zip(right, base, strict=True))
        against[kind] = mcnemar(more, fewer).p if more > fewer else 1.0
        wrong = [said for said, label in found if not label]
        passes[kind] = sum(wrong) / len(wrong) if wrong else 0.0
    return Entailment(accuracy, against, passes)
