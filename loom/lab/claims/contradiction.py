"""Contradictions (seed 001 §10.3): sentences and claims that contradict accepted claims are injected through the ordinary write path,
among distractors on the same entities, and what the check makes of them is counted branch by branch."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from loom.claims.asks import Derive, State, TakeIn
from loom.claims.deriving import claim_id
from loom.core.claims.candidates import K
from loom.core.claims.judging.asked import Pair, Stated
from loom.core.claims.judging.calls import price_of
from loom.core.claims.standing import Standing, readable
from loom.core.claims.stored import StoredClaim, Wanted
from loom.core.claims.view import ClaimView
from loom.core.values import Json
from loom.lab.claims.labellers import Cost, Labellers, labellers
from loom.lab.claims.pooling import DEPTH
from loom.lab.claims.tested import Gain, Share, gain, share
from loom.lab.claims.workspace import BY, PAGE, Workspace, frontier_of
from loom.lab.claims.worlds.planted import Fact, Opposing, World
from loom.lab.statistics import mcnemar
from loom.ports import Verdicts


@dataclass(frozen=True, slots=True)
class Branched:
    """One branch. `candidates`: contradictions whose target was compared; `recall`: targets that got an edge of this branch; `precision`:
    edges of it that are right; `calls`: pairs judged for each injected object."""

    candidates: Share
    recall: Share
    precision: Share
    calls: float

    def as_json(self) -> dict[str, Json]:
        return {
            "candidate_recall": self.candidates.as_json(),
            "recall": self.recall.as_json(),
            "precision": self.precision.as_json(),
            "calls": self.calls,
        }


@dataclass(frozen=True, slots=True)
class Contradiction:
    """`floorless`: recall of the signal branch at k with no floor; `removed`: injected contradictions that the floor took away;
    `exhaustive`: recall of the judge were every claim of the domain compared. `filtered` says in how many checks of claims positions chose;
    `narrowed` how much candidate precision gained there. `gone`: results that showed a claim which was retracted or superseded."""

    targets: int
    signal: Branched
    floorless: Share
    removed: int
    exhaustive: Share
    lost: float
    claim: Branched
    filtered: int
    narrowed: Gain | None
    similar: Share
    supports: Share
    contested: int
    gone: int
    overlapping: int
    labelled: Labellers | None = None

    def as_json(self) -> dict[str, Json]:
        return {
            "targets": self.targets,
            "signal": self.signal.as_json(),
            "signal_recall_without_floor": self.floorless.as_json(),
            "removed_by_floor": self.removed,
            "exhaustive_recall": self.exhaustive.as_json(),
            "exhaustive_against_system_p": self.lost,
            "claim": self.claim.as_json(),
            "checks_that_positions_chose": self.filtered,
            "candidate_precision_gained": self.narrowed.as_json() if self.narrowed else None,
            "similarity_only_candidate_recall": self.similar.as_json(),
            "supports_precision": self.supports.as_json(),
            "contested_after": self.contested,
            "retracted_or_superseded_in_results": self.gone,
            "contradictions_that_copy_wording": self.overlapping,
            "labellers": self.labelled.as_json() if self.labelled else None,
        }


def accepted(claims: Mapping[str, StoredClaim], world: World, seed: int, count: int) -> list[str]:
    """Accepted claims that a world can contradict, drawn in an order of their own."""
    found = sorted(id for id, each in claims.items() if each.standing is Standing.ACCEPTED and id in world.injected)
    Random(f"{seed}:targets").shuffle(found)
    return found[:count]


async def contradiction(workspace: Workspace, world: World, seed: int, count: int, cost: Cost = price_of) -> Contradiction:
    """On copies: the workspace stays as it is."""
    claims = await workspace.claims()
    targets = accepted(claims, world, seed, count)
    texts = {id: each.claim.proposition for id, each in claims.items()}
    random = Random(f"{seed}:order")
    signal = await workspace.copy()
    said = [each for id in targets for each in world.injected[id]]
    random.shuffle(said)
    floorless = await _floorless(signal, world, targets, texts)
    await signal.do([TakeIn(each.fact.entry) for each in said], at_once=40)
    read = await _read(signal, [each.fact for each in said])
    edges = await _edges(
        signal, {each.fact.text for each in said}, {id: text for text, ids in read.items() for id in ids}, "signal"
    )
    heard = signal.heard.candidates  # what follows asks the judge past it
    compared = {text: [one for words in ids.values() for one in heard.get(words, ())] for text, ids in read.items()}
    near = {id: texts[id] in compared.get(world.injected[id][0].fact.text, ()) for id in targets}
    right = {world.injected[id][0].fact.text: id for id in targets}
    hits = sum((text, id) in edges for text, id in right.items())
    judge = signal.heard.judge
    # Whatever the candidates are, a contradiction is found where the judge sees it: its own pair says what checking all would.
    every = [_Asked(text, id, id) for text, id in right.items()]
    seen = await _contradicted(judge, every, texts)
    exhaustive = sum((text, id) in seen for text, id in right.items())
    found = Branched(
        share(sum(near.values()), len(targets), 0.80, 0.90),
        share(hits, len(targets), 0.70, 0.80),
        share(sum((text, id) in right.items() for text, id in edges), len(edges), 0.60, 0.70),
        sum(len(compared.get(each.fact.text, ())) for each in said) / max(1, len(said)),
    )
    fresh = workspace.unasked()
    mine = {each.fact.text: each.fact.domain for each in said}
    there = {
        text: [texts[id] for id, each in claims.items() if each.standing is Standing.ACCEPTED and domain in each.home]
        for text, domain in mine.items()
    }
    labelled = await labellers(
        fresh.verdicts, frontier_of(fresh), compared, there, {text: texts[id] for text, id in right.items()}, cost
    )
    gone = await _gone(signal, world)
    states = await signal.claims()
    claim, filtered, narrowed, similar = await _claims(workspace, world, targets, texts, random)
    await signal.aclose()
    return Contradiction(
        len(targets),
        found,
        share(sum(floorless.values()), len(targets), 0.50, 0.60),
        sum(floorless[id] is not None and not near[id] and floorless[id] for id in targets),
        share(exhaustive, len(targets), 0.70, 0.80),
        mcnemar(sum(each in seen - edges for each in right.items()), sum(each in edges - seen for each in right.items())).p,
        claim,
        filtered,
        narrowed,
        similar,
        _supports(claims, world),
        sum(each.standing is Standing.CONTESTED for each in states.values()),
        gone,
        sum(_copies(world, id) for id in world.injected),
        labelled,
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    text: str
    target: str
    other: str


async def _contradicted(judge: Verdicts, asked: Sequence[_Asked], texts: Mapping[str, str]) -> set[tuple[str, str]]:
    judged = await judge.verdicts([Pair(Stated(each.text), Stated(texts[each.other])) for each in asked])
    return {
        (each.text, each.other) for each, opinion in zip(asked, judged.value, strict=True) if opinion.verdict == "contradicts"
    }


async def _floorless(workspace: Workspace, world: World, targets: Sequence[str], texts: Mapping[str, str]) -> dict[str, bool]:
    """Of each target whether it is among the k nearest of its contradiction and the judge sees it, with no floor."""
    facts = [world.injected[id][0].fact for id in targets]
    vectors = await workspace.judges.vectors([each.text for each in facts])
    near = await workspace.store.look(
        lambda view: [
            {each.id for each in view.near("claim", vector, K, (fact.domain,))}
            for fact, vector in zip(facts, vectors, strict=True)
        ]
    )
    seen = await _contradicted(
        workspace.heard.judge, [_Asked(fact.text, id, id) for fact, id in zip(facts, targets, strict=True)], texts
    )
    return {id: id in found and (fact.text, id) in seen for id, fact, found in zip(targets, facts, near, strict=True)}


async def _read(workspace: Workspace, facts: Sequence[Fact]) -> dict[str, dict[str, str]]:
    """By the text of each entry the signals that were taken from it, with their propositions: a model may word them otherwise."""
    return await workspace.store.look(
        lambda view: {
            each.text: {
                one.signal.id: one.signal.proposition for one in view.list_signals(Wanted(entry=each.entry.id, limit=PAGE))
            }
            for each in facts
        }
    )


async def _edges(workspace: Workspace, injected: Collection[str], read: Mapping[str, str], branch: str) -> set[tuple[str, str]]:
    """(text of what was injected, id of a claim) of the edges of one branch: from the lifted claim of a signal, or from a claim. `read` are
    the texts of signals that were injected, by id."""

    def look(view: ClaimView) -> set[tuple[str, str]]:
        found: set[tuple[str, str]] = set()
        for id in ids:
            for each in view.conflicts(id):
                if not each.live or branch not in each.branches:
                    continue
                partner = view.claims([each.partner])[each.partner]
                text = read.get(partner.lifted, "") if partner.lifted else partner.claim.proposition
                if text in injected:
                    found.add((text, id))
        return found

    ids = list(await workspace.claims())
    return await workspace.store.look(look)


async def _claims(
    workspace: Workspace, world: World, targets: Sequence[str], texts: Mapping[str, str], random: Random
) -> tuple[Branched, int, Gain | None, Share]:
    """The claim branch, with positions choosing candidates and on a copy where likeness alone does."""
    said = [each for id in targets if id in world.opposing for each in world.opposing[id]]
    if not said:
        none = share(0, 0, 0.80, 0.90)
        return Branched(none, share(0, 0, 0.70, 0.80), share(0, 0, 0.60, 0.70), 0.0), 0, None, none
    random.shuffle(said)
    runs = {}
    for positions in (True, False):
        made = await workspace.copy(replace(workspace.parts, positions=positions))
        for start in range(0, len(said), 20):
            await _enter(made, said[start : start + 20])
        compared = {each.text: made.heard.candidates.get(each.text, []) for each in said}
        runs[positions] = compared, await _edges(made, {each.text for each in said}, {}, "claim")
        await made.aclose()
    (with_positions, edges), (alone, _) = runs[True], runs[False]
    right = {world.opposing[id][0].text: id for id in targets if id in world.opposing}
    own = {each.text for each in said}
    edges = {(text, id) for text, id in edges if text in own and id not in {claim_id(one) for one in own}}
    chosen = [text for text in right if with_positions[text] and len(with_positions[text]) < len(alone[text])]
    per = [[(texts[right[text]] in found[text]) / len(found[text]) for text in chosen] for found in (with_positions, alone)]
    return (
        Branched(
            share(sum(texts[id] in with_positions[text] for text, id in right.items()), len(right), 0.80, 0.90),
            share(sum((text, id) in edges for text, id in right.items()), len(right), 0.70, 0.80),
            share(sum((text, id) in right.items() for text, id in edges), len(edges), 0.60, 0.70),
            sum(len(each) for each in with_positions.values()) / max(1, len(said)),
        ),
        len(chosen),
        gain(per[0], per[1]) if chosen else None,
        share(sum(texts[id] in alone[text] for text, id in right.items()), len(right), 0.80, 0.90),
    )


async def _enter(workspace: Workspace, said: Sequence[Opposing]) -> None:
    """Each claim with the signal that it rests on: derived from it for a request, or, without one, entered by a person who cites it."""
    derived = [each for each in said if each.request]
    await workspace.do([one for each in derived for one in (TakeIn(each.fact.entry), Derive(each.request, each.request))])
    entered = [each for each in said if not each.request]
    if entered:
        await workspace.do([TakeIn(each.fact.entry) for each in entered])
        read = await _read(workspace, [each.fact for each in entered])
        await workspace.do([State(each.text, BY, cites=tuple(read[each.fact.text])[:1]) for each in entered])


def _supports(claims: Mapping[str, StoredClaim], world: World) -> Share:
    """Justifications that verdicts of support wrote, and how many of them do support."""
    truth = {(fact.signal, claim): right for fact, claim, right in world.supporting}
    written = [
        (just.antecedents[0], id)
        for id, each in claims.items()
        for just in each.claim.justifications
        if just.derivation.kind == "supports"
    ]
    return share(sum(truth.get(each, False) for each in written), len(written), 0.70, 0.80)


async def _gone(workspace: Workspace, world: World) -> int:
    """Results of reads with claims that are retracted or superseded: there must be none."""
    found = 0
    for query in world.queries[::8]:
        reading = await workspace.read(query.text, DEPTH)
        found += sum(each.claim is not None and not readable(each.standing) for each in reading.hits)
    return found


def _copies(world: World, id: str) -> bool:
    """Whether a contradiction shares more with its target than the name of the entity."""
    words = [set(text.lower().rstrip(".").split()) for text in (world.injected[id][0].fact.text, world.claim(id).text)]
    return len(words[0] & words[1]) > 2
