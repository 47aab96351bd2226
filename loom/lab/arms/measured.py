"""What the arms turned out to be: how large, how much of the answer each exposes, and whether the controls hold what they promise.

Measured before any model is asked. The copy ceiling of an arm is what a verbatim copy of all that it shows would score (seed §7).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean, median

from loom.core.exposure import READERS, Ceilings, CopyCeiling, shown_names
from loom.core.values import Json
from loom.lab.arms.arm import ANSWER_DISJOINT, IRRELEVANT, MATCHED_TO, SHUFFLED, TOLERANCE, TRUE
from loom.lab.arms.basis import Basis
from loom.lab.arms.fitting import off_by
from loom.lab.arms.planned import Planned
from loom.lab.showing import NO_BLOCK, NO_DONOR, PLANNED, Showing, visible


def measured(planned: Planned, matcher: str) -> dict[str, Json]:
    """The copy ceiling of every arm first; then flow, tokens and exposure of each, and the checks."""
    by_arm = {arm: [showing for showing in planned.showings if showing.arm == arm] for arm in planned.arms}
    matchers = tuple(dict.fromkeys((matcher, "reference")))
    ceilings: dict[str, Json] = {}
    arms: dict[str, Json] = {}
    for arm, showings in by_arm.items():
        asked = [(item, showing) for item, showing in zip(planned.items, showings, strict=True) if showing.status == PLANNED]
        texts = [(visible(showing.asking.sent), item.question.titles, item) for item, showing in asked if item.question.gold]
        ceilings[arm] = {each: _ceiling([_exposed(each, *text) for text in texts]) for each in matchers}
        blocks = [(showing.block.text, item.targets, item) for item, showing in asked if item.targets and showing.block.text]
        arms[arm] = {
            "flow": _flow(showings),
            "tokens": _tokens(planned, arm, asked),
            "block_exposure": {each: _exposure([_exposed(each, *block) for block in blocks]) for each in matchers},
        }
    return {
        "matcher": matcher,
        "seed": planned.seed,
        "questions": len(planned.items),
        "engaged": sum(item.engaged for item in planned.items),
        "without_gold": sum(not item.question.gold for item in planned.items),
        "ceiling": ceilings,
        "arms": arms,
        "checks": checks(planned, matcher),
        "template_seeds": [seed.as_json() for seed in planned.template_seeds],
        "template_targets": sum(len(item.question.titles) - len(item.targets) for item in planned.items if not item.proxied),
        "unavailable": dict(planned.unavailable),
    }


def _exposed(matcher: str, text: str, titles: Sequence[str], item: Basis) -> CopyCeiling:
    lacking = frozenset(READERS[matcher](text).lacks(tuple(titles)))
    kind = "all" if item.proxied else item.question.gold_type
    return CopyCeiling(item.question.id, tuple(titles), tuple(title not in lacking for title in titles), kind)


def _ceiling(items: Sequence[CopyCeiling]) -> dict[str, Json]:
    """Macro under the symmetric and the reference scorer, micro, over the questions that have gold."""
    found = Ceilings(tuple(items))
    return {"n": len(items), "macro": found.symmetric, "reference": found.macro, "micro": found.micro}


def _exposure(items: Sequence[CopyCeiling]) -> dict[str, Json]:
    """What blocks alone expose of targets (without template seeds; of a question without gold, its seeds' titles)."""
    found, shares = Ceilings(tuple(items)), [item.ceiling for item in items]
    return {
        "n": len(items),
        "macro": found.macro,
        "micro": found.micro,
        "zero": sum(share == 0 for share in shares),
        "max": max(shares, default=None),
    }


def _flow(showings: Sequence[Showing]) -> dict[str, Json]:
    counts = Counter(showing.status for showing in showings)
    silent = sum(showing.status == PLANNED and not showing.block.text for showing in showings)
    return {
        "n": len(showings),
        "planned": counts[PLANNED],
        "no_donor": counts[NO_DONOR],
        "no_block": counts[NO_BLOCK],
        "without_block": silent,
    }


def _tokens(planned: Planned, arm: str, asked: Sequence[tuple[Basis, Showing]]) -> dict[str, Json]:
    """Tokens of the blocks that are shown, and how near those of a matched arm come to the arm that it is matched to."""
    sizes = [showing.block.tokens for _, showing in asked if showing.block.text]
    found: dict[str, Json] = {
        "mean": fmean(sizes) if sizes else 0.0,
        "median": float(median(sizes)) if sizes else 0.0,
        "max": max(sizes, default=0),
    }
    if arm in MATCHED_TO:
        whole = [(_own(item, MATCHED_TO[arm]), showing) for item, showing in asked]
        offs = [(off_by(showing.block, tokens), showing) for tokens, showing in whole if tokens]
        found["matched_to"] = MATCHED_TO[arm]
        found["within"] = fmean(off <= TOLERANCE for off, _ in offs) if offs else None
        found["off_by_most"] = max((off for off, _ in offs), default=None)
        found["off"] = [showing.question.id for off, showing in offs if off > TOLERANCE]
    return found


def _own(item: Basis, arm: str) -> int:
    return (item.true if arm == TRUE else item.live.block).tokens


def checks(planned: Planned, matcher: str) -> dict[str, Json]:
    """What the controls promise, counted over the showings as they are; 0 violations each, or there is a fault."""
    found: dict[str, Json] = {}
    shown = {(showing.arm, at // max(1, len(planned.arms))): showing for at, showing in enumerate(planned.showings)}
    places = {(item.question.set, item.question.id): at for at, item in enumerate(planned.items)}
    if {TRUE, SHUFFLED} <= set(planned.arms):
        pairs = [(shown[TRUE, at], shown[SHUFFLED, at], item) for at, item in enumerate(planned.items)]
        found["shuffled_exposes_the_same"] = _counted(
            [_same(true, other, item, matcher) for true, other, item in pairs if true.status == PLANNED]
        )
    for arm in (IRRELEVANT, ANSWER_DISJOINT):
        if arm in planned.arms:
            found[f"{arm}_seed_disjoint"] = _pairs(planned, arm, shown, places)
    if ANSWER_DISJOINT in planned.arms:
        found["answer-disjoint_exposes_nothing"] = _counted(
            [
                not any(_exposed(each, showing.block.text, item.gold, item).exposed)
                for at, item in enumerate(planned.items)
                if (showing := shown[ANSWER_DISJOINT, at]).status == PLANNED
                for each in dict.fromkeys((matcher, "reference"))
            ]
        )
    for arm, other in MATCHED_TO.items():
        if arm in planned.arms:
            sizes = [(shown[arm, at], _own(item, other)) for at, item in enumerate(planned.items)]
            found[f"{arm}_within_tokens_of_{other}"] = _counted(
                [
                    off_by(showing.block, tokens) <= TOLERANCE
                    for showing, tokens in sizes
                    if tokens and showing.status == PLANNED
                ]
            )
    return found


def _counted(held: Sequence[bool]) -> dict[str, Json]:
    return {"n": len(held), "violations": len(held) - sum(held), "share": sum(held) / len(held) if held else None}


def _same(true: Showing, other: Showing, item: Basis, matcher: str) -> bool:
    """Whether two blocks have the same receipt of names, and expose the same of those and of the gold."""
    names = tuple(dict.fromkeys((*shown_names(true.block), *item.gold)))
    return set(shown_names(true.block)) == set(shown_names(other.block)) and all(
        READERS[each](true.block.text).lacks(names) == READERS[each](other.block.text).lacks(names)
        for each in dict.fromkeys((matcher, "reference"))
    )


def _pairs(
    planned: Planned,
    arm: str,
    shown: Mapping[tuple[str, int], Showing],
    places: Mapping[tuple[str, str], int],
) -> dict[str, Json]:
    """Of the pairs: whether the donor shares no seed; how many questions with a block are paired; that no donor comes twice."""
    pairs = []
    able = 0
    for at, item in enumerate(planned.items):
        showing = shown[arm, at]
        able += showing.status != NO_BLOCK
        if showing.status == PLANNED:
            set = str(showing.notes.get("donor_set", item.question.set))
            pairs.append((item, planned.items[places[set, str(showing.donor)]]))
    counted = _counted([item is not donor and item.seeds.isdisjoint(donor.seeds) for item, donor in pairs])
    twice = len(pairs) - len({donor.key for _, donor in pairs})
    return {**counted, "paired": len(pairs) / able if able else None, "of": able, "donors_twice": twice}
